"""Does the context suffice, without a model: several signals, one calibrated decision.

A cosine alone refuses badly; what helps is how much of the question the best hits speak about, rare
words counting more. The weights are a logistic regression on the two development sets, printed with its
cross-validated error by `python -m scripts.calibrate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from rag.index_types import IndexFilter, IndexQuery
from rag.services import Services, State
from rag.textnorm import stems
from rag.types import Hit, Verdict

TOP = 3
RAREST = 12.0
REFUSE_BELOW = 0.5
PARTIAL_BELOW = 0.6
EXACT = 0.9

# A cosine means nothing without its model: each calibrated model has its weights, any other none for it.
# The bias leaves 0.5 where 5 % of the answerable development questions are refused.
LEXICAL = {"coverage": 1.15, "known": 2.24, "dense": 0.0, "synonyms": 3.96, "bias": -2.88}
CALIBRATED = {
    "multilingual-e5-small-q4/windows-1": {
        "coverage": 0.87,
        "known": 2.11,
        "dense": 1.7,
        "synonyms": 4.0,
        "bias": -3.99,
    }
}

OUT_OF_SCOPE = (
    "La pregunta no parece tratar de Derecho laboral o de Seguridad Social, "
    "o la norma que la regula no está en el corpus."
)
_GENERIC = frozenset(
    stems(
        "cuánto cuántos cuántas cuándo cómo dónde quién quiénes cuál cuáles qué puedo puede pueden poder "
        "tengo tiene tener hay hacer hago debo debe según ley legal legalmente derecho corresponde "
        "corresponden caso pasa necesito quiero dice artículo persona"
    )
)


@dataclass(frozen=True)
class Judgement:
    """The decision and the signals it came from."""

    verdict: Verdict
    confidence: float
    signals: tuple[tuple[str, float], ...]
    reasons: tuple[str, ...] = ()


def judge(state: State, services: Services) -> Judgement:
    """Decide from how much of the question corpus and hits speak about, cosine and synonyms.

    The confidence is never above the share of the question that the best hits speak about, except
    where the question names its article.
    """
    hits = [hit for hit in state.hits if hit.origin != "reference"]
    own = state.queries[0].text
    rarity = rarities(content(own), state, services)
    values = signals(own, hits, rarity, services)
    weights = CALIBRATED.get(services.embedder.name if services.embedder else "", LEXICAL)
    probability = _probability(weights, values)
    floor = EXACT if any(hit.origin == "exact" for hit in hits) else 0.0
    probability = max(probability, floor)
    verdict = Verdict.SUFFICIENT if probability >= PARTIAL_BELOW else Verdict.PARTIAL
    reasons: tuple[str, ...] = ()
    if probability < REFUSE_BELOW:
        verdict, reasons = Verdict.INSUFFICIENT, (OUT_OF_SCOPE,)
    shown = (*values.items(), ("probabilidad", probability))
    return Judgement(verdict, round(min(probability, max(values["coverage"], floor)), 4), shown, reasons)


def _probability(weights: dict[str, float], values: dict[str, float]) -> float:
    score = weights["bias"] + sum(weights[name] * value for name, value in values.items())
    return 1 / (1 + exp(-max(-60.0, min(60.0, score))))


def rarities(terms: Sequence[str], state: State, services: Services) -> dict[str, float]:
    """How rare each stem is in the corpus: about its IDF, read off the best score it has alone.

    A stem that no chunk holds counts as the rarest.
    """
    where = IndexFilter(as_of=state.as_of, collections=tuple(services.profile.collection_weights))
    asked = [IndexQuery(sparse=services.encoder.term(term), where=where, limit=1) for term in terms]
    found = services.index.search(asked) if asked else []
    return {
        term: min(RAREST, ranking[0].score) if ranking else RAREST
        for term, ranking in zip(terms, found, strict=True)
    }


def signals(
    question: str, hits: Sequence[Hit], rarity: dict[str, float], services: Services
) -> dict[str, float]:
    """The features of the decision, each about 0 to 1.

    coverage: share of the question's stems, by rarity, that the best hits hold; known: share that the
    corpus holds at all; dense: best cosine; synonyms: 1 when an everyday word of the question is one of ours.
    """
    spoken: set[str] = set()
    for hit in hits[:TOP]:
        chunk = hit.chunk
        spoken.update(
            stems(" ".join((chunk.law, chunk.section, chunk.text, *chunk.keywords, *chunk.questions)))
        )
    total = sum(rarity.values())
    held = sum(value for term, value in rarity.items() if term in spoken)
    known = sum(value for value in rarity.values() if value < RAREST)
    return {
        "coverage": held / total if total else 0.0,
        "known": known / total if total else 0.0,
        "dense": max((hit.dense for hit in hits[:TOP] if hit.dense is not None), default=0.0),
        "synonyms": float(bool(services.synonyms.fired(question))),
    }


def content(question: str) -> list[str]:
    """Distinct stems that say what the question is about; none for «¿Y si no me las dan?»."""
    return [stem for stem in dict.fromkeys(stems(question)) if stem not in _GENERIC]
