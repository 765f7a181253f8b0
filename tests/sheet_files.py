"""XLSX files from their XML, as spreadsheet programs write them and as no library does."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from tests.office_files import zipped

_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
Value = str | float | int | tuple[float, str] | None


def rows(*lines: Sequence[Value], start: int = 1, codes: Sequence[str] = ()) -> str:
    """The XML of rows from a number on: texts, numbers, (number, format) or None; texts that begin with
    '<c' as they are. `codes` are the formats that the file knows.
    """
    return "".join(f'<row r="{at}">{_cells(line, at, codes)}</row>' for at, line in enumerate(lines, start))


def _cells(line: Sequence[Value], at: int, codes: Sequence[str]) -> str:
    return "".join(_cell(value, f"{chr(65 + place)}{at}", codes) for place, value in enumerate(line))


def _cell(value: Value, reference: str, codes: Sequence[str]) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return f'<c r="{reference}" s="{codes.index(value[1]) + 1}"><v>{value[0]}</v></c>'
    if isinstance(value, str):
        text = f'<is><t xml:space="preserve">{escape(value)}</t></is>'
        return value if value.startswith("<c") else f'<c r="{reference}" t="inlineStr">{text}</c>'
    return f'<c r="{reference}"><v>{value}</v></c>'


def sheet(data: str, columns: str = "", merged: Sequence[str] = ()) -> str:
    """The XML of a sheet with those rows, columns and merged ranges."""
    joined = "".join(f'<mergeCell ref="{one}"/>' for one in merged)
    cols = f"<cols>{columns}</cols>" if columns else ""
    return (
        f"<worksheet {_MAIN}>{cols}<sheetData>{data}</sheetData><mergeCells>{joined}</mergeCells></worksheet>"
    )


def book(
    sheets: Mapping[str, str],
    codes: Sequence[str] = (),
    shared: str = "",
    *,
    hidden: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
) -> bytes:
    """An XLSX of sheets by name, with those number formats and shared strings, and other parts by path."""
    formats = "".join(
        f'<numFmt numFmtId="{n}" formatCode={quoteattr(code)}/>' for n, code in enumerate(codes, 164)
    )
    styles = "".join(f'<xf numFmtId="{164 + n}"/>' for n in range(len(codes)))
    listed = "".join(
        f'<sheet name={quoteattr(name)} r:id="s{n}" state="{"hidden" if name in hidden else "visible"}"/>'
        for n, name in enumerate(sheets)
    )
    parts = {
        "xl/workbook.xml": f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": _relations(
            *((f"s{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(len(sheets))),
            ("a", "styles", "/xl/styles.xml"),
            ("b", "sharedStrings", "sharedStrings.xml"),
        ),
        "xl/styles.xml": (
            f"<styleSheet {_MAIN}><numFmts>{formats}</numFmts>"
            f'<cellXfs><xf numFmtId="0"/>{styles}</cellXfs></styleSheet>'
        ),
        "xl/sharedStrings.xml": f"<sst {_MAIN}>{shared}</sst>",
        **{f"xl/worksheets/sheet{n}.xml": one for n, one in enumerate(sheets.values())},
        **(more or {}),
    }
    return zipped({path: content.encode() for path, content in parts.items()})


def related(sheet_number: int, *kinds: str) -> dict[str, str]:
    """The relations of a sheet to parts of those kinds: 'drawing', 'comments'."""
    path = f"xl/worksheets/_rels/sheet{sheet_number}.xml.rels"
    return {path: _relations(*((f"r{n}", kind, f"../x{n}.xml") for n, kind in enumerate(kinds)))}


def _relations(*links: tuple[str, str, str]) -> str:
    made = "".join(
        f'<Relationship Id="{one}" Type="{_OFFICE}/{kind}" Target="{target}"/>' for one, kind, target in links
    )
    return f'<Relationships xmlns="{_PACKAGE}">{made}</Relationships>'
