"""Ordering candidates by rules: section match, overlap of terms and the search score (S2.20-S2.21).

The sum (0-3) + (0-3) + (0-4) over 10, times how much the kind of provision usually answers questions:
transitional, repealing and final provisions and preambles seldom hold the rule that is in force.
"""

from __future__ import annotations

from collections.abc import Sequence

from rag.textnorm import stems
from rag.types import BlockKind, Hit

SECTION, OVERLAP, ORIGINAL = 3.0, 3.0, 4.0
SYNONYM = 0.5
KIND_FACTOR = {
    BlockKind.TRANSITIONAL: 0.6,
    BlockKind.REPEALING: 0.4,
    BlockKind.FINAL: 0.5,
    BlockKind.PREAMBLE: 0.5,
    BlockKind.ADDITIONAL: 0.85,
}


def heuristic_order(question: str, candidates: list[Hit], synonyms: Sequence[str] = ()) -> list[Hit]:
    """The candidates, best first, each with its `rerank` value in 0-1; hits named outright stay in front.

    Terms of `synonyms` count half of the question's own.
    """
    asked = {stem: 1.0 for stem in stems(question)}
    asked |= {stem: SYNONYM for term in synonyms for stem in stems(term) if stem not in asked}
    best = max((hit.score for hit in candidates if hit.origin != "exact"), default=1.0) or 1.0
    scored = [hit.model_copy(update={"rerank": _value(asked, hit, best)}) for hit in candidates]
    return sorted(scored, key=lambda h: (h.origin != "exact", -(h.rerank or 0.0), -h.score, h.chunk.id))


def _value(asked: dict[str, float], hit: Hit, best: float) -> float:
    heading = set(stems(hit.chunk.section)) | set(stems(" ".join(hit.chunk.keywords)))
    body = heading | set(stems(hit.chunk.text))
    total = sum(asked.values()) or 1.0
    section = SECTION * _weight(asked, heading) / max(1.0, min(total, len(heading)))
    overlap = OVERLAP * _weight(asked, body) / total
    original = ORIGINAL * min(1.0, hit.score / best)
    return (section + overlap + original) / 10 * KIND_FACTOR.get(hit.chunk.kind, 1.0)


def _weight(asked: dict[str, float], terms: set[str]) -> float:
    return sum(weight for stem, weight in asked.items() if stem in terms)
