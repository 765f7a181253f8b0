"""The answer without a model: the best verbatim sentences, each with its marker, in reading order."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import log

from rag.answers.contract import ANSWER_MAX, Draft, DraftCitation
from rag.answers.quotable import Quotable, left_open, quotable
from rag.running.fallback import embedded
from rag.state import Services, State
from rag.text import rows
from rag.text.figures import days, figures, holds, measured
from rag.text.segmentation import is_row
from rag.text.textnorm import stems
from rag.trace import ModelCall
from rag.types import Chunk, Hit

MAX_QUOTES = 5
PER_QUERY = 4
TOP_HITS = 5
POOL = 14
KEEP_RATIO = 0.6
RANK_DECAY = 0.8
HEADING = 0.5
SYNONYM = 0.5
FIGURE = 0.25
MEASURE = 0.6
RANGE = 0.6
KIN = 0.7
ROWS = 0.9
MEANING = 0.6
BY_WORDS = "Frases elegidas por sus palabras: no se pudo comparar su significado ({reason})."

_ASKS_FIGURE = re.compile(
    r"\b(?:cu[aá]nt\w+|plazo|edad|porcentaje|cuant[ií]a|importe|duraci[oó]n|dura)\b", re.I
)
_ASKS_TIME = re.compile(r"\b(?:dura\w*|tiempo|plazo|cu[aá]ndo|antelaci[oó]n|preaviso)\b", re.I)
_DURATIONS = "horas días semanas meses años"
_AMOUNTS = "euros ciento mensualidades"
_ASKED_UNIT = re.compile(r"\bcu[aá]nt[oa]s\s+(\w+)", re.I)
_NUMBERING = re.compile(r"^\s*(?:\d+\.|[a-zñ]\))\s")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True)
class Passage:
    """A quotable stretch of a hit's text; a row of a table is quoted with its header.

    `columns`: the columns of a row that the question asks about.
    """

    hit: int
    start: int
    text: str
    score: float
    headers: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()
    cut: bool = False

    @property
    def quotes(self) -> tuple[str, ...]:
        return (*self.headers, self.text)

    @property
    def meant(self) -> str:
        """The words whose meaning is compared: of a row, those that tell it from the others."""
        return rows.label(self.text) or self.text if is_row(self.text) else self.text


async def extract(state: State, services: Services) -> tuple[Draft, list[ModelCall], str]:
    """Quote the most relevant sentences for each sub-query, without any wording of our own about the law.

    Returns:
        (the draft, its embedding calls, the Spanish reason if meaning did not count or '').
    """
    calls: list[ModelCall] = []
    per_query: list[list[Passage]] = []
    reason = ""
    for number, query in enumerate(state.queries):
        hits = [
            (i, hit)
            for i, hit in enumerate(state.context.hits)
            if hit.origin != "reference" and (number in hit.sub_queries or not hit.sub_queries)
        ]
        if len(state.queries) > 1:
            hits.sort(key=lambda pair: _rank(pair[1], state.found.get(number, [])))
        named = [(i, hit) for i, hit in hits if hit.origin == "exact"]
        text = _without_names(query.text, state)
        pool = by_terms(text, services.synonyms.expand(text), _first_articles(named or hits))
        if not reason:
            seconds = state.seconds_left(services.profile.search_seconds)
            pool, made, reason = await by_meaning(text, pool, services, seconds)
            calls += made
        per_query.append(best(pool))
    kept = _take_turns(per_query)
    fallback = BY_WORDS.format(reason=reason) if reason else ""
    return draft(sorted(kept, key=lambda p: (p.hit, p.start)), state), calls, fallback


def _without_names(query: str, state: State) -> str:
    """The query without the names of the agreements it names, which all their sentences would match."""
    named = state.understanding.agreements.named if state.understanding else ()
    hits = (hit.chunk for hit in state.context.hits)
    called = {stem for chunk in hits if chunk.norm_id in named for stem in stems(chunk.law)}
    kept = [word for word in query.split() if not (own := set(stems(word))) or not own <= called]
    return " ".join(kept) if any(map(stems, kept)) else query


def _first_articles(hits: list[tuple[int, Hit]]) -> list[tuple[int, Hit]]:
    """The hits of the first articles; parts of one article count once."""
    first = list(dict.fromkeys(hit.chunk.article for _, hit in hits))[:TOP_HITS]
    return [(i, hit) for i, hit in hits if hit.chunk.article in first]


def _rank(hit: Hit, ranking: list[tuple[str, str]]) -> int:
    return ranking.index(hit.key) if hit.key in ranking else len(ranking)


def _take_turns(per_query: list[list[Passage]]) -> list[Passage]:
    """At most MAX_QUOTES passages: the first of every sub-query, then the second… so that each gets some."""
    turns = (passage for row in zip_longest(*per_query) for passage in row if passage is not None)
    chosen: dict[str, Passage] = {}
    for passage in turns:
        chosen.setdefault(passage.text, passage)
    return list(chosen.values())[:MAX_QUOTES]


def _order(passage: Passage) -> tuple[float, int, int]:
    return (-passage.score, passage.hit, passage.start)


def by_terms(query: str, synonyms: tuple[str, ...], hits: list[tuple[int, Hit]]) -> list[Passage]:
    """The POOL best passages of the hits, by the share of the query's terms they hold, weighted by rarity.

    A term in the heading or the name of the norm counts half for all sentences; a figure adds to the score if
    the query asks for one, and so does the range of a row that holds the length of time asked about; the
    score falls by RANK_DECAY with each place of the article among the hits.
    """
    wanted = {stem: 1.0 for stem in stems(query)}
    wanted |= {stem: SYNONYM for term in synonyms for stem in stems(term) if stem not in wanted}
    articles = dict.fromkeys(hit.chunk.article for _, hit in hits)
    places = {article: place for place, article in enumerate(articles)}
    earlier = {(hit.chunk.article, hit.chunk.part): hit.chunk for _, hit in hits}
    pool = [
        (places[hit.chunk.article], i, hit, piece)
        for i, hit in hits
        for piece in _of_the_year(query, quotable(hit.chunk, left_open(hit.chunk, earlier)))
    ]
    frequency = Counter(stem for *_, piece in pool for stem in set(stems(piece.text)))
    weights = {s: w * log(1 + len(pool) / (1 + frequency[s])) for s, w in wanted.items()}
    total = sum(weights.values()) or 1.0
    lengths = days(query)
    scored = []
    for place, i, hit, (start, text, headers, cut) in pool:
        row = is_row(text)
        own = set(stems(text))
        heading = set(stems(f"{hit.chunk.law} {hit.chunk.section} {' '.join(headers)}"))
        share = sum(
            w * (1.0 if s in own else KIN if row and rows.kin(s, own) else HEADING if s in heading else 0.0)
            for s, w in weights.items()
        )
        bonus = _row_bonus(query, text) if row else _figure_bonus(query, _NUMBERING.sub("", text))
        if row and any(holds(text, length) for length in lengths):
            bonus += RANGE
        columns = rows.asked(query, text, headers) if row else ()
        score = (share / total + bonus) * RANK_DECAY**place
        scored.append(Passage(i, start, text, score, headers, columns, cut))
    return sorted(scored, key=_order)[:POOL]


def _of_the_year(query: str, pieces: list[Quotable]) -> list[Quotable]:
    """The pieces without the rows of other years, of tables that have rows of a year that the query names."""
    years = set(_YEAR.findall(query))
    own = {piece.headers for piece in pieces if piece.headers and years & set(_YEAR.findall(piece.text))}
    return [p for p in pieces if p.headers not in own or years & set(_YEAR.findall(p.text))]


def _row_bonus(query: str, text: str) -> float:
    """Score added to a row for its values: tables seldom repeat the unit, which their title has."""
    if not _ASKS_FIGURE.search(query) or not figures(text):
        return 0.0
    return FIGURE if _ASKS_TIME.search(query) or _ASKED_UNIT.search(query) else MEASURE


def _figure_bonus(query: str, text: str) -> float:
    """Score added to a sentence for a figure: MEASURE in the unit asked for, FIGURE in another, or 0.

    «Cuántos días» names it; «cuánto dura» and «plazo» want a time, any other «cuánto» an amount.
    """
    if not _ASKS_FIGURE.search(query):
        return 0.0
    nouns = _ASKED_UNIT.findall(query) or [_DURATIONS if _ASKS_TIME.search(query) else _AMOUNTS]
    units = {stem for noun in nouns for stem in stems(noun)}
    if units & {stem for noun in measured(text) for stem in stems(noun)}:
        return MEASURE
    return FIGURE if figures(text) else 0.0


async def by_meaning(
    query: str, pool: list[Passage], services: Services, seconds: float
) -> tuple[list[Passage], tuple[ModelCall, ...], str]:
    """The pool with similarity of meaning added to the scores: cosines scaled to 0-1, times MEANING.

    Returns:
        (the pool, its call, the Spanish reason if the embedder failed or took more than `seconds`, or '').
        Without an embedder, or with fewer than two passages, the pool is unchanged.
    """
    if services.embedder is None or len(pool) < 2:
        return pool, (), ""
    texts = [query, *(passage.meant for passage in pool)]
    vectors, calls, reason = await embedded(services.embedder, texts, seconds)
    if vectors is None:
        return pool, (), reason
    cosines = [sum(a * b for a, b in zip(vectors[0], v, strict=True)) for v in vectors[1:]]
    low, spread = min(cosines), (max(cosines) - min(cosines)) or 1.0
    closer = sorted(
        (
            replace(p, score=p.score + MEANING * (cosine - low) / spread)
            for p, cosine in zip(pool, cosines, strict=True)
        ),
        key=_order,
    )
    return closer, calls, ""


def best(passages: list[Passage]) -> list[Passage]:
    """At most PER_QUERY passages with KEEP_RATIO or more of the first one's score.

    Rows of one table are alike but for what tells them apart: they need ROWS of their best one's. Those with
    the same first cell stay together: they are the cases of one rule.
    """
    found: set[Passage] = set()
    tables: dict[tuple[int, tuple[str, ...]], float] = {}
    for passage in passages:
        row = tables.setdefault((passage.hit, passage.headers), passage.score) if passage.headers else 0.0
        if passage.score >= max(passages[0].score * KEEP_RATIO, row * ROWS):
            found.add(passage)
    cases = {_case(passage) for passage in found if passage.headers}
    return [p for p in passages if p in found or (p.headers and _case(p) in cases)][:PER_QUERY]


def _case(row: Passage) -> tuple[int, tuple[str, ...], str]:
    return row.hit, row.headers, rows.cells(row.text)[0]


def draft(passages: list[Passage], state: State) -> Draft:
    """The passages as an answer, a paragraph a source, with their citations; a refusal without any."""
    paragraphs: dict[int, list[str]] = {}
    citations: dict[tuple[int, str], DraftCitation] = {}
    used = 0
    for passage in passages:
        chunk = state.context.hits[passage.hit].chunk
        size = sum(map(len, passage.quotes)) + len(chunk.name) + len(chunk.section) + 20
        if used + size > ANSWER_MAX:
            continue
        used += size
        marker = state.context.marker(passage.hit)
        paragraphs.setdefault(passage.hit, []).append(f"{said(passage)} [{marker}]")
        for quote in passage.quotes:
            holder = _holder(quote, passage.hit, state)
            found = DraftCitation(quote=quote, source=chunk.law, marker=state.context.marker(holder))
            citations.setdefault((holder, quote), found)
    lines = [
        f"**{_name(state.context.hits[i].chunk)}.** {' '.join(parts)}" for i, parts in paragraphs.items()
    ]
    if not lines:
        return Draft(answer="No hay frases que citar.", confidence=0.0, refusal=True)
    return Draft(
        answer="\n\n".join(lines),
        citations=list(citations.values()),
        confidence=state.rule_confidence,
        refusal=False,
    )


def _holder(quote: str, hit: int, state: State) -> int:
    """The hit, or the part of its article that has the header of the table it goes on with."""
    hits = state.context.hits
    if quote in hits[hit].chunk.text:
        return hit
    article = hits[hit].chunk.article
    return next((i for i, h in enumerate(hits) if h.chunk.article == article and quote in h.chunk.text), hit)


def said(passage: Passage) -> str:
    """A sentence between quotation marks, with «(…)» if it goes on; a row, in words."""
    if not is_row(passage.text):
        return f"«{passage.text}»{' (…)' if passage.cut else ''}"
    return rows.said(passage.text, passage.headers, passage.columns)


def _name(chunk: Chunk) -> str:
    return f"{chunk.alias or chunk.law}, {chunk.section.rstrip('. ')}"
