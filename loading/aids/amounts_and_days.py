"""Amounts and dates of a text, normalised for filters and for display (X.20)."""

import re

from law import dates

MAX_VALUES = 12
_AMOUNT = re.compile(
    r"(?<!\d)(?P<number>\d(?:[\d.,]{0,30}\d)?)\s*(?P<scale>mil(?:lones?)?\b)?"
    r"\s*(?:de )?(?:€|euros?\b|EUR\b)",
    re.I,
)
_SCALES = {"mil": 1000, "millon": 1_000_000, "millones": 1_000_000}
_DATE = re.compile(dates.ANY)


def amounts(text: str) -> tuple[str, ...]:
    """Its amounts in euros, as '1250000.00', each once and in order; `MAX_VALUES` of them at most."""
    found: dict[str, None] = {}
    for match in _AMOUNT.finditer(text):
        value = dates.amount(match["number"])
        if value is not None:
            scaled = value * _SCALES.get((match["scale"] or "").lower(), 1)
            found.setdefault(f"{scaled:.2f}")
    return tuple(found)[:MAX_VALUES]


def days(text: str) -> tuple[str, ...]:
    """Its dates as '2026-05-20', each once and in order; `MAX_VALUES` of them at most."""
    parsed = (dates.parse(match[0]) for match in _DATE.finditer(text))
    return tuple(dict.fromkeys(day.isoformat() for day in parsed if day is not None))[:MAX_VALUES]
