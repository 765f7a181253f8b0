"""Does the context suffice, without a model: several signals, one calibrated decision.

A cosine alone refuses badly; what helps is how much of the question the best hits speak about.
The weights come from a logistic regression on the two development sets (`scripts/calibrate.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from rag.services import Services, State
from rag.textnorm import stems
from rag.types import Hit, Verdict

TOP = 3
REFUSE_BELOW = 0.35
PARTIAL_BELOW = 0.6

# A cosine means nothing without its model: each calibrated model has its weights, any other none for it.
LEXICAL = {"coverage": 6.0, "dense": 0.0, "agreement": 0.5, "synonyms": 1.5, "bias": -3.0}
CALIBRATED = {
    "multilingual-e5-small-q4/windows-1": LEXICAL
    | {"coverage": 5.0, "dense": 30.0, "agreement": 1.0, "synonyms": 1.0, "bias": -28.0}
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
    """Decide from coverage of the question's words, cosine, agreement of rankings and synonyms."""
    hits = [hit for hit in state.hits if hit.origin != "reference"]
    own = state.question if _content(state.question) else state.queries[0].text
    values = signals(own, hits, services)
    model = services.embedder.name if services.embedder else ""
    weights = CALIBRATED.get(model, LEXICAL)
    score = sum(weights[name] * value for name, value in values.items()) + weights["bias"]
    probability = 1 / (1 + exp(-max(-60.0, min(60.0, score))))
    if any(hit.origin == "exact" for hit in hits):
        probability = max(probability, 0.9)
    reasons: tuple[str, ...] = ()
    verdict = Verdict.SUFFICIENT if probability >= PARTIAL_BELOW else Verdict.PARTIAL
    if probability < REFUSE_BELOW:
        verdict, reasons = Verdict.INSUFFICIENT, (OUT_OF_SCOPE,)
    shown = (*values.items(), ("probabilidad", probability))
    return Judgement(verdict, round(probability, 4), shown, reasons)


def signals(question: str, hits: list[Hit], services: Services) -> dict[str, float]:
    """The features of the decision, each about 0 to 1."""
    content = _content(question)
    expansion = services.synonyms.expand(question)
    spoken: set[str] = set()
    for hit in hits[:TOP]:
        chunk = hit.chunk
        spoken.update(
            stems(" ".join((chunk.law, chunk.section, chunk.text, *chunk.keywords, *chunk.questions)))
        )
    covered = sum(stem in spoken for stem in content)
    dense = [hit.dense for hit in hits[:TOP] if hit.dense is not None]
    both = [hit for hit in hits if hit.dense is not None and hit.sparse is not None]
    return {
        "coverage": covered / len(content) if content else 0.0,
        "dense": max(dense, default=0.0),
        "agreement": len(both) / len(hits) if hits else 0.0,
        "synonyms": float(bool(expansion) and bool(spoken & set(stems(" ".join(expansion))))),
    }


def _content(question: str) -> list[str]:
    """Distinct stems that say what the question is about; none for «¿Y si no me las dan?»."""
    return [stem for stem in dict.fromkeys(stems(question)) if stem not in _GENERIC]
