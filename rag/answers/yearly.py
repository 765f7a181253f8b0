"""Tables and lists with a row or a sentence for each year: those of the year asked about. Pure functions."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import MAXYEAR

from rag.answers.quotable import Quotable
from rag.answers.selection import Found
from rag.text import rows
from rag.text.segmentation import is_row

LEAST = 3
"""Years that make a table or a list one of years."""
OPENING = 40
"""Characters of the words before the comma of «En el año 2026, será de…»."""
_SINCE = re.compile(r"\b(?:a partir|desde|en adelante|siguientes|posteriores)\b", re.I)
_SEVERAL = re.compile(
    r"\b(?:evoluci|progresi|gradual|paulatin|calendario|pr[oó]ximos años|cada año|años? (?:a|tras) año)", re.I
)


def of_its_year(query: str, found: Sequence[Found], year: int) -> list[Found]:
    """The stretches without those of other years than the one that the query names, or else `year`.

    The last row may be of every year since («A partir del año 2027»). What has none of the years wanted stays
    whole, and so does everything for a query about several years («la evolución»).
    """
    if _SEVERAL.search(query):
        return list(found)
    wanted = set(map(int, rows.years(query))) or {year}
    listed: defaultdict[object, dict[tuple[int, Quotable], str]] = defaultdict(dict)
    for one in found:
        if rows.years(told := _told(one.piece.text)):
            listed[one.hit.chunk.article, one.piece.headers][one.index, one.piece] = told
    others: set[tuple[int, Quotable]] = set()
    for told_by in listed.values():
        years = {key: set(map(int, rows.years(told))) for key, told in told_by.items()}
        known = set().union(*years.values())
        if len(known) >= LEAST and (held := _held(told_by.values(), known, wanted)):
            others |= {key for key, own in years.items() if own.isdisjoint(held)}
    return [one for one in found if (one.index, one.piece) not in others]


def _told(text: str) -> str:
    """The part of a stretch that says its year: the first cell of a row, the opening of a sentence."""
    if is_row(text):
        return rows.cells(text)[0]
    opening = text.partition(",")[0]
    return opening if len(opening) <= OPENING else ""


def _held(told: Collection[str], known: set[int], wanted: set[int]) -> set[int]:
    """The years of the list that hold those wanted: themselves, or the last one since which all are."""
    since = {max(map(int, rows.years(one))) for one in told if _SINCE.search(one)}
    before = ({first for first in since if first <= one} for one in wanted - known - {MAXYEAR})
    return (known & wanted) | {max(years) for years in before if years}
