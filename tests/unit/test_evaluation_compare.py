"""Intervals, summaries and comparisons of invented results, and our metrics against ir-measures."""

import random
from datetime import date
from typing import Any

import numpy as np
import pytest

from rag.evaluation import metrics
from rag.evaluation.comparison import compare, differing
from rag.evaluation.intervals import intervals
from rag.evaluation.report import measures, summarise
from rag.evaluation.results import CaseResult, Label

# Intervals


def test_the_same_values_give_the_same_interval_and_it_holds_the_mean() -> None:
    rows = [{"x": float(i % 3 == 0)} for i in range(60)]
    low, high = intervals(rows)["x"]
    assert intervals(rows)["x"] == (low, high)
    assert low < 20 / 60 < high


def test_an_interval_agrees_with_the_normal_approximation() -> None:
    values = np.random.default_rng(7).normal(5.0, 2.0, 400)
    low, high = intervals([{"x": float(value)} for value in values])["x"]
    half = 1.96 * values.std() / np.sqrt(400)
    assert low == pytest.approx(values.mean() - half, abs=0.05)
    assert high == pytest.approx(values.mean() + half, abs=0.05)


def test_a_measure_that_only_some_questions_have_is_averaged_over_those() -> None:
    rows = [{"x": 1.0}, {"y": 0.5}, {"x": 1.0, "y": 0.5}] * 10
    assert intervals(rows) == {"x": (1.0, 1.0), "y": (0.5, 0.5)}


def test_no_question_has_no_interval() -> None:
    assert intervals([]) == {}


# Results


def result(name: str, rank: int | None = 1, **fields: Any) -> CaseResult:
    """A question that must be answered with one article, found at `rank`."""
    scores = {"hit@3": float(rank is not None and rank <= 3), "mrr@10": 1 / rank if rank else 0.0}
    base = {
        "id": name,
        "question": f"¿{name}?",
        "category": "una",
        "answerable": True,
        "labels": (Label(norm="N", article="1", grade=2, held=True, rank=rank),),
        "refused": False,
        "as_of": date(2026, 1, 1),
        "scores": scores,
        "checks": {"refusal": True, "retrieval": scores["hit@3"] == 1.0},
    }
    return CaseResult.model_validate(base | fields)


def refusal(name: str, refused: bool = True) -> CaseResult:
    fields = {"answerable": False, "refused": refused, "labels": (), "scores": {}}
    return result(name, checks={"refusal": refused}, category="otra", **fields)


def test_what_the_corpus_cannot_answer_has_no_measures_and_is_counted() -> None:
    apart = result("b", None, held=False)
    assert measures(apart) == {}
    summary = summarise([result("a"), apart])
    assert summary.metrics == {
        "hit@3": 1.0,
        "mrr@10": 1.0,
        "answered": 1.0,
        "refusal_accuracy": 1.0,
        "right": 1.0,
        "questions": 2,
        "not_loaded": 1,
    }


def test_a_summary_of_nothing_but_cases_apart_has_counts_only() -> None:
    summary = summarise([result("b", None, held=False)])
    assert summary.metrics == {"questions": 1, "not_loaded": 1}
    assert summary.intervals == {}


def test_checks_are_averaged_over_the_cases_that_ask_for_them() -> None:
    first = result("a", checks={"refusal": True, "retrieval": True, "as_of": False})
    summary = summarise([first, result("b"), refusal("c"), refusal("d", refused=False)])
    assert summary.metrics["as_of_accuracy"] == 0.0
    assert summary.metrics["right"] == 0.5
    assert summary.metrics["refused"] == 0.5
    assert "as_of_accuracy" not in summary.by_category["otra"]


@pytest.mark.parametrize(
    ("labels", "rank"),
    [
        ([(2, 5), (2, 3), (1, 1)], 3),
        ([(2, None), (1, 1)], None),
        ([(1, 4)], 4),
        ([], None),
    ],
)
def test_the_rank_of_a_case_is_that_of_its_first_best_article(
    labels: list[tuple[int, int | None]], rank: int | None
) -> None:
    made = tuple(
        Label(norm="N", article=str(i), grade=grade, held=True, rank=place)
        for i, (grade, place) in enumerate(labels)
    )
    assert result("a", labels=made).rank == rank


# Comparisons


def test_questions_are_won_lost_or_equal_by_being_right_and_then_by_place() -> None:
    before = [result("a", 1), result("b", 5), result("c", 2), result("d", 1), refusal("e", refused=False)]
    after = [result("a", 2), result("b", 1), result("c", 2), result("d", None), refusal("e")]
    outcomes = {pair.after.id: pair.outcome for pair in compare(before, after).pairs}
    assert outcomes == {"a": "lost", "b": "won", "c": "equal", "d": "lost", "e": "won"}


def test_a_clear_difference_is_told_from_chance() -> None:
    before = [result(str(i), None) for i in range(40)]
    better = [result(str(i), 1 if i < 30 else None) for i in range(40)]
    noise = [result(str(i), 1 if i < 1 else None) for i in range(40)]
    clear = {change.name: change for change in compare(before, better).changes}["hit@3"]
    chance = {change.name: change for change in compare(before, noise).changes}["hit@3"]
    assert (clear.before, clear.after, clear.difference, clear.questions) == (0.0, 0.75, 0.75, 40)
    assert clear.clear
    assert not chance.clear


def test_a_comparison_is_paired_so_that_equal_questions_add_no_doubt() -> None:
    """Half the questions fail in both: unpaired, a gain of 5 in 100 would drown in that."""
    before = [result(str(i), 1 if i % 2 else None) for i in range(100)]
    after = [result(str(i), 1 if i % 2 or i < 20 else None) for i in range(100)]
    changes = {change.name: change for change in compare(before, after).changes}
    assert changes["hit@3"].clear


def test_the_interval_is_that_of_the_difference() -> None:
    same = [result(str(i), 1 if i % 2 else None) for i in range(20)]
    for change in compare(same, same).changes:
        assert (change.difference, change.interval, change.clear) == (0.0, (0.0, 0.0), False)
    worse = [result(str(i), None) for i in range(20)]
    change = compare(same, worse).changes[0]
    assert change.interval[0] < change.difference == -0.5 < change.interval[1] < 0


def test_only_questions_that_both_could_answer_are_compared() -> None:
    before = [result("a"), result("b"), result("c", None, held=False), result("d", question="¿Otra?")]
    after = [result("a"), result("c"), result("d"), result("z")]
    compared = compare(before, after)
    assert [pair.after.id for pair in compared.pairs] == ["a"]
    assert compared.alone == 5
    assert compare(before, []).pairs == ()


def test_positions_are_places_in_each_evaluation() -> None:
    pair = compare([result("x"), result("a")], [result("a")]).pairs[0]
    assert (pair.before_position, pair.after_position) == (1, 0)


def test_differing_facts_are_listed_and_a_missing_one_is_empty() -> None:
    assert differing({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"}) == [
        ("b", "2", "3"),
        ("c", "", "4"),
    ]


# Against the field's implementation


def test_our_metrics_are_those_of_ir_measures() -> None:
    """Its nDCG takes gains as given, so it is handed 2^grade - 1; success and RR look at the best grade."""
    ir = pytest.importorskip("ir_measures", reason="pip install -r requirements-dev.txt")
    draw = random.Random(11)
    for _ in range(60):
        keys = [("N", str(number)) for number in range(30)]
        ranking = draw.sample(keys, draw.randint(1, 30))
        grades = {key: draw.randint(1, 3) for key in draw.sample([*keys, ("M", "1")], draw.randint(1, 6))}
        best = max(grades.values())
        run = {"q": {" ".join(key): float(-place) for place, key in enumerate(ranking)}}
        graded = {"q": {" ".join(key): grade for key, grade in grades.items()}}
        gains = {"q": {" ".join(key): 2**grade - 1 for key, grade in grades.items()}}
        wanted = ir.calc_aggregate(
            [ir.R @ 1, ir.R @ 5, ir.R @ 30, ir.P @ 3, ir.RR(rel=best) @ 10, ir.Success(rel=best) @ 3],
            graded,
            run,
        )
        ndcg = ir.calc_aggregate([ir.nDCG @ 10], gains, run)[ir.nDCG @ 10]
        ours = {
            **{ir.R @ k: metrics.recall_at_k(ranking, grades, k) for k in (1, 5, 30)},
            ir.P @ 3: metrics.precision_at_k(ranking, grades, 3),
            ir.RR(rel=best) @ 10: metrics.reciprocal_rank(ranking, grades, 10),
            ir.Success(rel=best) @ 3: metrics.hit_at_k(ranking, grades, 3),
        }
        assert ours == pytest.approx(wanted)
        assert metrics.ndcg_at_k(ranking, grades, 10) == pytest.approx(ndcg)
