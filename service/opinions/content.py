"""The content of a document, which every format of it is written from. Pure values and functions."""

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from core.values import Value
from law.diff import Change
from loading.formats.encoding import clean
from text.segmentation import is_row

_PIECE = re.compile(r"(\*\*.+?\*\*|\[C\d+\])")
_BULLET = re.compile(r"\s*[-•*] +")
_RULE = re.compile(r"[|\s:-]+")


class Note(NamedTuple):
    """A note: its text, and the address that follows it, which leads there if it is an official one."""

    text: str = ""
    url: str = ""


NO_NOTE = Note()
Cite = Callable[[str, str], Note]
"""The note of a marker, 'C1', after these words; an empty one if it has no source: it is left out."""


class Words(Value):
    """Words of a paragraph that look the same, and the note whose mark follows them, if any.

    `change`: what a comparison did to them; deleted words are struck through, inserted ones underlined.
    """

    text: str
    bold: bool = False
    note: str = ""
    url: str = ""
    change: Change = Change.EQUAL


class Style(StrEnum):
    """Kinds of paragraph."""

    TEXT = "text"
    QUOTE = "quote"
    BULLET = "bullet"
    NUMBER = "number"
    REMARK = "remark"


class Heading(Value):
    """A heading inside a part; levels begin at 2, because that of the part is 1."""

    kind: Literal["heading"] = "heading"
    text: str
    level: int = 2


class Paragraph(Value):
    """A paragraph."""

    kind: Literal["paragraph"] = "paragraph"
    style: Style = Style.TEXT
    words: tuple[Words, ...]


Cell = tuple[Words, ...]


class Table(Value):
    """A table; its first row is the heading."""

    kind: Literal["table"] = "table"
    rows: tuple[tuple[Cell, ...], ...]


Element = Annotated[Heading | Paragraph | Table, Field(discriminator="kind")]


def line(text: str, style: Style = Style.TEXT, note: Note = NO_NOTE) -> Paragraph:
    """A paragraph of plain text."""
    return Paragraph(style=style, words=(noted(clean(text), note),))


def noted(text: str, note: Note, *, bold: bool = False) -> Words:
    """Words with a note."""
    return Words(text=text, bold=bold, note=clean(note.text), url=clean(note.url))


def table(rows: Iterable[Iterable[str]]) -> Table:
    """A table of plain texts."""
    return Table(rows=tuple(tuple((Words(text=clean(cell)),) for cell in row) for row in rows))


def marked(text: str, cite: Cite) -> list[Element]:
    """A text as answers are written: bold between asterisks, lists, tables, and markers as notes."""
    elements: list[Element] = []
    rows: list[tuple[Cell, ...]] = []
    for one in [*clean(text).split("\n"), ""]:
        if is_row(one):
            if not _RULE.fullmatch(one):
                cells = one.strip().strip("|").split("|")
                rows.append(tuple(_words(cell.strip(), cite) for cell in cells))
            continue
        if rows:
            elements.append(Table(rows=tuple(rows)))
            rows = []
        if one.strip():
            bullet = _BULLET.match(one)
            style = Style.BULLET if bullet else Style.TEXT
            said = one[bullet.end() :] if bullet else one.strip().lstrip("#").strip()
            elements.append(Paragraph(style=style, words=_words(said, cite)))
    return elements


def _words(text: str, cite: Cite) -> Cell:
    found: list[Words] = []
    before = ""
    for piece in _PIECE.split(text):
        marker = _PIECE.fullmatch(piece)
        if marker and piece.startswith("[C"):
            note = cite(piece[1:-1], before)
            if note.text:
                last = found.pop() if found and not found[-1].note else Words(text="")
                # A mark follows the word it belongs to, whatever blank the text has before it.
                found.append(noted(last.text.rstrip(" "), note, bold=last.bold))
                before = ""
        elif piece:
            bold = marker is not None
            said = piece[2:-2] if bold else piece
            found.append(Words(text=said, bold=bold))
            before += said
    return tuple(found)
