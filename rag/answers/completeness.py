"""Odds that an extractive answer tells all that it must, and the confidence that is shown for them.

A logistic regression over the answer's passages, calibrated on whole answers whose facts are known
(`lab.training.confidence`; weights in `[told]` of `selection.toml`), with and without search aids, by
meaning and by words alone. Its odds are a share: of the answers at .6, six in ten tell every fact.
"""

from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import NamedTuple

from rag.answers.confidence import LEAST_MODERATE, UNSURE
from rag.answers.passage_selection import Passage, probability, weights
from rag.shared.cited_answer import Verdict
from rag.shared.notices import BECAUSE, Kind

SURE = 0.85
"""Least odds shown as high: of the answers over it nine in ten tell every fact."""

IDEAL = {"first": 1.0, "share": 1.0, "rule": 1.0}
"""Features of an answer that nothing speaks against; the others are 0."""
LIKELY, ONE_IN_TEN = (
    "unas {tens} de cada 10 respuestas así lo dicen todo",
    "una de cada 10 respuestas así lo dice todo",
)
"""For the features of the passages. They tell no better: of the answers with something folded, a quarter lack
what stands there, however near it is to the question (621 answers of six sets); the odds hold."""
DOUBTS = {
    "first": LIKELY,
    "share": LIKELY,
    "left": LIKELY,
    "rule": BECAUSE[Kind.VERDICT],
    "by_words": "no se ha podido comparar el significado de las frases",
}
"""Features that lower the odds, as a reader is told of them."""
OF_ONE = "no es segura la respuesta a «{query}»"
SHOWN = 80
"""Characters of the clause on one question."""


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


class Answered(NamedTuple):
    """The answer to one sub-query: its text and features."""

    query: str
    signals: Mapping[str, float]

    @property
    def odds(self) -> float:
        return odds(self.signals)


def doubt(asked: str, answered: Sequence[Answered], likely: float) -> str:
    """The Spanish clause on what an answer may lack, as far as that can be told.

    Of several questions it is the one that is hardly answered, else what most lowers the odds beside an ideal
    answer's.

    Args:
        answered: the sub-queries, the least sure first.
        likely: odds, 0 to 1, that the answer tells all.
    """
    if not answered:
        return DOUBTS["rule"]
    least, surest = answered[0], answered[-1]
    if len(least.query) < len(asked) and least.odds < LEAST_MODERATE <= surest.odds:
        room = SHOWN - len(OF_ONE.format(query=""))
        return OF_ONE.format(query=shorten(_last_question(least.query), room, placeholder="…"))
    learned = weights()["told"]
    lost = {name: learned[name] * (least.signals[name] - IDEAL.get(name, 0.0)) for name in DOUBTS}
    said = DOUBTS[min(lost, key=lambda name: lost[name])]
    tens = round(10 * likely)
    return ONE_IN_TEN if said == LIKELY and tens <= 1 else said.format(tens=tens)


def _last_question(query: str) -> str:
    """The question that a search ends with, without the case that it tells first."""
    return query[query.rfind("¿") :] if "¿" in query else query


def shown(likely: float, verdict: Verdict, rule: float) -> float:
    """The confidence, 0 to 1, of an answer with these odds: «alta» only if sure and of a whole context.

    Args:
        rule: confidence of the assessment, the greatest where something is missing from the context.
    """
    if verdict is not Verdict.SUFFICIENT:
        return min(likely, rule, UNSURE)
    return likely if likely >= SURE else min(likely, UNSURE)
