"""Write the invented agreements as the files that users load: `python -m lab make-agreements FOLDER`.

Their source is data/evaluation/agreements, one Markdown file each: a line is a paragraph, `#` opens a
chapter or an annex and `##` an article. The cells `<` and `^` of a table belong to the cell on their left
or above, and `|---|` ends its header. The line before a table says what becomes of it: `{split}` breaks it
over pages (PDF), `{split bare}` without its header, `{xlsx Name}` moves it to that sheet of a workbook.
`[^text]` is a footnote, `{-text-}` a tracked deletion and `{+text+}` a tracked insertion.
"""

import argparse
import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import docx
import frontmatter
from docx.document import Document as WordDocument
from openpyxl import Workbook
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from service.config import ROOT
from tests.word_files import p, run, word_xml

SOURCE = ROOT / "data" / "evaluation" / "agreements"
ANNEX = "-tablas"
FIRST_PAGE = 17
TITLE = 3

_MARK = re.compile(r"\{([+-])(.*?)\1\}|\[\^(.*?)\]")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{3})*,\d+")
_REVISION = 'w:id="{}" w:author="Secretaría de la mesa" w:date="2025-07-03T10:00:00Z"'


class Cell(NamedTuple):
    """A cell at its first place in the grid, with the columns and rows that it covers."""

    text: str
    row: int
    column: int
    width: int
    height: int


@dataclass(frozen=True)
class Grid:
    """A table: rows of equal length as they are written, the first `header` of which are its head."""

    rows: tuple[tuple[str, ...], ...]
    header: int
    order: str

    @property
    def sheet(self) -> str:
        """The sheet of the workbook that it belongs to, or ''."""
        return self.order.removeprefix("xlsx ") if self.order.startswith("xlsx ") else ""

    @property
    def columns(self) -> int:
        return len(self.rows[0])

    def cells(self) -> Iterator[Cell]:
        for at, row in enumerate(self.rows):
            for column, text in enumerate(row):
                if text not in ("<", "^"):
                    width = _run(row[column + 1 :], "<")
                    height = _run([one[column] for one in self.rows[at + 1 :]], "^")
                    yield Cell(text, at, column, 1 + width, 1 + height)

    def filled(self) -> Iterator[tuple[str, ...]]:
        """The rows below the header with what covers them in each place."""
        whole = [list(row) for row in self.rows]
        for cell in self.cells():
            for at in range(cell.row, cell.row + cell.height):
                whole[at][cell.column : cell.column + cell.width] = [cell.text] * cell.width
        return (tuple(row) for row in whole[self.header :])


class Line(NamedTuple):
    """A paragraph; `level` 1 is a chapter or an annex, 2 an article, 3 the title of all, 0 its text."""

    level: int
    text: str


@dataclass(frozen=True)
class Agreement:
    """An agreement as it is written: `kind` and `look` say what file is made of it."""

    stem: str
    title: str
    kind: str
    look: str
    bulletin: str
    items: tuple[Line | Grid, ...]

    @property
    def body(self) -> tuple[Line | Grid, ...]:
        return tuple(item for item in self.items if isinstance(item, Line) or not item.sheet)

    @property
    def sheets(self) -> tuple[Grid, ...]:
        """The tables of its workbook; none if it has no workbook."""
        return tuple(item for item in self.items if isinstance(item, Grid) and item.sheet)

    def articles(self) -> Mapping[str, str]:
        """Number to text of each article, as it reads once the tracked changes are accepted."""
        found: dict[str, str] = {}
        number = ""
        for item in self.items:
            if isinstance(item, Line) and item.level:
                number = item.text.split()[1].rstrip(".") if item.level == 2 else ""
            elif isinstance(item, Line) and number:
                found[number] = " ".join([*found.get(number, "").split(), accepted(item.text)])
        return found


def agreements(folder: Path = SOURCE) -> list[Agreement]:
    return [_read(path) for path in sorted(folder.glob("*.md"))]


def accepted(text: str) -> str:
    """A text with its tracked changes accepted and without its footnotes."""
    return _MARK.sub(lambda mark: mark[2] if mark[1] == "+" else "", text)


def write(one: Agreement, folder: Path) -> list[Path]:
    """Write the files of an agreement into a folder that exists; the main one is the first returned."""
    path = folder / f"{one.stem}.{one.kind}"
    _WRITERS[one.kind](one, path)
    if not one.sheets:
        return [path]
    annex = folder / f"{one.stem}{ANNEX}.xlsx"
    _workbook(one, annex)
    return [path, annex]


def _run(texts: Sequence[str], mark: str) -> int:
    return next((at for at, text in enumerate(texts) if text != mark), len(texts))


def _read(path: Path) -> Agreement:
    written = frontmatter.load(str(path))
    kind, look = str(written["format"]).split()
    items: list[Line | Grid] = []
    lines = [line for line in written.content.splitlines() if line]
    order = ""
    while lines:
        if lines[0].startswith("|"):
            height = _run(["|" if line.startswith("|") else "" for line in lines], "|")
            items.append(_grid(lines[:height], order))
            del lines[:height]
            order = ""
            continue
        line = lines.pop(0)
        if line.startswith("{") and line.endswith("}") and line[1] not in "+-":
            order = line[1:-1]
            continue
        text = line.lstrip("#")
        items.append(Line(len(line) - len(text), text.strip()))
    title, bulletin = str(written["title"]), str(written.get("bulletin", ""))
    # A bulletin opens with the resolution that publishes the agreement.
    opening = next(at for at, item in enumerate(items) if isinstance(item, Line) and item.level)
    items.insert(opening if bulletin else 0, Line(TITLE, title))
    return Agreement(path.stem, title, kind, look, bulletin, tuple(items))


def _grid(lines: Sequence[str], order: str) -> Grid:
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    header = rows.index(("---",))
    del rows[header]
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"A row of another length: {lines[0]}")
    return Grid(tuple(rows), header, order)


def _word(one: Agreement, path: Path) -> None:
    if one.look == "tracked":
        path.write_bytes(_tracked(one))
        return
    document = docx.Document()
    if one.bulletin:
        document.sections[0].header.paragraphs[0].text = one.bulletin
    for item in one.body:
        if isinstance(item, Grid):
            _word_table(document, item)
        elif item.level and one.look == "headings":
            document.add_heading(item.text, item.level % TITLE)
        else:
            document.add_paragraph().add_run(item.text).bold = bool(item.level)
    document.save(str(path))


def _word_table(document: WordDocument, grid: Grid) -> None:
    table = document.add_table(len(grid.rows), grid.columns, style="Table Grid")
    for cell in grid.cells():
        first = table.cell(cell.row, cell.column)
        last = table.cell(cell.row + cell.height - 1, cell.column + cell.width - 1)
        first.merge(last).text = cell.text


def _tracked(one: Agreement) -> bytes:
    notes: list[str] = []
    body: list[str] = []
    for item in one.body:
        if isinstance(item, Grid):
            body.append(_tracked_table(item))
        elif item.level:
            body.append(p(run(html.escape(item.text), "<w:b/>")))
        else:
            body.append(p(*_tracked_runs(item.text, notes)))
    footnotes = "".join(
        f'<w:footnote w:id="{number}">{p(run(html.escape(note)))}</w:footnote>'
        for number, note in enumerate(notes, 1)
    )
    return word_xml(*body, footnotes=footnotes)


def _tracked_runs(text: str, notes: list[str]) -> Iterator[str]:
    at = 0
    for mark in _MARK.finditer(text):
        yield run(html.escape(text[at : mark.start()]))
        at = mark.end()
        revision = _REVISION.format(100 + at)
        if mark[1] == "+":
            yield f"<w:ins {revision}>{run(html.escape(mark[2]))}</w:ins>"
        elif mark[1] == "-":
            yield f"<w:del {revision}><w:r><w:delText>{html.escape(mark[2])}</w:delText></w:r></w:del>"
        else:
            notes.append(mark[3])
            yield f'<w:r><w:footnoteReference w:id="{len(notes)}"/></w:r>'
    yield run(html.escape(text[at:]))


def _tracked_table(grid: Grid) -> str:
    rows = ["<w:tr>"] * len(grid.rows)
    for cell in sorted(grid.cells(), key=lambda one: one.column):
        for at in range(cell.row, cell.row + cell.height):
            first = at == cell.row
            merge = f'<w:vMerge w:val="{"restart" if first else "continue"}"/>' if cell.height > 1 else ""
            text = p(run(html.escape(cell.text))) if first else p()
            rows[at] += f'<w:tc><w:tcPr><w:gridSpan w:val="{cell.width}"/>{merge}</w:tcPr>{text}</w:tc>'
    made = "".join(f"{row}</w:tr>" for row in rows)
    return f"<w:tbl><w:tblGrid>{'<w:gridCol/>' * grid.columns}</w:tblGrid>{made}</w:tbl>"


def _pdf(one: Agreement, path: Path) -> None:
    styles = getSampleStyleSheet()
    story: list[Flowable] = []
    cells = ParagraphStyle("cells", fontSize=9)
    looks = (styles["BodyText"], styles["Heading2"], styles["Heading4"], styles["Title"])
    for item in one.body:
        if isinstance(item, Grid):
            story += [*_pdf_tables(item, cells, ruled=one.look == "ruled"), Spacer(1, 12)]
        else:
            story += [CondPageBreak(50)] if item.level else []
            story.append(Paragraph(html.escape(item.text), looks[item.level]))
    head = partial(_running_head, one.bulletin)
    SimpleDocTemplate(str(path), pagesize=A4, topMargin=80).build(story, head, head)


def _running_head(text: str, canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawString(72, 795, text)
    canvas.drawRightString(523, 40, f"Pág. {FIRST_PAGE - 1 + document.page}")


def _pdf_tables(grid: Grid, style: ParagraphStyle, *, ruled: bool) -> Iterator[Flowable]:
    cut = (grid.header + len(grid.rows)) // 2 if grid.order.startswith("split") else len(grid.rows)
    yield _pdf_table(grid, range(cut), style, ruled=ruled)
    if cut < len(grid.rows):
        head = () if grid.order == "split bare" else range(grid.header)
        yield PageBreak()
        yield _pdf_table(grid, (*head, *range(cut, len(grid.rows))), style, ruled=ruled)


def _pdf_table(grid: Grid, chosen: Sequence[int], style: ParagraphStyle, *, ruled: bool) -> Flowable:
    rows: list[list[str | Paragraph]] = [[""] * grid.columns for _ in chosen]
    look = TableStyle()
    if ruled:
        look.add("GRID", (0, 0), (-1, -1), 0.5, colors.black)
    for cell in grid.cells():
        if cell.row in chosen:
            at = chosen.index(cell.row)
            rows[at][cell.column] = Paragraph(html.escape(cell.text), style)
            look.add("SPAN", (cell.column, at), (cell.column + cell.width - 1, at + cell.height - 1))
    first = 140
    rest = (451 - first) / (grid.columns - 1)
    return Table(rows, colWidths=[first, *[rest] * (grid.columns - 1)], style=look)


def _html(one: Agreement, path: Path) -> None:
    plain = one.look == "bulletin"
    tags = ("p", "p", "p", "p") if plain else ("p", "h2", "h3", "h1")
    parts: list[str] = []
    for item in one.body:
        if isinstance(item, Grid):
            parts.append(_html_table(item, heads=not plain))
        else:
            text = html.escape(item.text)
            inside = f"<strong>{text}</strong>" if plain and item.level else text
            parts.append(f"<{tags[item.level]}>{inside}</{tags[item.level]}>")
    menu = '<nav><a href="/">Inicio</a> <a href="/sumario">Sumario</a> <a href="/ayuda">Ayuda</a></nav>'
    foot = f"<footer>{html.escape(one.bulletin)}. Depósito legal en trámite.</footer>"
    content = "\n".join(parts)
    path.write_text(
        '<!DOCTYPE html>\n<html lang="es"><head><meta charset="utf-8">'
        f"<title>{html.escape(one.bulletin or one.title)}</title></head><body>\n"
        f"{menu if plain else ''}\n<main>\n{content}\n</main>\n{foot if plain else ''}\n</body></html>\n",
        encoding="utf-8",
    )


def _html_table(grid: Grid, *, heads: bool) -> str:
    rows = [""] * len(grid.rows)
    for cell in sorted(grid.cells(), key=lambda one: one.column):
        tag = "th" if heads and (cell.row < grid.header or cell.column == 0) else "td"
        wide = f' colspan="{cell.width}"' if cell.width > 1 else ""
        high = f' rowspan="{cell.height}"' if cell.height > 1 else ""
        rows[cell.row] += f"<{tag}{wide}{high}>{html.escape(cell.text)}</{tag}>"
    return "<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"


def _workbook(one: Agreement, path: Path) -> None:
    book = Workbook()
    book.remove(book.worksheets[0])
    for grid in one.sheets:
        sheet = book.create_sheet(grid.sheet)
        sheet.append([f"{one.title}. {grid.sheet}"])
        sheet.merge_cells(start_row=1, end_row=1, start_column=1, end_column=grid.columns)
        for cell in grid.cells():
            row, column = cell.row + 3, cell.column + 1
            filled = sheet.cell(row, column)
            filled.value = cell.text
            if _NUMBER.fullmatch(cell.text):
                filled.value = float(cell.text.replace(".", "").replace(",", "."))
                filled.number_format = "#,##0." + "0" * len(cell.text.partition(",")[2])
            if cell.width * cell.height > 1:
                last = (row + cell.height - 1, column + cell.width - 1)
                sheet.merge_cells(start_row=row, end_row=last[0], start_column=column, end_column=last[1])
    book.save(path)


_WRITERS: Mapping[str, Callable[[Agreement, Path], None]] = {"docx": _word, "pdf": _pdf, "html": _html}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the invented agreements as files.")
    parser.add_argument("folder", type=Path, help="folder of the files; made if it is missing")
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for one in agreements():
        print(*write(one, folder))
