"""Characters of a PDF page with their places, and the lines that they stand in; y grows downward."""

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium_c

from loading.formats.encoding import clean, one_line
from loading.formats.grids import Rule

THIN = 4.0
_SAME_LINE = 0.5
_GAP = 0.25
# PDFium's signs for a hyphen at a line's end.
HYPHENS = {0x02: "-", 0xFFFE: "-"}
_QUARTERS = {0: (1, 0, 0, -1), 1: (0, 1, 1, 0), 2: (-1, 0, 0, 1), 3: (0, -1, -1, 0)}
"""x and y of a page as it is shown, from those of its contents, by quarter turns to the right."""


class Glyph(NamedTuple):
    """A character of a page that is not blank.

    Attributes:
        place: its number among the page's characters.
        left, right, y, height: of the room that its font gives it, in points as the page is shown; y is
            that of its middle.
        spaced: True if blanks stand between it and the character before it in the file.
    """

    place: int
    text: str
    left: float
    right: float
    y: float
    height: float
    spaced: bool


def glyphs(page: Any, layer: Any) -> list[Glyph]:
    """The characters in the order of the file."""
    turn = page.get_rotation() // 90 % 4
    found: list[Glyph] = []
    spaced = False
    box = pdfium_c.FS_RECTF()
    for index in range(layer.count_chars()):
        text = chr(pdfium_c.FPDFText_GetUnicode(layer, index) or 32).translate(HYPHENS)
        if text.isspace() or not pdfium_c.FPDFText_GetLooseCharBox(layer, index, box):
            spaced = True
            continue
        x1, y1, x2, y2 = _turned(turn, box.left, box.bottom, box.right, box.top)
        found.append(Glyph(index, text, x1, x2, (y1 + y2) / 2, y2 - y1, spaced))
        spaced = False
    return found


def count_shapes(page: Any) -> int:
    """Objects that a page draws, texts and pictures among them."""
    return int(pdfium_c.FPDFPage_CountObjects(page))


def rules(page: Any) -> tuple[list[Rule], list[Rule]]:
    """Horizontal and vertical lines: thin shapes, and the edges of rectangles."""
    turn = page.get_rotation() // 90 % 4
    across: list[Rule] = []
    down: list[Rule] = []
    box = [ctypes.c_float() for _ in range(4)]
    for number in range(count_shapes(page)):
        shape = pdfium_c.FPDFPage_GetObject(page, number)
        if pdfium_c.FPDFPageObj_GetType(shape) != pdfium_c.FPDF_PAGEOBJ_PATH:
            continue
        if not 2 <= pdfium_c.FPDFPath_CountSegments(shape) <= 6:
            continue
        pdfium_c.FPDFPageObj_GetBounds(shape, *box)
        _add(across, down, _turned(turn, *(one.value for one in box)))
    return across, down


def _add(across: list[Rule], down: list[Rule], box: tuple[float, float, float, float]) -> None:
    left, upper, right, lower = box
    if lower - upper <= THIN:
        if right - left > THIN:
            across.append(Rule((upper + lower) / 2, left, right))
    elif right - left <= THIN:
        down.append(Rule((left + right) / 2, upper, lower))
    else:
        across += [Rule(upper, left, right), Rule(lower, left, right)]
        down += [Rule(left, upper, lower), Rule(right, upper, lower)]


def _turned(turn: int, *box: float) -> tuple[float, float, float, float]:
    """(left, upper, right, lower) of a box of (left, bottom, right, top) on the page as it is shown."""
    a, b, c, d = _QUARTERS[turn]
    xs = sorted((a * box[0] + b * box[1], a * box[2] + b * box[3]))
    ys = sorted((c * box[0] + d * box[1], c * box[2] + d * box[3]))
    return xs[0], ys[0], xs[1], ys[1]


def apart(before: Glyph, glyph: Glyph) -> bool:
    """True if a blank stands between two characters of a line."""
    return glyph.spaced or glyph.left - before.right > _GAP * glyph.height


def joined(found: Sequence[Glyph]) -> str:
    """The text of characters of one line."""
    pieces: list[str] = []
    for at, glyph in enumerate(found):
        pieces.append(f" {glyph.text}" if at and apart(found[at - 1], glyph) else glyph.text)
    return one_line(clean("".join(pieces)))


def lines(found: Iterable[Glyph]) -> list[list[Glyph]]:
    """The characters by lines from the top, each from the left."""
    groups: list[list[Glyph]] = []
    for glyph in sorted(found, key=lambda one: one.y):
        if groups and glyph.y - groups[-1][0].y <= _SAME_LINE * max(glyph.height, groups[-1][0].height):
            groups[-1].append(glyph)
        else:
            groups.append([glyph])
    return [sorted(group, key=lambda one: one.left) for group in groups]
