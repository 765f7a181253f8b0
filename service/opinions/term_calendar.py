"""Terms as a calendar file (RFC 5545): a day each, with a reminder three days before. Pure functions."""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from domain.matters import KeptTerm
from loading.formats.encoding import clean

MEDIA, WIDTH = "text/calendar", 75
"""Octets of a line, without its end (RFC 5545, 3.1)."""
REMINDER = "-P2DT15H"
"""At nine of the third day before: a day begins at midnight."""


def calendar(terms: Iterable[KeptTerm], now: datetime) -> bytes:
    """The file; `now` is the moment of each of its entries."""
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Articulado//Plazos//ES", "CALSCALE:GREGORIAN"),
        *(line for one in terms for line in _event(one, f"{now:%Y%m%dT%H%M%SZ}")),
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line)).encode()


def _event(term: KeptTerm, moment: str) -> Iterator[str]:
    title = _escaped(f"{term.title} ({term.matter})")
    yield from ("BEGIN:VEVENT", f"UID:{term.id}@articulado", f"DTSTAMP:{moment}")
    yield f"DTSTART;VALUE=DATE:{term.day:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{term.day + timedelta(days=1):%Y%m%d}"
    yield from (f"SUMMARY:{title}", f"DESCRIPTION:{_escaped(term.told)}", "TRANSP:TRANSPARENT")
    yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{title}", f"TRIGGER:{REMINDER}", "END:VALARM")
    yield "END:VEVENT"


def _escaped(text: str) -> str:
    return re.sub(r"([\\;,])", r"\\\1", clean(text)).replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Lines of at most WIDTH octets, no character divided; the second one on begin with a blank."""
    piece, size = "", 0
    for sign in line:
        length = len(sign.encode())
        if size + length > WIDTH:
            yield piece
            piece, size = " ", 1
        piece, size = piece + sign, size + length
    yield piece
