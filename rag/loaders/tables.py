"""Tables as Markdown rows, the first one as the header."""

from collections.abc import Callable, Iterator, Sequence

from lxml import etree

WIDEST = 100
"""Columns or rows that a cell may span; HTML allows 1,000 and 65,534."""
REPEATED = 200
"""Characters of a cell that stands in several places; of a longer one the others are empty."""


def markup_rows(table: etree._Element, text: Callable[[etree._Element], str]) -> list[list[str]]:
    """Rows of a table of HTML or of the BOE's XML, each cell in its column.

    A cell that spans rows or columns stands in each of them, so that every value has its row's name and its
    column's; one that spans the whole width stands once.
    """
    rows: list[list[str]] = []
    below: dict[int, tuple[str, int]] = {}
    for row in table.iter("tr"):
        line: list[str] = []
        cells = [cell for cell in row if cell.tag in {"td", "th"}]
        for cell in cells:
            _fall(line, below)
            wide = 1 if len(cells) == 1 and not below else _span(cell, "colspan")
            down, said = _span(cell, "rowspan"), text(cell)
            again = said if len(said) <= REPEATED else ""
            for place in range(wide):
                if down > 1:
                    below[len(line)] = (again, down - 1)
                line.append(again if place else said)
        _fall(line, below)
        rows.append(line)
    return rows


def _fall(line: list[str], below: dict[int, tuple[str, int]]) -> None:
    """Put the cells of rows above that reach down to the next columns of this one."""
    while len(line) in below:
        said, left = below.pop(len(line))
        if left > 1:
            below[len(line)] = (said, left - 1)
        line.append(said)


def _span(cell: etree._Element, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(1, min(int(value), WIDEST)) if value.isascii() and value.isdigit() else 1


def markdown_rows(rows: Sequence[Sequence[str]], headed: bool = True) -> Iterator[str]:
    """Markdown of the rows that are not empty, padded to the widest; a bar inside a cell is escaped.

    Args:
        headed: False if no row names the columns; an empty header then goes first.
    """
    filled = [[cell.replace("|", "\\|") for cell in row] for row in rows if any(row)]
    width = max(map(len, filled), default=0)
    for index, row in enumerate(filled if headed or not filled else [[], *filled]):
        yield f"| {' | '.join(row + [''] * (width - len(row)))} |"
        if index == 0:
            yield "|" + " --- |" * width
