"""Word files: A4 in Spanish, with headings, paragraphs, real footnotes, tables and links.

Every text is data: it is written as text, without the signs that XML refuses, never as a field.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph as WordParagraph

from law.diff import Change
from loading.formats.encoding import clean
from service.opinions import content
from service.opinions.content import Cell, Element, Heading, Style, Table, Words
from service.opinions.footnotes import Footnotes

_BLACK = RGBColor(0, 0, 0)
_STYLES: Mapping[Style, str | None] = {
    Style.TEXT: None,
    Style.QUOTE: "Quote",
    Style.BULLET: "List Bullet",
    Style.NUMBER: "List Number",
    Style.REMARK: None,
}
GRID = "Table Grid"
_LISTS = {Style.BULLET: "•", Style.NUMBER: "{number}."}
"""Start of an item where the list styles of a template have no numbering of their own."""


class Writer:
    """A document that is being written.

    Args:
        into: a document whose styles, headers and footers are kept, and which has its title; None: a new one.
    """

    def __init__(self, title: str, into: Document | None = None) -> None:
        self.document: Document = into or docx.Document()
        self._complete()
        self.notes = Footnotes(self.document)
        if into is None:
            self._lay_out()
        properties = self.document.core_properties
        properties.title, properties.author, properties.comments = clean(title), "Articulado", ""
        properties.language = "es-ES"
        if into is None:
            self.document.add_paragraph(clean(title), style="Title")

    def heading(self, text: str, level: int = 1, *, new_page: bool = False) -> None:
        added = self.document.add_heading(clean(text), level)
        added.paragraph_format.page_break_before = new_page or None

    def line(self, text: str, style: str | None = None) -> WordParagraph:
        """A paragraph of plain text."""
        return self.document.add_paragraph(clean(text), style=style)

    def elements(self, elements: Iterable[Element]) -> None:
        """Headings, paragraphs and tables, in their order."""
        number = 0
        for element in elements:
            listed = isinstance(element, content.Paragraph) and element.style is Style.NUMBER
            number = number + 1 if listed else 0
            self._element(element, number)

    def table(self, rows: Sequence[Sequence[Cell]], widths: Sequence[float] = ()) -> None:
        """A table with a frame, whose first row is bold and repeated on each page.

        Args:
            widths: centimetres of each column; () for equal ones.
        """
        grid = GRID if GRID in self.document.styles else None
        added = self.document.add_table(len(rows), max(map(len, rows)), style=grid)
        added.autofit = not widths
        for column, width in zip(added.columns, widths, strict=False):
            column.width = Cm(width)
        # `rows[n]` and `cells[n]` walk the whole table each time.
        for row, cells in zip(added.rows, rows, strict=True):
            for cell, words in zip(row.cells, cells, strict=False):
                self._words(cell.paragraphs[0], words)
            # Word heeds the width of each cell, not that of its column.
            for cell, width in zip(row.cells, widths, strict=False):
                cell.width = Cm(width)
        for run in (run for cell in added.rows[0].cells for run in cell.paragraphs[0].runs):
            run.bold = True
        first = added.rows[0]._tr.get_or_add_trPr()
        first.append(OxmlElement("w:tblHeader"))

    def saved(self) -> bytes:
        """The file; nothing can be written after it."""
        self.notes.write()
        stream = io.BytesIO()
        self.document.save(stream)
        return stream.getvalue()

    def _element(self, element: Element, number: int) -> None:
        if isinstance(element, Heading):
            self.heading(element.text, element.level)
        elif isinstance(element, Table):
            self.table(element.rows)
        else:
            self._paragraph(element, number)

    def _paragraph(self, element: content.Paragraph, number: int) -> None:
        paragraph = self.document.add_paragraph(style=_STYLES[element.style])
        if element.style in self._unnumbered:
            paragraph.add_run(f"{_LISTS[element.style].format(number=number)} ")
        self._words(paragraph, element.words, italic=element.style is Style.REMARK)

    def _words(self, paragraph: WordParagraph, words: Sequence[Words], *, italic: bool = False) -> None:
        noted = False
        for one in words:
            if one.text:
                run = paragraph.add_run(clean(one.text))
                run.bold, run.italic = one.bold or None, italic or None
                run.font.strike = (one.change is Change.DELETE) or None
                run.font.underline = (one.change is Change.INSERT) or None
            elif noted and one.note:
                paragraph.add_run(",").font.superscript = True
            if one.note:
                self.notes.add(paragraph, clean(one.note), clean(one.url))
            noted = bool(one.note)

    def _complete(self) -> None:
        """Add the styles that the document lacks."""
        styles = self.document.styles
        for name in ("Heading 1", "Heading 2", "Quote", "List Bullet", "List Number"):
            if name in styles:
                continue
            added = cast("ParagraphStyle", styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH, builtin=True))
            added.base_style = styles.default(WD_STYLE_TYPE.PARAGRAPH)
            added.font.bold = name.startswith("Heading") or None
            added.font.italic = (name == "Quote") or None
            added.paragraph_format.left_indent = None if name.startswith("Heading") else Cm(1)
        self._unnumbered = {
            kind for kind in _LISTS if not styles[str(_STYLES[kind])].element.xpath("./w:pPr/w:numPr")
        }

    def _lay_out(self) -> None:
        section = self.document.sections[0]
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(3)
        section.top_margin = section.bottom_margin = Cm(2.5)
        styles = self.document.styles
        for language in styles.element.xpath("//w:lang"):
            language.set(qn("w:val"), "es-ES")
        cast("ParagraphStyle", styles["Normal"]).font.size = Pt(11)
        quote = cast("ParagraphStyle", styles["Quote"]).paragraph_format
        quote.left_indent, quote.right_indent = Cm(1), Cm(0.5)
        for name in ("Title", "Heading 1", "Heading 2"):
            cast("ParagraphStyle", styles[name]).font.color.rgb = _BLACK
        paragraph = section.footer.paragraphs[0]
        number = OxmlElement("w:fldSimple", attrs={qn("w:instr"): " PAGE "})
        number.append(OxmlElement("w:r"))
        paragraph._p.append(number)
