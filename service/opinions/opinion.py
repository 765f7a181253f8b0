"""The opinion («dictamen»): put together from stored answers and, if there is one, a checked draft."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Literal, Protocol

from core.errors import InputError
from core.values import Value
from law import dates
from law.norms import DOCUMENT, Block, Norm, sha256_of
from loading.formats.encoding import clean, one_line
from rag.answers.aside import without_aside
from rag.answers.confidence import band
from rag.answers.joined_answers import answers_of
from rag.answers.provenance import provenance_told
from rag.answers.quotation_check import quoted
from rag.answers.quotation_place import locate
from rag.answers.quoted_words import in_marks
from rag.answers.recheck import wording
from rag.shared.cited_answer import Answer, Citation, Source
from service.opinions.content import Element, Heading, Style, line, marked
from service.opinions.drafting import Asked, Draft
from service.opinions.references import address, by_wording, place_name, reference
from text.markers import keep_markers
from text.segmentation import sentences


class PartName(StrEnum):
    """The parts of an opinion in their order; the values name them in templates and in JSON."""

    BACKGROUND = "antecedentes"
    QUESTIONS = "cuestiones"
    GROUNDS = "fundamentos"
    CONCLUSIONS = "conclusiones"
    PROVENANCE = "procedencia"
    ANNEX = "anexo"


TITLE = "Dictamen"
TITLES = {
    PartName.BACKGROUND: "Antecedentes",
    PartName.QUESTIONS: "Cuestiones",
    PartName.GROUNDS: "Fundamentos",
    PartName.CONCLUSIONS: "Conclusiones",
    PartName.PROVENANCE: "Procedencia del texto",
    PartName.ANNEX: "Anexo. Textos citados",
}
MOST = 200
"""Answers in one opinion."""
BACKGROUND = (
    "Escriba aquí, si es tan amable, los antecedentes: quién consulta y para qué, los hechos con sus fechas "
    "y los documentos que se han examinado. Articulado no los conoce y no los supone."
)
NO_ANSWER = "Sin respuesta verificada: la cuestión queda abierta."
GONE = "Esta redacción ya no está cargada; se reproduce solo lo citado. Compruébelo en la fuente oficial."
QUOTED = "Texto citado, {name}:"
NONE_CITED = "Ninguna respuesta cita textos."
NOTHING = "No hay respuestas terminadas que llevar al dictamen: pregunte algo o elija otras respuestas."
TOO_MANY = "El dictamen admite {most} respuestas y se han elegido {count}: elija menos."
CERTIFIED = "Certificado de las fuentes consultadas, SHA-256 de su archivo: {sha}"
"""The line of every export that names a certificate."""
CLOSING = (
    "Borrador compuesto por Articulado el {day} a partir de respuestas automáticas guardadas; no sustituye "
    "la lectura de la fuente oficial ni el criterio de quien lo firma."
)


class Consulted(Value):
    """A question with its stored answer.

    Attributes:
        as_of: the day whose law the answer states.
        asked_on: the day in Spain on which it was asked.
    """

    question: str
    answer: Answer
    as_of: date
    asked_on: date


class Law(Protocol):
    """The stored texts that an opinion names."""

    def norm(self, norm_id: str) -> Norm | None: ...

    def block(self, norm_id: str, block_id: str) -> Block | None: ...


class Part(Value):
    """A part of an opinion under a heading of the first level."""

    name: PartName
    title: str
    elements: tuple[Element, ...]


class Opinion(Value):
    """An opinion as its words, of which each format is made; `parts` are in their order."""

    format: Literal[1] = 1
    title: str
    made_on: date
    parts: tuple[Part, ...]


def compose(
    consulted: Sequence[Consulted],
    law: Law,
    made_on: date,
    seals: Sequence[str] = (),
    draft: Draft | None = None,
) -> Opinion:
    """Antecedentes, Cuestiones, Fundamentos, Conclusiones, where the text is from and the texts cited.

    Each marker of an answer becomes a note; each quotation that its text does not repeat follows it, with a
    note of its own.

    Args:
        seals: SHA-256 of the certificates of the answers.
        draft: what a model drafted of `asked_of` these; None: all is assembled.

    Raises:
        InputError: there is no answer, or there are more than MOST.
    """
    if not consulted:
        raise InputError(NOTHING)
    if len(consulted) > MOST:
        raise InputError(TOO_MANY.format(most=MOST, count=len(consulted)))
    asked = [question for one in consulted for question in _questions(one)]
    draft = draft or Draft()
    texts = _Texts(law)
    elements: dict[PartName, Sequence[Element]] = {
        PartName.BACKGROUND: [line(one) for one in draft.background or (BACKGROUND,)],
        PartName.QUESTIONS: [
            line(f"{one_line(question)} (Derecho vigente a {dates.spelled(day)}.)", Style.NUMBER)
            for question, _, day in asked
        ],
        PartName.GROUNDS: [
            element
            for number, (question, answer, _) in enumerate(asked, start=1)
            for element in (Heading(text=clean(f"{number}. {one_line(question)}")), *_ground(answer, texts))
        ],
        PartName.CONCLUSIONS: [
            line(_conclusion(number, answer, draft.conclusions.get(number, "")), Style.BULLET)
            for number, (_, answer, _) in enumerate(asked, start=1)
        ],
        PartName.PROVENANCE: [
            *map(line, dict.fromkeys(provenance_told(answer) for _, answer, _ in asked)),
            *map(line, draft.told),
            *(line(CERTIFIED.format(sha=seal)) for seal in seals),
            line(CLOSING.format(day=dates.spelled(made_on))),
        ],
        PartName.ANNEX: _annex([source for _, answer, _ in asked for source in answer.citations], texts),
    }
    parts = (Part(name=name, title=TITLES[name], elements=tuple(found)) for name, found in elements.items())
    return Opinion(title=TITLE, made_on=made_on, parts=tuple(parts))


def asked_of(consulted: Sequence[Consulted]) -> list[Asked]:
    """The questions of an opinion with their answers, in its order."""
    return [(question, answer) for one in consulted for question, answer, _ in _questions(one)]


class _Texts:
    """Norms and articles, each read once."""

    def __init__(self, law: Law) -> None:
        self.norm: Callable[[str], Norm | None] = cache(law.norm)
        self.block: Callable[[str, str], Block | None] = cache(law.block)
        self.note: Callable[[tuple[Source, ...]], str] = cache(self._note)

    def _note(self, sources: tuple[Source, ...]) -> str:
        first = sources[0]
        return reference(sources, self.norm(first.norm_id), self.block(first.norm_id, first.block_id))


def _questions(one: Consulted) -> list[tuple[str, Answer, date]]:
    """Each question with its answer and the day of its law."""
    asked = [part.question for part in one.answer.parts] or [one.question]
    answers = answers_of(one.answer)
    return [(text, answer, answer.as_of or one.as_of) for text, answer in zip(asked, answers, strict=True)]


def _ground(answer: Answer, texts: _Texts) -> Iterator[Element]:
    by_marker: dict[str, list[Source]] = {}
    for source in (*answer.citations, *answer.sources):
        by_marker.setdefault(source.marker, []).append(source)

    def note(marker: str, before: str) -> str:
        """Of several quotations of an article, the note names those that stand right before it."""
        sources = by_marker.get(marker, [])
        near = [one for one in sources if isinstance(one, Citation) and locate(one.quote, before)]
        return texts.note(tuple(near or sources)) if sources else ""

    yield from marked(without_aside(answer.answer)[0], note)
    for citation in answer.citations:
        if locate(citation.quote, answer.answer) is None:
            yield line(quoted(citation), Style.QUOTE, note=texts.note((citation,)))
    for remark in (answer.notes or "").splitlines():
        if remark.strip(" -•"):
            yield line(f"Observación: {remark.strip(' -•')}", Style.REMARK)


def _conclusion(number: int, answer: Answer, drafted: str) -> str:
    if answer.refusal:
        return f"Cuestión {number}. {NO_ANSWER}"
    first = drafted or _first(
        keep_markers(answer.answer, ()).replace("**", ""), extract=answer.mode == "offline"
    )
    figure = f"{answer.confidence:.2f}".replace(".", ",")
    return f"Cuestión {number} (confianza {band(answer.confidence)}, {figure}). {first}"


def _first(text: str, *, extract: bool) -> str:
    """The first sentence; of an extract, which begins with an article's name, all to its first quotation."""
    quotation = next(in_marks(text), None)
    if extract and quotation is not None:
        return text[: quotation[1] + 1].strip()
    return next((text[span.start : span.end] for span in sentences(text)), "")


def _annex(citations: Sequence[Citation], texts: _Texts) -> list[Element]:
    """Each wording cited once, in the order in which it is."""
    elements: list[Element] = []
    for quotes in by_wording(citations):
        first = quotes[0]
        norm = texts.norm(first.norm_id)
        version = wording(texts.block(first.norm_id, first.block_id), first)
        named = f"{first.law or first.source}. {first.section or first.article}".strip(" .")
        elements += Heading(text=clean(named)), line(texts.note(tuple(quotes)))
        if sha := sha256_of(version) if version else first.wording_sha256:
            elements.append(line(f"SHA-256 del texto de la redacción: {sha}"))
        if url := address(first, norm):
            elements.append(line("Texto publicado: ", url=url))
        if version is None and first.collection != DOCUMENT:
            elements.append(line(GONE))
        elements.append(line(QUOTED.format(name=place_name(quotes, norm))))
        said = version.text.split("\n") if version else map(quoted, quotes)
        elements += (line(one, Style.QUOTE) for one in said)
    return elements or [line(NONE_CITED)]
