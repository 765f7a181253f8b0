"""Reads a DOCX into documents: paragraphs, tables and notes in their order, headings by their styles."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lxml import etree

from rag.errors import InputError
from rag.loaders import archive
from rag.loaders.assemble import assemble
from rag.loaders.lines import Paragraph, marked
from rag.loaders.office_xml import whole
from rag.loaders.quotes import MOST_BASES, QUOTES, quoted
from rag.loaders.source import Source
from rag.loaders.tables import REPEATED, WIDEST, markdown_rows
from rag.loaders.word_numbers import Numbers, W
from rag.loaders.word_text import WordText
from rag.types import BRIEF, Document

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

_HEADING = re.compile(r"(?:heading|t[íi]tulo) ?([1-6])", re.IGNORECASE)
_TITLES = {"title", "título", "titulo", "puesto"}
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
MAX_LEVEL = 6
_DAMAGE = (
    KeyError,
    ValueError,
    AttributeError,
    etree.XMLSyntaxError,
    zipfile.BadZipFile,
    zlib.error,
    RecursionError,
)


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a DOCX.

    Raises:
        InputError: it is damaged or holds no text.
    """
    import docx
    from docx.opc.exceptions import OpcError

    with archive.opened(source.data, source.name) as package:
        declared = any(b"<!DOCTYPE" in package.read(name) for name in package.namelist() if _is_xml(name))
    if declared:
        raise InputError(
            f"{source.name}: contiene declaraciones XML no admitidas; guárdelo otra vez en Word."
        )
    try:
        reader = _Reader(docx.Document(io.BytesIO(source.data)), brief=collection == BRIEF)
        found = list(reader.paragraphs())
    except (OpcError, *_DAMAGE) as error:
        raise InputError(
            f"{source.name}: el DOCX está dañado; ábralo en Word, guárdelo y súbalo otra vez."
        ) from error
    return assemble(source.name, found, collection, tuple(reader.text.warnings))


def _is_xml(name: str) -> bool:
    return name.startswith("word/") and name.endswith(".xml")


class _Reader:
    """The paragraphs of one document.

    Args:
        brief: read short notes where their marks are, and mark paragraphs in a style of quotations.
    """

    def __init__(self, document: WordDocument, *, brief: bool) -> None:
        self._document = document
        self._quotes = {style.style_id for style in document.styles if brief and _is_quote(style)}
        self.text = WordText(
            {
                (kind, note.get(f"{W}id")): note
                for name, kind in (("footnotes", "pie"), ("endnotes", "final"))
                if (part := self._part(name)) is not None
                for note in part
                if note.get(f"{W}type") in {None, "normal"}
            },
            lambda box: (paragraph.text for paragraph in self._inside(box, numbered=False)),
            in_place=brief,
        )
        self._numbers = Numbers(self._part("numbering"), self._part("styles"))
        self._headings = {style.style_id: _heading(style.name or "") for style in document.styles}

    def paragraphs(self) -> Iterator[Paragraph]:
        """Every paragraph and table row of the body, headers and footers apart."""
        yield from self._inside(self._document.element.find(f"{W}body"))

    def _inside(self, parent: Any, *, numbered: bool = True) -> Iterator[Paragraph]:
        for element in parent:
            if element.tag == f"{W}p":
                style = element.find(f"{W}pPr/{W}pStyle")
                style_id = "" if style is None else style.get(f"{W}val")
                lines = self.text.lines(element, self._numbers.before if numbered else None)
                if style_id in self._quotes:
                    lines = map(quoted, lines)
                yield from marked(lines, self._headings.get(style_id, 0))
            elif element.tag == f"{W}tbl":
                yield from (Paragraph(row) for row in markdown_rows(self._rows(element, numbered)))
            elif element.tag == f"{W}altChunk":
                self.text.included()
            elif isinstance(element.tag, str):  # content controls and the like
                yield from self._inside(element, numbered=numbered)

    def _rows(self, element: Any, numbered: bool) -> list[list[str]]:
        """Cells by row; see `tables.markup_rows` for those that span rows or columns."""
        read: dict[Any, str] = {}
        rows = []
        for cells in _grid(element, self.text.deleted):
            line: list[str] = []
            for cell in cells if len(set(cells)) > 1 else cells[:1]:
                again = cell in read
                if not again:
                    read[cell] = " ".join(p.text for p in self._inside(cell, numbered=numbered))
                line.append("" if again and len(read[cell]) > REPEATED else read[cell])
            rows.append(line)
        return rows

    def _part(self, name: str) -> Any:
        """The XML of a part of the document, or None; declarations in it are never followed."""
        for relation in self._document.part.rels.values():
            if relation.reltype == _RELATION + name and not relation.is_external:
                parser = etree.XMLParser(resolve_entities=False, no_network=True)
                return etree.fromstring(relation.target_part.blob, parser)
        return None


def _grid(table: Any, deleted: Callable[[Any], bool]) -> Iterator[list[Any]]:
    """Of each row that stays, the cell of each of its columns: one that goes on from above is that one."""
    above: dict[int, Any] = {}
    for row in table.iterfind(f"{W}tr"):
        at = _count(row.find(f"{W}trPr/{W}gridBefore"), 0)
        here: dict[int, Any] = {}
        for cell in row.iterfind(f"{W}tc"):
            if deleted(cell):
                continue
            merged = cell.find(f"{W}tcPr/{W}vMerge")
            goes_on = merged is not None and merged.get(f"{W}val") != "restart"
            first = above.get(at, cell) if goes_on else cell
            wide = max(1, _count(cell.find(f"{W}tcPr/{W}gridSpan"), 1))
            here.update(dict.fromkeys(range(at, at + wide), first))
            at += wide
        above = here
        if not deleted(row):
            yield list(here.values())


def _count(element: Any, otherwise: int) -> int:
    return min(whole(element.get(f"{W}val"), otherwise), WIDEST) if element is not None else otherwise


def _is_quote(style: Any) -> bool:
    """True for a style of quotations, and for one that is based on it."""
    for _ in range(MOST_BASES):
        if style is None:
            return False
        if (style.name or "").lower() in QUOTES:
            return True
        style = getattr(style, "base_style", None)
    return False


def _heading(name: str) -> int:
    """1 for the document's title, 2 for «Título 1», and so on; 0 for other styles."""
    if name.lower() in _TITLES:
        return 1
    found = _HEADING.match(name)
    return min(int(found.group(1)) + 1, MAX_LEVEL) if found else 0
