"""Reads an XLSX into documents: each sheet is a section, each block of its cells a table with its header."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from law.norms import Document
from loading.formats import agreement_facts, norm_facts, office_xml
from loading.formats.assemble import assemble
from loading.formats.broken_lines import Paragraph
from loading.formats.markdown_tables import markdown_rows
from loading.formats.sheets import Cell, Sheet, Workbook
from loading.formats.source_file import Source

Row = dict[int, Cell]


def load(source: Source, collection: str) -> list[Document]:
    """The documents of a workbook.

    Raises:
        InputError: it is damaged, has too many cells, or holds no text.
    """
    with office_xml.opened(source, "Excel") as package:
        book = Workbook(package)
        found = [paragraph for sheet in book.sheets() for paragraph in _paragraphs(sheet)]
    title = [Paragraph(_named(found) or norm_facts.file_name_words(source.name), 1)] if found else []
    return assemble(source.name, [*title, *found], collection, tuple(book.warnings))


def _named(found: Sequence[Paragraph]) -> str:
    """The name of the norm or agreement that the lines over the first table give; '' without one."""
    over = takewhile(lambda paragraph: not paragraph.text.startswith("|"), found[: agreement_facts.HEAD])
    lines = [paragraph.text for paragraph in over]
    return next(filter(norm_facts.title, lines), "") or agreement_facts.named(lines)


def _paragraphs(sheet: Sheet) -> Iterator[Paragraph]:
    """The sheet's name and its blocks: lines over a table, and the rows of the table."""
    blocks = list(_blocks(sheet))
    if blocks and sheet.name:
        yield Paragraph(sheet.name, 2)
    header: Row = {}
    for block in blocks:
        start = next(
            (at for at, row in enumerate(block) if len({cell.origin for cell in row.values()}) > 1),
            len(block),
        )
        yield from (Paragraph(next(iter(row.values())).text) for row in block[:start])
        rows = block[start:]
        if not rows:
            continue
        if not any(cell.figure for cell in rows[0].values()):
            header = rows[0]
        elif header.keys() >= {column for row in rows for column in row}:
            # A blank row, or a name over some rows, does not end a table.
            rows.insert(0, header)
        else:
            header = {}
        yield from map(Paragraph, _table(rows, headed=bool(header)))


def _blocks(sheet: Sheet) -> Iterator[list[Row]]:
    """Rows that no empty row divides, without those that only repeat cells from above."""
    block: list[Row] = []
    last = 0
    for number in sorted(sheet.rows):
        row = sheet.rows[number]
        if not row:
            continue
        if block and any(between not in sheet.hidden for between in range(last + 1, number)):
            yield block
            block = []
        last = number
        if any(cell.origin[0] == number for cell in row.values()):
            block.append(row)
    if block:
        yield block


def _table(rows: Sequence[Row], headed: bool) -> Iterator[str]:
    columns = sorted({column for row in rows for column in row})
    lines = [[row[column].text if column in row else "" for column in columns] for row in rows]
    for row, line in zip(rows, lines, strict=True):
        if len({cell.origin for cell in row.values()}) == 1:
            line[:] = [text if column == min(row) else "" for column, text in zip(columns, line, strict=True)]
    return markdown_rows(lines, headed)
