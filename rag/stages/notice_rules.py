"""Rules of the notices that a checked answer carries: each looks at one thing, in the order of the page."""

import re
from collections.abc import Callable, Iterable, Iterator

from law.boe_links import consolidated, of_boe
from law.decisions import CRITERIA, JUDGMENTS, PAPERS
from law.provision_reading import read_provision
from law.tables import lacking
from lexicon import people
from lexicon.ties import overtaken, transitional
from rag.answers.after_the_law import binds_others
from rag.answers.aside import opening, without_aside
from rag.answers.confidence import LOW, UNSURE
from rag.answers.quotation_check import bare_paragraphs
from rag.shared.cited_answer import Verdict
from rag.shared.notices import Kind, Notice
from rag.stages.checked_answer import Checked
from text.markers import markers

VERDICTS = {Verdict.SUFFICIENT: 1.0, Verdict.PARTIAL: UNSURE, Verdict.INSUFFICIENT: LOW}
IN_DOUBT = 0.5
"""Greatest confidence with marks around words that are no quotation."""
SHOWN, BEGIN = 120, 6
"""Characters of words that are no quotation, and words of a paragraph, in a notice."""
AMENDS = re.compile(
    r"\bmodificaci[óo]n(?:es)? (?:del?|en) (?:la |el )?(?:ley|real|texto|estatuto|decreto)", re.I
)
NONE_ASKED = {
    JUDGMENTS: "No se ha encontrado entre las sentencias cargadas ninguna que responda a la pregunta.",
    CRITERIA: "No se ha encontrado entre los criterios cargados ninguno que responda a la pregunta.",
}
OF_ITS_SCOPE = (
    "obliga solo a las empresas y a las personas de su ámbito; téngalo en cuenta solo si le es aplicable."
)
NO_LAW = "es un {rank} de los cargados en «Documentos», no una norma: no obliga por sí mismo."
AMENDING = "es un precepto que modifica otra norma; vea el artículo modificado en su redacción vigente."
CUT = "La respuesta superaba los {limit} caracteres y se ha recortado: le falta el final."
UNMARKED = "Se presentaban como cita palabras que no constan así en los textos citados: {which}."
DOUBTED = "Compruebe las frases señaladas con ⚠, cada una por la razón que se da a su lado."
UNSHOWN = (
    "Compruebe estas cifras, que no constan en los textos leídos ni en la pregunta y cuya cuenta no se "
    "muestra: {figures}."
)


def _replaced(answer: Checked) -> Iterator[Notice]:
    """A cited criterion that a later one leaves without effect."""
    held = answer.holdings.decisions
    for norm in (chunk.norm_id for chunk in answer.chunks):
        if later := held.replaced.get(norm):
            says = f"lo deja sin efecto un criterio posterior ({held.norms[later].name})."
            yield Notice(Kind.REPLACED, says, held.norms[norm].name, UNSURE)


def _of_others(answer: Checked) -> Iterator[Notice]:
    """Cited provisions that govern others than whom the question is of; what is folded answers nothing."""
    person, context = answer.state.understanding.person, answer.state.context
    shown, aside = map(markers, without_aside(answer.text))
    folded = {*aside} - {*shown}
    apart = [hit.chunk for place, hit in enumerate(context.hits) if context.marker(place) in folded]
    of_others = (one for one in answer.chunks if people.of_others(person, of_boe(one.article, one.url)))
    found = (one.name for one in of_others if one not in apart)
    if names := ", ".join(dict.fromkeys(found)):
        yield Notice(Kind.PEOPLE, people.note(person), names, UNSURE)


def _of_other_scopes(answer: Checked) -> Iterator[Notice]:
    """Cited agreements that may not bind who asks; nothing is sure if one of them comes first."""
    beyond = [one for one in answer.chunks if binds_others(one, answer.state.understanding)]
    found = [one for one in beyond if one.collection != PAPERS]
    if names := ", ".join(dict.fromkeys(one.law for one in found)):
        yield Notice(Kind.SCOPE, OF_ITS_SCOPE, names, UNSURE if found[0] is answer.chunks[0] else 1.0)


def _papers(answer: Checked) -> Iterator[Notice]:
    """Cited drafts and other papers, which are no law, also where the question asks for them."""
    for chunk in answer.chunks:
        if chunk.collection == PAPERS:
            first = chunk is answer.chunks[0]
            cap = UNSURE if first and binds_others(chunk, answer.state.understanding) else 1.0
            yield Notice(Kind.SCOPE, NO_LAW.format(rank=chunk.rank.lower() or "documento"), chunk.law, cap)


def _displaced(answer: Checked) -> Iterator[Notice]:
    """Cited provisions that another norm had displaced by the day for which they were read."""
    for hit in answer.cited:
        if entry := overtaken(hit.chunk.norm_id, hit.chunk.block_id, hit.day or answer.state.as_of):
            yield Notice(Kind.LAW, f"{entry.says.rstrip('.')} ({entry.source}).", hit.chunk.name)


def _none_asked(answer: Checked) -> Iterator[Notice]:
    """The lack of any of the rulings or criteria that the question asks for."""
    for name in answer.state.understanding.filters.preferred if answer.cited else ():
        if all(chunk.collection != name for chunk in answer.chunks):
            yield Notice(Kind.LAW, NONE_ASKED[name])


def _amending(answer: Checked) -> Iterator[Notice]:
    """Cited provisions that put words into another norm, which may have others by now."""
    for chunk in answer.chunks:
        if AMENDS.search(chunk.section):
            yield Notice(Kind.LAW, AMENDING, chunk.name)


def _governing(answer: Checked) -> Iterable[Notice]:
    """Transitional provisions that govern open cases of a cited article and are not cited."""
    state, found = answer.state, dict[tuple[str, str], Notice]()
    told = {consolidated(*of_boe(chunk.article, chunk.url)) for chunk in answer.chunks}
    # What stands further down may speak of anything of its article.
    about = f"{state.question} {state.draft.answer if answer.by_model else opening(state.draft.answer)}"
    for hit in answer.cited:
        chunk = hit.chunk
        for tie in transitional(chunk.article, chunk.url, hit.day or state.as_of, state.understanding.hired):
            if tie.url not in told and tie.concerns(about):
                found.setdefault((tie.url, tie.apartado), Notice(Kind.LAW, f"vea la {tie}", chunk.name))
    return found.values()


def _without_table(answer: Checked) -> Iterator[Notice]:
    """Cited provisions that announce a table which their stored text does not have."""
    for chunk in answer.chunks:
        if what := " y ".join(lacking(read_provision(chunk.text))):
            says = f"anuncia {what} que el texto cargado no trae; consulte la fuente oficial."
            yield Notice(Kind.LAW, says, chunk.name)


def _removed(answer: Checked) -> Iterator[Notice]:
    """The end of a long text, markers of nothing, and quotations and marks that did not pass."""
    if answer.cut:
        yield Notice(Kind.TEXT, CUT.format(limit=answer.cut))
    if answer.unknown:
        unknown = ", ".join(answer.unknown)
        yield Notice(Kind.TEXT, f"Se han quitado marcas que no son de ningún texto leído: {unknown}.")
    if lost := [check for check in answer.checks if not check.verified]:
        reasons = "; ".join(dict.fromkeys(check.reason for check in lost))
        named = ", ".join(dict.fromkeys(check.marker for check in lost if check.marker))
        count = "Se ha descartado una cita" if len(lost) == 1 else f"Se han descartado {len(lost)} citas"
        says = f"{count}{f' ({named})' if named else ''}: {reasons}."
        yield Notice(Kind.CITATIONS, says, cap=min(UNSURE, 1 - len(lost) / len(answer.checks)))
    yield from unmarked(answer.unquoted)


def unmarked(words: Iterable[str]) -> Iterator[Notice]:
    """The notice of words that were presented as a quotation and are none; nothing without any."""
    if which := "; ".join(one if len(one) <= SHOWN else f"{one[:SHOWN]}…" for one in words):
        yield Notice(Kind.MARKS, UNMARKED.format(which=which), cap=IN_DOUBT)


def _bare(answer: Checked) -> Iterator[Notice]:
    if bare := bare_paragraphs(answer.text):
        count = "Un párrafo no lleva" if len(bare) == 1 else f"{len(bare)} párrafos no llevan"
        begin = "; ".join(f"«{' '.join(one.split()[:BEGIN])}…»" for one in bare)
        yield Notice(Kind.TEXT, f"{count} ninguna fuente: {begin}.")


def _figures(answer: Checked) -> Iterator[Notice]:
    """Calculations, and figures that stand nowhere, which are marked where they stand."""
    for one in answer.figures.sums:
        if not one.right:
            says = f"Cálculo erróneo en la respuesta: «{one.shown}»; el resultado es {one.value}."
            yield Notice(Kind.CALCULATIONS, says, cap=LOW)
    if right := "; ".join(dict.fromkeys(one.shown for one in answer.figures.sums if one.right)):
        says = f"Cálculos de la respuesta, rehechos y correctos (no son texto de ninguna norma): {right}."
        yield Notice(Kind.CALCULATIONS, says)
    if answer.figures.nowhere:
        yield Notice(Kind.FIGURES, "", cap=UNSURE)


def _sentences(answer: Checked) -> Iterator[Notice]:
    """Sentences of a model in doubt, its figures that only a reader can tell, and sentences without one."""
    if answer.held.reasons:
        sure = answer.state.draft.confidence * (1 - answer.held.share)
        yield Notice(Kind.SENTENCES, DOUBTED, cap=min(UNSURE, sure))
    if answer.by_model and answer.figures.unshown:
        yield Notice(Kind.FIGURES, UNSHOWN.format(figures=", ".join(answer.figures.unshown)))
    if answer.held.unread:
        yield Notice(Kind.SENTENCES, answer.held.unread)


def _verdict(answer: Checked) -> Iterator[Notice]:
    """The sufficiency of what was read."""
    yield Notice(Kind.VERDICT, "", cap=VERDICTS[answer.state.verdict])


RULES: tuple[Callable[[Checked], Iterable[Notice]], ...] = (
    _replaced,
    _of_others,
    _of_other_scopes,
    _papers,
    _displaced,
    _none_asked,
    _amending,
    _governing,
    _without_table,
    _removed,
    _bare,
    _figures,
    _sentences,
    _verdict,
)


def notices_of(answer: Checked) -> list[Notice]:
    """All notices of an answer in the order of the page, each once."""
    return list(dict.fromkeys(notice for rule in RULES for notice in rule(answer)))
