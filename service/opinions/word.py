"""Pages of a Word file as an opinion needs them: A4 in Spanish, with headings, answers, tables and links.

Every text is data: it is written as text, without the signs that XML refuses, never as a field.
"""

import io
import re
from collections.abc import Callable
from typing import cast

import docx
from docx.document import Document
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from rag.loaders.encoding import clean
from rag.text.segmentation import is_row
from service.opinions.footnotes import Footnotes

_PIECE = re.compile(r"(\*\*.+?\*\*|\[C\d+\])")
_BULLET = re.compile(r"\s*[-•*] +")
_RULE = re.compile(r"[|\s:-]+")
_BLACK = RGBColor(0, 0, 0)
Cite = Callable[[str, str], str]
"""The text of the note of a marker, 'C1', after these words; '' if it has no source: it is left out."""


class Writer:
    """A document that is being written."""

    def __init__(self, title: str) -> None:
        self.document: Document = docx.Document()
        self.notes = Footnotes(self.document)
        self._lay_out()
        properties = self.document.core_properties
        properties.title, properties.author, properties.comments = clean(title), "Articulado", ""
        properties.language = "es-ES"
        self.document.add_paragraph(clean(title), style="Title")

    def heading(self, text: str, level: int = 1, *, new_page: bool = False) -> None:
        added = self.document.add_heading(clean(text), level)
        added.paragraph_format.page_break_before = new_page or None

    def line(self, text: str, style: str = "Normal") -> Paragraph:
        """A paragraph of plain text."""
        return self.document.add_paragraph(clean(text), style=style)

    def marked(self, text: str, cite: Cite) -> None:
        """A text as answers are written: bold between asterisks, lists, tables, and markers as notes."""
        rows: list[list[str]] = []
        for line in [*clean(text).split("\n"), ""]:
            if is_row(line):
                if not _RULE.fullmatch(line):
                    rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
                continue
            if rows:
                self._table(rows, cite)
                rows = []
            if line.strip():
                bullet = _BULLET.match(line)
                style = "List Bullet" if bullet else "Normal"
                words = line[bullet.end() :] if bullet else line.strip().lstrip("#").strip()
                self._runs(self.document.add_paragraph(style=style), words, cite)

    def link(self, url: str, before: str) -> None:
        """A paragraph with an address; it leads there if it is one of the web."""
        paragraph = self.line(before)
        url = clean(url)
        if not url.startswith("https://"):
            paragraph.add_run(url)
            return
        number = self.document.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        run = paragraph.add_run(url)
        run.font.underline = True
        link = OxmlElement("w:hyperlink", attrs={qn("r:id"): number})
        link.append(run._r)
        paragraph._p.append(link)

    def saved(self) -> bytes:
        """The file; nothing can be written after it."""
        self.notes.write()
        stream = io.BytesIO()
        self.document.save(stream)
        return stream.getvalue()

    def _runs(self, paragraph: Paragraph, text: str, cite: Cite) -> None:
        last: Run | None = None
        before, noted = "", False
        for piece in _PIECE.split(text):
            if piece.startswith("[C") and _PIECE.fullmatch(piece):
                if note := cite(piece[1:-1], before):
                    # A mark follows the word it belongs to, whatever blank the text has before it.
                    if last is not None:
                        last.text = last.text.rstrip(" ")
                    if noted and not before.strip():
                        paragraph.add_run(",").font.superscript = True
                    self.notes.add(paragraph, clean(note))
                    last, before, noted = None, "", True
            elif piece:
                bold = piece.startswith("**") and _PIECE.fullmatch(piece) is not None
                last = paragraph.add_run(piece[2:-2] if bold else piece)
                last.bold = bold or None
                before += last.text

    def _table(self, rows: list[list[str]], cite: Cite) -> None:
        width = max(map(len, rows))
        table = self.document.add_table(len(rows), width, style="Table Grid")
        for place, row in enumerate(rows):
            cells = table.rows[place].cells
            for cell, text in zip(cells, row, strict=False):
                self._runs(cell.paragraphs[0], text, cite)

    def _lay_out(self) -> None:
        section = self.document.sections[0]
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(3)
        section.top_margin = section.bottom_margin = Cm(2.5)
        styles = self.document.styles
        for language in styles.element.xpath("//w:lang"):
            language.set(qn("w:val"), "es-ES")
        cast("ParagraphStyle", styles["Normal"]).font.size = Pt(11)
        for name in ("Title", "Heading 1", "Heading 2"):
            cast("ParagraphStyle", styles[name]).font.color.rgb = _BLACK
        paragraph = section.footer.paragraphs[0]
        number = OxmlElement("w:fldSimple", attrs={qn("w:instr"): " PAGE "})
        number.append(OxmlElement("w:r"))
        paragraph._p.append(number)
