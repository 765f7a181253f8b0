"""Rows and sentences of the year asked about. Pure functions.

A table or a list may have one for each year, and a year may have a table of its own.
"""

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from datetime import MAXYEAR
from typing import NamedTuple

from rag.answers.passage_selection import Found
from rag.answers.quotable import Quotable
from rag.question.understanding import BOTH, TimeScope
from text import rows
from text.segmentation import is_row
from text.textnorm import stems

LEAST = 3
"""Years that make a table or a list one of years."""
OPENING = 40
"""Characters of the words before the comma of «En el año 2026, será de…»."""
_YEAR = r"(?:19|20)\d\d"
_RANGE = re.compile(
    rf"\b({_YEAR})\b[^,;]{{0,20}}?(?:-|–|\ba(?:l)?\b|\bhasta\b|\by\b)[^,;]{{0,20}}?\b({_YEAR})\b"
)
_SINCE = re.compile(r"\b(?:a partir|desde|en adelante|siguientes|posteriores)\b", re.I)
_UNTIL = re.compile(r"\b(?:hasta|antes de|anteriores)\b", re.I)
_EACH = re.compile(rf"(?:^|[.;] )(?:en|durante|para) (?:el )?(?:año )?{_YEAR}\b", re.I)
_NAMED = re.compile(rf"\b\d+/{_YEAR}\b|\btexto refundido de {_YEAR}\b", re.I)
_NUMBER = re.compile(r"\b(?:[IVX]+|\d+)\b")
_SEVERAL = re.compile(
    r"\b(?:evoluci|progresi|gradual|paulatin|calendario|tablas?\b|todas? l[ao]s|cada año"
    r"|años? (?:a|tras) año|en adelante)",
    re.I,
)
_COMING = re.compile(
    r"\b(?:en qu[eé] año|desde cu[aá]ndo|a partir de (?:qu[eé]|cu[aá]ndo)|dentro de|pr[oó]xim|que viene"
    r"|podr[eé]\b|jubilar[eé]\b)",
    re.I,
)


class _Years(NamedTuple):
    """The years of a row or sentence: those from `first` to `last`; `open` if it has but one end."""

    first: int
    last: int
    open: bool = False

    def hold(self, year: int) -> bool:
        return self.first <= year <= self.last


def of_its_year(query: str, found: Sequence[Found], year: int, time: TimeScope | None = None) -> list[Found]:
    """The stretches without those of other years than the one that the query names, or else `year`.

    A row may be of every year since («A partir del año 2027») or of some («2013-2016»). A query about coming
    years leaves those out that are over, one about several none; a list without the years wanted stays whole.

    Args:
        time: when the query says that it is; the year of a hire or a birth is not that of the law.
    """
    asked = set() if time and time.kind in {"since", "right"} else rows.years(_NAMED.sub(" ", query))
    if _SEVERAL.search(query) or (time and time.kind in {"several", BOTH}) or len(asked) > 1:
        return list(found)
    wanted, coming = int(next(iter(asked), year)), _COMING.search(query) is not None
    lists: defaultdict[object, dict[tuple[int, Quotable], _Years]] = defaultdict(dict)
    for one in found:
        if years := _years(one.piece.text):
            listed = one.hit.chunk.article, one.piece.headers, one.piece.lead
            lists[listed][one.index, one.piece] = years
    others: set[tuple[int, Quotable]] = set()
    for members in lists.values():
        if wanted < MAXYEAR and len({(years.first, years.last) for years in members.values()}) >= LEAST:
            others |= _over(members, wanted) if coming else _others(members, wanted)
    return [one for one in found if (one.index, one.piece) not in others]


def _over(members: dict[tuple[int, Quotable], _Years], wanted: int) -> set[tuple[int, Quotable]]:
    """Members whose years are over; none if all are."""
    over = {key for key, years in members.items() if years.last < wanted}
    return over if len(over) < len(members) else set()


def _others(members: dict[tuple[int, Quotable], _Years], wanted: int) -> set[tuple[int, Quotable]]:
    """Members of other years; none if no member is of the year wanted.

    Of rows the last that begin before it hold it; what a sentence says since a year goes on being so.
    """
    held = {key for key, years in members.items() if years.hold(wanted)}
    exact = {key for key in held if not members[key].open}
    rows_held = [key for key in held if is_row(key[1].text)]
    last = max((members[key].first for key in rows_held), default=0)
    kept = {
        key
        for key in held
        if not is_row(key[1].text) or (key in exact if exact else members[key].first == last)
    }
    return members.keys() - kept if kept else set()


def _years(text: str) -> _Years | None:
    """Years that a row or the opening of a sentence says; None without any, or if several sentences do."""
    told = rows.cells(text)[0] if is_row(text) else text.partition(",")[0]
    if not is_row(text) and (len(told) > OPENING or len(_EACH.findall(text)) > 1):
        return None
    told = _NAMED.sub(" ", told)
    if span := _RANGE.search(told):
        return _Years(int(span[1]), int(span[2]))
    named = sorted(map(int, rows.years(told)))
    if not named:
        return None
    if _SINCE.search(told):
        return _Years(named[-1], MAXYEAR, open=True)
    if _UNTIL.search(told):
        return _Years(0, named[0], open=True)
    return _Years(named[0], named[-1])


def of_the_year(query: str, found: Sequence[Found], year: int = MAXYEAR) -> list[Found]:
    """The stretches without the rows of other years than the one that the query names, or else `year`.

    A row of a table with rows of that year has its year itself. One that stands in several tables alike has
    that of the header, the captions or the heading: of the year asked for, or the last before it.
    """
    asked = rows.years(query)
    own = {one.piece.headers for one in found if one.piece.headers and asked & rows.years(one.piece.text)}
    kept = [one for one in found if one.piece.headers not in own or asked & rows.years(one.piece.text)]
    wanted = set(map(int, asked)) or {year}
    alike: defaultdict[object, list[_Dated]] = defaultdict(list)
    for one in kept:
        if is_row(one.piece.text) and (dated := _dated(one)):
            named = rows.cells(one.piece.text)[0], rows.label(one.piece.text)
            alike[one.hit.chunk.norm_id, *named].append(dated)
    others = {row.key for group in alike.values() for row in group if not row.holds(group, wanted)}
    return [one for one in kept if (one.index, one.piece) not in others]


class _Dated(NamedTuple):
    """A row of a table that names years, by its hit and piece; the other words over it and in its header."""

    key: tuple[int, Quotable]
    years: frozenset[int]
    over: frozenset[str]
    header: frozenset[str]

    def rivals(self, other: "_Dated") -> bool:
        """True if the tables are of the same thing: one says, without its numbers, what the other says."""
        pairs = (self.over, other.over), (self.header, other.header)
        return all(one <= two or two <= one for one, two in pairs)

    def holds(self, others: Sequence["_Dated"], wanted: Set[int]) -> bool:
        """True if no table of the same thing is nearer to the years wanted."""
        known = frozenset().union(*(one.years for one in others if self.rivals(one)))
        before = [one for one in known if one <= max(wanted)]
        return not self.years.isdisjoint(known & wanted or {max(before, default=min(known))})


def _dated(one: Found) -> _Dated | None:
    """The row with the years that its table names, in the header, else in the captions or the heading."""
    captions = " ".join(rows.captions(one.piece.headers))
    header = " ".join(filter(is_row, one.piece.headers))
    chunk = one.hit.chunk
    named = next(filter(None, map(rows.years, (header, captions, chunk.section, chunk.chapter))), None)
    if not named:
        return None
    over, columns = (
        frozenset(stems(_NUMBER.sub("", text))) for text in (f"{chunk.section} {captions}", header)
    )
    return _Dated((one.index, one.piece), frozenset(map(int, named)), over, columns)
