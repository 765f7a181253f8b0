"""Reads a DOCX into documents: paragraphs and tables in their order, headings by their styles."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator

import docx
from docx.document import Document as WordDocument
from docx.opc.exceptions import OpcError
from docx.table import Table, _Cell
from docx.text.paragraph import Paragraph as WordParagraph
from lxml import etree

from rag.errors import InputError
from rag.loaders import archive
from rag.loaders.assemble import assemble
from rag.loaders.encoding import clean
from rag.loaders.lines import Paragraph
from rag.loaders.source import Source
from rag.loaders.tables import markdown_rows
from rag.types import Document

_HEADING = re.compile(r"(?:heading|t[íi]tulo) ?([1-6])", re.IGNORECASE)
_TITLES = {"title", "título", "titulo", "puesto"}
MAX_HEADING = 250
MAX_LEVEL = 6
NUMBERED = (
    "El documento numera párrafos de forma automática y esos números no forman parte del texto: compruebe "
    "que las remisiones a apartados se entienden."
)
_DAMAGE = (
    OpcError,
    KeyError,
    ValueError,
    AttributeError,
    etree.XMLSyntaxError,
    zipfile.BadZipFile,
    zlib.error,
)


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a DOCX.

    Raises:
        InputError: it is damaged or holds no text.
    """
    with archive.opened(source.data, source.name) as package:
        declared = b"<!DOCTYPE" in package.read("word/document.xml")
    if declared:
        raise InputError(
            f"{source.name}: contiene declaraciones XML no admitidas; guárdelo otra vez en Word."
        )
    try:
        document = docx.Document(io.BytesIO(source.data))
        found = list(_paragraphs(document))
        numbered = any(True for _ in document.element.iter("{*}numPr"))
    except _DAMAGE as error:
        raise InputError(
            f"{source.name}: el DOCX está dañado; ábralo en Word, guárdelo y súbalo otra vez."
        ) from error
    return assemble(source.name, found, collection, (NUMBERED,) if numbered else ())


def _paragraphs(parent: WordDocument | _Cell) -> Iterator[Paragraph]:
    for item in parent.iter_inner_content():
        if isinstance(item, Table):
            yield from (Paragraph(row) for row in markdown_rows(_rows(item)))
            continue
        heading = _heading(item)
        for line in clean(item.text).split("\n"):
            text = " ".join(line.split())
            if text:
                yield Paragraph(text, heading if len(text) <= MAX_HEADING else 0)


def _heading(paragraph: WordParagraph) -> int:
    """1 for the document's title, 2 for «Título 1», and so on."""
    name = (paragraph.style.name or "") if paragraph.style is not None else ""
    if name.lower() in _TITLES:
        return 1
    found = _HEADING.match(name)
    return min(int(found.group(1)) + 1, MAX_LEVEL) if found else 0


def _rows(table: Table) -> list[list[str]]:
    """Cells by row; a cell that spans several columns appears once."""
    rows: list[list[str]] = []
    for row in table.rows:
        cells: list[_Cell] = []
        for cell in row.cells:
            if not cells or cell._tc is not cells[-1]._tc:
                cells.append(cell)
        rows.append([" ".join(p.text for p in _paragraphs(cell)) for cell in cells])
    return rows
