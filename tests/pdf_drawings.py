"""Content streams of PDF pages with text at its place and with ruled tables."""

from collections.abc import Sequence

COLUMN, HEIGHT = 120, 20


def text(x: float, y: float, *lines: str, size: int = 10) -> str:
    """Lines of text from a point down."""
    shown = " T* ".join(
        f"({line.replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj" for line in lines
    )
    return f"BT /F1 {size} Tf {size * 1.2} TL {x} {y} Td {shown} ET\n"


def line(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of half a point."""
    return f"0.5 w {x1} {y1} m {x2} {y2} l S\n"


def box(x: float, y: float, width: float, height: float) -> str:
    """The outline of a rectangle."""
    return f"0.5 w {x} {y} {width} {height} re S\n"


def table(rows: Sequence[Sequence[str]], x: float = 50, y: float = 700) -> str:
    """A table whose cells are ruled on all sides; its upper left corner is at a point."""
    return "".join(
        box(x + c * COLUMN, y - (r + 1) * HEIGHT, COLUMN, HEIGHT)
        + text(x + c * COLUMN + 4, y - (r + 1) * HEIGHT + 6, cell)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
    )


def columns(rows: Sequence[Sequence[str]], x: float = 50, y: float = 700) -> str:
    """The same without lines."""
    return "".join(
        text(x + c * COLUMN, y - r * 14, cell)
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        if cell
    )
