"""Dates and amounts as Spanish documents write them."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from law import labels

YEARS = range(1800, 2300)
"""Years whose days a text may mean: programs write 9999 for no end."""
LEAP = 2024
"""A year that has every day that a text may name without its year."""
SPELLED = r"\d{1,2}[ºª]? de [A-Za-zñ]+ (?:de|del)(?: año)? \d{4}"
NUMERIC = r"\d{1,2}[/.-]\d{1,2}[/.-]\d{4}"
ISO = r"\d{4}-\d{2}-\d{2}"
ANY = rf"(?:{SPELLED}|{NUMERIC}|{ISO})"
_SPELLED = re.compile(r"(\d{1,2})[ºª]? de ([a-z]+) del?(?: ano)? (\d{4})")
_NUMERIC = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_NAMED = re.compile(
    r"(?=[\dpu])(?:(?<![\w/.-])(?P<iso>\d{4}-\d\d-\d\d)(?![\d-])"
    r"|(?<![\w/.-])(?P<day>\d{1,2})[/.-](?P<number>\d{1,2})[/.-](?P<year>\d{4})(?!\d)"
    r"|(?<![\w/.,])(?:(?P<from>\d{1,2})[ºª°]? (?:al?|y(?: el)?|hasta el) )?"
    r"(?P<spelled>\d{1,2}|primero|uno)[ºª°]?"
    rf" de (?P<month>{labels.ANY_MONTH}|setiembre)\b(?: del?(?: ano)? (?P<of>\d{{4}})(?!\d))?)"
)
_CITED = re.compile(r"\b\d+/((?:19|20)\d\d), (de \d{1,2} de [a-zñ]+)")
_AMOUNT = re.compile(r"(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?(?!\d)")


def parse(text: str) -> date | None:
    """The first date of `text`: '5 de mayo de 2031', '05/05/2031', '2031-05-05'; None without one."""
    folded = labels.fold(text)
    if found := _ISO.search(folded):
        year, month, day = found.groups()
    elif found := _NUMERIC.search(folded):
        day, month, year = found.groups()
    elif (found := _SPELLED.search(folded)) and labels.month(found[2]):
        day, month, year = found[1], str(labels.month(found[2])), found[3]
    else:
        return None
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


class NamedDay(NamedTuple):
    """A day that a text names; `year` is 0 where it tells none."""

    day: int
    month: int
    year: int

    def on(self, year: int) -> date:
        """The day, in the year given if it has none of its own. Raises ValueError: it does not exist."""
        return date(self.year or year, self.month, self.day)


def days_named(text: str) -> list[NamedDay]:
    """The days of a text: «5 de mayo», «del 3 al 10 de mayo de 2031», «05/05/2031», «2031-05-05»."""
    return [day for match in _NAMED.finditer(labels.fold(text)) for day in _named(match)]


def without_days(text: str) -> str:
    """The text without the days that it names."""
    return "".join(text[start:end] for start, end in _between(text))


def _between(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _NAMED.finditer(labels.fold(text)):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _named(match: re.Match[str]) -> list[NamedDay]:
    if match["iso"]:
        year, month, day = map(int, match["iso"].split("-"))
        found = [NamedDay(day, month, year)]
    elif match["number"]:
        found = [NamedDay(int(match["day"]), int(match["number"]), int(match["year"]))]
    else:
        month, year = labels.month(match["month"]), int(match["of"] or 0)
        last = int(match["spelled"]) if match["spelled"].isdigit() else 1
        found = [NamedDay(day, month, year) for day in (int(match["from"] or 0), last) if day]
    return [one for one in found if _exists(one)]


def _exists(one: NamedDay) -> bool:
    """True for a day of the calendar of our time; 29 February without its year is one."""
    with suppress(ValueError):
        return one.on(one.year or LEAP).year in YEARS
    return False


def latest_cited(text: str) -> date | None:
    """The latest day of the norms cited by number, «Ley 6/2019, de 1 de marzo»; None without any."""
    days = (parse(f"{day[3:]} de {year}") for year, day in _CITED.findall(text))
    return max((day for day in days if day is not None), default=None)


def spelled(day: date) -> str:
    """'5 de mayo de 2031'."""
    return f"{day.day} de {labels.MONTHS[day.month - 1]} de {day.year}"


def amount(text: str) -> Decimal | None:
    """The first amount of `text` in units: '1.250.000,00 EUR' is 1250000.00."""
    found = _AMOUNT.search(text)
    return Decimal(f"{found[1].replace('.', '')}.{found[2] or '00'}") if found else None
