"""Removes text that pages repeat: headers, footers, page numbers, the BOE's verification lines, indexes.

Only the edges of a page are examined. A line is removed when the same one, or the same except for a number
that grows with the page, is at the same edge of three pages in a row, or of two of a journal or where most
pages lose one there. A heading stays, unless it says again which division or article the page is in.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, takewhile

from loading.formats import headings
from loading.formats.journal import read_journal
from text.segmentation import is_row

EDGE = 3
REPEATS = 3

_ALWAYS = re.compile(
    r"(?:cve:\s*\S+.*|verificable en\s+https?://\S+.*"
    r"|bolet[íi]n oficial del estado(?:\s*legislaci[óo]n consolidada)?|legislaci[óo]n consolidada|https?://www\.boe\.es\b.*|.*\bISSN:?\s*\d{4}-\d{3}[\dX].*"
    r"|n[úu]m\.\s*\d+\s+(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)\s+\d.*(?:p[áa]g\.\s*\d+)?"
    r"|\[\s*\.(?:\s*\.){2,}\s*\])",
    re.IGNORECASE,
)
_PAGE_NUMBER = re.compile(
    r"\s*(?:[-–—]\s*\d{1,5}\s*[-–—]|p[áa]g(?:ina|\.)?\s*:?\s*\d{1,5}(?:\s*(?:de|/)\s*\d{1,5})?)\s*",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w+")
_NUMBER = re.compile(r"\d{1,6}")
_INDEX = re.compile(
    r"(?:[ÍI]NDICE|[ÍI]ndice|SUMARIO|Sumario)(?: (?:SISTEM[ÁA]TICO|GENERAL|sistem[áa]tico|general))?\.?"
)
_LEADER_END = re.compile(r"(?:\.\s?){5}$|(?:\s\.){4}$")
_LEADER_LENGTH = 10
MAX_PAGE = 5
MAX_LINE = 300
"""Characters of a line that pages may repeat with another number."""
_INDEX_GAP = 6


def without_furniture(pages: Sequence[Sequence[str]], *, law: bool = True) -> list[list[str]]:
    """The lines of each page without headers, footers, page numbers and tables of contents.

    Args:
        law: False for papers, which may be one page each: those of two or three pages keep what these repeat.
    """
    kept = [[line.rstrip() for line in page if not _ALWAYS.fullmatch(line.strip())] for page in pages]
    stripped = [_stripped(page) for page in kept]
    drop = _repeated(stripped, law=law)
    left = [
        [line for place, line in enumerate(page) if (number, place) not in drop]
        for number, page in enumerate(stripped)
    ]
    return without_index([_stripped(page) for page in left])


def journal_lines(pages: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The lines over the first page that name its journal; none if other pages do not give the same day."""
    tops = [tuple(line.strip() for line in page if line.strip())[:EDGE] for page in pages[:REPEATS]]
    days = {read_journal(top).day for top in tops}
    return tops[0] if len(days) == 1 and None not in days else ()


def _stripped(page: list[str]) -> list[str]:
    """The page without empty lines at its ends."""
    start, end = 0, len(page)
    while start < end and not page[start].strip():
        start += 1
    while end > start and not page[end - 1].strip():
        end -= 1
    return page[start:end]


def _repeated(pages: Sequence[Sequence[str]], *, law: bool) -> set[tuple[int, int]]:
    """(page, line) of lines that nearby pages repeat at the same edge, and of page numbers."""
    seen: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    found: set[tuple[int, int]] = set()
    for number, page in enumerate(pages):
        for edge, place in _edges(page):
            line = page[place].strip()
            if _PAGE_NUMBER.fullmatch(line):
                found.add((number, place))
            elif line and not headings.starts(line):
                for key in _keys(line, number):
                    seen[edge, key].append((number, place))
    times = 2 if journal_lines(pages) else REPEATS
    for places in seen.values():
        found |= _in_a_row(places, times)
    if law and len(pages) <= REPEATS:
        found |= _repeated_heads(pages, seen)
    found |= _in_pairs(pages, seen, found) | _running_heads(pages)
    found -= _parts_of_tables(pages, found)
    return {place for number, page in enumerate(pages) for place in _outer(number, len(page), found)}


def _parts_of_tables(pages: Sequence[Sequence[str]], found: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The found rows of tables that are not found whole: a table over pages repeats its header."""
    kept: set[tuple[int, int]] = set()
    for number, page in enumerate(pages):
        start = 0
        for rows, group in groupby(page, is_row):
            end = start + len(list(group))
            places = {(number, place) for place in range(start, end)} if rows else set()
            kept |= places if not places <= found else set()
            start = end
    return kept


def _outer(number: int, lines: int, found: set[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The found lines of a page that only other found lines separate from its edge."""
    for inwards in (range(lines), range(lines - 1, -1, -1)):
        yield from takewhile(found.__contains__, ((number, place) for place in inwards))


def _edges(page: Sequence[str]) -> Iterator[tuple[str, int]]:
    last = len(page)
    yield from (("top", place) for place in range(min(EDGE, last)))
    yield from (("bottom", place) for place in range(max(0, last - EDGE), last))


def _keys(line: str, number: int) -> Iterator[str]:
    """The line and, if it is short and no sentence, it with each number as its distance from the page's."""
    yield line
    if len(line) > MAX_LINE or line.endswith((".", ",", ";", ":")):
        return
    for match in _NUMBER.finditer(line):
        yield f"{line[: match.start()]}<{int(match.group()) - number}>{line[match.end() :]}"


def _in_pairs(
    pages: Sequence[Sequence[str]],
    seen: Mapping[tuple[str, str], Sequence[tuple[int, int]]],
    found: set[tuple[int, int]],
) -> set[tuple[int, int]]:
    """The first or last lines that two pages share which lose none there, although most pages do."""
    pairs: set[tuple[int, int]] = set()
    for edge in ("top", "bottom"):
        ends = {(n, 0 if edge == "top" else len(page) - 1) for n, page in enumerate(pages)}
        if len(ends & found) >= max(REPEATS, len(pages) / 2):
            kept = ends - found
            for (where, _), places in seen.items():
                pairs |= _in_a_row(list(kept.intersection(places)), 2) if where == edge else set()
    return pairs


def _repeated_heads(
    pages: Sequence[Sequence[str]], seen: Mapping[tuple[str, str], Sequence[tuple[int, int]]]
) -> set[tuple[int, int]]:
    """The lines at the top of a page that are also at that of the one before, where they stay."""
    found: set[tuple[int, int]] = set()
    for (edge, line), places in seen.items():
        alike = {(n, at) for n, at in places if edge == "top" and pages[n][at].strip() == line}
        numbers = {n for n, _ in alike}
        found |= {(n, at) for n, at in alike if n - 1 in numbers}
    return found


def _running_heads(pages: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Headings at an edge of a page that repeat the last one of their kind, or announce one on the page."""
    found: set[tuple[int, int]] = set()
    last: dict[int, str] = {}
    for number, page in enumerate(pages):
        names = [_heading(line.strip()) for line in page]
        edges = {place for _, place in _edges(page)}
        for place, name in enumerate(names):
            if name is None:
                continue
            level, said = name
            if place in edges and (last.get(level) == said or (place < EDGE and name in names[place + 1 :])):
                found.add((number, place))
                continue
            last = {rank: text for rank, text in last.items() if rank < level} | {level: said}
    return found


def _heading(line: str) -> tuple[int, str] | None:
    """Depth of a heading and what tells it from others: a division's number, a provision's whole line."""
    level = headings.division(line)
    if level is not None:
        return level, " ".join(_WORDS.findall(line.lower())[:2])
    # «ANEXO» alone may head one after another.
    told = len(line.split()) > 1 and headings.starts(line)
    return (len(headings.LEVELS), line) if told else None


def _in_a_row(places: Sequence[tuple[int, int]], times: int) -> set[tuple[int, int]]:
    """Places on so many consecutive pages, or alternate ones: odd and even pages may differ."""
    numbers = {number for number, _ in places}
    runs = [tuple(range(n, n + times * step, step)) for n in numbers for step in (1, 2)]
    kept = {number for run in runs if numbers.issuperset(run) for number in run}
    return {(number, place) for number, place in places if number in kept}


def _is_leader(line: str) -> bool:
    """True for a line of an index: dots, then the number of a page."""
    text = line.rstrip()
    name = text.rstrip("0123456789")
    dots = name.rstrip()[-_LEADER_LENGTH:]
    return 0 < len(text) - len(name) <= MAX_PAGE and _LEADER_END.search(dots) is not None


def without_index(pages: list[list[str]]) -> list[list[str]]:
    """Drop each table of contents: from its title, or its first line of dots and a page, to its last one."""
    places = [(n, i) for n, page in enumerate(pages) for i in range(len(page))]
    drop: set[tuple[int, int]] = set()
    start, last, leaders, opened = 0, -_INDEX_GAP, 0, False
    for at, (number, place) in enumerate(places):
        line = pages[number][place]
        if at - last > _INDEX_GAP:
            if leaders >= REPEATS:
                drop.update(places[start : last + 1])
            leaders, opened = 0, False
        if _is_leader(line):
            start = start if leaders or opened else at
            last, leaders = at, leaders + 1
        elif not leaders and _INDEX.fullmatch(line.strip()):
            start = last = at
            opened = True
    if leaders >= REPEATS:
        drop.update(places[start : last + 1])
    return [[line for i, line in enumerate(page) if (n, i) not in drop] for n, page in enumerate(pages)]
