"""Odds that an extractive answer tells all that it must, and the confidence that is shown for them.

A logistic regression over the answer's passages, calibrated on whole answers whose facts are known
(`lab.training.confidence`; weights in `[told]` of `selection.toml`), with and without search aids, by
meaning and by words alone. Its odds are a share: of the answers at .6, six in ten tell every fact.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rag.answers.confidence import LEAST_MODERATE, UNSURE
from rag.answers.passage_selection import Passage, in_asked_unit, probability, wanted_units, weights
from rag.shared.cited_answer import Verdict
from text.segmentation import is_row

SURE = 0.8
"""Least odds shown as high: of the answers over it nine in ten tell every fact."""


IDEAL = {"first": 1.0, "share": 1.0, "rule": 1.0}
"""Features of an answer that nothing speaks against; the others are 0."""
BECAUSE = {
    "first": "ninguna frase contesta con toda claridad",
    "share": "otras frases pueden contestarla también",
    "left": "otras frases pueden contestarla también",
    "rule": "los textos encontrados no dicen todo lo que se pregunta",
    "by_words": "no se ha podido comparar el significado de las frases",
}
"""Features that lower the odds, as a reader is told of them."""
NO_FIGURE = "no se ha encontrado la cifra o el plazo que se pide"
OF_ONE = "no es segura la respuesta a «{query}»"


def signals(
    pool: Sequence[Passage], kept: int, rule: float, *, by_meaning: bool, amount: int
) -> dict[str, float]:
    """Features of an answer that quotes the first `kept` of the pool.

    Args:
        pool: passages with their odds, best first.
        rule: confidence of the assessment that the context is enough.
        by_meaning: the odds of the passages are by meaning, not by words alone.
        amount: sub-queries of the question.
    """
    chosen, left = pool[:kept], pool[kept:]
    others = [one.score for one in pool if one.hit != pool[0].hit]
    mass = sum(one.score for one in pool) or 1.0
    return {
        "first": chosen[0].score,
        "share": sum(one.score for one in chosen) / mass,
        "left": sum(one.score for one in left),
        "margin": pool[0].score - max(others, default=0.0),
        "sources": float(len({one.hit for one in chosen})),
        "kept": float(kept),
        "rule": rule,
        "by_words": float(not by_meaning),
        "amount": float(amount),
    }


def odds(answer: Mapping[str, float]) -> float:
    """Probability, 0 to 1, that an answer with these features tells all."""
    return probability(answer, weights()["told"])


class Part(NamedTuple):
    """The answer to one sub-query: its text and features."""

    query: str
    signals: Mapping[str, float]


def doubt(asked: str, quoted: Sequence[Passage], parts: Sequence[Part]) -> str:
    """The Spanish clause on what an answer may lack, as far as that can be told.

    The figure that is asked for, of several questions the one that is least sure, or what most lowers its
    odds beside an ideal answer's.

    Args:
        quoted: its passages that are not set apart.
    """
    if wanted_units(asked) and not any(is_row(one.text) or in_asked_unit(asked, one.text) for one in quoted):
        return NO_FIGURE
    if not parts:
        return BECAUSE["rule"]
    likely = [odds(one.signals) for one in parts]
    least = parts[likely.index(min(likely))]
    is_part = len(least.query) < len(asked)
    if is_part and min(likely) < LEAST_MODERATE <= max(likely):
        return OF_ONE.format(query=least.query)
    learned = weights()["told"]
    lost = {name: learned[name] * (least.signals[name] - IDEAL.get(name, 0.0)) for name in BECAUSE}
    return BECAUSE[min(lost, key=lambda name: lost[name])]


def shown(likely: float, verdict: Verdict, rule: float) -> float:
    """The confidence, 0 to 1, of an answer with these odds: «alta» only if sure and of a whole context.

    Args:
        rule: confidence of the assessment, the greatest where something is missing from the context.
    """
    if verdict is not Verdict.SUFFICIENT:
        return min(likely, rule, UNSURE)
    return likely if likely >= SURE else min(likely, UNSURE)
