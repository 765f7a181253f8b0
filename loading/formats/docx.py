"""Reads a DOCX into documents: paragraphs, tables and notes in their order, headings by their styles."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from law.norms import BRIEF, Document
from loading.formats import office_xml
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Paragraph, marked
from loading.formats.markdown_tables import REPEATED, WIDEST, markdown_rows
from loading.formats.office_xml import Package, whole_number
from loading.formats.quotation_styles import MOST_BASES, QUOTES, quoted
from loading.formats.source_file import Source
from loading.formats.word_numbers import Numbers, W
from loading.formats.word_places import Places, unmarked
from loading.formats.word_text import WordText

MAIN = "word/document.xml"
_HEADING = re.compile(r"(?:heading|t[íi]tulo) ?([1-6])", re.IGNORECASE)
_TITLES = {"title", "título", "titulo", "puesto"}
MAX_LEVEL = 6


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a DOCX.

    Raises:
        InputError: it is damaged or holds no text.
    """
    with office_xml.opened(source, "Word") as package:
        reader = _Reader(package, brief=collection == BRIEF)
        found = list(reader.paragraphs())
    return assemble(source.name, found, collection, tuple(reader.text.warnings))


def brief_paragraphs(package: Package, places: Places | None = None) -> list[str]:
    """The paragraphs of a brief; with `places`, each text with the mark of its element."""
    return [one.text for one in _Reader(package, brief=True, places=places).paragraphs()]


class _Reader:
    """The paragraphs of one document.

    Args:
        brief: read short notes where their marks are, and mark paragraphs in a style of quotations.
        places: see `WordText`.
    """

    def __init__(self, package: Package, *, brief: bool, places: Places | None = None) -> None:
        paths = dict(package.relations(MAIN).values())

        def part(kind: str) -> Any:
            return package.part(paths.get(kind, ""))

        styles = part("styles")
        every = {one.get(f"{W}styleId"): one for one in (() if styles is None else styles.iter(f"{W}style"))}
        self._body = package.part(MAIN).findall(f"{W}body")[0]
        self._headings = {style_id: _heading(_named(style)) for style_id, style in every.items()}
        self._quotes = {style_id for style_id in every if brief and _is_quote(style_id, every)}
        self.text = WordText(
            {
                (kind, note.get(f"{W}id")): note
                for name, kind in (("footnotes", "pie"), ("endnotes", "final"))
                if (notes := part(name)) is not None
                for note in notes
                if note.get(f"{W}type") in {None, "normal"}
            },
            lambda box: (paragraph.text for paragraph in self._inside(box, numbered=False)),
            in_place=brief,
            places=places,
        )
        self._numbers = Numbers(part("numbering"), styles)

    def paragraphs(self) -> Iterator[Paragraph]:
        """Every paragraph and table row of the body, headers and footers apart."""
        yield from self._inside(self._body)

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
                line.append("" if again and len(unmarked(read[cell])) > REPEATED else read[cell])
            rows.append(line)
        return rows


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
    return min(whole_number(element.get(f"{W}val"), otherwise), WIDEST) if element is not None else otherwise


def _is_quote(style_id: str, styles: Mapping[str, Any]) -> bool:
    """True for a style of quotations, and for one that is based on it."""
    for _ in range(MOST_BASES):
        if (style := styles.get(style_id)) is None:
            return False
        if _named(style).lower() in QUOTES:
            return True
        based = style.find(f"{W}basedOn")
        style_id = "" if based is None else based.get(f"{W}val")
    return False


def _named(style: Any) -> str:
    name = style.find(f"{W}name")
    return "" if name is None else name.get(f"{W}val") or ""


def _heading(name: str) -> int:
    """1 for the document's title, 2 for «Título 1», and so on; 0 for other styles."""
    if name.lower() in _TITLES:
        return 1
    found = _HEADING.match(name)
    return min(int(found.group(1)) + 1, MAX_LEVEL) if found else 0
