"""Confidence intervals by the percentile bootstrap over questions (Efron and Tibshirani 1993, chapter 13).

Seeded: the same results give the same interval. A share that is 0 or 1 in every question has an interval of
width 0, even with few questions: it says nothing about questions that were not asked.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from rag.evaluation.results import Interval

RESAMPLES = 2000
LEVEL = 0.95
SEED = 20150


def intervals(rows: Sequence[Mapping[str, float]]) -> dict[str, Interval]:
    """For each measure, the 95 % interval of its mean over the questions that have it.

    Args:
        rows: one mapping per question; whole questions are drawn, so that a measure which only some have
            varies in its number of questions too. For a paired comparison, give the differences.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not names:
        return {}
    table = np.array([[row.get(name, np.nan) for name in names] for row in rows])
    has = ~np.isnan(table)
    drawn = np.random.default_rng(SEED).multinomial(len(rows), [1 / len(rows)] * len(rows), RESAMPLES)
    with np.errstate(invalid="ignore"):
        means = (drawn @ np.where(has, table, 0.0)) / (drawn @ has)
    tails = [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2]
    low, high = np.nanpercentile(means, tails, axis=0)
    return {name: (round(float(low[i]), 4), round(float(high[i]), 4)) for i, name in enumerate(names)}
