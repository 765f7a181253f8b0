"""Ranges of days and of money named by a question: «antes de marzo de 2026», «de más de 5 millones»."""

import re
from calendar import monthrange
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from core.values import Value
from law.labels import MONTHS

_DAY = (
    r"(?:(?P<{0}d>\d{{1,2}})(?: de |[/.-]))?"
    rf"(?:(?P<{{0}}m>\d{{{{1,2}}}})[/.-]|(?P<{{0}}n>{'|'.join(MONTHS)}) (?:de |del )?)?"
    r"(?P<{0}y>(?:19|20)\d\d)(?!\d)"
)
_HOW = r"(?P<how>antes|hasta|despues|desde|a partir|en|el|durante|a lo largo)(?: de| del)?"
_ONE = re.compile(rf"^[^?.;]{{0,40}}?\b{_HOW}(?: el)?(?: dia)?(?: mes de)?(?: ano)? {_DAY.format('a')}")
_TWO = re.compile(rf"^[^?.;]{{0,40}}?\bentre(?: el)? {_DAY.format('a')} y(?: el)? {_DAY.format('b')}")

_MONEY = r"(?P<{0}>\d[\d.]*(?:,\d+)?)\s*(?P<{0}_unit>mil(?:lon(?:es)?)?\b)?\s*(?:de )?(?:euros?|eur\b|€)?"
_OVER = re.compile(
    r"\b(?:mas de|superior(?:es)? a|mayor(?:es)? (?:de|que|a)|por encima de|exced\w+ (?:de )?|supera\w*"
    rf"|a partir de|como minimo)\s*(?:los )?{_MONEY.format('low')}"
)
_UNDER = re.compile(
    r"\b(?:menos de|inferior(?:es)? a|menor(?:es)? (?:de|que|a)|por debajo de|como maximo)"
    rf"\s*(?:los )?{_MONEY.format('high')}"
)
_BETWEEN = re.compile(rf"\bentre (?:los )?{_MONEY.format('low')} y (?:los )?{_MONEY.format('high')}")
_OTHER_UNIT = re.compile(
    r"\s*(?:anos?|dias?|mes(?:es)?|semanas?|horas?|personas|trabajador\w*|%|por ciento)(?!\w)"
)
_MONEY_WORDS = re.compile(
    r"euros?\b|\beur\b|€|\bmillon(?:es)?\b|\bimportes?\b|\bpresupuestos?\b|\bprecios?\b"
)


class Period(Value):
    """First and last day, inclusive; None is an open end."""

    first: date | None = None
    last: date | None = None

    def __contains__(self, day: date) -> bool:
        return (self.first is None or day >= self.first) and (self.last is None or day <= self.last)

    def __str__(self) -> str:
        since = f"desde {self.first:%d/%m/%Y}" if self.first else ""
        return " ".join(filter(None, (since, f"hasta {self.last:%d/%m/%Y}" if self.last else "")))


class Amounts(Value):
    """More than `low` and less than `high`, in euros; both ends count when `closed`."""

    low: Decimal | None = None
    high: Decimal | None = None
    closed: bool = False

    def __contains__(self, amount: Decimal) -> bool:
        if self.closed and amount in (self.low, self.high):
            return True
        return (self.low is None or amount > self.low) and (self.high is None or amount < self.high)

    def __str__(self) -> str:
        low = f"superior a {_spanish(self.low)} €" if self.low is not None else ""
        return " e ".join(filter(None, (low, f"inferior a {_spanish(self.high)} €" if self.high else "")))


def period(folded: str) -> Period | None:
    """The period named near the start of a folded text; None without one, or for an impossible day."""
    if two := _TWO.match(folded):
        first, last = _days(two, "a"), _days(two, "b")
        return Period(first=first[0], last=last[1]) if first and last else None
    one = _ONE.match(folded)
    days = _days(one, "a") if one else None
    if one is None or days is None:
        return None
    spans = {
        "antes": (None, days[0] - timedelta(days=1)),
        "hasta": (None, days[1]),
        "despues": (days[1] + timedelta(days=1), None),
        "desde": (days[0], None),
        "a partir": (days[0], None),
    }
    first_day, last_day = spans.get(one["how"], days)
    return Period(first=first_day, last=last_day)


def _days(match: re.Match[str], name: str) -> tuple[date, date] | None:
    """First and last day of a year, a month or a day; None if it does not exist."""
    year, named, day = int(match[f"{name}y"]), match[f"{name}n"], int(match[f"{name}d"] or 0)
    month = MONTHS.index(named) + 1 if named else int(match[f"{name}m"] or 0)
    if not month:
        return None if day else (date(year, 1, 1), date(year, 12, 31))
    days = monthrange(year, month)[1] if month <= 12 else 0
    if day > days or not days:
        return None
    return date(year, month, day or 1), date(year, month, day or days)


def amounts(folded: str) -> Amounts | None:
    """The range of money of a folded question, in euros; None if its numbers measure something else."""
    if not _MONEY_WORDS.search(folded):
        return None
    if both := _BETWEEN.search(folded):
        low, high = _money(both, "low"), _money(both, "high")
        return Amounts(low=low, high=high, closed=True) if low is not None and high is not None else None
    over, under = _OVER.search(folded), _UNDER.search(folded)
    low, high = _money(over, "low") if over else None, _money(under, "high") if under else None
    return None if low is None and high is None else Amounts(low=low, high=high)


def _money(match: re.Match[str], name: str) -> Decimal | None:
    """An amount in euros, or None; «entre 1 y 2 millones» gives its unit to both."""
    if _OTHER_UNIT.match(match.string, match.end()):
        return None
    unit = match[f"{name}_unit"] or (match.groupdict().get("high_unit") or "")
    factor = 1_000_000 if unit.startswith("millon") else 1000 if unit == "mil" else 1
    value = decimal(match[name].rstrip(".").replace(".", "").replace(",", "."))
    return None if value is None else value * factor


def decimal(text: str) -> Decimal | None:
    """The value of a number written as in metadata, '1250000.00'; None if it is not a number."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _spanish(amount: Decimal | None) -> str:
    return f"{amount or 0:,.2f}".translate(str.maketrans(",.", ".,"))
