"""All personal data of a text: rows of finders in one pass of three steps, and one rule for overlaps."""

import re
from collections.abc import Iterator
from functools import cache

from masking import (
    addresses,
    announcers,
    births,
    companies,
    contact,
    field_labels,
    identifiers,
    persons,
    spoken,
    table_cells,
)
from masking.finder import Finder, Page, Span, settled, span
from masking.scans import corrected, unbroken

ROOM = 90
"""Characters on each side of a sign in which a form is searched."""
FORMS = (
    *(*identifiers.FINDERS, *contact.FINDERS, *field_labels.FINDERS, *births.FINDERS, *spoken.FINDERS),
    *(*addresses.FINDERS, *companies.FORMS),
)
"""Told by a form, in the text as it is written."""
ANNOUNCED = (*companies.FINDERS, *announcers.FINDERS)
"""Told by the words before them, as the text is said."""


def find(text: str) -> list[Span]:
    """Every piece of personal data in the text, in order and without overlaps."""
    whole, broken = unbroken(text)
    page = Page.of(corrected(whole))
    found = [*_pass(page, FORMS), *table_cells.find(page)]
    page = page.said.holding(found)
    found += [*_pass(page, ANNOUNCED), *persons.beside(page, found)]
    page = page.holding(found)
    spans = settled([*found, *_pass(page, persons.finders())])
    for start, end in broken:
        # A word that was divided ends where its second part does.
        spans = [one._replace(end=end) if start < one.end <= end else one for one in spans]
    return [span(page.text, *one[:3]) for one in spans]


def _pass(page: Page, finders: tuple[Finder, ...]) -> Iterator[Span]:
    """Spans that the rows find, each around its sign or at the words that open it.

    No word opens a value within one that an earlier step or the same row has found.
    """
    by_word, by_sign = _indexed(finders)
    for sign, rows in by_sign.items():
        for start, end in _around(page.low, sign):
            for row in rows:
                yield from row.within(page, start, end)
    done = [0] * len(finders)
    for word, start in page.words:
        for place in by_word.get(word, ()):
            if start >= done[place] and not page.holds(start):
                found, done[place] = finders[place].at(page, start)
                yield from found


@cache
def _indexed(
    finders: tuple[Finder, ...],
) -> tuple[dict[str, list[int]], dict[re.Pattern[str] | None, list[Finder]]]:
    """The places of the rows by the words that open them, and the other rows by their sign."""
    by_word: dict[str, list[int]] = {}
    by_sign: dict[re.Pattern[str] | None, list[Finder]] = {}
    for place, finder in enumerate(finders):
        for word in finder.opens:
            by_word.setdefault(word, []).append(place)
        if not finder.opens:
            by_sign.setdefault(finder.near, []).append(finder)
    return by_word, by_sign


def _around(text: str, sign: re.Pattern[str] | None) -> Iterator[tuple[int, int]]:
    """The text around each sign, joined where it touches; without a sign, all of it."""
    start, end = (0, len(text)) if sign is None else (-1, -1)
    for match in sign.finditer(text) if sign else ():
        if match.start() - ROOM > end:
            if end > 0:
                yield start, end
            start = max(0, match.start() - ROOM)
        end = match.end() + ROOM
    if end > 0:
        yield start, min(end, len(text))
