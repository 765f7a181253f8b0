"""A piece of personal data found in a text. Pure."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from text.textnorm import fold

PERSON, COMPANY, LISTED = "PERSONA", "EMPRESA", "NOMBRE"


class Span(NamedTuple):
    """Offsets in the text, kind ('DNI', 'PERSONA'…) and the key that all spellings of the value share."""

    start: int
    end: int
    kind: str
    key: str


def apart(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, without overlaps: the earlier wins and, from the same start, the longer."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def clear_of(spans: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """The spans that overlap none of the others."""
    kept = apart(others)
    starts = [span.start for span in kept]
    found = []
    for span in spans:
        place = bisect_left(starts, span.end) - 1
        if place < 0 or kept[place].end <= span.start:
            found.append(span)
    return found


def person(text: str, start: int, end: int) -> Span:
    """The span of a person's name; its spellings in capitals or without accents share their key."""
    return _named(text, start, end, PERSON)


def company(text: str, start: int, end: int) -> Span:
    """The span of a company's name."""
    return _named(text, start, end, COMPANY)


def _named(text: str, start: int, end: int, kind: str) -> Span:
    return Span(start, end, kind, " ".join(fold(text[start:end]).split()))
