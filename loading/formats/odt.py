"""Reads an ODT into documents: paragraphs, tables and notes in their order, headings by their levels."""

from collections.abc import Iterable, Iterator
from typing import Any

from core.errors import InputError
from law.norms import BRIEF, Document
from loading.formats import office_xml
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Paragraph, marked
from loading.formats.markdown_tables import REPEATED, WIDEST, Spanning, markdown_rows, spread
from loading.formats.odf_numbers import Counts, Lists
from loading.formats.office_xml import attribute, local, whole_number
from loading.formats.quotation_styles import MOST_BASES, QUOTES, quoted
from loading.formats.source_file import Source
from loading.formats.word_text import CHANGES, COMMENTS, HIDDEN, NOTE, OBJECTS, PICTURES, SHORT

MAX_LEVEL = 6
_BLANKS = {"s": " ", "tab": " ", "line-break": "\n"}
_GENERATED = {
    "table-of-content",
    "illustration-index",
    "table-index",
    "object-index",
    "user-index",
    "alphabetical-index",
    "bibliography",
}
_SILENT = {"forms", "script", "scripts", "ruby-text", "annotation-end", "sequence-decls"}
_LEFT_OUT = {
    "annotation": COMMENTS,
    "deletion": CHANGES,
    "insertion": CHANGES,
    "image": PICTURES,
    "object": OBJECTS,
    "object-ole": OBJECTS,
    "hidden-text": HIDDEN,
}
_TITLE = "Title"
_DESCRIPTIONS = "{urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0}"


def load(source: Source, collection: str) -> list[Document]:
    """The documents of an ODT.

    Raises:
        InputError: it is damaged, protected or no text, or holds none.
    """
    with office_xml.opened(source, "LibreOffice") as package:
        manifest = package.part("META-INF/manifest.xml")
        if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
            raise InputError(
                f"{source.name}: está protegido con contraseña; guárdelo sin ella y súbalo otra vez."
            )
        content, styles = package.part("content.xml"), package.part("styles.xml")
        body = content.find("{*}body/{*}text")
        if body is None:
            raise InputError(
                f"{source.name}: no es un documento de texto; si es una hoja de cálculo, guárdela como XLSX."
            )
        reader = _Reader([root for root in (styles, content) if root is not None], brief=collection == BRIEF)
        found = list(reader.inside(body))
    return assemble(source.name, found, collection, tuple(reader.warnings))


class _Reader:
    """The paragraphs of one document.

    Args:
        brief: read short notes where their marks are, and mark paragraphs in a style of quotations.

    Attributes:
        warnings: Spanish sentences about what the text leaves out, so far.
    """

    def __init__(self, styles: list[Any], *, brief: bool) -> None:
        self._brief = brief
        self._lists = Lists(styles)
        every = [one for root in styles for one in root.iter("{*}style")]
        self._hidden = {
            attribute(one, "name")
            for one in every
            if any(
                attribute(properties, "display") == "none"
                for properties in one.iterfind("{*}text-properties")
            )
        }
        self._titles = {
            _TITLE,
            *(attribute(o, "name") for o in every if attribute(o, "parent-style-name") == _TITLE),
        }
        self._quotes = _quotes(every) if brief else set[str]()
        self._notes = {"pie": 0, "final": 0}
        self.warnings: dict[str, None] = {}

    def inside(self, parent: Any) -> Iterator[Paragraph]:
        """Every paragraph and table row below an element."""
        for element in parent:
            tag = local(element)
            if tag in {"p", "h"}:
                yield from self._paragraph(element, self._lists.heading(element) if tag == "h" else "")
            elif tag == "list":
                counts = self._lists.counts(element)
                yield from self._list(element, attribute(element, "style-name"), 0, counts)
            elif tag == "table":
                yield from map(Paragraph, markdown_rows(spread(self._rows(element))))
            elif not self._left_out(element) and tag not in _GENERATED:
                yield from self.inside(element)

    def _list(self, element: Any, style: str, level: int, counts: Counts) -> Iterator[Paragraph]:
        for item in element:
            start = attribute(item, "start-value")
            numbered = local(item) == "list-item"
            for child in item:
                tag = local(child)
                if tag in {"p", "h"}:
                    number = self._lists.item(child, style, level, counts, start) if numbered else ""
                    yield from self._paragraph(child, number)
                    numbered = False
                elif tag == "list":
                    yield from self._list(child, attribute(child, "style-name") or style, level + 1, counts)
                else:
                    yield from self.inside([child])

    def _paragraph(self, element: Any, number: str) -> Iterator[Paragraph]:
        heading = 0
        if local(element) == "h":
            heading = min(whole_number(attribute(element, "outline-level"), 1) + 1, MAX_LEVEL)
        elif attribute(element, "style-name") in self._titles:
            heading = 1
        lines = self._lines(element, number)
        if attribute(element, "style-name") in self._quotes:
            lines = map(quoted, lines)
        return marked(lines, heading)

    def _lines(self, element: Any, number: str = "") -> Iterator[str]:
        """The paragraph's text after its number, then the texts of its boxes and notes."""
        aside: list[str] = []
        text = "" if self._is_hidden(element) else "".join(self._of(element, aside))
        if text.strip():
            yield from f"{number} {text}".strip().split("\n")
        yield from aside

    def _of(self, element: Any, aside: list[str]) -> Iterator[str]:
        yield _unbroken(element.text)
        for child in element:
            tag = local(child)
            if tag in _BLANKS:
                yield _BLANKS[tag]
            elif tag == "note":
                yield self._note(child, aside)
            elif tag in {"p", "h", "list", "table"}:
                # A text box: what stands in it follows the paragraph.
                aside += [paragraph.text for paragraph in self.inside([child])]
            elif not self._left_out(child):
                yield from self._of(child, aside)
            yield _unbroken(child.tail)

    def _note(self, note: Any, aside: list[str]) -> str:
        """Replacement of a mark; if it is empty, the note itself goes into `aside`."""
        kind = "final" if attribute(note, "note-class") == "endnote" else "pie"
        self._notes[kind] += 1
        number = self._notes[kind]
        body = note.find("{*}note-body")
        text = " ".join(paragraph.text for paragraph in self.inside(body if body is not None else ()))
        if self._brief and text and len(text) <= SHORT:
            return f" ({text})"
        if text:
            aside.append(NOTE[kind].format(number=number, text=text))
        return ""

    def _rows(self, table: Any) -> Iterator[list[Spanning]]:
        for row in _rows_of(table):
            yield [one for cell in row if local(cell) == "table-cell" for one in self._cells(cell)]

    def _cells(self, cell: Any) -> list[Spanning]:
        """The cell as often as it is repeated; only once if it is long, or spans others."""
        text = " ".join(paragraph.text for paragraph in self.inside(cell))
        across, down = (
            whole_number(attribute(cell, f"number-{way}-spanned"), 1) for way in ("columns", "rows")
        )
        times = whole_number(attribute(cell, "number-columns-repeated"), 1)
        once = len(text) > REPEATED or max(across, down) > 1
        return [Spanning(text, across, down)] * (1 if once else min(max(times, 1), WIDEST))

    def _left_out(self, element: Any) -> bool:
        """True for what is no text of the document; what a reader would miss is told."""
        told = _LEFT_OUT.get(local(element))
        if told:
            self.warnings[told] = None
        silent = local(element) in _SILENT or element.tag.startswith(_DESCRIPTIONS)
        return bool(told) or silent or self._is_hidden(element)

    def _is_hidden(self, element: Any) -> bool:
        hidden = attribute(element, "style-name") in self._hidden or attribute(element, "display") == "none"
        if hidden:
            self.warnings[HIDDEN] = None
        return hidden


def _quotes(styles: Iterable[Any]) -> set[str]:
    """The names of the styles of quotations and of those that are based on one."""
    based = {attribute(one, "name"): attribute(one, "parent-style-name") for one in styles}
    shown = {attribute(one, "name"): attribute(one, "display-name") for one in styles}
    found: set[str] = set()
    for name in based:
        at = name
        for _ in range(MOST_BASES):
            if (shown.get(at) or at.replace("_20_", " ")).lower() in QUOTES:
                found.add(name)
            at = based.get(at, "")
    return found - {""}


def _unbroken(text: str | None) -> str:
    """The text with line ends of the file, which are none of the paragraph, as blanks."""
    return (text or "").replace("\n", " ")


def _rows_of(table: Any) -> Iterable[Any]:
    """The rows of a table, not those of tables in its cells."""
    for element in table:
        if local(element) == "table-row":
            yield element
        elif local(element) != "table-cell":
            yield from _rows_of(element)
