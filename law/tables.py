"""Tables of a provision: what stands over their rows, which go on in another part, which are missing."""

import re
from collections.abc import Mapping
from itertools import chain, pairwise
from typing import NamedTuple

from law import labels
from law.chunks import Chunk
from law.provision import Kind, Provision, Unit
from law.provision_reading import read_provision
from text import rows
from text.segmentation import Span

LONGEST = 150
"""Characters of a title over a table."""
LONGEST_HEAD = 500
"""Characters of a line that is told over a row: as many as a quotation may have."""
MOST = 3
_TITLE = re.compile(r"(?:anexo|tabla|cuadro)s?\b", re.I)
_ANNOUNCED = re.compile(
    r"\bsiguientes? (?P<first>cuadro|tabla|escala|baremo)s?\b"
    r"|\b(?P<last>cuadro|tabla|escala|baremo)s? siguientes?\b"
)
_SAID = {"cuadro": "un cuadro", "tabla": "una tabla", "escala": "una escala", "baremo": "un baremo"}
_APARTADO = re.compile(r"\d{1,2}\.\s")
_ITEM = re.compile(r"\s*(?:[-–—•*]|\w{1,2}[.)º]|\d|.{0,40}?\d)")


class Table(NamedTuple):
    """A table of a chunk: where it begins, the captions and rows of the header over its rows, and these."""

    start: int
    over: tuple[str, ...]
    rows: tuple[Unit, ...]


def tables(chunk: Chunk, continued: tuple[str, ...] = ()) -> list[Table]:
    """The tables of a chunk. One without a rule has its first row as header, unless it goes on.

    Args:
        continued: captions and header of the table that the first rows go on with.
    """
    provision = read_provision(chunk.text)
    titles = captions(chunk)
    found: list[Table] = []
    before: Unit | None = None
    for block in provision.blocks:
        if block.kind is Kind.TABLE:
            head = [one for one in block.children if one.kind is Kind.HEADER]
            alone = before is None or before.kind is not Kind.TABLE
            going_on = before is None and chunk.start > 0
            if alone and not head and not going_on:
                head = [block.children[0]]
            named = [provision.said(row) for row in head if any(rows.cells(provision.said(row)))]
            over = [*map(provision.said, titles.get(block.start, ())), *named]
            above = tuple(line for line in over if len(line) <= LONGEST_HEAD)
            body = tuple(one for one in block.children if one not in head and one.kind is not Kind.DIVIDER)
            found.append(Table(block.start, continued if going_on and not head else above, body))
        before = block
    return found


def captions(chunk: Chunk) -> dict[int, tuple[Span, ...]]:
    """The lines over each table of a chunk, by its start: titles, or the sentence that announces it.

    Titles that only stand over other titles («Tablas de 2026», «Taller») are those of the next tables too.
    The headings that the chunk stands under are no captions.
    """
    provision, headings = read_provision(chunk.text), f"{labels.heading(chunk)}\n{chunk.section}"
    found: dict[int, tuple[Span, ...]] = {}
    over: list[Span] = []
    shared: tuple[Span, ...] = ()
    for block in provision.blocks:
        said = provision.said(block)
        if block.kind is Kind.TABLE:
            if over:
                *higher, own = over[-MOST:]
                if higher or rows.years(provision.said(own)):
                    shared = tuple(higher)
                found[block.start] = (*shared, own)
            over = []
        elif said not in headings and _is_title(said):
            over.append(block.span)
        elif said not in headings and block.children[-1].kind is Kind.LEAD:
            over.append(block.children[-1].span)
        else:
            over = []
    return found


def _is_title(line: str) -> bool:
    """True for a short line that is no sentence, or names a table or a year."""
    if len(line) > LONGEST or line.endswith((":", ";", ",")):
        return False
    return not line.endswith(".") or bool(_TITLE.match(line) or rows.years(line))


def left_open(chunk: Chunk, parts: Mapping[str, Chunk]) -> tuple[str, ...]:
    """Captions and header of the table that the chunk's first rows go on with; `parts` are those known."""
    before = parts.get(f"{chunk.id.rpartition('#')[0]}#{chunk.part - 1}")
    if before is None or not chunk.start or read_provision(before.text).blocks[-1].kind is not Kind.TABLE:
        return ()
    return tables(before, left_open(before, parts))[-1].over


def goes_on(chunk: Chunk) -> bool:
    """True if the chunk begins with rows of a table whose header is in an earlier part."""
    rows_first = [one for one in read_provision(chunk.text).blocks[:1] if one.kind is Kind.TABLE]
    return chunk.start > 0 and any(one.children[0].kind is not Kind.HEADER for one in rows_first)


def over_rows(chunk: Chunk, start: int, end: int, continued: tuple[str, ...]) -> list[str]:
    """Captions and headers over the rows between these offsets, without those between them.

    A row that stands alike in several tables is shown with what stands over each.
    """
    said = read_provision(chunk.text).said
    found = tables(chunk, continued)
    quoted = {said(row) for table in found for row in table.rows if start <= row.start < end}
    over = [table.over for table in found if not quoted.isdisjoint(map(said, table.rows))]
    return [one for one in dict.fromkeys(chain(*over)) if one not in chunk.text[start:end]]


def table_lines(chunk: Chunk) -> list[Span]:
    """The rows of the tables of a chunk and their captions, which are quoted as they are however short."""
    titles = [span for spans in captions(chunk).values() for span in spans]
    return titles + [one.span for one in read_provision(chunk.text).sentences if one.tabular]


def lacking(provision: Provision) -> list[str]:
    """The tables that paragraphs announce and no row or list follows, in Spanish («un cuadro»), in order.

    Some exports of a norm leave them out. What the last paragraph announces may be in another part.
    """
    found = []
    for block, following in pairwise(provision.blocks):
        announced = _ANNOUNCED.search(provision.said(block)) if block.kind is Kind.PARAGRAPH else None
        if announced and not _may_be_it(provision, block, following):
            found.append(_SAID[announced["first"] or announced["last"]])
    return list(dict.fromkeys(found))


def _may_be_it(provision: Provision, block: Unit, following: Unit) -> bool:
    """True if what follows a paragraph may be the table that it announces."""
    said = provision.said(following)
    if following.kind is Kind.TABLE:
        return True
    lead = block.children[-1].kind is Kind.LEAD
    return _ITEM.match(said) is not None and (lead or _APARTADO.match(said) is None)
