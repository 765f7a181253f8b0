"""Text of a PDF page with the rows of its tables: those that lines rule, and figures under each other.

Text in columns is never a table: a ruled one needs two rows and two columns of short cells, one without lines
figures in every column but the first, in three lines or more.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from loading.formats.glyphs import Glyph, count_shapes, glyphs, joined, lines, rules
from loading.formats.grids import NEAR, Grid, grids
from loading.formats.markdown_tables import Spanning, markdown_rows, spread
from loading.formats.text_columns import by_columns
from text.segmentation import is_row

MAX_SHAPES = 20_000
MAX_GLYPHS = 30_000
MAX_LOOKED_AT = 10_000_000
"""Shapes and characters of the pages of a document that tables are looked for on."""
MAX_CELL_LINES = 25
MIN_FILLED = 0.4
ROWS = 3
MAX_NAME = 80
_GAP = 0.8
_NEXT_LINE = 2.5
_FIGURE = re.compile(r"[-–—]|[-+]?\d[\d.,]*\s?(?:€|%|euros)?")
_ENDS_IN_FIGURE = re.compile(r"(?:^|\s)[-+]?\d[\d.,]*\s?(?:€|%|euros)?\s*$")
_LEADER = re.compile(r"(?:\.\s?){4}")
_JOINT = re.compile(
    r"\W*(?:continuaci[óo]n|contin[úu]a|(?:sigue|viene|contin[úu]a) (?:en|de) la p[áa]gina \w+)\W*",
    re.IGNORECASE,
)
_RULE = re.compile(r"\|(?: --- \|)+")
_DIVIDED = re.compile(r"([^\W\d_])- ([a-zñáéíóúü])")


class Found(NamedTuple):
    """A table: its rows as text, after the lines over its whole width, and the places of its characters."""

    rows: list[str]
    indices: frozenset[int]


class PageTexts:
    """The texts of the pages of one document.

    Attributes:
        given_up: numbers of the pages whose tables were not looked for, because they or the document draw
            too much.
    """

    def __init__(self) -> None:
        self._left = MAX_LOOKED_AT
        self.given_up: list[int] = []

    def read(self, page: Any, layer: Any, number: int) -> str:
        """The text of a page with that number; what is no table is as PDFium gives it."""
        size = layer.count_chars()
        whole = layer.get_text_range(errors="replace") if size else ""
        shapes = count_shapes(page)
        self._left -= size + shapes
        if shapes > MAX_SHAPES or size > MAX_GLYPHS or self._left < 0:
            self.given_up.append(number)
            return whole
        drawn = grids(*rules(page))
        if drawn is None:
            self.given_up.append(number)
            return whole
        found = _tables(drawn, glyphs(page, layer)) if drawn or _has_columns(whole) else []
        return _woven(layer, size, found) if found else by_columns(page, layer) or whole


def _has_columns(text: str) -> bool:
    """True if ROWS lines near each other end in a figure: with a name's second line between two at most."""
    ends = [at for at, line in enumerate(text.splitlines()) if _ENDS_IN_FIGURE.search(line)]
    return any(last - first <= 2 * (ROWS - 1) for first, last in zip(ends, ends[ROWS - 1 :], strict=False))


def _tables(drawn: Sequence[Grid], signs: Sequence[Glyph]) -> list[Found]:
    """The tables of a page, those with lines first; no character is in two."""
    found: list[Found] = []
    for grid in drawn:
        if table := _ruled(grid, signs):
            found.append(table)
            signs = [glyph for glyph in signs if glyph.place not in table.indices]
    return found + _aligned(signs)


def _woven(layer: Any, size: int, tables: Sequence[Found]) -> str:
    """The text with each table's rows in the place of its first character."""
    starts = {min(table.indices): table for table in tables}
    taken = frozenset[int]().union(*(table.indices for table in tables))
    edges = sorted(taken)
    pieces: list[str] = []
    begin = 0
    for index in edges:
        between = layer.get_text_range(begin, index - begin, errors="replace") if index > begin else ""
        if between.strip():
            pieces.append(between.strip("\r\n"))
        if index in starts:
            pieces += starts[index].rows
        begin = index + 1
    pieces.append(layer.get_text_range(begin, size - begin, errors="replace") if begin < size else "")
    return "\n".join(piece for piece in pieces if piece.strip())


def _ruled(grid: Grid, signs: Sequence[Glyph]) -> Found | None:
    """The table of a grid; None if its cells are no table's: too long, or all in one row or column."""
    spans = grid.cells()
    origin = {
        (row + r, column + c): (row, column)
        for (row, column), (wide, tall) in spans.items()
        for r in range(tall)
        for c in range(wide)
    }
    cells: dict[tuple[int, int], list[Glyph]] = {place: [] for place in spans}
    inside = [glyph for glyph in signs if grid.holds((glyph.left + glyph.right) / 2, glyph.y)]
    for glyph in inside:
        cells[origin[grid.place((glyph.left + glyph.right) / 2, glyph.y)]].append(glyph)
    texts = {place: [(line[0].y, joined(line)) for line in lines(cell)] for place, cell in cells.items()}
    filled = [place for place, text in texts.items() if text]
    if any(len(text) > MAX_CELL_LINES and not _column(text) for text in texts.values()):
        return None
    if len(filled) < len(spans) * MIN_FILLED or _cut(grid, origin, inside):
        return None
    if len({row for row, _ in filled}) < 2 or len({column for _, column in filled}) < 2:
        return None
    rows: list[list[Spanning]] = []
    for row in range(len(grid.ys) - 1):
        band = {column: (texts[row, column], *spans[row, column]) for r, column in spans if r == row}
        rows += _bands(band)
    start = next(at for at, row in enumerate(rows) if len(row) > 1)
    titles = [cell.text for row in rows[:start] for cell in row if cell.text]
    table = markdown_rows(spread(rows[start:]))
    return Found([*titles, *table], frozenset(glyph.place for glyph in inside))


def _cut(grid: Grid, origin: Mapping[tuple[int, int], tuple[int, int]], inside: Sequence[Glyph]) -> bool:
    """True if a line of the grid goes through a word: it is a drawing, or strikes the text out."""
    places = [origin[grid.place((glyph.left + glyph.right) / 2, glyph.y)] for glyph in inside]
    return any(
        one != other and not after.spaced and after.place == before.place + 1 and abs(after.y - before.y) < 1
        for (one, before), (other, after) in pairwise(zip(places, inside, strict=True))
    )


def _bands(
    band: dict[int, tuple[list[tuple[float, str]], int, int]],
) -> Iterator[list[Spanning]]:
    """The rows of one ruled row: several where a column of figures in it has several lines."""
    anchors = max(
        (text for text, _, tall in band.values() if tall == 1 and _column(text)), key=len, default=[]
    )
    if len(anchors) < 2:
        yield [Spanning(_told(text), wide, tall) for text, wide, tall in band.values()]
        return
    places = [y for y, _ in anchors]
    height = min(b - a for a, b in pairwise(places))
    for number in range(len(anchors)):
        yield [
            Spanning(
                _told(
                    [one for one in text if max(bisect_right(places, one[0] + height / 2) - 1, 0) == number]
                ),
                wide,
            )
            for text, wide, _ in band.values()
        ]


def _column(text: Sequence[tuple[float, str]]) -> bool:
    """True for lines that are figures, each the value of a row."""
    return len(text) > 1 and all(_FIGURE.fullmatch(line) for _, line in text)


def _told(text: Sequence[tuple[float, str]]) -> str:
    return _DIVIDED.sub(r"\1\2", " ".join(line for _, line in text))


def _aligned(signs: Sequence[Glyph]) -> list[Found]:
    """Tables without lines: a name and figures under figures, with the names of columns over them."""
    pieces: list[list[list[Glyph]]] = []
    for line in lines(signs):
        stretches = _pieces(line)
        if pieces and _goes_on(pieces[-1], stretches):
            pieces[-1][0] += stretches[0]
        else:
            pieces.append(stretches)
    found: list[Found] = []
    at = 0
    while at < len(pieces):
        end = at
        while (
            end < len(pieces)
            and _is_figures(pieces[end])
            and (end == at or _under(pieces[end - 1], pieces[end]))
        ):
            end += 1
        if end - at >= ROWS:
            headed = at > 0 and _under(pieces[at - 1], pieces[at]) and not _is_figures(pieces[at - 1])
            rows = pieces[at - headed : end]
            texts = [[joined(piece) for piece in row] for row in rows]
            indices = frozenset(glyph.place for row in rows for piece in row for glyph in piece)
            found.append(Found(list(markdown_rows(texts, headed)), indices))
        at = max(end, at + 1)
    return found


def _goes_on(row: Sequence[Sequence[Glyph]], line: Sequence[Sequence[Glyph]]) -> bool:
    """True if a line is the rest of the name of a row of figures."""
    first, last = line[0][0], line[0][-1]
    below = first.y - row[0][-1].y <= _NEXT_LINE * first.height and abs(first.left - row[0][0].left) <= NEAR
    return (
        len(line) == 1 and below and first.text.islower() and _is_figures(row) and last.right < row[1][0].left
    )


def _pieces(line: Sequence[Glyph]) -> list[list[Glyph]]:
    """A line's stretches of text between wide gaps."""
    found = [[line[0]]]
    for before, glyph in pairwise(line):
        if glyph.left - before.right > _GAP * max(glyph.height, before.height):
            found.append([])
        found[-1].append(glyph)
    return found


def _is_figures(pieces: Sequence[Sequence[Glyph]]) -> bool:
    name, *figures = pieces
    said = any(glyph.text.isalpha() for glyph in name)
    short = len(name) <= MAX_NAME and not _LEADER.search(joined(name))
    return bool(figures) and said and short and all(_FIGURE.fullmatch(joined(piece)) for piece in figures)


def _under(above: Sequence[Sequence[Glyph]], below: Sequence[Sequence[Glyph]]) -> bool:
    """True if each stretch of a line stands under one of the line right above."""
    near = below[0][0].y - above[0][-1].y <= _NEXT_LINE * max(below[0][0].height, above[0][0].height)
    return (
        near
        and len(above) == len(below)
        and all(
            a[0].left <= b[-1].right and b[0].left <= a[-1].right for a, b in zip(above, below, strict=True)
        )
    )


def continued(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """The lines of pages, with one header for a table that goes on over pages, repeated there or not."""
    found: list[list[str]] = []
    header, last = "", ""
    for page in map(_without_joints, pages):
        goes_on = len(page) > 1 and bool(header) and _RULE.fullmatch(page[1]) is not None
        kept = list(page)
        if goes_on and page[0] in {header, "|" + "  |" * _width(header)}:
            kept = kept[2:]
        elif goes_on and _is_row_of(page[0], header, last):
            del kept[1]
        found.append(kept)
        header = _last_header(kept) or (header if all(map(is_row, kept)) else "")
        last = kept[-1] if header and kept else last
    return found


def _without_joints(page: Sequence[str]) -> Sequence[str]:
    """The page without a line that says that its table goes on, or comes from another page."""
    start = len(page) > 1 and _JOINT.fullmatch(page[0]) is not None and is_row(page[1])
    end = len(page) > 1 and _JOINT.fullmatch(page[-1]) is not None and is_row(page[-2])
    return page[start : len(page) - end]


def _is_row_of(row: str, header: str, last: str) -> bool:
    """True if the first row of a page is one of the table above: as wide, and with figures as its last."""
    alike = _has_figure(row) == _has_figure(last) and not _has_figure(header)
    return alike and _width(row) == _width(header)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split(" |")]


def _width(row: str) -> int:
    return len(_cells(row))


def _has_figure(row: str) -> bool:
    return any(_FIGURE.fullmatch(cell) for cell in _cells(row)[1:])


def _last_header(page: Sequence[str]) -> str:
    """The header of the table that a page ends with; '' if it ends otherwise."""
    for at in range(len(page) - 1, 0, -1):
        if not is_row(page[at]):
            return ""
        if _RULE.fullmatch(page[at]):
            return page[at - 1]
    return ""
