"""Summary of results, and its JSON document (design.md)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from rag.answers.confidence import LEAST_HIGH
from rag.evaluation.intervals import intervals
from rag.evaluation.metrics import quantile
from rag.evaluation.reliability import bins, calibration_error, f1, risk_coverage
from rag.evaluation.results import CaseResult, Interval, Miss, Summary

TOP = 5
CHECKED = ("territory", "as_of", "must_contain", "quoted", "not_quoted", "forbidden", "yes_no")


def measures(result: CaseResult) -> dict[str, float]:
    """Name to value of the measures averaged over questions; empty if the corpus cannot answer the case."""
    if not result.held:
        return {}
    decided = float(result.checks["refusal"])
    return {
        **result.scores,
        **_answer_measures(result),
        _decision(result): decided,
        **({"refused_rightly": float(not result.answerable)} if result.refused else {}),
        "refusal_accuracy": decided,
        **{f"{name}_accuracy": float(result.checks[name]) for name in CHECKED if name in result.checks},
        "right": float(result.right),
    }


def _decision(result: CaseResult) -> str:
    """The measure of the decision that was right to take."""
    if result.warned is not None:
        return "refused_or_warned"
    return "answered" if result.answerable else "refused"


def _answer_measures(result: CaseResult) -> dict[str, float]:
    """Facts, quotations and confidence of a case taken to its answer; empty of any other.

    The share of answers that open with sí or no says how many the rightness of those words is about.
    """
    told = result.told
    if told is None or not told.facts:
        return {}
    facts = [fact.told for fact in told.facts]
    found = {
        "facts_told": fmean(facts),
        "all_facts": float(all(facts)),
        "some_fact": float(any(facts)),
    }
    if told.quotes:
        found["quotes_with_fact"] = told.carrying / told.quotes
        found["first_with_fact"] = float(told.first)
    if told.opens is not None:
        found["opens_with_fact"] = float(told.opens)
        found["yes_no_said"] = float(told.yes_no is not None)
    if not result.refused:
        found["high"] = float(result.confidence >= LEAST_HIGH)
        if result.confidence >= LEAST_HIGH:
            found["high_right"] = float(told.right)
        found["brier"] = (result.confidence - told.right) ** 2
    return found


def summarise(results: Sequence[CaseResult]) -> Summary:
    """Means and intervals of all results and of each category; `not_loaded` counts the results left out."""
    groups: dict[str, list[CaseResult]] = defaultdict(list)
    for result in results:
        groups[result.category].append(result)
    times = [result.elapsed_ms for result in results]
    metrics, spread, counts = _means(results)
    by_category = {name: _means(group) for name, group in sorted(groups.items())}
    return Summary(
        metrics=metrics,
        intervals=spread,
        counts=counts,
        by_category={name: means for name, (means, _, _) in by_category.items()},
        category_intervals={name: wide for name, (_, wide, _) in by_category.items()},
        category_counts={name: counts for name, (_, _, counts) in by_category.items()},
        misses=misses(results),
        elapsed_ms={"p50": round(quantile(times, 0.5), 1), "p95": round(quantile(times, 0.95), 1)},
    )


def misses(results: Sequence[CaseResult]) -> dict[Miss, int]:
    """Number of facts that each stage lost; empty if no answer was measured by its facts."""
    facts = [fact for one in results if one.held and one.told for fact in one.told.facts]
    lost = Counter(fact.miss for fact in facts)
    return {stage: lost[stage] for stage in Miss} if facts else {}


def report(results: Sequence[CaseResult]) -> dict[str, Any]:
    """The document of `cli.py evaluate --json`: the summary, its curves and the cases."""
    return {
        **summarise(results).model_dump(),
        "reliability": [asdict(one) for one in bins(results)],
        "risk_coverage": [asdict(one) for one in risk_coverage(results)],
        "cases": [_case(result) for result in results],
    }


def _means(
    results: Sequence[CaseResult],
) -> tuple[dict[str, float], dict[str, Interval], dict[str, int]]:
    rows = [row for result in results if (row := measures(result))]
    names = _ordered(rows)
    means = {name: round(fmean([row[name] for row in rows if name in row]), 4) for name in names}
    means |= _of_the_set(results, means)
    apart = sum(not result.held for result in results)
    whole = {"questions": len(results)} | ({"not_loaded": apart} if apart else {})
    spread = intervals([{name: row[name] for name in names if name in row} for row in rows])
    return means | whole, spread, {name: sum(name in row for row in rows) for name in names}


def _of_the_set(results: Sequence[CaseResult], means: Mapping[str, float]) -> dict[str, float]:
    """Measures that no single question has, without interval."""
    found = {}
    if {"refused", "refused_rightly"} <= set(means):
        found["refusal_f1"] = round(f1(means["refused_rightly"], means["refused"]), 4)
    if "brier" in means:
        found["ece"] = round(calibration_error(results), 4)
    return found


def _ordered(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """Names of the measures: retrieval first, then decisions, checks and the whole."""
    last = (
        "answered",
        "refused",
        "refused_rightly",
        "refused_or_warned",
        "refusal_accuracy",
        *(f"{name}_accuracy" for name in CHECKED),
        "right",
    )
    found = dict.fromkeys(name for row in rows for name in row)
    return [name for name in found if name not in last] + [name for name in last if name in found]


def _case(result: CaseResult) -> dict[str, Any]:
    return {
        "id": result.id,
        "category": result.category,
        "refused": result.refused,
        "refusal_right": result.checks["refusal"],
        "right": result.right,
        "loaded": result.held,
        "checks": dict(result.checks),
        "ranks": {f"{label.norm} {label.article}": label.rank for label in result.labels},
        "top": [f"{found.norm} {found.article}" for found in result.found[:TOP]],
        "confidence": result.confidence,
        "as_of": result.as_of.isoformat(),
        "elapsed_ms": result.elapsed_ms,
        "scores": dict(result.scores),
        **({} if result.told is None else {"told": result.told.model_dump(mode="json")}),
    }
