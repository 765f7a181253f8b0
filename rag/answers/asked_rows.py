"""Rows of tables that a question asks about, chosen by rules: tables differ in little but their labels."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from datetime import MAXYEAR
from math import log

from rag.answers.passage_selection import (
    ASKED_UNIT,
    ASKS_FIGURE,
    ASKS_TIME,
    NUMBERING,
    Found,
    Passage,
    in_asked_unit,
    order,
)
from rag.answers.yearly_rows import of_the_year
from text import rows
from text.figures import days, figures, holds, measured
from text.segmentation import is_row
from text.textnorm import stems

MOST_ROWS = 4
POOL = 14
KEEP_RATIO = 0.6
RANK_DECAY = 0.8
HEADING = 0.5
SYNONYM = 0.5
FIGURE = 0.25
MEASURE = 0.6
RANGE = 0.6
KIN = 0.8
ROWS = 0.9
TOLD = "told"
_POINT = re.compile(r"(?<=\d)[.,](?=\d)")


def asked_rows(
    query: str, synonyms: Sequence[str], found: Sequence[Found], year: int = MAXYEAR
) -> list[Passage]:
    """At most MOST_ROWS rows, if one holds more of the question than any sentence does; else none.

    A term in the heading or the name of the norm counts half for all; a figure adds to the score if the query
    asks for one and the stretch says a word of it, and so does the range of a row that holds the length of
    time asked about; the score falls by RANK_DECAY with each place of the article among the hits.

    Args:
        year: the year whose law is applied, of which the rows are unless the query names another.
    """
    return _best(_scored(query, synonyms, of_the_year(query, found, year))[:POOL])


def told_rows(query: str, synonyms: Sequence[str], found: Sequence[Found]) -> list[Passage]:
    """At most MOST_ROWS rows of tables that are known to answer; none if no row says what is asked about."""
    tabular = [row for row in _scored(query, synonyms, found) if is_row(row.text)]
    return _best([row for row in tabular if dict(row.features)[TOLD]])


def announced_rows(passage: Passage, found: Sequence[Found]) -> list[Found]:
    """The rows of the table over which the passage stands."""
    return [one for one in found if passage.text in one.piece.headers]


def _scored(query: str, synonyms: Sequence[str], pool: Sequence[Found]) -> list[Passage]:
    """The stretches with their scores, best first; TOLD is 1 for a row that says a word of the query.

    Empty if no stretch is a row.
    """
    # A row is told with what stands over it, which is no rival of its own rows.
    over = {line for one in pool for line in one.piece.headers}
    pool = [one for one in pool if one.piece.text not in over]
    if not any(is_row(one.piece.text) for one in pool):
        return []
    wanted = {stem: 1.0 for stem in stems(query)}
    wanted |= {stem: SYNONYM for term in synonyms for stem in stems(term) if stem not in wanted}
    words = {one.piece: _words(one.piece.text) for one in pool}
    frequency = Counter(stem for one in pool for stem in words[one.piece])
    weights = {s: w * log(1 + len(pool) / (1 + frequency[s])) for s, w in wanted.items()}
    total = sum(weights.values()) or 1.0
    lengths = days(query)
    passages = []
    for one in pool:
        chunk, (_, text, headers, *_) = one.hit.chunk, one.piece
        row = is_row(text)
        own = words[one.piece]
        title = set(stems(f"{chunk.section} {' '.join(headers)}"))
        heading = title.union(stems(chunk.law))
        said = {s: 1.0 if s in own else KIN for s in weights if s in own or (row and rows.kin(s, own))}
        share = sum(w * said.get(s, HEADING if s in heading else 0.0) for s, w in weights.items())
        held = row and any(holds(text, length) for length in lengths)
        if row:
            bonus = RANGE * held + _row_bonus(query, text, title, told=held or bool(said))
        else:
            bonus = _figure_bonus(query, NUMBERING.sub("", text), said.keys() | title & weights.keys())
        score = (share / total + bonus) * RANK_DECAY**one.place
        columns = rows.asked_columns(query, text, headers) if row else ()
        passages.append(one.passage(score, columns=columns, features=((TOLD, float(held or bool(said))),)))
    return sorted(passages, key=order)


def _words(text: str) -> set[str]:
    """Stems of a stretch; in a row an amount is one word: «1.433» is not of group 1."""
    return set(stems(_POINT.sub("", text) if is_row(text) else text))


def _row_bonus(query: str, text: str, title: Set[str], *, told: bool) -> float:
    """Score added to a row for its values: MEASURE for amounts, whose unit tables seldom repeat, FIGURE else.

    Another unit that is asked for must stand in the title or the header, or behind a number of the row. A row
    that neither has it nor says a word of the query (`told`) has nothing to do with it.
    """
    if not ASKS_FIGURE.search(query) or not figures(text):
        return 0.0
    if units := _asked_units(query):
        return MEASURE if units & {*title, *stems(" ".join(measured(text)))} else FIGURE * told
    return (FIGURE if ASKS_TIME.search(query) else MEASURE) * told


def _figure_bonus(query: str, text: str, said: Set[str]) -> float:
    """Score added to a sentence for a figure: MEASURE in the unit asked for, FIGURE in another, or 0.

    Args:
        said: stems of the query that the sentence or its heading says; a sentence that says none but the
            unit has nothing to do with it.
    """
    if not said - _asked_units(query):
        return 0.0
    if in_asked_unit(query, text):
        return MEASURE
    return FIGURE if ASKS_FIGURE.search(query) and figures(text) else 0.0


def _asked_units(query: str) -> set[str]:
    return {stem for noun in ASKED_UNIT.findall(query) for stem in stems(noun)}


def _best(passages: list[Passage]) -> list[Passage]:
    """The rows with KEEP_RATIO or more of the first passage's score, if that is a row.

    Rows of one table are alike but for what tells them apart: they need ROWS of their best one's. Those with
    the same first cell stay together: they are the cases of one rule.
    """
    if not passages or not is_row(passages[0].text):
        return []
    tabular = [passage for passage in passages if is_row(passage.text)]
    found: set[Passage] = set()
    tables: dict[tuple[int, tuple[str, ...]], float] = {}
    for row in tabular:
        best = tables.setdefault((row.hit, row.headers), row.score) if row.headers else 0.0
        if row.score >= max(passages[0].score * KEEP_RATIO, best * ROWS):
            found.add(row)
    cases = {_case(row) for row in found if row.headers}
    return [row for row in tabular if row in found or (row.headers and _case(row) in cases)][:MOST_ROWS]


def _case(row: Passage) -> tuple[int, tuple[str, ...], str]:
    return row.hit, row.headers, rows.cells(row.text)[0]
