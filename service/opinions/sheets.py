"""Tables for spreadsheets, as CSV and XLSX; formulas are escaped by `plain_cell`."""

import csv
import io
from collections.abc import Iterable, Sequence

from openpyxl import Workbook
from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from loading.formats.encoding import clean
from service.oversight.cells import plain_cell

LONGEST = 30_000
"""Characters of a cell: a spreadsheet takes 32,767."""
_WRAPPED = Alignment(wrap_text=True, vertical="top")
_HEAD = PatternFill("solid", fgColor="E7E6E1")


def csv_file(names: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The rows under their names, in the UTF-8 with a mark that Excel knows."""
    text = io.StringIO()
    csv.writer(text).writerows([plain_cell(cell) for cell in row] for row in (names, *rows))
    return text.getvalue().encode("utf-8-sig")


def sheet_file(
    title: str, names: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int]
) -> bytes:
    """A workbook with the rows on one sheet."""
    book = Workbook()
    book.properties.title, book.properties.creator = clean(title), "Articulado"
    sheet = book.worksheets[0]
    sheet.title = title
    head(sheet, names, widths)
    for number, row in enumerate(rows, start=2):
        for column, text in enumerate(row, start=1):
            put(sheet, number, column, text)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    return saved(book)


def saved(book: Workbook) -> bytes:
    """The file of a workbook."""
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def head(sheet: Worksheet, names: Sequence[str], widths: Sequence[int]) -> None:
    """The first row of a sheet, repeated on every page of paper."""
    for column, (name, width) in enumerate(zip(names, widths, strict=True), start=1):
        cell = put(sheet, 1, column, name)
        cell.font, cell.fill = Font(bold=True), _HEAD
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = "1:1"


def put(sheet: Worksheet, row: int, column: int, text: str) -> SheetCell:
    """Write a cell."""
    cell = sheet.cell(row, column)
    assert isinstance(cell, SheetCell)
    # As text whatever it looks like: never a formula, a number or a date of the spreadsheet's own making.
    cell.value, cell.data_type, cell.alignment = cell_text(text), "s", _WRAPPED
    return cell


def cell_text(text: str) -> str:
    """The text as a cell can hold it."""
    return plain_cell(clean(text))[:LONGEST]
