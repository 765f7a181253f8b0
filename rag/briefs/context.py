"""What a brief has said before a place of it: its paragraphs, and the norms that it has named. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from rag.briefs import patterns
from rag.briefs.findings import Provision
from rag.briefs.lines import PARAGRAPH

MOST_CHOICES = 6
LIST_GAP = 6
LOOK_BACK = 40


class Meant(NamedTuple):
    """The norm of a provision: `named` by the text if it is unknown, `choices` if it may be of several."""

    norm_id: str | None = None
    named: str = ""
    choices: tuple[str, ...] = ()
    implied: bool = False


def any_norm(norm_id: str) -> bool:
    """True for every norm: an article that is cited without any name of its norm."""
    return bool(norm_id)


class Context:
    """The text of a brief in one line and the places of the norms that it names.

    Args:
        named: offset and id of each norm, in order.
    """

    def __init__(self, text: str, folded: str, named: Sequence[tuple[int, str]]) -> None:
        self._text = text
        self._folded = folded
        self._places = [place for place, _ in named]
        self._norms = [norm for _, norm in named]
        self._every = list(dict.fromkeys(self._norms))
        self._breaks = [match.start() for match in re.finditer(PARAGRAPH, text)]

    def last_named(self, place: int) -> str | None:
        """The norm named last before a place."""
        index = bisect_left(self._places, place)
        return self._norms[index - 1] if index else None

    def _between(self, first: int, last: int) -> list[str]:
        found = self._norms[bisect_left(self._places, first) : bisect_left(self._places, last)]
        return list(dict.fromkeys(found))

    def paragraph(self, place: int) -> tuple[int, int]:
        """Start and end of the paragraph of a place."""
        index = bisect_right(self._breaks, place)
        first = self._breaks[index - 1] if index else 0
        return first, self._breaks[index] if index < len(self._breaks) else len(self._text)

    def _sentence(self, place: int) -> tuple[int, int]:
        first, last = self.paragraph(place)
        for match in patterns.SENTENCE.finditer(self._text, first, last):
            if match.end() > place:
                return first, match.start()
            first = match.end()
        return first, last

    def implied(self, place: int, same: Collection[str], called: Callable[[str], bool] = any_norm) -> Meant:
        """The norm of an article that is cited alone.

        The one norm that its sentence, else its paragraph, names before it; else the norm of which the brief
        has cited that article already; else the one named after it, or in all of the brief.

        Args:
            same: ids of the norms of which an article with that number has been cited.
            called: True for the norms that may have the name it gives («de la Ley», «del Reglamento»).
        """
        same = list(filter(called, same))
        known = Meant(same[0], implied=True) if len(same) == 1 else None
        whose = patterns.WHOSE.search(self._folded, max(0, place - LOOK_BACK), place)
        if whose and (last := self.last_named(place)):
            return Meant(last, implied=True)
        for first, end in (self._sentence(place), self.paragraph(place)):
            near = list(filter(called, self._between(first, place)))
            if near:
                return self._one(near, known)
            ahead = list(filter(called, self._between(place, end)))
            if known or len(ahead) == 1:
                return known or Meant(ahead[0], implied=True)
        return self._one(list(filter(called, self._every)) if called is any_norm else [], None)

    @staticmethod
    def _one(norms: Sequence[str], known: Meant | None) -> Meant:
        if len(norms) == 1:
            return Meant(norms[0], implied=True)
        return known or Meant(choices=tuple(norms[:MOST_CHOICES]), implied=True)


def last_cited(done: Sequence[Provision], place: int, folded: str) -> Provision | None:
    """The provision cited last before a place; None if it was one of a list, or a range."""
    last = None
    for one in reversed(done):
        if not one.label or one.end > place:
            continue
        if last is None:
            last = one
            continue
        gap = last.start - one.end
        if (
            gap <= LIST_GAP
            and one.label != last.label
            and patterns.JOINED.fullmatch(folded[one.end : last.start])
        ):
            return None
        break
    return None if last is None or last.until else last
