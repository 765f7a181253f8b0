"""Running cases through the pipeline up to the assessment, and summing up."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from rag.evaluation.cases import Case
from rag.evaluation.metrics import (
    Key,
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    quantile,
    recall_at_k,
    reciprocal_rank,
)
from rag.pipeline import retrieve
from rag.services import Services
from rag.types import Hit, Verdict

RECALLS = (1, 3, 5, 10, 30)


async def evaluate(
    cases: Sequence[Case],
    services: Services,
    *,
    today: date,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """The report of design.md: metrics, by_category, cases, elapsed_ms."""
    results = []
    for number, case in enumerate(cases):
        results.append(await _one(case, services, today))
        on_progress(number + 1, len(cases))
    by_category: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for case, result in zip(cases, results, strict=True):
        by_category[case.category].append(result)
    times = [result["elapsed_ms"] for result in results]
    return {
        "metrics": _mean(results),
        "by_category": {name: _mean(group) for name, group in sorted(by_category.items())},
        "cases": results,
        "elapsed_ms": {"p50": round(quantile(times, 0.5), 1), "p95": round(quantile(times, 0.95), 1)},
    }


async def _one(case: Case, services: Services, today: date) -> dict[str, Any]:
    clock = time.perf_counter()
    state = await retrieve(case.question, services, as_of=case.as_of, today=today)
    elapsed = (time.perf_counter() - clock) * 1000
    ranking = keys(state.ranked)
    grades = {(r.norm, r.article): r.grade for r in case.relevant}
    refused = state.verdict is Verdict.INSUFFICIENT
    result: dict[str, Any] = {
        "id": case.id,
        "refused": refused,
        "refusal_right": refused != case.answerable,
        "ranks": {f"{n} {a}": ranking.index((n, a)) + 1 if (n, a) in ranking else None for n, a in grades},
        "top": [f"{norm} {article}" for norm, article in ranking[:5]],
        "confidence": state.rule_confidence,
        "elapsed_ms": round(elapsed, 1),
    }
    return result | {"scores": _scores(ranking, grades) if grades else {}}


def keys(hits: Sequence[Hit]) -> list[Key]:
    """(norm, article) of a ranking, each once at its best place."""
    return list(dict.fromkeys((hit.chunk.norm_id, hit.chunk.label) for hit in hits))


def _scores(ranking: Sequence[Key], grades: dict[Key, int]) -> dict[str, float]:
    return {f"recall@{k}": recall_at_k(ranking, grades, k) for k in RECALLS} | {
        "hit@1": hit_at_k(ranking, grades, 1),
        "hit@3": hit_at_k(ranking, grades, 3),
        "precision@3": precision_at_k(ranking, grades, 3),
        "mrr@10": reciprocal_rank(ranking, grades, 10),
        "ndcg@10": ndcg_at_k(ranking, grades, 10),
    }


def _mean(results: Sequence[dict[str, Any]]) -> dict[str, float]:
    scored = [result["scores"] for result in results if result["scores"]]
    metrics = {
        name: round(sum(scores[name] for scores in scored) / len(scored), 4)
        for name in (scored[0] if scored else ())
    }
    answerable = [r for r in results if r["scores"]]
    others = [r for r in results if not r["scores"]]
    if answerable:
        metrics["answered"] = round(sum(not r["refused"] for r in answerable) / len(answerable), 4)
    if others:
        metrics["refused"] = round(sum(r["refused"] for r in others) / len(others), 4)
    right = sum(r["refusal_right"] for r in results) / len(results)
    return metrics | {"refusal_accuracy": round(right, 4), "questions": len(results)}
