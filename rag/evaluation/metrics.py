"""Retrieval metrics by the field's definitions (Manning, Raghavan and Schütze 2008, chapter 8).

A ranking is a list of (norm, article) keys, each once, best first. `grades` maps each relevant key to its
grade and is never empty; a key that is not in it is not relevant.
"""

from collections.abc import Mapping, Sequence
from math import ceil, log2

Key = tuple[str, str]
Grades = Mapping[Key, int]


def recall_at_k(ranking: Sequence[Key], grades: Grades, k: int) -> float:
    """Share of the relevant keys within the first k."""
    return sum(key in grades for key in ranking[:k]) / len(grades)


def precision_at_k(ranking: Sequence[Key], grades: Grades, k: int) -> float:
    """Share of relevant keys among the first k; missing places count as not relevant."""
    return sum(key in grades for key in ranking[:k]) / k


def hit_at_k(ranking: Sequence[Key], grades: Grades, k: int) -> float:
    """1 if a key of the best grade (the answer itself, not a help) is within the first k, else 0."""
    best = max(grades.values())
    return float(any(grades.get(key) == best for key in ranking[:k]))


def reciprocal_rank(ranking: Sequence[Key], grades: Grades, k: int) -> float:
    """1 / rank of the first key of the best grade, or 0 if none is within the first k."""
    best = max(grades.values())
    ranks = (rank for rank, key in enumerate(ranking[:k], start=1) if grades.get(key) == best)
    return 1 / next(ranks, float("inf"))


def ndcg_at_k(ranking: Sequence[Key], grades: Grades, k: int) -> float:
    """Normalised discounted cumulative gain, gain 2^grade - 1 (Burges et al. 2005)."""
    gained = sum((2 ** grades.get(key, 0) - 1) / log2(rank + 1) for rank, key in enumerate(ranking[:k], 1))
    ideal = sum(
        (2**grade - 1) / log2(rank + 1)
        for rank, grade in enumerate(sorted(grades.values(), reverse=True)[:k], 1)
    )
    return float(gained / ideal)


def quantile(values: Sequence[float], share: float) -> float:
    """Nearest-rank quantile; 0.0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(1, ceil(share * len(ordered))) - 1]
