"""Stretches of a chunk that can be quoted: its paragraphs, and the rows of its tables with their headers."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from law import labels
from law.chunks import Chunk
from law.provision import Kind, Provision, Unit
from law.provision_reading import read_provision
from law.tables import Table, captions, tables
from rag.shared.answer_contract import QUOTE_MAX, QUOTE_MIN
from text import rows

_CLAUSE_END = re.compile(r"[;:,.)](?=\s)")
_ITEM = re.compile(r"(?P<dash>[-–—*•])|(?P<letter>[a-zñ]\))|(?P<number>\d+\S* (?!bis|ter|qu))")
_WORD = re.compile("[a-záéíóúñ]{2}")
_SAYS_NOTHING = re.compile(r"\((?:Derogad|Suprimid|Anulad|Sin contenido)|\[…\]")


class Quotable(NamedTuple):
    """A stretch of a chunk's text that can be quoted; of a row of a table, with what stands over it.

    `headers`: the captions of its table, then the rows of its header; `cut`: its sentence goes on; `lead`:
    the sentence that announces the list it is a member of, or '' also if that is too long to be quoted;
    `listed`: where that sentence begins.
    """

    start: int
    text: str
    headers: tuple[str, ...] = ()
    cut: bool = False
    lead: str = ""
    listed: int | None = None


def quotable(chunk: Chunk, continued: tuple[str, ...] = ()) -> list[Quotable]:
    """Paragraphs of a chunk that can be quoted, of 20-500 characters; longer ones in runs of sentences.

    The heading is left out, and so is a sentence that only announces a list or a title over a table; one that
    announces a table is a stretch. A row of a table is one, of any length, with the captions and the rows of
    its header; the header alone is none.

    Args:
        continued: captions and header of the table that the first rows go on with.
    """
    provision, begin = read_provision(chunk.text), len(labels.heading(chunk))
    titles = {span for spans in captions(chunk).values() for span in spans}
    of_table = {table.start: table for table in tables(chunk, continued)}
    found: list[Quotable] = []
    paragraphs: list[Unit] = []
    for block in provision.blocks:
        if block.kind is Kind.TABLE:
            found += [*_paragraphs(provision, paragraphs), *_rows(provision, of_table[block.start])]
            paragraphs = []
            continue
        last = block.children[-1:]
        over_table = [one for one in last if one.kind is Kind.LEAD and one.span in titles]
        if over_table or block.span not in titles or provision.said(block).endswith("."):
            kept = tuple(one for one in block.children if one.end > begin and one.kind is not Kind.LEAD)
            lead = block.lead if kept and kept[0].start == block.start else None
            paragraphs += [block._replace(children=kept, lead=lead)] if kept else []
        announced = [Quotable(one.start, provision.said(one)) for one in over_table]
        if announced and QUOTE_MIN <= len(announced[0].text) <= QUOTE_MAX:
            found += [*_paragraphs(provision, paragraphs), *announced]
            paragraphs = []
    return [*found, *_paragraphs(provision, paragraphs)]


def _paragraphs(provision: Provision, paragraphs: list[Unit]) -> Iterator[Quotable]:
    """Quotable stretches of adjacent paragraphs.

    One too short to be quoted goes with the item of its list before it, or else with the next paragraph.
    """
    joined: list[Unit] = []
    for one in paragraphs:
        own = _text(provision, one.children)
        short = len(own) < QUOTE_MIN
        if short and (_SAYS_NOTHING.search(own) or (not _ITEM.match(own) and not _WORD.search(own))):
            continue
        before = _text(provision, joined[-1].children) if joined else ""
        mark = item_mark(own)
        if before and (len(before) < QUOTE_MIN or (short and mark and mark == item_mark(before))):
            joined[-1] = joined[-1]._replace(children=(*joined[-1].children, *one.children))
        else:
            joined.append(one)
    for one in joined:
        yield from _runs(provision, one)


def _text(provision: Provision, sentences: Sequence[Unit]) -> str:
    """The words from the first of these sentences to the last."""
    return provision.text[sentences[0].start : sentences[-1].end]


def item_mark(paragraph: str) -> str | None:
    """The kind of the mark of a list with which a paragraph begins, or None."""
    found = _ITEM.match(paragraph)
    return found.lastgroup if found else None


def _runs(provision: Provision, paragraph: Unit) -> list[Quotable]:
    """The sentences of one paragraph, as many together as QUOTE_MAX characters hold."""
    groups: list[list[Unit]] = []
    for one in paragraph.children:
        if groups and one.end - groups[-1][0].start <= QUOTE_MAX:
            groups[-1].append(one)
        else:
            groups.append([one])
    lead = provision.said(paragraph.lead) if paragraph.lead else ""
    announced = lead if QUOTE_MIN <= len(lead) <= QUOTE_MAX else ""
    listed = paragraph.lead.start if paragraph.lead else None
    wholes = ((group[0].start, _text(provision, group)) for group in groups)
    return [
        Quotable(start, short, cut=short != whole, lead=announced, listed=listed)
        for start, whole in wholes
        if len(short := shorten_sentence(whole)) >= QUOTE_MIN
    ]


def _rows(provision: Provision, table: Table) -> Iterator[Quotable]:
    """The rows of a table that can be quoted: a short one needs a value beside its name."""
    for row in table.rows:
        text = provision.said(row)
        if len(text) <= QUOTE_MAX and (len(text) >= QUOTE_MIN or sum(map(bool, rows.cells(text))) > 1):
            yield Quotable(row.start, text, table.over)


def shorten_sentence(text: str) -> str:
    """The sentence, cut at its last clause end within QUOTE_MAX if longer; '' if it has no such end."""
    if len(text) <= QUOTE_MAX:
        return text
    ends = [match.end() for match in _CLAUSE_END.finditer(text[:QUOTE_MAX])]
    return text[: ends[-1]].rstrip(",;: ") if ends else ""
