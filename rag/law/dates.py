"""Dates and amounts as Spanish documents write them."""

import re
from datetime import date
from decimal import Decimal

from rag.law import labels

SPELLED = r"\d{1,2}[ºª]? de [A-Za-zñ]+ (?:de|del)(?: año)? \d{4}"
NUMERIC = r"\d{1,2}[/.-]\d{1,2}[/.-]\d{4}"
ISO = r"\d{4}-\d{2}-\d{2}"
ANY = rf"(?:{SPELLED}|{NUMERIC}|{ISO})"
_SPELLED = re.compile(r"(\d{1,2})[ºª]? de ([a-z]+) del?(?: ano)? (\d{4})")
_NUMERIC = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
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
