"""An opinion as PDF: A4, numbered pages, an outline of its headings, notes at the end.

ReportLab (BSD) with Source Sans (SIL Open Font License), which is embedded. It writes no structure tags.
"""

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, cast
from xml.sax.saxutils import escape, quoteattr

import font_source_sans_pro
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from service.opinions import content
from service.opinions.content import Cell, Element, Heading, Style, Words
from service.opinions.opinion import Opinion
from text.links import official_url

NOTES = "Notas"
NO_GLYPH = "?"
_FACES = {"": "Regular", "-Bold": "Bold", "-Italic": "It", "-BoldItalic": "BoldIt"}
_FAMILY = "SourceSans"
_GREY = colors.HexColor("#444444")


class _Heading(Paragraph):  # type: ignore[misc]
    """A heading that puts itself into the outline."""

    def __init__(self, text: str, style: ParagraphStyle, name: str, key: str, level: int) -> None:
        super().__init__(text, style)
        self._entry = name, key, level

    def draw(self) -> None:
        name, key, level = self._entry
        canvas = cast("Canvas", self.canv)
        canvas.bookmarkPage(key)
        canvas.addOutlineEntry(name, key, level)
        super().draw()


def write(opinion: Opinion) -> bytes:
    """The file."""
    _fonts()
    stream = io.BytesIO()
    document = SimpleDocTemplate(
        stream,
        pagesize=A4,
        leftMargin=3 * cm,
        rightMargin=3 * cm,
        topMargin=2.5 * cm,
        bottomMargin=2.5 * cm,
        title=opinion.title,
        author="Articulado",
        lang="es-ES",
        displayDocTitle=True,
        invariant=True,
    )
    document.build(list(_Story(opinion).flowables()), onFirstPage=_numbered, onLaterPages=_numbered)
    return stream.getvalue()


class _Story:
    """The flowables of one opinion; its notes are numbered as they come."""

    def __init__(self, opinion: Opinion) -> None:
        self._opinion = opinion
        self._notes: list[Words] = []
        self._headings = 0

    def flowables(self) -> Iterator[Flowable]:
        yield Paragraph(_text(self._opinion.title), _style("Title"))
        yield Paragraph(_text(self._opinion.state), _style(Style.TEXT.value))
        for part in self._opinion.parts:
            yield self._heading(part.title, 1)
            yield from self._elements(part.elements)
        if self._notes:
            yield self._heading(NOTES, 1)
        for number, note in enumerate(self._notes, start=1):
            back = f'<a name="n{number}"/><a href="#m{number}">{number}</a>'
            url = _text(note.url)
            link = f"<a href={quoteattr(note.url)}><u>{url}</u></a>" if official_url(note.url) else url
            yield Paragraph(f"{back}. {_text(note.note)} {link}", _style("Note"))

    def _heading(self, text: str, level: int) -> Flowable:
        self._headings += 1
        return _Heading(_text(text), _style(f"H{level}"), text, f"h{self._headings}", level - 1)

    def _elements(self, elements: Sequence[Element]) -> Iterator[Flowable]:
        number = 0
        for element in elements:
            if isinstance(element, Heading):
                yield self._heading(element.text, 2)
            elif isinstance(element, content.Table):
                yield self._table(element)
                yield Spacer(1, 8)
            else:
                number = number + 1 if element.style is Style.NUMBER else 0
                yield self._paragraph(element, number)

    def _paragraph(self, paragraph: content.Paragraph, number: int) -> Flowable:
        text = self._cell(paragraph.words)
        bullet = f"{number}." if number else "•" if paragraph.style is Style.BULLET else None
        return Paragraph(text, _style(paragraph.style.value), bulletText=bullet)

    def _table(self, table: content.Table) -> Flowable:
        width = max(map(len, table.rows))
        rows = [
            [Paragraph(self._cell(cell), _style("Cell")) for cell in row] + [""] * (width - len(row))
            for row in table.rows
        ]
        grid = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, _GREY), ("VALIGN", (0, 0), (-1, -1), "TOP")])
        return Table(rows, colWidths=[15 * cm / width] * width, repeatRows=1, style=grid)

    def _cell(self, words: Cell) -> str:
        return "".join(map(self._words, words))

    def _words(self, words: Words) -> str:
        text = _text(words.text)
        if words.bold:
            text = f"<b>{text}</b>"
        if not words.note:
            return text
        self._notes.append(words)
        number = len(self._notes)
        between = "" if words.text else "<super>, </super>"
        return f'{text}{between}<a name="m{number}"/><a href="#n{number}"><super>{number}</super></a>'


@cache
def _style(name: str) -> ParagraphStyle:
    """A style by the name of `Style`, or one of those of this file; made once, because each is looked up."""
    style = partial(ParagraphStyle, name, fontName=_FAMILY, fontSize=10.5, leading=14, spaceAfter=6)
    head = partial(style, fontName=f"{_FAMILY}-Bold", keepWithNext=1)
    indented = partial(style, leftIndent=18, bulletIndent=4, bulletFontName=_FAMILY, bulletFontSize=10.5)
    made: Mapping[str, Callable[[], ParagraphStyle]] = {
        "Title": lambda: head(fontSize=22, leading=27, spaceAfter=14),
        "H1": lambda: head(fontSize=15, leading=19, spaceBefore=12),
        "H2": lambda: head(fontSize=12, leading=15, spaceBefore=8),
        "Note": lambda: style(fontSize=9, leading=11.5, spaceAfter=3),
        "Cell": lambda: style(fontSize=9, leading=11.5, spaceAfter=0),
        # Justified, a line before a hash or an address would have its words far apart.
        Style.TEXT: style,
        Style.QUOTE: lambda: style(leftIndent=20, rightIndent=12, textColor=_GREY),
        Style.BULLET: indented,
        Style.NUMBER: indented,
        Style.REMARK: lambda: style(fontName=f"{_FAMILY}-Italic"),
    }
    return made[name]()


@cache
def _fonts() -> TTFont:
    """Register the faces of the family; the plain one, which tells the characters that it has."""
    folder = Path(font_source_sans_pro.__file__).parent / "files"
    faces = {
        f"{_FAMILY}{name}": TTFont(f"{_FAMILY}{name}", str(folder / f"SourceSansPro-{file}.ttf"))
        for name, file in _FACES.items()
    }
    for face in faces.values():
        pdfmetrics.registerFont(face)
    pdfmetrics.registerFontFamily(_FAMILY, *faces)
    return faces[_FAMILY]


def _text(text: str) -> str:
    """The text as nothing but text; NO_GLYPH for what the face does not have."""
    known: Any = cast("Any", _fonts()).face.charToGlyph
    shown = "".join(sign if sign.isspace() or ord(sign) in known else NO_GLYPH for sign in text)
    return escape(shown).replace("\n", "<br/>")


def _numbered(canvas: Canvas, _document: SimpleDocTemplate) -> None:
    canvas.setFont(_FAMILY, 9)
    canvas.drawCentredString(A4[0] / 2, 1.4 * cm, str(canvas.getPageNumber()))
