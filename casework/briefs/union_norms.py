"""Norms of the Union and conventions: an article of one is no article of a Spanish norm. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from operator import attrgetter

from casework.briefs import forms
from casework.briefs.brief_context import Meant
from casework.briefs.findings import Provision

FARTHEST = 1000
"""Characters from a norm of the Union within which its article stands."""
JOINED = 12
_START = attrgetter("start")


class UnionNorms:
    """Gives the articles of such norms, among the provisions that a text cites, their norm.

    Args:
        done: the provisions, which are put in the order of the text and changed.
        make: makes a provision of a stretch.
    """

    def __init__(self, text: str, folded: str, done: list[Provision], make: Callable[..., Provision]) -> None:
        self._text = text
        self._folded = folded
        self._done = done
        self._make = make

    def take(self, named: Iterable[re.Match[str]]) -> None:
        """Take these norms, in order."""
        self._done.sort(key=_START)
        for match in named:
            places = self._of_its_list(match)
            cited = [one for place in places if (one := self._done[place]).label]
            for place in reversed(places):
                del self._done[place]
            meant = Meant(named=match[0])
            made = [] if cited else [self._make(*match.span(), meant)]
            for one in cited:
                start = min(match.start(), one.start) if one is cited[0] else one.start
                end = max(match.end(), one.end) if one is cited[-1] else one.end
                part = {"apartado": one.apartado, "letter": one.letter, "until": one.until}
                made.append(self._make(start, end, meant, one.label, **part))
            at = bisect_left(self._done, made[0].start, key=_START)
            self._done[at:at] = made

    def _of_its_list(self, match: re.Match[str]) -> list[int]:
        """Places of the provisions of that norm and of their list: «los arts. 5 y 6 del Reglamento (UE)…»."""
        low = bisect_left(self._done, match.start() - FARTHEST, key=_START)
        high = bisect_right(self._done, match.start() + FARTHEST, key=_START)
        own = [place for place in range(low, high) if self._belongs(self._done[place], match)]
        cited = [place for place in own if self._done[place].label]
        if not cited:
            return own
        first, last = cited[0], cited[-1]
        while first and self._is_listed(first - 1, first - 1):
            first -= 1
        while last + 1 < len(self._done) and self._is_listed(last, last + 1):
            last += 1
        return sorted({*own, *range(first, last + 1)})

    def _is_listed(self, place: int, other: int) -> bool:
        """True if that provision names no norm itself and is joined to the next one."""
        one, following = self._done[place : place + 2]
        loose = self._done[other].implied or not (self._done[other].norm_id or self._done[other].named)
        gap = self._folded[one.end : following.start]
        return loose and bool(one.label) and forms.JOINED.fullmatch(gap) is not None

    def _belongs(self, one: Provision, match: re.Match[str]) -> bool:
        """True for what was read inside the name of that norm, and for its article before or after it."""
        if one.start < match.end() and match.start() < one.end:
            return True
        if one.label and 0 <= match.start() - one.end <= JOINED:
            return forms.OF_COMMUNITY.fullmatch(self._text, one.end, match.start()) is not None
        after = bool(one.label and one.implied and one.start >= match.end())
        return after and forms.BEFORE_ARTICLE.fullmatch(self._folded, match.end(), one.start) is not None
