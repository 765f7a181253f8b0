"""The answer without a model: the best verbatim sentences, each with its marker, in reading order."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log

from rag.contract import ANSWER_MAX, QUOTE_MAX, QUOTE_MIN, Draft, DraftCitation
from rag.segmentation import sentences
from rag.services import Services, State
from rag.textnorm import stems
from rag.types import Chunk, Hit

MAX_QUOTES = 5
PER_QUERY = 3
TOP_HITS = 5
KEEP_RATIO = 0.55
RANK_DECAY = 0.88
FIGURE_BONUS = 0.25

_ASKS_FIGURE = re.compile(
    r"\b(?:cu[aá]nt\w+|plazo|edad|porcentaje|cuant[ií]a|importe|duraci[oó]n|dura)\b", re.I
)
_FIGURE = re.compile(
    r"\d|\b(?:un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta)\b"
    r"\s+(?:d[ií]as?|semanas?|mes(?:es)?|años?|horas?|por ciento)",
    re.I,
)
_CLAUSE_END = re.compile(r"[;:,.)](?=\s)")


@dataclass(frozen=True)
class Passage:
    """A quotable stretch of a hit's text."""

    hit: int
    start: int
    text: str
    score: float


def extract(state: State, services: Services) -> Draft:
    """Quote, for each sub-query, the sentences that share most with it; never a word of our own law."""
    chosen: dict[tuple[int, int], Passage] = {}
    for number, query in enumerate(state.queries):
        wanted = f"{query.text} {' '.join(services.synonyms.expand(query.text))}"
        hits = [
            (i, hit)
            for i, hit in enumerate(state.context.hits)
            if hit.origin != "reference" and (number in hit.sub_queries or not hit.sub_queries)
        ]
        for passage in _best(wanted, hits[:TOP_HITS]):
            chosen.setdefault((passage.hit, passage.start), passage)
    best = sorted(chosen.values(), key=lambda p: (-p.score, p.hit, p.start))[:MAX_QUOTES]
    return _draft(sorted(best, key=lambda p: (p.hit, p.start)), state)


def _best(wanted: str, hits: list[tuple[int, Hit]]) -> list[Passage]:
    query = set(stems(wanted))
    pool = [(i, hit, start, text) for i, hit in hits for start, text in quotable(hit.chunk)]
    frequency = Counter(stem for *_, text in pool for stem in set(stems(text)))
    wants_figure = bool(_ASKS_FIGURE.search(wanted))
    scored = []
    for order, (i, hit, start, text) in enumerate(pool):
        own = set(stems(text))
        heading = set(stems(hit.chunk.section))
        weight = {s: log(1 + len(pool) / (1 + frequency[s])) for s in query}
        total = sum(weight.values()) or 1.0
        share = sum(weight[s] * (1.0 if s in own else 0.5 if s in heading else 0.0) for s in query) / total
        bonus = FIGURE_BONUS if wants_figure and _FIGURE.search(text) else 0.0
        rank = next(place for place, (j, _) in enumerate(hits) if j == i)
        lead = 0.05 / (1 + order)
        scored.append(Passage(i, start, text, (share + bonus + lead) * RANK_DECAY**rank))
    scored.sort(key=lambda p: (-p.score, p.hit, p.start))
    floor = scored[0].score * KEEP_RATIO if scored else 0.0
    return [p for p in scored[:PER_QUERY] if p.score >= floor]


def quotable(chunk: Chunk) -> list[tuple[int, str]]:
    """Sentences of a chunk that can be quoted, as (offset, text): not its heading, 20-500 characters."""
    found = []
    for start, end in ((span.start, span.end) for span in sentences(chunk.text)):
        text = chunk.text[start:end].strip()
        if start == 0 and text.rstrip(".") in chunk.section.rstrip("."):
            continue
        text = shorten_sentence(text)
        if len(text) >= QUOTE_MIN:
            found.append((start, text))
    return found


def shorten_sentence(text: str) -> str:
    """A sentence too long to quote, cut at its last clause within the limit."""
    if len(text) <= QUOTE_MAX:
        return text
    ends = [match.end() for match in _CLAUSE_END.finditer(text[:QUOTE_MAX])]
    return text[: ends[-1]].rstrip(",;: ") if ends else ""


def _draft(passages: list[Passage], state: State) -> Draft:
    paragraphs: dict[int, list[str]] = {}
    citations: list[DraftCitation] = []
    used = 0
    for passage in passages:
        chunk = state.context.hits[passage.hit].chunk
        size = len(passage.text) + len(chunk.name) + len(chunk.section) + 20
        if used + size > ANSWER_MAX:
            continue
        used += size
        paragraphs.setdefault(passage.hit, []).append(passage.text)
        marker = state.context.marker(passage.hit)
        citations.append(DraftCitation(quote=passage.text, source=chunk.law, marker=marker))
    lines = [
        f"**{_name(state.context.hits[i].chunk)}.** "
        + " ".join(f"«{text}» [{state.context.marker(i)}]" for text in texts)
        for i, texts in paragraphs.items()
    ]
    if not lines:
        return Draft(answer="No hay frases que citar.", confidence=0.0, refusal=True)
    return Draft(
        answer="\n\n".join(lines), citations=citations, confidence=state.rule_confidence, refusal=False
    )


def _name(chunk: Chunk) -> str:
    return f"{chunk.alias or chunk.law}, {chunk.section.rstrip('. ')}"
