"""Checks of the answer once its schema holds: grounding and refusal policy (S4.9), and confidence (X.7)."""

import asyncio
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date
from functools import cache

from core.errors import ArticuladoError
from law.boe_links import consolidated, of_boe
from law.chunks import Chunk
from law.decisions import CRITERIA, JUDGMENTS
from law.norms import DOCUMENT, Block, sha256_of
from law.provision_reading import read_provision
from law.tables import lacking
from lexicon import people
from lexicon.ties import overtaken, transitional
from rag.answers.after_the_law import binds_others
from rag.answers.confidence import LOW, UNSURE
from rag.answers.figure_check import check_figures
from rag.answers.quotation_check import (
    REPEATED,
    bare_paragraphs,
    keep_markers,
    markers,
    normalise_markers,
    read_length,
    source_of,
    verify,
)
from rag.answers.quotation_place import place_of
from rag.answers.quoted_words import without_false_marks, without_seals
from rag.answers.recheck import wording
from rag.shared.answer_contract import ABSTENTION
from rag.shared.cited_answer import Answer, Citation, Source, Verdict
from rag.shared.state import Event, Services, State
from rag.shared.trace import AnswerRecord, CitationCheck, VerifyRecord
from rag.stages.answer import without_the_model
from rag.stages.governing_law import hired
from rag.stages.sentences import Held, hold
from text.legible import legible

CAP = {Verdict.SUFFICIENT: 1.0, Verdict.PARTIAL: UNSURE, Verdict.INSUFFICIENT: LOW}
IN_DOUBT = 0.5
"""Greatest confidence with marks around words that are no quotation."""
DOUBTED = "Compruebe las frases señaladas con ⚠, cada una por la razón que se da a su lado."
UNSHOWN = (
    "Compruebe estas cifras, que no constan en los textos leídos ni en la pregunta y cuya cuenta no se "
    "muestra: {figures}."
)
SHOWN, BEGIN = 120, 6
"""Characters of words that are no quotation, and words of a paragraph, in a note."""
NOTE = "\n\n\x1f"
"""Between an answer and the model's own note, which is held with it."""
AMENDS = re.compile(
    r"\bmodificaci[óo]n(?:es)? (?:del?|en) (?:la |el )?(?:ley|real|texto|estatuto|decreto)", re.I
)
AMENDING = (
    "{name}: es un precepto que modifica otra norma; vea el artículo modificado en su redacción vigente."
)
OF_ITS_SCOPE = (
    "{names}: obliga solo a las empresas y a las personas de su ámbito; téngalo en cuenta solo si le es "
    "aplicable."
)
REPLACED = "{name}: lo deja sin efecto un criterio posterior ({by})."
NONE_ASKED = {
    JUDGMENTS: "No se ha encontrado entre las sentencias cargadas ninguna que responda a la pregunta.",
    CRITERIA: "No se ha encontrado entre los criterios cargados ninguno que responda a la pregunta.",
}
CUT_NOTE = "La respuesta superaba los {limit} caracteres y se ha recortado: le falta el final."
UNMARKED = "Se presentaban como cita palabras que no constan así en los textos citados: {which}."
NO_TABLE = "{name}: anuncia {what} que el texto cargado no trae; consulte la fuente oficial."
UNQUOTED = "La respuesta no traía ninguna cita que se pudiera comprobar en los textos leídos."
INSTEAD = (
    "Ninguna cita de la respuesta del modelo se ha podido comprobar en los textos leídos y no se muestra: "
    "se citan en su lugar frases literales de las normas, sin redacción."
)


async def verify_answer(state: State, services: Services) -> VerifyRecord:
    """Fill `state.answer` from `state.draft`; only verified citations stay.

    A model's answer without any is replaced by the extractive one, or by its refusal.
    """
    draft = state.draft
    draft.notes = without_seals(legible(draft.notes or "").text) or None
    if draft.refusal or draft.answer.startswith(ABSTENTION):
        return _refuse(state, services)
    block = cache(services.store.block)
    by_model = _mode(state, services) == "model"
    citations, checks = await asyncio.to_thread(
        verify, draft.citations, state.context, lambda chunk: _wording_of(chunk, block), chosen=not by_model
    )
    text = normalise_markers(without_seals(legible(draft.answer).text), _documents(state))
    if not citations and by_model:
        return await _instead(state, services, checks)
    if not citations:
        return _refuse(state, services, tuple(checks), (UNQUOTED,))
    citations = await asyncio.to_thread(_sealed, citations, block)
    text, notes, unmarked = _settle(text, citations, checks, state, services)
    shown = f"{text}\n\n{draft.notes or ''}"
    cited = dict.fromkeys([*(one.marker for one in citations), *markers(shown)])
    others = _of_others(cited, state)
    replaced = _replaced(cited, state, services)
    agreements, alone = _of_other_scopes(cited, state)
    notes = replaced + others + agreements + notes
    figures = await asyncio.to_thread(check_figures, shown, state, services)
    notes += figures.notes
    named = "".join(f"[{marker}]" for marker in dict.fromkeys(one.marker for one in citations))
    with_note = f"{text}{NOTE}{draft.notes} {named}" if draft.notes else text
    held = Held(with_note)
    if by_model:
        state.on_event(Event("delta", "answer", text=text))
        held = await hold(with_note, state, services, citations, figures.nowhere)
    notes += [DOUBTED] if held.reasons else []
    notes += [UNSHOWN.format(figures=", ".join(figures.unshown))] if figures.unshown and by_model else []
    notes += [held.unread] if held.unread else []
    text, _, note = held.text.partition(NOTE)
    draft.notes = keep_markers(note, ()).strip() or None
    told = [check for check in checks if check.reason != REPEATED]
    ratio = sum(check.verified for check in told) / len(told)
    components = (
        ("modelo" if by_model else "reglas", draft.confidence),
        ("citas comprobadas", ratio if ratio == 1.0 else min(ratio, UNSURE)),
        ("veredicto", CAP[state.verdict]),
        *([("cálculos", LOW)] if figures.wrong else []),
        *([("cifras", UNSURE)] if figures.nowhere else []),
        *([("régimen", UNSURE)] if others else []),
        *([("criterio sin efecto", UNSURE)] if replaced else []),
        *([("ámbito del convenio", UNSURE)] if alone else []),
        *([("frases", min(UNSURE, draft.confidence * (1 - held.share)))] if held.reasons else []),
        *([("comillas", IN_DOUBT)] if unmarked else []),
        ("fecha", state.ceiling),
    )
    confidence = min(value for _, value in components)
    if state.missing:
        text += f"\n\nNo se ha encontrado entre las normas cargadas: {'; '.join(state.missing)}."
    state.answer = Answer(
        answer=text,
        citations=tuple(citations),
        sources=_sources(text, citations, state),
        confidence=round(confidence, 4),
        notes="\n".join([*_remarks(state), *notes]) or None,
        mode=_mode(state, services),
        as_of=state.as_of,
        other_days=state.other_days,
    )
    return VerifyRecord(
        checks=tuple(checks),
        issues=tuple(notes),
        doubts=tuple(held.reasons),
        confidence=components,
        calls=held.calls,
        fallback=held.fallback,
    )


async def _instead(state: State, services: Services, checks: list[CitationCheck]) -> VerifyRecord:
    """The record of the extractive answer that takes the place of one without any checked quotation."""
    made = await without_the_model(state, services, AnswerRecord(), why=INSTEAD)
    record = await verify_answer(state, services)
    update = {"checks": (*checks, *record.checks), "issues": (UNQUOTED, *record.issues)}
    return record.model_copy(update=update | {"calls": made.calls, "fallback": INSTEAD})


def _wording_of(chunk: Chunk, block: Callable[[str, str], Block | None]) -> str:
    """The whole wording that a chunk is a part of; empty if it cannot be read."""
    with suppress(ArticuladoError):
        version = wording(block(chunk.norm_id, chunk.block_id), chunk)
        return version.text if version else ""
    return ""


def _documents(state: State) -> dict[int, str]:
    """The marker of each document of the expediente, by its number."""
    own = {marker: hit.chunk for marker, hit in state.context.marked.items() if hit.origin == DOCUMENT}
    found = ((chunk.law.removeprefix("Doc "), marker) for marker, chunk in own.items())
    return {int(number): marker for number, marker in found if number.isdigit()}


def _sealed(citations: list[Citation], block: Callable[[str, str], Block | None]) -> list[Citation]:
    """The citations with the fingerprint of their wordings and their places in them; neither if not read.

    Those of documents, which have no wordings, as they are.
    """
    sealed = []
    try:
        for one in citations:
            if one.collection == DOCUMENT:
                sealed.append(one)
                continue
            version = wording(block(one.norm_id, one.block_id), one)
            held = version is not None and place_of(one.quote, version.text, one.start)
            start = held[0] if held else None
            sha256 = sha256_of(version) if version else ""
            sealed.append(one.model_copy(update={"wording_sha256": sha256, "start": start}))
    except ArticuladoError:
        return [one.model_copy(update={"start": None}) for one in citations]
    return sealed


def _settle(
    text: str, citations: list[Citation], checks: list[CitationCheck], state: State, services: Services
) -> tuple[str, list[str], bool]:
    """(text, notes, True if quotation marks were false) after the checks of length, markers, marks and seals.

    A marker of any fragment of the context stays.
    """
    notes: list[str] = []
    limit = services.profile.answer_chars
    if read_length(text) > limit:
        text = shorten(text, limit)
        notes.append(CUT_NOTE.format(limit=limit))
    known = state.context.marked
    unknown = [marker for marker in markers(text) if marker not in known]
    if unknown:
        text = keep_markers(text, known)
        notes.append(f"Se han quitado marcas que no son de ningún texto leído: {', '.join(unknown)}.")
    dropped = [check for check in checks if not check.verified and check.reason != REPEATED]
    if dropped:
        reasons = "; ".join(dict.fromkeys(check.reason for check in dropped))
        named = ", ".join(dict.fromkeys(check.marker for check in dropped if check.marker))
        one = len(dropped) == 1
        count = "Se ha descartado una cita" if one else f"Se han descartado {len(dropped)} citas"
        notes.append(f"{count}{f' ({named})' if named else ''}: {reasons}.")
    named_in = {*markers(text), *(citation.marker for citation in citations)}
    by_marker = {marker: hit.chunk for marker, hit in known.items() if marker in named_in}
    cited = list(by_marker.values())
    quotable = {marker: [chunk.text] for marker, chunk in by_marker.items()}
    asked = (turn.text for turn in state.history if turn.role == "user")
    also = [state.question, *asked, *(chunk.law for chunk in cited)]
    also += [*(chunk.section for chunk in cited), *state.context.titles.values()]
    text, unquoted = without_false_marks(text, quotable, also)
    own, unquoted_in_note = without_false_marks(state.draft.notes or "", quotable, also)
    state.draft.notes = own or None
    if unquoted := [*unquoted, *unquoted_in_note]:
        which = "; ".join(words if len(words) <= SHOWN else f"{words[:SHOWN]}…" for words in unquoted)
        notes.append(UNMARKED.format(which=which))
    if bare := bare_paragraphs(text):
        which = "Un párrafo no lleva" if len(bare) == 1 else f"{len(bare)} párrafos no llevan"
        begin = "; ".join(f"«{' '.join(one.split()[:BEGIN])}…»" for one in bare)
        notes.append(f"{which} ninguna fuente: {begin}.")
    amending = [AMENDING.format(name=name) for name in _amending(cited)]
    displaced = [*_displaced(cited, state), *_of_none_asked(cited, state)]
    known_notes = [*displaced, *amending, *_governing(cited, state), *_without_table(cited)]
    return text, [*known_notes, *notes], bool(unquoted)


def _without_table(cited: Iterable[Chunk]) -> list[str]:
    """A note for each cited provision that announces a table which its stored text does not have."""
    kinds = {chunk.name: lacking(read_provision(chunk.text)) for chunk in cited}
    return [NO_TABLE.format(name=name, what=" y ".join(found)) for name, found in kinds.items() if found]


def _sources(text: str, citations: list[Citation], state: State) -> tuple[Source, ...]:
    """The fragments that the text names without a checked quotation."""
    named = set(markers(text)) - {citation.marker for citation in citations}
    marked = state.context.marked.items()
    return tuple(source_of(marker, hit) for marker, hit in marked if marker in named)


def _of_others(cited: Iterable[str], state: State) -> list[str]:
    """A note of the cited provisions, by their markers, that govern others than whom the question is of."""
    person = state.understanding.person
    marked = state.context.marked
    chunks = (marked[marker].chunk for marker in cited if marker in marked)
    names = [one.name for one in chunks if people.of_others(person, of_boe(one.article, one.url))]
    return [f"{', '.join(dict.fromkeys(names))}: {people.note(person)}"] if names else []


def _of_other_scopes(cited: Iterable[str], state: State) -> tuple[list[str], bool]:
    """The note of the agreements cited, by their markers, that may bind others; True if one comes first."""
    marked = state.context.marked
    chunks = [marked[marker].chunk for marker in cited if marker in marked]
    found = [one for one in chunks if binds_others(one, state.understanding)]
    names = ", ".join(dict.fromkeys(one.law for one in found))
    return [OF_ITS_SCOPE.format(names=names)] if found else [], bool(found) and found[0] is chunks[0]


def _displaced(cited: list[Chunk], state: State) -> list[str]:
    """A note for each cited provision that another norm had displaced by the day of the answer."""
    days = _days(state)
    found = {chunk.name: overtaken(chunk.norm_id, chunk.block_id, days[chunk.id]) for chunk in cited}
    return [f"{name}: {entry.says.rstrip('.')} ({entry.source})." for name, entry in found.items() if entry]


def _days(state: State) -> dict[str, date]:
    """The day whose law each fragment was read for, by its id."""
    return {hit.chunk.id: hit.day or state.as_of for hit in state.context.hits}


def _replaced(cited: Iterable[str], state: State, services: Services) -> list[str]:
    """A note for each criterion cited, by its marker, that a later one leaves without effect."""
    held, marked = services.holdings().decisions, state.context.marked
    norms = (marked[marker].chunk.norm_id for marker in cited if marker in marked)
    pairs = {norm: held.replaced[norm] for norm in norms if norm in held.replaced}
    return [REPLACED.format(name=held.norms[old].name, by=held.norms[new].name) for old, new in pairs.items()]


def _of_none_asked(cited: list[Chunk], state: State) -> list[str]:
    """The note of an answer without any of the rulings or criteria that the question asks for."""
    asked = state.understanding.filters.preferred
    return [NONE_ASKED[name] for name in asked if cited and all(chunk.collection != name for chunk in cited)]


def _amending(cited: list[Chunk]) -> list[str]:
    """The names of the cited provisions that put words into another norm, which may have others by now."""
    return list(dict.fromkeys(chunk.name for chunk in cited if AMENDS.search(chunk.section)))


def _governing(cited: list[Chunk], state: State) -> list[str]:
    """A note for each transitional provision that governs open cases of a cited article and is not cited."""
    told = {consolidated(*of_boe(chunk.article, chunk.url)) for chunk in cited}
    found: dict[tuple[str, str], str] = {}
    days = _days(state)
    for chunk in cited:
        for tie in transitional(chunk.article, chunk.url, days[chunk.id], hired(state)):
            if tie.url not in told and tie.concerns(f"{state.question} {state.draft.answer}"):
                found.setdefault((tie.url, tie.apartado), f"{chunk.name}: vea la {tie}")
    return list(found.values())


def _refuse(
    state: State,
    services: Services,
    checks: tuple[CitationCheck, ...] = (),
    issues: tuple[str, ...] = (),
) -> VerifyRecord:
    """Refuse: the fixed sentence first (S2.31), then the missing items; an unverified answer is left out."""
    draft = state.draft
    own = without_seals(legible(draft.answer).text)
    said = keep_markers(normalise_markers(own), ()) if draft.refusal or not issues else ""
    said, unquoted = without_false_marks(said, {}, [state.question])
    issues += tuple(UNMARKED.format(which="; ".join(unquoted)) for _ in unquoted[:1])
    text = said if said.startswith(ABSTENTION) else " ".join(filter(None, [f"{ABSTENTION}.", said]))
    missing = [item for item in state.missing if item not in text]
    if missing:
        text += f" No se ha encontrado entre las normas cargadas: {'; '.join(missing)}."
    state.answer = Answer(
        answer=text,
        refusal=True,
        notes="\n".join([*(one for one in _remarks(state) if one not in text), *issues]) or None,
        mode=_mode(state, services),
        as_of=state.as_of,
        other_days=state.other_days,
    )
    return VerifyRecord(checks=checks, issues=issues, refused=True)


def _remarks(state: State) -> list[str]:
    """The remarks of the run, the model's own note, and why the answer is not the model's."""
    return [note for note in dict.fromkeys((*state.remarks, state.draft.notes, state.degraded)) if note]


def _mode(state: State, services: Services) -> str:
    """Writer of this answer, 'model' or 'offline'; offline also when the model failed."""
    return "offline" if state.degraded else services.mode


def shorten(text: str, limit: int) -> str:
    """The text up to its last paragraph end within the limit; else its last sentence end; else cut."""
    head = text[:limit]
    for pattern in (r"\n\s*\n", r"(?<=[.!?\]])\s"):
        ends = [match.start() for match in re.finditer(pattern, head)]
        if ends and ends[-1] > limit // 3:
            return head[: ends[-1]].rstrip()
    return head.rstrip()
