"""A piece of personal data found in a text. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """Where it stands, what it is ('DNI', 'PERSONA'…) and the form in which its spellings are the same."""

    start: int
    end: int
    kind: str
    key: str


def apart(spans: Iterable[Span]) -> list[Span]:
    """The spans in order without any that overlaps an earlier or, from the same place, a longer one."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept
