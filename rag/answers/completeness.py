"""Odds that an extractive answer tells all that it must, and the confidence that is shown for them.

A logistic regression over the answer's passages, calibrated on whole answers whose facts are known
(`lab.training.confidence`; weights in `[told]` of `selection.toml`), with and without search aids, by
meaning and by words alone. Its odds are a share: of the answers at .6, six in ten tell every fact.
"""

from collections.abc import Mapping, Sequence

from rag.answers.confidence import UNSURE
from rag.answers.passage_selection import Passage, probability, weights
from rag.shared.cited_answer import Verdict

SURE = 0.8
"""Least odds shown as high: of the answers over it nine in ten tell every fact."""


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


def shown(likely: float, verdict: Verdict, rule: float) -> float:
    """The confidence, 0 to 1, of an answer with these odds: «alta» only if sure and of a whole context.

    Args:
        rule: confidence of the assessment, the greatest where something is missing from the context.
    """
    if verdict is not Verdict.SUFFICIENT:
        return min(likely, rule, UNSURE)
    return likely if likely >= SURE else min(likely, UNSURE)
