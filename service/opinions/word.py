"""Word files: A4 in Spanish, with headings, paragraphs, real footnotes, tables and links.

Every text is data: it is written as text, without the signs that XML refuses, never as a field.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
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
FONT = "Times New Roman"
"""A face that every office has, or another of the same widths."""
_HEADS = {"Title": 16, "Heading 1": 13, "Heading 2": 12}
"""Points of the title and of the headings."""
GRID = "Table Grid"
_LISTS = {Style.BULLET: "•", Style.NUMBER: "{number}."}
"""Start of an item where the list styles of a template have no numbering of their own."""


class Writer:
    """A document that is being written.

    Args:
        into: a document whose styles, headers and footers are kept, and which has its title; None: a new one.
        titled: the title stands above the text, not in the properties of the file alone.
    """

    def __init__(self, title: str, into: Document | None = None, *, titled: bool = True) -> None:
        self.document: Document = into or docx.Document()
        self._complete()
        self.notes = Footnotes(self.document)
        if into is None:
            self._lay_out()
        properties = self.document.core_properties
        properties.title, properties.author, properties.comments = clean(title), "Articulado", ""
        properties.language = "es-ES"
        if into is None and titled:
            self.document.add_paragraph(clean(title), style="Title")

    def heading(self, text: str, level: int = 1, *, new_page: bool = False) -> None:
        added = self.document.add_heading(clean(text), level)
        added.paragraph_format.page_break_before = new_page or None

    def line(self, text: str, style: str | None = None) -> WordParagraph:
        """A paragraph of plain text."""
        return _apart(self.document.add_paragraph(clean(text), style=style))

    def clause(self, text: str, bold: int, *, followed: bool) -> None:
        """A justified paragraph with so many bold letters first; one that is followed stays with the next."""
        added = self.line("")
        added.add_run(clean(text[:bold])).bold = True
        added.add_run(clean(text[bold:]))
        added.alignment = WD_ALIGN_PARAGRAPH.JUSTIFY
        added.paragraph_format.keep_with_next = followed or None

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
            row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
            for cell, words in zip(row.cells, cells, strict=False):
                self._words(cell.paragraphs[0], words)
            # Word heeds the width of each cell, not that of its column.
            for cell, width in zip(row.cells, widths, strict=False):
                cell.width = Cm(width)
            for run in (run for cell in row.cells for run in cell.paragraphs[0].runs):
                run.font.size = Pt(10)
        head = added.rows[0]
        for run in (run for cell in head.cells for run in cell.paragraphs[0].runs):
            run.bold = True
        head._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))

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
        paragraph = _apart(self.document.add_paragraph(style=_STYLES[element.style]))
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
        for fonts in styles.element.xpath("//w:rFonts"):
            fonts.attrib.clear()
            for kind in ("w:ascii", "w:hAnsi", "w:cs", "w:eastAsia"):
                fonts.set(qn(kind), FONT)
        cast("ParagraphStyle", styles["Normal"]).font.size = Pt(12)
        quote = cast("ParagraphStyle", styles["Quote"]).paragraph_format
        quote.left_indent, quote.right_indent = Cm(1), Cm(0.5)
        for name, size in _HEADS.items():
            style = cast("ParagraphStyle", styles[name])
            style.font.color.rgb, style.font.bold, style.font.size = _BLACK, True, Pt(size)
            style.paragraph_format.space_after = Pt(6)
            for frame in style.element.xpath("./w:pPr/w:pBdr"):
                frame.getparent().remove(frame)
        paragraph = section.footer.paragraphs[0]
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        number = OxmlElement("w:fldSimple", attrs={qn("w:instr"): " PAGE "})
        number.append(OxmlElement("w:r"))
        paragraph._p.append(number)


def _apart(paragraph: WordParagraph) -> WordParagraph:
    """The paragraph, away from the table before it."""
    before = paragraph._p.getprevious()
    if before is not None and before.tag == qn("w:tbl"):
        paragraph.paragraph_format.space_before = Pt(8)
    return paragraph
