"""Tables as Markdown rows, the first one as the header."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from lxml import etree

WIDEST = 100
"""Columns or rows that a cell may span; HTML allows 1,000 and 65,534."""
REPEATED = 200
"""Characters of a cell that stands in several places; of a longer one the others are empty."""
MOST_REPEATED = 10_000_000
"""Characters of a table that are there because cells span; the spanning cells after them stand once."""
FEW_PLACES, MOST_PLACES_A_CELL = 1000, 5
"""Places that cells of a table may span at once, and those that each cell gives back; else it stands once."""
MOST_PLACES = 1_000_000
"""Rows of a table by its columns: rows of a larger one are not filled up to the widest."""


class Spanning(NamedTuple):
    """A cell, and the columns and rows that it spans."""

    text: str
    across: int = 1
    down: int = 1


def markup_rows(table: etree._Element, text: Callable[[etree._Element], str]) -> list[list[str]]:
    """`spread` of a table of HTML or of the BOE's XML."""
    return spread(
        [
            Spanning(text(cell), _span(cell, "colspan"), _span(cell, "rowspan"))
            for cell in row
            if cell.tag in {"td", "th"}
        ]
        for row in table.iter("tr")
    )


def spread(rows: Iterable[Sequence[Spanning]]) -> list[list[str]]:
    """Rows of cells with each cell in its column.

    A cell that spans rows or columns stands in each of them, so that every value has its row's name and its
    column's; one that spans the whole width stands once.
    """
    found: list[list[str]] = []
    below: dict[int, tuple[str, int]] = {}
    left, room = MOST_REPEATED, FEW_PLACES
    for cells in rows:
        line: list[str] = []
        for cell in cells:
            _fall(line, below)
            wide = 1 if len(cells) == 1 and not below else min(cell.across, WIDEST)
            down = min(cell.down, WIDEST)
            room = min(room + MOST_PLACES_A_CELL, FEW_PLACES)
            if wide * down > room:
                wide = down = 1
            room -= wide * down
            left -= len(cell.text) * (wide * down - 1)
            again = cell.text if len(cell.text) <= REPEATED and left >= 0 else ""
            for place in range(wide):
                if down > 1:
                    below[len(line)] = (again, down - 1)
                line.append(again if place else cell.text)
        _fall(line, below)
        found.append(line)
    return found


def _fall(line: list[str], below: dict[int, tuple[str, int]]) -> None:
    """Put the cells of rows above that reach down to the next columns of this one."""
    while len(line) in below:
        said, left = below.pop(len(line))
        if left > 1:
            below[len(line)] = (said, left - 1)
        line.append(said)


def _span(cell: etree._Element, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(1, int(value[:5])) if value.isascii() and value.isdigit() else 1


def markdown_rows(rows: Sequence[Sequence[str]], headed: bool = True) -> Iterator[str]:
    """Markdown of the rows that are not empty, padded to the widest; a bar inside a cell is escaped.

    Args:
        headed: False if no row names the columns; an empty header then goes first.
    """
    filled = [[cell.replace("|", "\\|") for cell in row] for row in rows if any(row)]
    width = max(map(len, filled), default=0)
    width = width if width * len(filled) <= MOST_PLACES else 0
    for index, row in enumerate(filled if headed or not filled else [[], *filled]):
        yield f"| {' | '.join(row + [''] * (width - len(row)))} |"
        if index == 0:
            yield "|" + " --- |" * max(width, len(row))
