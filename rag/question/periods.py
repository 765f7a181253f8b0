"""Periods that a text names: days, months, years, «hace tres años». Pure functions over folded text.

A number that belongs to a norm's name or to an amount is never a year.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from law.labels import MONTHS, fold
from law.labels import month as month_of
from text.numerals import NUMERALS

OLDEST = 1900
_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|setiembre)"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|/|[.,]\d|-\d)"
_OF = r"\s+(?:(?:de|del)\s+)?(?:(?:el\s+)?ano\s+)?"
COUNTS = {"un": 1, "una": 1} | {fold(word): value for value, word in enumerate(NUMERALS[1:], start=2)}
_COUNT = rf"(?P<count>\d{{1,2}}|{'|'.join(COUNTS)})"

_PERIODS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("day", re.compile(rf"\b(?P<day>\d{{1,2}}|uno|primero)[º°]? de {_MONTH}{_OF}{_YEAR}")),
    ("day", re.compile(rf"(?<![\d/.-])(?P<day>\d{{1,2}})(?P<sep>[/.-])(?P<monthn>\d{{1,2}})(?P=sep){_YEAR}")),
    ("day", re.compile(r"(?<![\d/-])(?P<year>(?:19|20)\d\d)-(?P<monthn>\d\d)-(?P<day>\d\d)(?![\d-])")),
    ("day", re.compile(rf"\b(?P<day>\d{{1,2}}) de {_MONTH} del (?P<last>ano pasado)\b")),
    ("month", re.compile(rf"\b{_MONTH}{_OF}{_YEAR}")),
    ("month", re.compile(rf"\b{_MONTH} del (?P<last>ano pasado)\b")),
    ("month", re.compile(rf"\b{_MONTH} de (?P<this>este ano)\b")),
    ("month", re.compile(rf"\b(?:el pasado (?:mes de )?{_MONTH})\b")),
    ("month", re.compile(rf"\b{_MONTH} pasado\b")),
    ("month", re.compile(r"\b(?P<lastmonth>(?:el )?(?:mes pasado|pasado mes)(?! de))\b")),
    ("year", re.compile(r"\b(?:el )?(?P<last>ano pasado|pasado ano)\b")),
    ("year", re.compile(r"\b(?:el )?(?P<before>ano antepasado)\b")),
    (
        "ago",
        re.compile(rf"\bhace (?:ya |unos |unas |casi )?{_COUNT} (?P<unit>anos?|meses|mes|semanas?|dias?)\b"),
    ),
    ("ago", re.compile(r"\b(?P<yesterday>ayer)\b")),
    (
        "year",
        re.compile(
            rf"\b(?:en|durante|de|del|para|a|entre|y|antes de|hasta|desde)(?: el| todo)?(?: ano)? {_YEAR}"
        ),
    ),
    ("year", re.compile(rf"\b(?:ano|ejercicio|anualidad) {_YEAR}")),
    ("year", re.compile(rf"(?<![\d/.,-])\b{_YEAR}(?=\s*(?:[?!.,;)]|$))")),
)

_NORM_WORD = (
    r"ley|leyes|estatuto|constitucion|codigo|reglamento|real decreto|decreto|orden|convenio|reforma|directiva"
    r"|texto refundido|pacto"
)
_NAMES = (
    # «Ley 31/1995, de 8 de noviembre», «STS 123/2019», «TAS/2865/2003», «expediente 45/2018»
    re.compile(r"(?<![\d/])\d{1,5}/(?:19|20)\d\d\b(?:,? de \d{1,2} de [a-z]+)?"),
    # «la Ley de Empleo de 2003», «el convenio de hostelería de 2019»
    re.compile(
        rf"\b(?:{_NORM_WORD})(?: (?!en\b|sobre\b|para\b|que\b|y\b)[a-z]+){{0,8}} del? (?:ano )?(?:19|20)\d\d"
    ),
    re.compile(r"\b(?:et|lgss|lisos|lprl|lrjs|leta|ce|rdl?)(?: de(?:l ano)?)? (?:19|20)\d\d"),
    re.compile(r"\b(?:boe|bocm|doue?|dogc|dogv)[^?.;]{0,20}?(?:19|20)\d\d"),
)
_MEASURED = re.compile(
    r"\s*(?:euros?|eur\b|€|pesetas|personas|trabajador|emplead|horas|dias|jornadas|kilometros|km\b|metros"
    r"|por ciento|%|habitantes|afiliad)"
)


class Found(NamedTuple):
    """A period that a text names, where it stands there, and its form, one of `_PERIODS`."""

    first: date
    last: date
    start: int
    end: int
    form: str


def periods(text: str, today: date) -> list[Found]:
    """The periods that a folded text names, in order; see `without_names`."""
    return sorted(_read(text, today), key=lambda one: one.start)


def written_day(text: str) -> date | None:
    """The day that a text writes with its year, the middle of a month or a year; None without just one."""
    found = [one for one in periods(without_names(fold(text)), date.max) if str(one.first.year) in text]
    return middle(found[0], date.max) if len(found) == 1 else None


def _read(masked: str, today: date) -> Iterator[Found]:
    taken: list[tuple[int, int]] = []
    for form, pattern in _PERIODS:
        for match in pattern.finditer(masked):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            if form == "year" and _MEASURED.match(masked, match.end()):
                continue
            span = _span(form, match.groupdict(), today)
            if span:
                taken.append(match.span())
                start = match.start() + _leading(match[0])
                yield Found(*span, start, match.end(), form)


def _leading(text: str) -> int:
    """Length of the preposition before a year («antes de», «hasta», «desde»…), which `_scope` reads."""
    match = re.match(r"(?:antes de|hasta|desde|entre|y|a)(?: el)? ", text)
    return match.end() if match else 0


def _span(form: str, groups: dict[str, str | None], today: date) -> tuple[date, date] | None:
    """First and last day of the period named; None if no such day exists."""
    if form == "ago":
        return _ago(groups, today)
    if groups.get("lastmonth"):
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    month = int(groups.get("monthn") or month_of(groups.get("month") or ""))
    year = _year(groups, today, month)
    if year is None or year < OLDEST or not (form == "year" or 1 <= month <= 12):
        return None
    if form == "year":
        return date(year, 1, 1), date(year, 12, 31)
    days = monthrange(year, month)[1]
    written = groups.get("day") or ""
    first = 1 if form == "month" else int(written) if written.isdigit() else 1
    last_day = days if form == "month" else first
    return (date(year, month, first), date(year, month, last_day)) if 1 <= first <= days else None


def _year(groups: dict[str, str | None], today: date, month: int) -> int | None:
    if groups.get("year"):
        return int(groups["year"] or 0)
    if groups.get("last"):
        return today.year - 1
    if groups.get("before"):
        return today.year - 2
    if groups.get("this"):
        return today.year
    return (today.year if month < today.month else today.year - 1) if month else None


def _ago(groups: dict[str, str | None], today: date) -> tuple[date, date]:
    if groups.get("yesterday"):
        day = today - timedelta(days=1)
        return day, day
    written, unit = groups["count"] or "", groups["unit"] or ""
    count = int(written) if written.isdigit() else COUNTS[written]
    if unit[:3] in ("sem", "dia"):
        day = today - timedelta(days=count * (7 if unit.startswith("sem") else 1))
        return day, day
    months = today.year * 12 + today.month - 1 - count * (12 if unit.startswith("ano") else 1)
    year, month = divmod(months, 12)
    day = date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))
    return day, day


def without_names(folded: str) -> str:
    """The text with the numbers that belong to norms blanked, at the same length."""
    for pattern in _NAMES:
        folded = pattern.sub(_blank, folded)
    return folded


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"\d", "_", match[0])


def middle(one: Found, today: date) -> date:
    """The day that stands for a period: its middle one, or today for one that is not over.

    A wording in force for more than half of it was in force on that day, and norms published at the very end
    of a year do not count as that year's law.
    """
    if one.last >= today:
        return today
    return one.first + (one.last - one.first) / 2
