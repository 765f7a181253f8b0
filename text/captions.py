"""Captions of tables: the lines over a table that say what it is of, a year among them. Pure functions."""

import re

from text.rows import years
from text.segmentation import Span, is_row, sentences

LONGEST = 150
"""Characters of a title over a table."""
MOST = 3
_LINE = re.compile(r"[^\s\n][^\n]*(?<=\S)")
_TITLE = re.compile(r"(?:anexo|tabla|cuadro)s?\b", re.I)


def captions(text: str, heading: str = "") -> dict[int, tuple[Span, ...]]:
    """The lines over each table, by the offset of its first row: titles, or the sentence that announces it.

    Titles that only stand over other titles («Tablas de 2026», «Taller») are those of the next tables too.

    Args:
        heading: the headings that the text stands under, which are no captions.
    """
    found: dict[int, tuple[Span, ...]] = {}
    if "|" not in text:
        return found
    over: list[Span] = []
    shared: tuple[Span, ...] = ()
    inside = False
    for match in _LINE.finditer(text):
        line = Span(*match.span())
        if is_row(match[0]):
            if not inside and over:
                *higher, own = over[-MOST:]
                if higher or years(text[slice(*own)]):
                    shared = tuple(higher)
                found[line.start] = (*shared, own)
            inside, over = True, []
            continue
        inside = False
        if match[0] in heading:
            over = []
        elif is_title(match[0]):
            over.append(line)
        elif match[0].endswith(":"):
            last = sentences(match[0])[-1]
            over.append(Span(line.start + last.start, line.start + last.end))
        else:
            over = []
    return found


def is_title(line: str) -> bool:
    """True for a short line that is no sentence, or names a table or a year."""
    if len(line) > LONGEST or line.endswith((":", ";", ",")):
        return False
    return not line.endswith(".") or bool(_TITLE.match(line) or years(line))
