"""Context before a place of a brief: its paragraphs, and the norms that it has named. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from casework.briefs import forms
from casework.briefs.brief_lines import PARAGRAPH
from casework.briefs.findings import Provision
from law.labels import fold

MOST_CHOICES = 6
LONGEST_NAME = 80
LIST_GAP = 6
LOOK_BACK = 40
RUN = 1200
"""Characters in which an article cited alone goes on with the norm of the last two."""


class Meant(NamedTuple):
    """The norm of a provision: `named` by the text if it is unknown, `choices` if it may be of several."""

    norm_id: str | None = None
    named: str = ""
    choices: tuple[str, ...] = ()
    implied: bool = False
    unannounced: bool = False


def any_norm(norm_id: str) -> bool:
    """True for every norm: an article that is cited without any name of its norm."""
    return bool(norm_id)


class Name(NamedTuple):
    """A norm as the text names it: `norm_id` is empty if it is not known which, `bare` without an article."""

    start: int
    end: int
    norm_id: str
    bare: bool = True


class Context:
    """The text of a brief in one line and the places of the norms that it names.

    Args:
        named: the norms, in order.

    Attributes:
        every: ids of the norms that it names.
    """

    def __init__(self, text: str, folded: str, named: Sequence[Name]) -> None:
        self._text = text
        self._folded = folded
        known = [one for one in named if one.norm_id]
        self._places = [one.start for one in known]
        self._norms = [one.norm_id for one in known]
        self._names = _all_names(text, folded, named)
        self._starts = [one.start for one in self._names]
        self.every = tuple(dict.fromkeys(self._norms))
        self._breaks = [match.start() for match in re.finditer(PARAGRAPH, text)]
        self._opened = [match.start() for match in re.finditer("«", text)]
        self._closed = [match.start() for match in re.finditer("»", text)]
        between = [match.span() for match in forms.SENTENCE.finditer(text)]
        self._ends = [start for start, _ in between]
        self._begins = [end for _, end in between]

    def last_named(self, place: int) -> str | None:
        """The norm named last before a place."""
        index = bisect_left(self._places, place)
        return self._norms[index - 1] if index else None

    def between(self, first: int, last: int) -> list[str]:
        """Ids of the norms that are named between two places."""
        found = self._norms[bisect_left(self._places, first) : bisect_left(self._places, last)]
        return list(dict.fromkeys(found))

    def paragraph(self, place: int) -> tuple[int, int]:
        """Start and end of the paragraph of a place."""
        index = bisect_right(self._breaks, place)
        first = self._breaks[index - 1] if index else 0
        return first, self._breaks[index] if index < len(self._breaks) else len(self._text)

    def sentence(self, place: int) -> tuple[int, int]:
        """Start and end of the sentence of a place."""
        first, last = self.paragraph(place)
        index = bisect_right(self._begins, place)
        first = max([first, *self._begins[index - 1 : index]])
        return first, min([last, *self._ends[index : index + 1]])

    def is_quoted(self, place: int) -> bool:
        """True if its paragraph has opened «…» before a place and not closed them."""
        first = self.paragraph(place)[0]
        opened, closed = (
            bisect_left(marks, place) - bisect_left(marks, first) for marks in (self._opened, self._closed)
        )
        return opened > closed

    def listed(self, place: int) -> list[str]:
        """The norms, or words for one, of the list «la Ley, el Código y el Estatuto» that ends last before a
        place in its sentence; only one if there is no list."""
        first = self.sentence(place)[0]
        names = self._names[bisect_left(self._starts, first) : bisect_left(self._starts, place)]
        chain: list[Name] = []
        for one in reversed(names):
            near = not chain or forms.ENUMERATED.fullmatch(self._folded, one.end, chain[-1].start)
            if not (one.bare and near):
                break
            chain.append(one)
        return list(dict.fromkeys(one.norm_id or self._folded[one.start : one.end] for one in chain))

    def implied(
        self,
        place: int,
        same: Collection[str],
        called: Callable[[str], bool] = any_norm,
        strangers: Sequence[Provision] = (),
        run: str | None = None,
    ) -> Meant:
        """The norm of an article that is cited alone.

        The one norm that its sentence, else its paragraph, names before it; else the norm of which the brief
        has cited that article already; else the one named after it, or in all of the brief.

        Args:
            same: ids of the norms of which an article with that number has been cited.
            called: True for the norms that may have the name it gives («de la Ley», «del Reglamento»).
            strangers: provisions of unknown norms that have been cited, in order.
            run: the norm of the provisions cited last, which tells where names do not.
        """
        same = list(filter(called, same))
        known = Meant(same[0], implied=True) if len(same) == 1 else None
        whose = forms.WHOSE.search(self._folded, max(0, place - LOOK_BACK), place)
        if whose and (last := self.last_named(place)):
            return Meant(last, implied=True)
        listed = self.listed(place)
        if called is any_norm and len(listed) > 1:
            return self._one([one for one in listed if one in self.every], known, open_to_others=True)
        for first, end in (self.sentence(place), self.paragraph(place)):
            near = list(filter(called, self.between(first, place)))
            other = next((one for one in reversed(strangers) if one.start < place), None)
            here = other is not None and first <= other.start
            if other and here and called is any_norm and not self.between(other.end, place):
                # «El art. 25 del Convenio manda; el art. 30 añade»: after an unknown norm it is nobody's.
                return known or Meant(choices=tuple(near[:MOST_CHOICES]), implied=True)
            if near:
                return self._one(near, known, run)
            ahead = list(filter(called, self.between(place, end)))
            if known or len(ahead) == 1:
                return known or Meant(ahead[0], implied=True)
        return self._one(list(filter(called, self.every)) if called is any_norm else [], None, run)

    @staticmethod
    def _one(
        norms: Sequence[str], known: Meant | None, run: str | None = None, *, open_to_others: bool = False
    ) -> Meant:
        if len(norms) == 1 and not open_to_others:
            return Meant(norms[0], implied=True)
        if known is None and run in norms:
            return Meant(run, implied=True)
        return known or Meant(choices=tuple(norms[:MOST_CHOICES]), implied=True)


def _all_names(text: str, folded: str, named: Sequence[Name]) -> list[Name]:
    """The norms that are named and the words for norms that are not, in order."""
    taken = {place for one in named for place in range(one.start, one.end)}
    nouns = (
        match.span("noun") for pattern, where in ((forms.NOUN, folded), (forms.ELLIPTIC, text))
        for match in pattern.finditer(where)
    )  # fmt: skip
    others = [Name(*span, "") for span in nouns if taken.isdisjoint(range(*span))]
    return sorted([*named, *others])


def run_of(done: Sequence[Provision], place: int) -> str | None:
    """The norm of the last two provisions cited before a place, if both are of the same one."""
    near = [one for one in done[-LIST_GAP:] if one.label and place - RUN < one.end <= place][-2:]
    return near[0].norm_id if len(near) == 2 and near[0].norm_id == near[1].norm_id else None


def last_cited(
    done: Sequence[Provision], place: int, folded: str, *, newest: bool = False
) -> Provision | None:
    """The provision cited last before a place; None if it was one of a list, unless `newest`, or a range."""
    last = None
    for one in reversed(done):
        if not one.label or one.end > place:
            continue
        if last is None:
            last = one
            continue
        gap = last.start - one.end
        if (
            not newest
            and gap <= LIST_GAP
            and one.label != last.label
            and forms.JOINED.fullmatch(folded[one.end : last.start])
        ):
            return None
        break
    return None if last is None or last.until else last


def short_name(name: str) -> str:
    """The name of a norm without the rest of its sentence."""
    words = list(re.finditer(r"\S+", name))
    stop = next((one.start() for one in words[1:] if fold(one[0]) in forms.STOPS), len(name))
    return name[:stop].rstrip()[:LONGEST_NAME]


def may_be(named: str, kind: str) -> bool:
    """True if what the brief calls an unknown norm fits a word for it: «texto» any, «ley» a ley."""
    return bool(named) and (kind.startswith(("texto", "cuerpo", "norma")) or fold(named).startswith(kind))
