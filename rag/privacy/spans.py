"""A piece of personal data found in a text. Pure."""

from collections.abc import Iterable
from typing import NamedTuple


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
