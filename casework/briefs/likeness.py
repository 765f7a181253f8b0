"""The wording most like a quotation, among the norms that a brief names. Pure functions."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from heapq import nlargest
from itertools import pairwise

from casework.briefs import quotation_words
from casework.briefs.norm_library import Library, Place
from rag.answers.verbatim import typeset

ALIKE = 0.8
"""Share of common words from which a quotation without attribution counts as an altered one of the law."""
FEWEST = 7
"""Words of a quotation below which a likeness may be chance."""
_PROBES, _COMPARED, _LONG = 6, 3, 9


def likest(
    parts: Sequence[str], norms: Sequence[str], library: Library, day: date
) -> tuple[quotation_words.Near, Place] | None:
    """The stretch most like the quotation among the wordings in force on `day`; None below `ALIKE`.

    Only texts that share pairs of words with the quotation are compared word by word.

    Args:
        parts: pieces of the quotation (`words.pieces`).
        norms: ids of the norms to search.
    """
    pairs = list(_pairs(parts))
    if sum(len(part.split()) for part in parts) < FEWEST:
        return None
    probes = nlargest(_PROBES, pairs, key=len)
    best = sharing(parts, _in_force(norms, library, day, probes))
    near = ((quotation_words.nearest(parts, place.version.text), place) for place in best)
    found = max(near, key=lambda one: one[0].likeness, default=None)
    return found if found and found[0].likeness >= ALIKE else None


def sharing(parts: Sequence[str], places: Iterable[Place]) -> list[Place]:
    """The few of the texts that share most pairs of words with the quotation."""
    pairs = list(_pairs(parts))
    probes = nlargest(_PROBES, pairs, key=len)
    shared = (
        (sum(pair in place.plain for pair in pairs), place) for place in places if _share(probes, place.plain)
    )
    return [place for _, place in nlargest(_COMPARED, shared, key=lambda one: one[0])]


def _pairs(parts: Sequence[str]) -> Iterator[str]:
    """Pairs of neighbouring words as `Place.plain` has them, without pairs of short words."""
    for part in parts:
        for first, second in pairwise(typeset(part).split()):
            if len(first) + len(second) >= _LONG:
                yield f"{first} {second}"


def _share(probes: Sequence[str], plain: str) -> bool:
    """True if a text has at least two of the pairs."""
    return sum(probe in plain for probe in probes) > 1


def _in_force(norms: Sequence[str], library: Library, day: date, probes: Sequence[str]) -> Iterator[Place]:
    for norm_id in norms:
        shelf = library.shelf(norm_id)
        if shelf is not None and shelf.norm.official and _share(probes, shelf.plain):
            yield from (place for place in shelf.places if place.version.in_force_on(day))
