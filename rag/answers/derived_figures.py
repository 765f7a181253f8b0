"""Figures and days that an answer may derive from what was read and asked. Pure functions."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import combinations, product
from typing import NamedTuple

from calculations.time_spans import add_months
from law.dates import LEAP, NamedDay, days_named, without_days
from text.figures import digits, figures, measured_digits
from text.markers import keep_markers
from text.quantities import quantities

SAME = 0.005
"""How near equal amounts are."""
FRACTIONS = {
    "mitad": 2.0,
    "medi[oa]": 2.0,
    "doble": 2.0,
    "triple": 3.0,
    "terci": 3.0,
    "tercera parte": 3.0,
    "cuart": 4.0,
    "quint[oa]": 5.0,
    "sext[oa]": 6.0,
    "octav": 8.0,
    "d[ée]cim": 10.0,
}
MOST_NUMBERS, MOST_FIGURES = 40, 40
"""Numbers of a paragraph, and figures of an answer, that are tried: more are told as they are."""
MOST_DAYS = 12
"""Days of the question and the answer between which intervals are counted."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_AND_MONTHS = re.compile(r"\b(\d+) años? y (\d+) mes(?:es)?\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


class Beside(NamedTuple):
    """The numbers of a paragraph, as written, without those of its days, and the fractions that it names."""

    numbers: frozenset[str]
    parts: frozenset[float]


def paragraphs(answer: str) -> list[Beside]:
    """Those of an answer with few enough numbers for one to explain another."""
    told = filter(None, keep_markers(answer, ()).split("\n"))
    found = [
        Beside(frozenset(_NUMBER.findall(without_days(measured_digits(one)))), frozenset(fractions(one)))
        for one in told
    ]
    return [one for one in found if len(one.numbers) <= MOST_NUMBERS]


def explained(figure: str, told: Iterable[Beside], unknown: Collection[str]) -> bool:
    """True if a paragraph says a figure in one step from others beside it.

    Args:
        unknown: figures of the answer that explain nothing.
    """
    value = value_of(figure)
    for numbers, parts in told:
        if figure in numbers:
            beside = {value_of(one) for one in numbers if one not in unknown}
            if any(abs(value - made) < SAME for made in _steps(beside, beside | parts | {100.0}, parts)):
                return True
    return False


def counts(given: Iterable[str], answer: str) -> bool:
    """True if there is something to count from: a figure or a day of the question, an amount of money."""
    money = any(one.kind == "euros" for one in quantities(answer))
    return money or any(figures(text) for text in given)


def value_of(number: str) -> float:
    """The value of a number in Spanish format, of figures alone («1,2,3») that of «1,23»."""
    whole, _, decimals = number.partition(",")
    return float(f"{whole.replace('.', '')}.{re.sub(r'[.,]', '', decimals) or 0}")


def fractions(text: str) -> set[float]:
    """Denominators of the fractions that a text names: «la cuarta parte» is 4."""
    return {size for word, size in FRACTIONS.items() if re.search(rf"\b{word}", text, re.I)}


def otherwise(texts: Iterable[str]) -> set[float]:
    """Numbers that say the same: 12.5 for «un octavo», .95 for 95 %, 38.5 for 38 years and 6 months."""
    # In digits, «un octavo» is the eighth of a row.
    shares = {100 / size for text in texts for size in fractions(text)}
    said = [digits(text) for text in texts]
    years = {int(one[1]) + int(one[2]) / 12 for text in said for one in _AND_MONTHS.finditer(text)}
    return shares | years | {value / 100 for value in _values(said) if value < 100}


def days_told(
    said: str, texts: Iterable[str], given: Sequence[str], today: date
) -> tuple[list[date], list[NamedDay]]:
    """(the days of the question, and those of the answer that stand somewhere; those that do not).

    The eve of a day and the day after it stand where it does, and the first and last days of a year that is
    named. The texts are read until each day is found.
    """
    named = days_named(said)
    nowhere, reading = named, iter(texts)
    while nowhere and (text := next(reading, None)) is not None:
        years = {int(year) for year in _YEAR.findall(text)}
        ends = (NamedDay(day, month, year) for year in years for day, month in ((1, 1), (31, 12)))
        held = {one for there in (*days_named(text), *ends) for one in _beside(there)}
        nowhere = [one for one in nowhere if not _stands(one, held)]
    asked = (one for text in given for one in days_named(text))
    stand = [*asked, *(one for one in named if one not in nowhere)]
    return sorted({one.on(_year_of(one, today)) for one in stand})[:MOST_DAYS], nowhere


def spans(days: Sequence[date]) -> Iterator[str]:
    """Days, months (whole, begun), years and the rest between each two days, the last one in or out."""
    for start, last in combinations(days, 2):
        for end in (last, last + timedelta(days=1)):
            months = (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)
            rest = (end - add_months(start, months)).days
            yield from map(str, ((end - start).days, months, months + 1, months // 12, months % 12, rest))


def _values(texts: Iterable[str]) -> set[float]:
    return {value_of(one) for text in texts for one in _NUMBER.findall(digits(text))}


def _steps(some: Collection[float], others: Collection[float], parts: Collection[float]) -> Iterator[float]:
    """Sums, differences, products, quotients and percentages of two numbers, and those of the first ones."""
    for a, b in product(some, others):
        yield from (a + b, a - b, b - a, a * b, a * b / 100)
        yield from ((a + b) / part for part in parts)
        yield from (abs(a - b) / part for part in parts)
        if a and b:
            yield from (a / b, b / a, 100 * a / b, 100 * b / a)


def _beside(one: NamedDay) -> Iterator[NamedDay]:
    """The day with its eve and the day after, each without a year if it has none."""
    for step in (-1, 0, 1):
        day = one.on(one.year or LEAP) + timedelta(days=step)
        yield NamedDay(day.day, day.month, one.year and day.year)


def _stands(one: NamedDay, held: Collection[NamedDay]) -> bool:
    return one in held or any(one[:2] == other[:2] and 0 in (one.year, other.year) for other in held)


def _year_of(one: NamedDay, today: date) -> int:
    return LEAP if (one.month, one.day) == (2, 29) else today.year
