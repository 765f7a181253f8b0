"""The journal that publishes a text, its number and its day, by the lines above the text."""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from law import dates

LONGEST = 250
"""Characters of a line about the journal; in a longer one a journal is where a cited law was published."""
_WEEKDAY = r"(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)"
_NO_NAME = (
    rf"\bn[úu]m|\bn\.? ?[º°]|\bdel? (?:d[ií]a )?\d|\b{_WEEKDAY}|\b(?:año|resoluci|anuncio|acuerdo|convenio)"
)
_NAME = (
    rf"(?:(?:bolet[ií]n|diario?) oficial(?: del? (?:(?!{_NO_NAME})[^.,;:()»\"\d\n]){{1,70}})?"
    r"|(?-i:B\. ?O\. ?(?:[A-Z]\.? ?){1,4}|BO[A-Z][A-Za-z]{0,4}|DO[A-Z]{1,3})(?!\w)"
    rf"(?:(?: del?(?: la)?)?[ -](?!{_NO_NAME})(?-i:[A-ZÁÉÍÓÚÑ]\w+))*)"
)
_NUMBER = r"\bn(?:[úu]m(?:ero)?|[º°]|\.? ?[º°]|\.)\.? ?:? ?(\d{1,5})\b"
_DAY = rf"(?P<day>{dates.ANY})"
_TO_DAY = rf"(?:[^\w\n]|\b(?:de|del|el|al|d[ií]a|fecha|correspondiente|publicado|{_WEEKDAY})\b)*"
_LINES = (
    re.compile(
        rf"^\W*(?:publicad[oa] en (?:el )?\W?)?(?P<name>{_NAME})"
        rf"[^\w\n]*(?:{_NUMBER})?{_TO_DAY}\b{_DAY}",
        re.IGNORECASE,
    ),
    re.compile(rf"^\W*{_NUMBER}{_TO_DAY}\b{_DAY}", re.IGNORECASE),
    re.compile(
        rf"^\W*(?:{_WEEKDAY},? )?{_DAY}\b"
        rf"[^\w\n]*(?P<name>{_NAME})?[^\w\n]*{_NUMBER}",
        re.IGNORECASE,
    ),
)
_NUMBERED = re.compile(_NUMBER, re.IGNORECASE)
_ALONE = re.compile(rf"\W*(?P<name>{_NAME})\W*", re.IGNORECASE)


class Journal(NamedTuple):
    """Its name and number as a reader is shown them, and its day; '' and None when not told."""

    name: str = ""
    day: date | None = None


def read_journal(lines: Sequence[str]) -> Journal:
    """The journal that the first lines of a text name."""
    short = [line for line in lines if len(line) <= LONGEST]
    masthead = [" ".join(short[at : at + 3]) for at, line in enumerate(short) if _ALONE.fullmatch(line)]
    told = [*short, *masthead]
    found = next((m for pattern in _LINES for line in told if (m := pattern.search(line))), None)
    if found is None:
        return Journal()
    said = found.groupdict()
    alone = next((m["name"] for line in short if (m := _ALONE.fullmatch(line))), "")
    name = (said.get("name") or alone).strip(" -·|")
    number = _NUMBERED.search(found.string)
    parts = (name, f"núm. {number[1]}" if number else "")
    return Journal(", ".join(filter(None, parts)), dates.parse(said["day"]))
