"""The sheets of an XLSX: their cells as they are shown, without what is hidden.

ISO/IEC 29500-1, 18.2 (workbook) and 18.3 (sheets). Parts are read as they come and never kept whole.
"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from core.errors import InputError
from loading.formats import number_formats
from loading.formats.encoding import clean, one_line
from loading.formats.markdown_tables import REPEATED
from loading.formats.office_xml import Package, attribute, local, whole_number

BOOK = "xl/workbook.xml"
MAX_CELLS = 1_000_000
MAX_CHARACTERS = 50_000_000
MAX_AREA = 10_000_000
"""Rows of a sheet by its columns: each row of a table has a place for each of its columns."""
HIDDEN = "El libro tiene hojas, filas o columnas ocultas, que no se han cargado."
UNSAVED = (
    "El libro tiene fórmulas sin su resultado guardado, que no se han cargado: ábralo en su programa de "
    "hojas de cálculo, guárdelo y cárguelo otra vez."
)
DRAWN = "El libro tiene imágenes, gráficos o cuadros de texto: lo que esté en ellos no se ha cargado."
COMMENTS = "El libro tiene comentarios, que no se han cargado."
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_YEARS = (1900, 2100)
_TRUTH = {"1": "VERDADERO", "0": "FALSO"}


class Cell(NamedTuple):
    """A cell that is not empty.

    Attributes:
        figure: True for a number that is neither a day nor a year.
        origin: (row, column) of the cell that it repeats, when it stands in a merged range; else its own.
    """

    text: str
    figure: bool
    origin: tuple[int, int]


@dataclass
class Sheet:
    """A sheet that is shown: its rows by number, each with its cells by column."""

    name: str
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)


class Workbook:
    """The sheets of one file.

    Attributes:
        warnings: Spanish sentences about what the sheets leave out, so far.
    """

    def __init__(self, package: Package) -> None:
        self._package = package
        self._parts = package.relations(BOOK)
        self._book = package.part(BOOK)
        self._formats = _formats(self._part("styles"))
        self._shared = self._strings()
        self._since_1904 = any(
            one.get("date1904") in {"1", "true"} for one in self._book.iter("{*}workbookPr")
        )
        self._cells, self._characters = 0, 0
        self.warnings: dict[str, None] = {}

    def sheets(self) -> Iterator[Sheet]:
        """Every sheet that is shown, in the order of their tabs.

        Raises:
            InputError: together they have too many cells or too much text.
        """
        for one in self._book.iter("{*}sheet"):
            kind, path = self._parts.get(attribute(one, "id"), ("", ""))
            if one.get("state") in {"hidden", "veryHidden"}:
                self.warnings[HIDDEN] = None
            elif kind == "worksheet":
                yield self._sheet(one_line(clean(one.get("name") or "")), path)
            else:
                self.warnings[DRAWN] = None

    def _sheet(self, name: str, path: str) -> Sheet:
        sheet = Sheet(name)
        unseen: set[int] = set()
        merged: list[tuple[int, int, int, int]] = []
        row = column = 0
        for event, element in self._package.events(path, "{*}row", "{*}c", "{*}col", "{*}mergeCell"):
            tag = local(element)
            if tag == "row" and event == "start":
                row, column = whole_number(element.get("r"), row + 1), 0
                if _is_true(element.get("hidden")):
                    sheet.hidden.add(row)
            elif tag == "col" and event == "end" and _is_true(element.get("hidden")):
                unseen.update(
                    range(
                        whole_number(element.get("min"), 1),
                        min(whole_number(element.get("max"), 1), 16_384) + 1,
                    )
                )
            elif tag == "c" and event == "end":
                column = _place(element.get("r"), (row, column + 1))[1]
                self._spend(1, 0)
                if cell := self._cell(element, (row, column)):
                    sheet.rows.setdefault(row, {})[column] = cell
            elif tag == "mergeCell" and event == "end":
                first, _, last = (element.get("ref") or "").partition(":")
                merged.append((*_place(first, (1, 1)), *_place(last or first, (1, 1))))
        self._repeat(sheet, merged)
        self._hide(sheet, unseen)
        self._tell(path)
        if len(sheet.rows) * len({column for row in sheet.rows.values() for column in row}) > MAX_AREA:
            raise self._too_much()
        return sheet

    def _cell(self, element: Any, place: tuple[int, int]) -> Cell | None:
        kind = element.get("t") or "n"
        value = element.findtext("{*}v") or ""
        figure = False
        if kind == "s":
            text = self._shared[int(value)] if value else ""
        elif kind == "inlineStr":
            text = _rich(element.find("{*}is"))
        elif kind == "b":
            text = _TRUTH.get(value, value)
        elif kind == "d":
            text = _iso_day(value)
        elif kind == "n" and value and math.isfinite(float(value)):
            text, figure = self._number(Decimal(f"{float(value):.15g}"), whole_number(element.get("s"), 0))
        else:
            text = value
        if not value and kind == "n" and element.find("{*}f") is not None:
            self.warnings[UNSAVED] = None
        text = one_line(clean(text))
        self._spend(0, len(text))
        return Cell(text, figure, place) if text else None

    def _number(self, value: Decimal, style: int) -> tuple[str, bool]:
        code = self._formats[style] if style < len(self._formats) else number_formats.GENERAL
        year = _YEARS[0] <= value <= _YEARS[1] and code in {number_formats.GENERAL, "0"}
        text = number_formats.shown(value, code, self._since_1904)
        return text, not (year or number_formats.is_day(code))

    def _repeat(self, sheet: Sheet, merged: Sequence[tuple[int, int, int, int]]) -> None:
        """Put the value of each merged range into its other places, in rows that hold something."""
        numbers = sorted(sheet.rows)
        widest = max((column for row in sheet.rows.values() for column in row), default=0)
        for top, left, bottom, right in merged:
            cell = sheet.rows.get(top, {}).get(left)
            if cell is None:
                continue
            again = cell._replace(text=cell.text if len(cell.text) <= REPEATED else "")
            for number in numbers[bisect_left(numbers, top) : bisect_right(numbers, bottom)]:
                width = min(right, widest) - left + 1
                self._spend(max(width, 1), max(width, 1) * len(again.text))
                for column in range(left, left + width):
                    if (number, column) != (top, left):
                        sheet.rows[number][column] = again

    def _hide(self, sheet: Sheet, unseen: set[int]) -> None:
        for number, row in list(sheet.rows.items()):
            shown = {} if number in sheet.hidden else {c: cell for c, cell in row.items() if c not in unseen}
            if len(shown) < len(row):
                self.warnings[HIDDEN] = None
                sheet.rows[number] = shown

    def _tell(self, path: str) -> None:
        kinds = {kind for kind, _ in self._package.relations(path).values()}
        if "drawing" in kinds:
            self.warnings[DRAWN] = None
        if kinds & {"comments", "threadedComment"}:
            self.warnings[COMMENTS] = None

    def _spend(self, cells: int, characters: int) -> None:
        self._cells += cells
        self._characters += characters
        if self._cells > MAX_CELLS or self._characters > MAX_CHARACTERS:
            raise self._too_much()

    def _too_much(self) -> InputError:
        return InputError(
            f"{self._package.name}: tiene más de un millón de celdas o demasiado texto; borre las filas y "
            "columnas vacías que tengan formato, o divídalo en partes."
        )

    def _part(self, kind: str) -> Any:
        path = next((path for name, path in self._parts.values() if name == kind), "")
        return self._package.part(path)

    def _strings(self) -> list[str]:
        path = next((path for name, path in self._parts.values() if name == "sharedStrings"), "")
        if path not in self._package.names:
            return []
        events = self._package.events(path, "{*}si")
        return [_rich(element) for event, element in events if event == "end"]


def _rich(element: Any) -> str:
    """A text with its runs, without the phonetic ones."""
    if element is None:
        return ""
    pieces = (
        child.findtext("{*}t") if local(child) == "r" else child.text
        for child in element
        if local(child) in {"r", "t"}
    )
    return "".join(piece or "" for piece in pieces)


def _formats(styles: Any) -> list[str]:
    """The number format of each style of a cell."""
    if styles is None:
        return []
    own = {
        whole_number(one.get("numFmtId"), 0): one.get("formatCode") or ""
        for one in styles.iterfind("{*}numFmts/{*}numFmt")
    }
    codes = number_formats.BUILT_IN | own
    return [
        codes.get(whole_number(one.get("numFmtId"), 0), number_formats.GENERAL)
        for one in styles.iterfind("{*}cellXfs/{*}xf")
    ]


def _place(reference: str | None, otherwise: tuple[int, int]) -> tuple[int, int]:
    """(row, column) of a reference such as 'B12'; `otherwise` without one."""
    found = _REFERENCE.fullmatch(reference or "")
    if found is None:
        return otherwise
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]), column


def _is_true(text: str | None) -> bool:
    return text in {"1", "true"}


def _iso_day(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return moment.strftime("%d/%m/%Y %H:%M" if "T" in text else "%d/%m/%Y")
