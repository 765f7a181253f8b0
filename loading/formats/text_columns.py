"""Text of a PDF page in two columns that the file gives line by line across both: the left one comes first.

Only prose is divided: rows of a table and labels beside their values belong together.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

LINES = 6
"""Least number of lines side by side whose right column begins at one place, in all the bands of a page."""
MIN_LENGTH = 20
"""Least average characters of a line of a column."""
GOES_ON = 1 / 3
"""Least share of the lines of a column that go on with a small letter: labels and cells do not."""
MAX_PIECES = 5_000
_SAME_PLACE = 3.0
"""Points."""


class _Piece(NamedTuple):
    """A stretch of a line without wide gaps, in points; y grows upward."""

    left: float
    bottom: float
    right: float
    top: float


class _Band(NamedTuple):
    """Lines from `top` down to `bottom` whose columns part at `x`; `beside` of them have both."""

    top: float
    bottom: float
    x: float
    right: float
    beside: int


def by_columns(page: Any, layer: Any) -> str:
    """The text of the page with its columns one after the other; '' if it has none."""
    count = layer.count_rects() if page.get_rotation() == 0 else 0
    if not 2 * LINES <= count <= MAX_PIECES:
        return ""
    lines = _lines([_Piece(*layer.get_rect(number)) for number in range(count)])
    width, height = page.get_size()
    found = [band for band in _bands(lines) if all(map(_is_prose, _columns(layer, band, width)))]
    pieces: list[str] = []
    top = height
    for band in found:
        pieces += [_text(layer, 0, band.top, width, top), *_columns(layer, band, width)]
        top = band.bottom
    pieces.append(_text(layer, 0, 0, width, top))
    whole = "\n".join(piece.strip("\r\n") for piece in pieces if piece.strip())
    return whole if found and _signs(whole) == _signs(layer.get_text_range(errors="replace")) else ""


def _lines(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """The lines from the top, with what stands near each other as one piece."""
    lines: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda one: -one.bottom):
        if lines and lines[-1][0].bottom - piece.bottom <= _SAME_PLACE:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [_joined(sorted(line)) for line in lines]


def _joined(line: Sequence[_Piece]) -> list[_Piece]:
    found = [line[0]]
    for before, piece in pairwise(line):
        if piece.left - before.right > piece.top - piece.bottom:
            found.append(piece)
            continue
        last = found[-1]
        found[-1] = _Piece(last.left, min(last.bottom, piece.bottom), piece.right, max(last.top, piece.top))
    return found


def _bands(lines: Sequence[Sequence[_Piece]]) -> list[_Band]:
    """Runs of lines that part at one place, which a line across it ends with the short one before."""
    found: list[_Band] = []
    run: list[Sequence[_Piece]] = []
    x = 0.0
    for line in (*lines, None):
        if line is not None and run and all(piece.right < x or piece.left > x for piece in line):
            run.append(line)
            continue
        while line is not None and run and len(run[-1]) < 2:
            run.pop()
        if run:
            top, bottom = max(piece.top for piece in run[0]) + 1, min(piece.bottom for piece in run[-1]) - 1
            found.append(_Band(top, bottom, x, run[0][1].left, sum(len(one) == 2 for one in run)))
        run = [line] if line is not None and len(line) == 2 else []
        x = (line[0].right + line[1].left) / 2 if line is not None and run else 0.0
    return [
        one
        for one in found
        if sum(o.beside for o in found if abs(o.right - one.right) <= _SAME_PLACE) >= LINES
    ]


def _columns(layer: Any, band: _Band, width: float) -> tuple[str, str]:
    left = _text(layer, 0, band.bottom, band.x, band.top)
    return left, _text(layer, band.x, band.bottom, width, band.top)


def _is_prose(column: str) -> bool:
    lines = column.splitlines()
    long = sum(map(len, lines)) >= MIN_LENGTH * len(lines)
    return long and sum(line[:1].islower() for line in lines) >= GOES_ON * len(lines) > 0


def _text(layer: Any, left: float, bottom: float, right: float, top: float) -> str:
    return str(layer.get_text_bounded(left, bottom, right, top, errors="replace"))


def _signs(text: str) -> Counter[str]:
    """Letters and figures of a text: none may be lost."""
    return Counter(filter(str.isalnum, text))
