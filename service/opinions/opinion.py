"""The opinion («dictamen»): a Word file put together from stored answers, without a model."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from typing import Protocol

from rag.answers.citations import keep_markers, locate, quoted
from rag.answers.confidence import band
from rag.answers.parts import answers_of
from rag.answers.provenance import told
from rag.answers.quoted import in_marks
from rag.answers.recheck import fingerprint, wording
from rag.errors import InputError
from rag.law import dates
from rag.text.segmentation import sentences
from rag.types import DOCUMENT, Answer, Block, Citation, Norm, Source, Value
from service.opinions.references import address, by_wording, reference
from service.opinions.word import Writer

MOST = 200
"""Answers in one opinion."""
BACKGROUND = (
    "Escriba aquí, si es tan amable, los antecedentes: quién consulta y para qué, los hechos con sus fechas "
    "y los documentos que se han examinado. Articulado no los conoce y no los supone."
)
NO_ANSWER = "Sin respuesta verificada: la cuestión queda abierta."
GONE = "Esta redacción ya no está cargada; se reproduce solo lo citado. Compruébelo en la fuente oficial."
NONE_CITED = "Ninguna respuesta cita textos."
NOTHING = "No hay respuestas terminadas que llevar al dictamen: pregunte algo o elija otras respuestas."
TOO_MANY = "El dictamen admite {most} respuestas y se han elegido {count}: elija menos."
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


def dictamen(consulted: Sequence[Consulted], law: Law, made_on: date) -> bytes:
    """A DOCX with Antecedentes, Cuestiones, Fundamentos, Conclusiones and the texts cited.

    Each marker of an answer becomes a footnote; each quotation that its text does not repeat follows it, with
    a footnote of its own.

    Raises:
        InputError: there is no answer, or there are more than MOST.
    """
    if not consulted:
        raise InputError(NOTHING)
    if len(consulted) > MOST:
        raise InputError(TOO_MANY.format(most=MOST, count=len(consulted)))
    asked = [question for one in consulted for question in _questions(one)]
    writer = Writer("Dictamen")
    writer.heading("Antecedentes")
    writer.line(BACKGROUND)
    writer.heading("Cuestiones")
    for question, _, one in asked:
        writer.line(f"{_flat(question)} (Derecho vigente a {dates.spelled(one)}.)", "List Number")
    writer.heading("Fundamentos")
    texts = _Texts(law)
    for number, (question, answer, _) in enumerate(asked, start=1):
        writer.heading(f"{number}. {_flat(question)}", 2)
        _ground(writer, answer, texts)
    writer.heading("Conclusiones")
    for number, (_, answer, _) in enumerate(asked, start=1):
        writer.line(_conclusion(number, answer), "List Bullet")
    writer.heading("Procedencia del texto")
    for line in dict.fromkeys(told(answer) for _, answer, _ in asked):
        writer.line(line)
    writer.line(CLOSING.format(day=dates.spelled(made_on)))
    writer.heading("Anexo. Textos citados", new_page=True)
    _append(writer, [source for _, answer, _ in asked for source in answer.citations], texts)
    return writer.saved()


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


def _ground(writer: Writer, answer: Answer, texts: _Texts) -> None:
    by_marker: dict[str, list[Source]] = {}
    for source in (*answer.citations, *answer.sources):
        by_marker.setdefault(source.marker, []).append(source)

    def note(marker: str, before: str) -> str:
        """Of several quotations of an article, the note names those that stand right before it."""
        sources = by_marker.get(marker, [])
        near = [one for one in sources if isinstance(one, Citation) and locate(one.quote, before)]
        return texts.note(tuple(near or sources)) if sources else ""

    writer.marked(answer.answer, note)
    for citation in answer.citations:
        if locate(citation.quote, answer.answer) is None:
            paragraph = writer.line(quoted(citation), "Quote")
            writer.notes.add(paragraph, texts.note((citation,)))
    for remark in (answer.notes or "").splitlines():
        if remark.strip(" -•"):
            writer.line(f"Observación: {remark.strip(' -•')}")


def _conclusion(number: int, answer: Answer) -> str:
    if answer.refusal:
        return f"Cuestión {number}. {NO_ANSWER}"
    first = _first(keep_markers(answer.answer, ()).replace("**", ""), extract=answer.mode == "offline")
    figure = f"{answer.confidence:.2f}".replace(".", ",")
    return f"Cuestión {number} (confianza {band(answer.confidence)}, {figure}). {first}"


def _first(text: str, *, extract: bool) -> str:
    """The first sentence; of an extract, which begins with an article's name, all to its first quotation."""
    quotation = next(in_marks(text), None)
    if extract and quotation is not None:
        return text[: quotation[1] + 1].strip()
    return next((text[span.start : span.end] for span in sentences(text)), "")


def _append(writer: Writer, citations: Sequence[Citation], texts: _Texts) -> None:
    """Each wording cited once, in the order in which it is."""
    if not citations:
        writer.line(NONE_CITED)
    for quotes in by_wording(citations):
        first = quotes[0]
        norm = texts.norm(first.norm_id)
        version = wording(texts.block(first.norm_id, first.block_id), first)
        writer.heading(f"{first.law or first.source}. {first.section or first.article}".strip(" ."), 2)
        writer.line(texts.note(tuple(quotes)))
        if version is None and first.collection != DOCUMENT:
            writer.line(GONE)
        for text in version.text.split("\n") if version else map(quoted, quotes):
            writer.line(text, "Quote")
        if sha := fingerprint(version) if version else first.wording_sha256:
            writer.line(f"SHA-256 del texto de la redacción: {sha}")
        if url := address(first, norm):
            writer.link(url, "Texto publicado: ")


def _flat(text: str) -> str:
    return " ".join(text.split())
