"""Personal data in the cells of a pasted table, told by the header of their column."""

import re
from collections.abc import Iterator

from masking.field_labels import LONGEST, NUMBERS, Label, label_of
from masking.finder import Page, Span, span

FEWEST_LABELS = 2
Kinds = list[Label | None]
"""Kind of data that the header of each column announces, or None."""
_DELIMITERS = {
    "\t": r"[ ]*\t[ ]*",
    "|": r"[ ]*\|[ ]*",
    ";": r"[ ]*;[ ]*",
    "  ": r"[ ]{2,}|[ ]*\t[ ]*",
    " / ": r"[ ]+/[ ]+",
    ",": r"[ ]*,[ ]*",
}
"""Mark of a delimiter, and its form."""
_OF_PROSE = (_DELIMITERS[","], _DELIMITERS[";"])


def find(page: Page) -> Iterator[Span]:
    """The cells below the labels of a header, row by row, down to a line that is no row."""
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]+", page.low)]
    header: tuple[str, Kinds] | None = None
    for start, line in lines:
        if found := _header(line):
            header = found
        elif header:
            cells = list(_row(page.text, start, line, *header))
            numbered = any(cell is not None and cell.kind in NUMBERS for cell in cells)
            header = header if cells else None
            if header and header[0] in _OF_PROSE and not numbered:
                continue
            yield from (cell for cell in cells if cell is not None)


def _header(line: str) -> tuple[str, Kinds] | None:
    """The delimiter and the kinds of the columns, if the line labels some."""
    for mark, delimiter in _DELIMITERS.items():
        if mark not in line:
            continue
        cells = re.split(delimiter, line.strip())
        # Prose has commas too.
        if delimiter in _OF_PROSE and max(map(len, cells)) > LONGEST:
            continue
        kinds = [label_of(cell) for cell in cells]
        if sum(kind is not None for kind in kinds) >= FEWEST_LABELS:
            return delimiter, kinds
    return None


def _row(text: str, start: int, line: str, delimiter: str, kinds: Kinds) -> Iterator[Span | None]:
    """A span, or None, for each cell of a row; nothing if the line has not as many cells as columns."""
    first = start + len(line) - len(line.lstrip())
    line = line.strip()
    gaps = [match.span() for match in re.finditer(delimiter, line)]
    if len(gaps) != len(kinds) - 1:
        return
    edges = zip([0, *(end for _, end in gaps)], [*(begin for begin, _ in gaps), len(line)], strict=True)
    for kind, (begin, end) in zip(kinds, edges, strict=True):
        cell = line[begin:end]
        if kind and kind.cell.fullmatch(cell):
            yield span(text, first + begin, first + end, kind.kind)
        else:
            yield None
