"""Does the context suffice, without a model: several signals, one calibrated decision.

A cosine alone refuses badly; what helps is how much of the question the best hits speak about, rare
words counting more, and whether its words are of our matters or of others. A question that is plainly of
another matter, or that asks for a norm or a territory outside the corpus, is refused with its reason,
whatever was found. The weights are a logistic regression on the two development sets, printed with its
cross-validated error by `python -m scripts.calibrate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from rag.services import Services, State
from rag.stages.common import RAREST, rarities
from rag.textnorm import stems
from rag.types import Hit, Verdict
from rag.understanding.types import Matter

TOP = 3
REFUSE_BELOW = 0.5
PARTIAL_BELOW = 0.6
EXACT = 0.9

# The cosine of the best hit adds nothing to these (its weight changes sign with the ranking), so that one set
# serves every embedding model, and none.
WEIGHTS = {"coverage": 1.22, "known": 3.08, "synonyms": 1.12, "own": 2.42, "other": -8.27, "bias": -2.74}

OUT_OF_SCOPE = (
    "La pregunta no parece tratar de Derecho laboral o de Seguridad Social, "
    "o la norma que la regula no está en el corpus."
)
ELSEWHERE = "La pregunta parece de otra materia ({label}), que este corpus no trata; su sitio es {where}."
NOT_LEGAL = "La pregunta no parece jurídica ({label}): aquí solo hay normas laborales y de Seguridad Social."
OUTSIDE = "{what}, por lo que pregunta, no está en el corpus: puede encontrarse en {where}."
# One strong word of another matter and none of ours gives 2/3; a strong and a weak one 3/4.
PLAIN = 0.65
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
    """Decide from how much of the question corpus and hits speak about, its matter and synonyms.

    The confidence is never above the share of the question that the best hits speak about, except
    where the question names its article.
    """
    hits = [hit for hit in state.hits if hit.origin != "reference"]
    own = state.queries[0].text
    rarity = rarities(content(own), state.as_of, services)
    values = signals(own, hits, rarity, services) | matter_signals(state)
    probability = _probability(WEIGHTS, values)
    floor = EXACT if any(hit.origin == "exact" for hit in hits) else 0.0
    probability = max(probability, floor)
    verdict = Verdict.SUFFICIENT if probability >= PARTIAL_BELOW else Verdict.PARTIAL
    reasons = refusals(state) if not floor else ()
    if reasons:
        verdict, probability = Verdict.INSUFFICIENT, min(probability, REFUSE_BELOW / 2)
    elif probability < REFUSE_BELOW:
        verdict, reasons = Verdict.INSUFFICIENT, (OUT_OF_SCOPE,)
    shown = (*values.items(), ("probabilidad", probability))
    return Judgement(verdict, round(min(probability, max(values["coverage"], floor)), 4), shown, reasons)


def _probability(weights: dict[str, float], values: dict[str, float]) -> float:
    score = weights["bias"] + sum(weights[name] * value for name, value in values.items())
    return 1 / (1 + exp(-max(-60.0, min(60.0, score))))


def refusals(state: State) -> tuple[str, ...]:
    """Why the corpus cannot answer, read off the question alone; empty when nothing says so."""
    read = state.understanding
    if read is None:
        return ()
    said = [
        OUTSIDE.format(what=item.what[:1].upper() + item.what[1:], where=item.where) for item in read.missing
    ]
    matter = read.matter
    if not said and matter.branch == "not_legal" and matter.score >= PLAIN:
        said = [NOT_LEGAL.format(label=matter.label)]
    elif not said and matter.branch == "other_branch" and matter.score >= PLAIN:
        said = [ELSEWHERE.format(label=matter.label, where=matter.where)]
    return tuple(said)


def matter_signals(state: State) -> dict[str, float]:
    """`own` and `other`: how surely the words of the question are of our matters, or of others; 0 to 1."""
    matter = state.understanding.matter if state.understanding else Matter()
    return {
        "own": matter.score if matter.branch == "own" else 0.0,
        "other": matter.score if matter.branch in ("other_branch", "not_legal") else 0.0,
    }


def signals(
    question: str, hits: Sequence[Hit], rarity: dict[str, float], services: Services
) -> dict[str, float]:
    """The features of the decision, each about 0 to 1.

    coverage: share of the question's stems, by rarity, that the best hits hold; known: share that the
    corpus holds at all; synonyms: 1 when an everyday word of the question is one of ours.
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
        "synonyms": float(bool(services.synonyms.fired(question))),
    }


def content(question: str) -> list[str]:
    """Distinct stems that say what the question is about; none for «¿Y si no me las dan?»."""
    return [stem for stem in dict.fromkeys(stems(question)) if stem not in _GENERIC]
