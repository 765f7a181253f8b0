"""Stretches of a chunk that can be quoted: its paragraphs, and the rows of its tables with their headers."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import pairwise, takewhile
from typing import NamedTuple

from law import labels
from law.chunks import ArticleKey, Chunk
from law.norms import BlockKind
from rag.shared.answer_contract import QUOTE_MAX, QUOTE_MIN
from text import rows
from text.captions import captions
from text.lists import members
from text.segmentation import Span, is_row, sentences

_CLAUSE_END = re.compile(r"[;:,.)](?=\s)")
_ITEM = re.compile(r"(?P<dash>[-–—*•])|(?P<letter>[a-zñ]\))|(?P<number>\d+\S* (?!bis|ter|qu))")
_WORD = re.compile("[a-záéíóúñ]{2}")
_SAYS_NOTHING = re.compile(r"\((?:Derogad|Suprimid|Anulad|Sin contenido)|\[…\]")


class Quotable(NamedTuple):
    """A stretch of a chunk's text that can be quoted; of a row of a table, with what stands over it.

    `headers`: the captions of its table, then the rows of its header; `cut`: its sentence goes on; `lead`:
    the sentence that announces the list it is a member of, or ''.
    """

    start: int
    text: str
    headers: tuple[str, ...] = ()
    cut: bool = False
    lead: str = ""


def quotable(chunk: Chunk, continued: tuple[str, ...] = ()) -> list[Quotable]:
    """Paragraphs of a chunk that can be quoted, of 20-500 characters; longer ones in runs of sentences.

    The heading is left out, and so is a sentence that only announces a list or a title over a table. A row
    of a table is one, of any length, with the captions and the rows of its header; the header alone is none.

    Args:
        continued: captions and header of the table that the first rows go on with.
    """
    begin = len(heading(chunk))
    leads = {member.start: chunk.text[slice(*member.lead)] for member in members(chunk.text)}
    titles = [
        span
        for spans in _captions(chunk).values()
        for span in spans
        if not chunk.text[slice(*span)].endswith(".")
    ]
    found: list[Quotable] = []
    table: list[Span] = []
    paragraphs: list[list[Span]] = []
    before = begin
    for span in sentences(chunk.text):
        text = chunk.text[slice(*span)]
        if is_row(text):
            found += _paragraphs(chunk.text, paragraphs, leads)
            paragraphs = []
            table.append(span)
            continue
        found += _rows(chunk, table, continued)
        table = []
        over = any(title.start <= span.start < title.end for title in titles)
        if span.end > begin and not text.endswith(":") and not over:
            if not paragraphs or "\n" in chunk.text[before : span.start]:
                paragraphs.append([])
            paragraphs[-1].append(span)
            before = span.end
    return [*found, *_paragraphs(chunk.text, paragraphs, leads), *_rows(chunk, table, continued)]


def _paragraphs(text: str, paragraphs: list[list[Span]], leads: Mapping[int, str]) -> Iterator[Quotable]:
    """Quotable stretches of adjacent paragraphs.

    One too short to be quoted goes with the item of its list before it, or else with the next paragraph.
    """
    joined: list[list[Span]] = []
    for spans in paragraphs:
        own = text[spans[0].start : spans[-1].end]
        short = len(own) < QUOTE_MIN
        if short and (_SAYS_NOTHING.search(own) or (not _ITEM.match(own) and not _WORD.search(own))):
            continue
        before = text[joined[-1][0].start : joined[-1][-1].end] if joined else ""
        if before and (len(before) < QUOTE_MIN or (short and _mark(own) and _mark(own) == _mark(before))):
            joined[-1] += spans
        else:
            joined.append([*spans])
    for spans in joined:
        yield from _runs(text, spans, leads.get(spans[0].start, ""))


def _mark(paragraph: str) -> str | None:
    """The kind of the mark of a list with which a paragraph begins, or None."""
    found = _ITEM.match(paragraph)
    return found.lastgroup if found else None


def _runs(text: str, spans: list[Span], lead: str) -> list[Quotable]:
    """The sentences of one paragraph, as many together as QUOTE_MAX characters hold."""
    groups: list[list[Span]] = []
    for span in spans:
        if groups and span.end - groups[-1][0].start <= QUOTE_MAX:
            groups[-1].append(span)
        else:
            groups.append([span])
    announced = lead if QUOTE_MIN <= len(lead) <= QUOTE_MAX else ""
    wholes = ((group[0].start, text[group[0].start : group[-1].end]) for group in groups)
    return [
        Quotable(start, short, cut=short != whole, lead=announced)
        for start, whole in wholes
        if len(short := shorten_sentence(whole)) >= QUOTE_MIN
    ]


def wording(chunk: Chunk) -> tuple[ArticleKey, date]:
    """Key that the parts of one wording of an article share."""
    return chunk.article, chunk.valid_from


def left_open(chunk: Chunk, parts: Mapping[str, Chunk]) -> tuple[str, ...]:
    """Captions and header of the table that the chunk's first rows go on with; `parts` are those known."""
    before = parts.get(f"{chunk.id.rpartition('#')[0]}#{chunk.part - 1}")
    return still_open(before, left_open(before, parts)) if before is not None and chunk.start else ()


def goes_on(chunk: Chunk) -> bool:
    """True if the chunk begins with rows of a table whose header is in an earlier part."""
    first, second, *_ = [*chunk.text.strip().split("\n", 2), ""]
    return chunk.start > 0 and is_row(first) and not rows.is_rule(second)


def still_open(chunk: Chunk, continued: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Captions and header of the table that ends a chunk; none if it ends in words."""
    spans = sentences(chunk.text)
    table = list(takewhile(lambda span: is_row(chunk.text[slice(*span)]), reversed(spans)))[::-1]
    return [headers for headers, _ in _tables(chunk, table, continued)][-1] if table else ()


def over_rows(chunk: Chunk, start: int, end: int, continued: tuple[str, ...]) -> list[str]:
    """Captions and headers over the rows between these offsets, without those between them.

    A row that stands alike in several tables is shown with what stands over each.
    """
    stretch = chunk.text[start:end]
    if not any(map(is_row, stretch.splitlines())):
        return []
    pieces = quotable(chunk, continued)
    texts = {one.text for one in pieces if start <= one.start < end}
    headers = dict.fromkeys(line for one in pieces if one.text in texts for line in one.headers)
    return [one for one in headers if one not in stretch]


def table_lines(chunk: Chunk) -> Iterator[Span]:
    """The rows of the tables of a chunk and their captions, which are quoted as they are however short."""
    for spans in _captions(chunk).values():
        yield from spans
    yield from (span for span in sentences(chunk.text) if is_row(chunk.text[slice(*span)]))


def _captions(chunk: Chunk) -> dict[int, tuple[Span, ...]]:
    return captions(chunk.text, f"{heading(chunk)}\n{chunk.section}")


def heading(chunk: Chunk) -> str:
    """The first line of a wording that says its heading; '' if it has none, like a section of a contract."""
    first, below, _ = chunk.text.partition("\n")
    if chunk.start or not below:
        return ""
    said = first.strip() == chunk.section.strip() or labels.of_heading(first) is not None
    return first if said or chunk.kind is BlockKind.PREAMBLE else ""


def _rows(chunk: Chunk, lines: list[Span], continued: tuple[str, ...]) -> Iterator[Quotable]:
    """The rows of adjacent tables that can be quoted: a short one needs a value beside its name."""
    for headers, body in _tables(chunk, lines, continued):
        for span in body:
            text = chunk.text[slice(*span)]
            if len(text) <= QUOTE_MAX and (len(text) >= QUOTE_MIN or sum(map(bool, rows.cells(text))) > 1):
                yield Quotable(span.start, text, headers)


def _tables(
    chunk: Chunk, lines: list[Span], continued: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], list[Span]]]:
    """Captions and header of each of the adjacent tables of these lines, and its rows.

    A table without a rule has its first row as header, unless it goes on.
    """
    if not lines:
        return
    texts = [chunk.text[slice(*span)] for span in lines]
    starts = {place for place in range(len(texts) - 1) if rows.is_rule(texts[place + 1])}
    first = chunk.start > 0 and not chunk.text[: lines[0].start].strip()
    over = [chunk.text[slice(*span)] for span in _captions(chunk).get(lines[0].start, ())]
    for begin, end in pairwise(sorted({0, *starts, len(texts)})):
        head = rows.headers(texts[begin:end]) or ((0,) if begin == 0 and not first else ())
        named = [text for place in head if any(rows.cells(text := texts[begin + place]))]
        above = tuple(text for text in [*(over if begin == 0 else ()), *named] if len(text) <= QUOTE_MAX)
        body = [
            lines[place]
            for place in range(begin, end)
            if place - begin not in head and not rows.is_rule(texts[place])
        ]
        yield (continued if first and begin == 0 and not head else above), body


def shorten_sentence(text: str) -> str:
    """The sentence, cut at its last clause end within QUOTE_MAX if longer; '' if it has no such end."""
    if len(text) <= QUOTE_MAX:
        return text
    ends = [match.end() for match in _CLAUSE_END.finditer(text[:QUOTE_MAX])]
    return text[: ends[-1]].rstrip(",;: ") if ends else ""
