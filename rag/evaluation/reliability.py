"""Confidence against truth over the answers given: calibration error, bins, risk and coverage."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from rag.evaluation.results import CaseResult

BINS = 10


@dataclass(frozen=True)
class Bin:
    """The answers whose confidence lies in one tenth of the scale: their means and their number."""

    confidence: float
    right: float
    answers: int


@dataclass(frozen=True)
class Point:
    """Share of wrong answers (`risk`) among the `coverage` most confident of the questions to be answered."""

    coverage: float
    risk: float
    confidence: float


def bins(results: Sequence[CaseResult]) -> list[Bin]:
    """The bins that hold an answer, from low to high confidence."""
    groups: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in _given(results):
        groups.setdefault(min(int(confidence * BINS), BINS - 1), []).append((confidence, right))
    return [
        Bin(fmean(c for c, _ in group), fmean(right for _, right in group), len(group))
        for _, group in sorted(groups.items())
    ]


def calibration_error(results: Sequence[CaseResult]) -> float:
    """Expected calibration error over ten bins of equal width (Guo et al. 2017); 0.0 without answers."""
    found = bins(results)
    answers = sum(one.answers for one in found)
    return sum(one.answers * abs(one.confidence - one.right) for one in found) / answers if answers else 0.0


def risk_coverage(results: Sequence[CaseResult]) -> list[Point]:
    """A point for each confidence at which one could stop answering (El-Yaniv and Wiener 2010)."""
    given = sorted(_given(results), key=lambda pair: -pair[0])
    asked = sum(result.held and result.told is not None and bool(result.told.facts) for result in results)
    points, wrong = [], 0
    for place, (confidence, right) in enumerate(given, start=1):
        wrong += not right
        if place == len(given) or given[place][0] < confidence:
            points.append(Point(place / asked, wrong / place, confidence))
    return points


def f1(precision: float, recall: float) -> float:
    """Harmonic mean; 0.0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _given(results: Sequence[CaseResult]) -> list[tuple[float, bool]]:
    """(confidence, all facts told) of the answers that were given to cases with facts."""
    return [
        (result.confidence, result.told.right)
        for result in results
        if result.held and result.told is not None and result.told.facts and not result.refused
    ]
