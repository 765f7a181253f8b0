"""The figures of an answer: where they come from, and its calculations done again (X.23)."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from rag.answers.citations import keep_markers
from rag.answers.claims.amounts import FRACTIONS, SAME, value_of
from rag.answers.quotable import wording
from rag.errors import ArticuladoError
from rag.law import references
from rag.law.labels import ANY_MONTH
from rag.state import Services, State
from rag.text.figures import digits, unsupported_figures
from rag.text.sums import CALENDAR, sums
from rag.types import Chunk

RIGHT = "Cálculos de la respuesta, rehechos y correctos (no son texto de ninguna norma): {sums}."
WRONG = "Cálculo erróneo en la respuesta: «{shown}»; el resultado es {value}."
UNKNOWN = (
    "Compruebe estas cifras, que no figuran en los textos citados ni en la pregunta ni salen de un cálculo "
    "mostrado: {figures}."
)
UNCITED = "Estas cifras constan en textos leídos que la respuesta no cita: {figures}."

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_DAY_OF_MONTH = re.compile(rf"\b\d{{1,2}} de (?:{ANY_MONTH})\b", re.I)


class Checked(NamedTuple):
    """Spanish notes on the figures of an answer.

    Attributes:
        wrong: True if a calculation of it is.
        invented: the figures that stand in no text read, and that nothing in their paragraph explains either.
    """

    notes: list[str]
    wrong: bool
    invented: tuple[str, ...]


def check_figures(answer: str, cited: Collection[str], state: State, services: Services) -> Checked:
    """The figures that stand nowhere, and the calculations, of an answer whose context the state has.

    A figure may stand in any part of a cited article, in the question or an earlier one, in a reference to an
    article that the corpus has or to a norm that it knows, or be the result of a shown calculation. One of a
    text that was read and is not cited is told apart, with the name of that text.

    Args:
        cited: the markers of what the answer cites.
    """
    done = sums(answer)
    right = [one for one in done if one.right]
    wrong = [one for one in done if not one.right]
    hits = [(state.context.marker(i), hit.chunk) for i, hit in enumerate(state.context.hits)]
    articles = {wording(chunk) for marker, chunk in hits if marker in cited}
    texts = [
        *(_words(chunk) for _, chunk in hits if wording(chunk) in articles),
        *state.context.titles.values(),
        *(turn.text for turn in state.history if turn.role == "user"),
        state.question,
        f"{state.as_of:%d %m %Y} {state.today:%d %m %Y}",
        *_referred(answer, state, services),
        *(one.result for one in done),
        *(operand for one in done for operand in one.operands if operand in CALENDAR),
    ]
    notes = [WRONG.format(shown=one.shown, value=one.value) for one in wrong]
    if right:
        notes.append(RIGHT.format(sums="; ".join(dict.fromkeys(one.shown for one in right))))
    unknown = unsupported_figures(answer, texts)
    if uncited := _uncited(unknown, [chunk for _, chunk in hits if wording(chunk) not in articles]):
        notes.append(UNCITED.format(figures="; ".join(f"{one} ({name})" for one, name in uncited.items())))
        unknown = [one for one in unknown if one not in uncited]
    if unknown:
        notes.append(UNKNOWN.format(figures=", ".join(unknown)))
    dated = bool(_DAY_OF_MONTH.search(state.question))
    invented = list(unknown)
    for one in unknown:
        if explained(one, answer, invented, dated=dated):
            invented.remove(one)
    return Checked(notes, bool(wrong), tuple(invented))


def _uncited(unknown: Collection[str], chunks: Iterable[Chunk]) -> dict[str, str]:
    """The name of the first text that has each figure, of those that one has."""
    found: dict[str, str] = {}
    for chunk in chunks if unknown else ():
        without = unsupported_figures("; ".join(unknown), [_words(chunk)])
        found |= {one: chunk.name for one in unknown if one not in without and one not in found}
    return found


def explained(figure: str, answer: str, unknown: Collection[str], *, dated: bool) -> bool:
    """True if every paragraph with the figure has known numbers or fractions that make it in one step.

    A day of a month is the result of counting when the question has another one (`dated`).
    """
    for paragraph in filter(None, keep_markers(answer, ()).split("\n")):
        said = digits(paragraph)
        numbers = [match[0] for match in _NUMBER.finditer(said)]
        if figure not in numbers:
            continue
        if dated and re.search(rf"\b{re.escape(figure)} de (?:{ANY_MONTH})\b", said):
            continue
        known = {value_of(one) for one in numbers if one not in unknown}
        factors = {value for word, value in FRACTIONS.items() if re.search(rf"\b{word}", said, re.I)}
        if not _made(value_of(figure), known, factors):
            return False
    return True


def _made(value: float, known: set[float], factors: set[float]) -> bool:
    """True for one step of known numbers: a sum, a difference, a product, a quotient, a percentage."""
    sums = {made for a in known for b in known for made in (a + b, a - b, a * b / 100)}
    parts = {made for a in known for b in known | factors | {100.0} if b for made in (a * b, a / b)}
    return any(abs(value - made) < SAME for made in factors | sums | parts)


def _words(chunk: Chunk) -> str:
    since = f"{chunk.valid_from:%d %m %Y}"
    return " ".join((chunk.text, chunk.section, chunk.chapter, chunk.law, chunk.label, since))


def _referred(answer: str, state: State, services: Services) -> list[str]:
    """The references of the answer, as written, to articles of the corpus and to norms of the catalogue.

    While the corpus cannot be read nothing is known of any, and their numbers are told as not found.
    """
    try:
        found = references.resolve(references.find(answer), services.catalogue())
        return [
            reference.text
            for reference in found
            if reference.norm_id
            and (not reference.label or services.store.find(reference.norm_id, reference.label, state.as_of))
        ]
    except ArticuladoError:
        return []
