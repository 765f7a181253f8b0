"""Turns one `<version>` of a BOE block into lines: paragraphs, tables as Markdown rows, notes apart.

Marks that the BOE glues to their text («2.(Derogado)») stay as they are: `law.provision_reading` knows them.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

from lxml import etree

from law.labels import is_gone
from loading.formats.markdown_tables import markdown_rows, markup_rows

NOTE = "nota_pie"
_BLOCKS = {"p", "div", "li", "table", "blockquote", "pre"}


class Line(NamedTuple):
    """A paragraph and the class that the BOE gives it."""

    style: str
    text: str


class Wording(NamedTuple):
    """One wording as the file has it; `lines[0]` is its heading when the block has one."""

    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    valid_from: date | None
    published: date | None
    norm_id: str

    @property
    def heading(self) -> str:
        return self.lines[0].text if self.lines else ""

    @property
    def gone(self) -> bool:
        """True if it says only that the block was repealed or left without content."""
        return all(is_gone(line.text) for line in self.lines[1:])


def day(value: str | None) -> date | None:
    """A date written yyyymmdd; None when it is empty or impossible (the BOE uses 99999999 for unknown)."""
    try:
        return datetime.strptime(value or "", "%Y%m%d").date()
    except ValueError:
        return None


def wording(version: etree._Element) -> Wording:
    """Read a `<version>`; its start falls back to the day of publication."""
    read = list(lines(version))
    published = day(version.get("fecha_publicacion"))
    return Wording(
        lines=tuple(line for line in read if not line.style.startswith(NOTE)),
        notes=tuple(line.text for line in read if line.style.startswith(NOTE)),
        valid_from=day(version.get("fecha_vigencia")) or published,
        published=published,
        norm_id=version.get("id_norma") or "",
    )


def lines(parent: etree._Element, *, note: bool = False) -> Iterator[Line]:
    """Paragraphs and rows of tables below `parent`; everything inside a blockquote is a note."""
    for child in parent.iterchildren(etree.Element):
        inside = note or child.tag == "blockquote"
        if child.tag == "table":
            style = NOTE if inside else "table"
            yield from (Line(style, row) for row in markdown_rows(markup_rows(child, _text)))
        elif any(below.tag in _BLOCKS for below in child):
            yield from lines(child, note=inside)
        elif text := _text(child):
            yield Line(NOTE if inside else child.get("class") or child.tag, text)


def _text(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext("*"))).replace("\x00", "").split())
