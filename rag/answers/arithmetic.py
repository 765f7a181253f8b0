"""The figures of an answer: where they come from, and its calculations done again (X.23)."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations
from typing import NamedTuple

from rag.answers.citations import keep_markers
from rag.calculations.time_spans import add_months
from rag.errors import ArticuladoError
from rag.law import references
from rag.law.dates import LEAP, NamedDay, days_named, without_days
from rag.law.labels import MONTHS
from rag.state import Services, State
from rag.text.figures import digits, unsupported_figures
from rag.text.quantities import quantities
from rag.text.sums import CALENDAR, sums
from rag.types import Chunk

RIGHT = "Cálculos de la respuesta, rehechos y correctos (no son texto de ninguna norma): {sums}."
WRONG = "Cálculo erróneo en la respuesta: «{shown}»; el resultado es {value}."
SAME = 0.01
"""How near equal amounts are."""
FRACTIONS = {
    "mitad": 2.0,
    "medi[oa]": 2.0,
    "doble": 2.0,
    "triple": 3.0,
    "terci": 3.0,
    "cuart": 4.0,
    "octav": 8.0,
}
MOST_DAYS = 12
"""Days of the question and the answer between which intervals are counted."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Checked(NamedTuple):
    """Spanish notes on the figures of an answer.

    Attributes:
        wrong: True if a calculation of it is.
        nowhere: the figures and dates, in digits, that stand in nothing read and that nothing explains.
    """

    notes: list[str]
    wrong: bool
    nowhere: tuple[str, ...]


def check_figures(answer: str, state: State, services: Services) -> Checked:
    """The figures that stand nowhere, and the calculations, of an answer whose context the state has.

    A figure may stand, in any words, in a text of the context or its dates, in the question or an earlier
    one, in a reference to an article that the corpus has or to a norm that it knows; be the result of a
    right calculation, an interval between two days that are named, or one step of other figures beside it.
    """
    done = sums(answer)
    wrong = [WRONG.format(shown=one.shown, value=one.value) for one in done if not one.right]
    right = dict.fromkeys(one.shown for one in done if one.right)
    given = [state.question, state.background, *(one.text for one in state.history if one.role == "user")]
    law = [_words(hit.chunk) for hit in state.context.hits]
    texts = [
        *law,
        *state.context.titles.values(),
        *given,
        f"{state.as_of:%d/%m/%Y} {state.today:%d/%m/%Y}",
        *_referred(answer, state, services),
        *(one.result for one in done),
        *(operand for one in done for operand in one.operands if operand in CALENDAR),
    ]
    said = digits(answer)
    days, nowhere = _days(said, texts, given, state)
    texts.append(" ".join(_intervals(days)))
    amounts = {(one.kind, one.value) for text in texts for one in quantities(text)}
    otherwise = {one.shown.split()[0] for one in quantities(said) if (one.kind, one.value) in amounts}
    unknown = [one for one in unsupported_figures(without_days(said), texts) if one not in otherwise]
    unexplained = list(unknown)
    for one in unknown:
        # The result of a shown calculation does not explain its own operands.
        if explained(one, said, {*unexplained, *(each.result for each in done)}):
            unexplained.remove(one)
    nowhere += unexplained
    notes = [*wrong, *([RIGHT.format(sums="; ".join(right))] if right else [])]
    return Checked(notes, bool(wrong), tuple(nowhere))


def _days(
    said: str, texts: Iterable[str], given: Iterable[str], state: State
) -> tuple[list[date], list[str]]:
    """(the days of the question, and those of the answer that stand; those that stand nowhere, as shown).

    The eve of a day and the day after it stand where it does. With a day in the question, any other may be
    counted from it.
    """
    asked = [one for text in given for one in days_named(text)]
    held = {one for text in texts for named in days_named(text) for one in _beside(named)}
    stand, nowhere = list(asked), list[str]()
    for one in days_named(said):
        if (
            asked
            or one in held
            or any(one[:2] == other[:2] and 0 in (one.year, other.year) for other in held)
        ):
            stand.append(one)
        else:
            nowhere.append(f"{one.day} de {MONTHS[one.month - 1]}")
    return sorted({one.on(one.year or _year_of(one, state.today)) for one in stand})[:MOST_DAYS], nowhere


def _beside(one: NamedDay) -> Iterator[NamedDay]:
    """The day with its eve and the day after, each without a year if it has none."""
    for step in (-1, 0, 1):
        day = one.on(one.year or LEAP) + timedelta(days=step)
        yield NamedDay(day.day, day.month, one.year and day.year)


def _year_of(one: NamedDay, today: date) -> int:
    return today.year if (one.month, one.day) != (2, 29) else LEAP


def _intervals(days: Sequence[date]) -> Iterator[str]:
    """Days, months (whole, begun), years and the rest between each two days, the last one in or out."""
    for start, last in combinations(days, 2):
        for end in (last, last + timedelta(days=1)):
            months = (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)
            rest = (end - add_months(start, months)).days
            yield from map(str, ((end - start).days, months, months + 1, months // 12, months % 12, rest))


def explained(figure: str, answer: str, unknown: Collection[str]) -> bool:
    """True if a paragraph with the figure has known numbers or fractions that make it in one step."""
    for paragraph in filter(None, keep_markers(answer, ()).split("\n")):
        numbers = [match[0] for match in _NUMBER.finditer(paragraph)]
        if figure in numbers:
            known = {value_of(one) for one in numbers if one not in unknown}
            factors = {size for word, size in FRACTIONS.items() if re.search(rf"\b{word}", paragraph, re.I)}
            if _made(value_of(figure), known, factors):
                return True
    return False


def value_of(number: str) -> float:
    """The value of a number in Spanish format, of figures alone («1,2,3») that of «1,23»."""
    whole, _, decimals = number.partition(",")
    return float(f"{whole.replace('.', '')}.{re.sub(r'[.,]', '', decimals) or 0}")


def _made(value: float, known: set[float], factors: set[float]) -> bool:
    """True for one step of known numbers: a sum, a difference, a product, a quotient, a percentage."""
    sums = {made for a in known for b in known for made in (a + b, a - b, a * b / 100)}
    parts = {made for a in known for b in known | factors | {100.0} if b for made in (a * b, a / b)}
    return any(abs(value - made) < SAME for made in factors | sums | parts)


def _words(chunk: Chunk) -> str:
    days = [f"{day:%d/%m/%Y}" for day in (chunk.valid_from, chunk.valid_to) if day]
    return " ".join((chunk.text, chunk.section, chunk.chapter, chunk.law, chunk.label, *days))


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
