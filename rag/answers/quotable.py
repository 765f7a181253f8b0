"""Stretches of a chunk that can be quoted: its paragraphs, and the rows of its tables with their headers."""

import re
from collections.abc import Mapping
from itertools import pairwise, takewhile
from typing import NamedTuple

from rag.answers.contract import QUOTE_MAX, QUOTE_MIN
from rag.text import rows
from rag.text.lists import members
from rag.text.segmentation import Span, is_row, sentences
from rag.types import ArticleKey, Chunk

_CLAUSE_END = re.compile(r"[;:,.)](?=\s)")


class Quotable(NamedTuple):
    """A stretch of a chunk's text that can be quoted; of a row of a table, with the rows of its header.

    `cut`: its sentence goes on; `lead`: the sentence that announces the list it is a member of, or ''.
    """

    start: int
    text: str
    headers: tuple[str, ...] = ()
    cut: bool = False
    lead: str = ""


def quotable(chunk: Chunk, continued: tuple[str, ...] = ()) -> list[Quotable]:
    """Paragraphs of a chunk that can be quoted, of 20-500 characters; longer ones in runs of sentences.

    The heading is left out, and so is a sentence that only announces a list. A row of a table is one,
    with the rows of its header; the header alone is none.

    Args:
        continued: header of the table that the first rows go on with.
    """
    heading = chunk.text.find("\n") if chunk.start == 0 else 0
    leads = {member.start: chunk.text[slice(*member.lead)] for member in members(chunk.text)}
    found: list[Quotable] = []
    table: list[Span] = []
    run: list[Span] = []
    lead = ""
    for span in sentences(chunk.text):
        text = chunk.text[slice(*span)]
        if run and (is_row(text) or "\n" in chunk.text[run[-1].end : span.start]):
            found += _runs(chunk.text, run, lead)
            run = []
        if is_row(text):
            table.append(span)
            continue
        found += _rows(chunk, table, continued)
        table = []
        if not run:
            lead = leads.get(span.start, "")
        if span.end > heading and not text.endswith(":"):
            run.append(span)
    return found + _runs(chunk.text, run, lead) + _rows(chunk, table, continued)


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


def left_open(chunk: Chunk, parts: Mapping[tuple[ArticleKey, int], Chunk]) -> tuple[str, ...]:
    """Header of the table that the chunk's first rows go on with, by the earlier `parts` that are known."""
    before = parts.get((chunk.article, chunk.part - 1))
    if before is None or not chunk.start:
        return ()
    lines = [line.strip() for line in before.text.strip().split("\n")]
    table = list(takewhile(is_row, reversed(lines)))[::-1]
    last = max((place for place, line in enumerate(table) if rows.is_rule(line)), default=1) - 1
    own = tuple(table[last + place] for place in rows.headers(table[last:]))
    return own or (left_open(before, parts) if len(table) == len(lines) else ())


def _rows(chunk: Chunk, lines: list[Span], continued: tuple[str, ...]) -> list[Quotable]:
    """The rows of adjacent tables. A table without a rule has its first row as header, unless it goes on."""
    texts = [chunk.text[span.start : span.end].strip() for span in lines]
    starts = {place for place in range(len(texts) - 1) if rows.is_rule(texts[place + 1])}
    goes_on = bool(lines) and chunk.start > 0 and not chunk.text[: lines[0].start].strip()
    found: list[Quotable] = []
    for begin, end in pairwise(sorted({0, *starts, len(texts)})):
        head = rows.headers(texts[begin:end]) or ((0,) if begin == 0 and not goes_on else ())
        headers = tuple(text for place in head if QUOTE_MIN <= len(text := texts[begin + place]) <= QUOTE_MAX)
        own = continued if goes_on and begin == 0 and not head else headers
        found += [
            Quotable(lines[place].start, texts[place], own)
            for place in range(begin, end)
            if place - begin not in head
            and not rows.is_rule(texts[place])
            and QUOTE_MIN <= len(texts[place]) <= QUOTE_MAX
        ]
    return found


def shorten_sentence(text: str) -> str:
    """The sentence, cut at its last clause end within QUOTE_MAX if longer; '' if it has no such end."""
    if len(text) <= QUOTE_MAX:
        return text
    ends = [match.end() for match in _CLAUSE_END.finditer(text[:QUOTE_MAX])]
    return text[: ends[-1]].rstrip(",;: ") if ends else ""
