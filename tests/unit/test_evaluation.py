"""Evaluation: metrics against values worked out by hand, and reading the cases."""

from __future__ import annotations

from datetime import date
from math import log2
from pathlib import Path

import pytest

from rag.errors import InputError
from rag.evaluation.cases import Case, Relevant, read_cases
from rag.evaluation.metrics import (
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    quantile,
    recall_at_k,
    reciprocal_rank,
)
from rag.evaluation.run import evaluate, keys
from rag.types import Hit
from tests.conftest import SHARED
from tests.factories import make_chunk

A, B, C, D, X, Y = ((norm, "1") for norm in "ABCDXY")
GRADES = {A: 2, B: 1, C: 1}


@pytest.mark.parametrize(
    ("ranking", "k", "recall", "precision"),
    [
        ([A, B, C], 3, 1.0, 1.0),
        ([X, A, Y, B], 3, 1 / 3, 1 / 3),
        ([X, A, Y, B], 4, 2 / 3, 2 / 4),
        ([A], 3, 1 / 3, 1 / 3),
        ([X, Y], 3, 0.0, 0.0),
        ([], 3, 0.0, 0.0),
        ([B, A], 1, 1 / 3, 1.0),
    ],
)
def test_recall_divides_by_the_relevant_and_precision_by_k(
    ranking: list[tuple[str, str]], k: int, recall: float, precision: float
) -> None:
    assert recall_at_k(ranking, GRADES, k) == pytest.approx(recall)
    assert precision_at_k(ranking, GRADES, k) == pytest.approx(precision)


@pytest.mark.parametrize(
    ("ranking", "hit", "rank"),
    [
        ([A, B, C], 1.0, 1.0),
        ([B, C, A], 1.0, 1 / 3),
        ([B, C, X, A], 0.0, 1 / 4),
        ([X] * 10 + [A], 0.0, 0.0),
        ([B, C], 0.0, 0.0),
        ([], 0.0, 0.0),
    ],
)
def test_a_hit_and_the_reciprocal_rank_look_at_the_best_grade_only(
    ranking: list[tuple[str, str]], hit: float, rank: float
) -> None:
    assert hit_at_k(ranking, GRADES, 3) == hit
    assert reciprocal_rank(ranking, GRADES, 10) == pytest.approx(rank)


def test_among_equal_grades_any_is_a_hit() -> None:
    assert hit_at_k([X, B], {B: 1, C: 1}, 3) == 1.0
    assert reciprocal_rank([X, B], {B: 1, C: 1}, 10) == 0.5


IDEAL = 3 + 1 / log2(3) + 1 / 2


@pytest.mark.parametrize(
    ("ranking", "k", "expected"),
    [
        ([A, B, C], 10, 1.0),
        ([A, C, B], 10, 1.0),
        ([B, A, C], 10, (1 + 3 / log2(3) + 1 / 2) / IDEAL),
        ([X, A], 10, (3 / log2(3)) / IDEAL),
        ([X, Y], 10, 0.0),
        ([A, B, C], 1, 1.0),
        ([B], 1, 1 / 3),
    ],
)
def test_ndcg_discounts_by_rank_and_normalises_by_the_ideal_order(
    ranking: list[tuple[str, str]], k: int, expected: float
) -> None:
    assert ndcg_at_k(ranking, GRADES, k) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], 0.5, 0.0),
        ([7.0], 0.5, 7.0),
        ([7.0], 0.95, 7.0),
        ([3.0, 1.0, 2.0], 0.5, 2.0),
        ([5.0, 4.0, 3.0, 2.0, 1.0], 0.5, 3.0),
        ([4.0, 3.0, 2.0, 1.0], 0.5, 2.0),
        (list(map(float, range(1, 11))), 0.95, 10.0),
        (list(map(float, range(1, 21))), 0.95, 19.0),
        (list(map(float, range(1, 31))), 0.95, 29.0),
        ([1.0, 2.0], 0.0, 1.0),
        ([1.0, 2.0], 1.0, 2.0),
    ],
)
def test_a_quantile_is_the_nearest_rank(values: list[float], share: float, expected: float) -> None:
    assert quantile(values, share) == expected


def test_the_parts_of_an_article_count_once_at_their_best_place() -> None:
    chunks = [make_chunk("N", "1"), make_chunk("N", "2"), make_chunk("N", "1", part=2), make_chunk("M", "1")]
    assert keys([Hit(chunk=chunk, score=1.0) for chunk in chunks]) == [("N", "1"), ("N", "2"), ("M", "1")]


# The report


async def test_the_means_leave_out_what_must_be_refused_and_count_it_apart(program) -> None:  # type: ignore[no-untyped-def]
    known = (Relevant(norm="X-LTF", article="2", grade=2),)
    cases = [
        Case(id="a", question="¿Cuántos días de vacaciones me corresponden?", relevant=known),
        Case(id="b", question="¿Cuántas vacaciones tengo?", relevant=(Relevant(norm="Z", article="1"),)),
        Case(id="c", question="¿Qué tiempo hará mañana en Cuenca?", category="ajena"),
        Case(id="d", question="vacaciones anuales", relevant=known, as_of=date(2001, 1, 1), category="antes"),
    ]
    seen: list[tuple[int, int]] = []

    report = await evaluate(
        cases, program.services, today=date(2026, 6, 1), on_progress=lambda *s: seen.append(s)
    )

    assert [case["id"] for case in report["cases"]] == ["a", "b", "c", "d"]
    assert [case["ranks"] for case in report["cases"]] == [
        {"X-LTF 2": 1},
        {"Z 1": None},
        {},
        {"X-LTF 2": None},
    ]
    metrics = report["metrics"]
    assert (metrics["recall@1"], metrics["mrr@10"]) == (pytest.approx(0.3333), pytest.approx(0.3333))
    assert (metrics["refused"], metrics["questions"]) == (1.0, 4)
    assert metrics["answered"] == pytest.approx(0.6667)
    assert metrics["refusal_accuracy"] == 0.75
    assert report["by_category"]["ajena"] == {"refused": 1.0, "refusal_accuracy": 1.0, "questions": 1}
    assert report["by_category"]["antes"]["recall@30"] == 0.0
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


# Reading cases


def test_a_case_has_defaults_and_ignores_what_it_does_not_know(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(
        '{"id": "a", "question": "¿Uno?", "source": "otra", "style": "llana"}\n'
        "\n   \n"
        '{"id": "b", "question": "¿Dos?", "relevant": [{"norm": "N", "article": "48 bis"}],'
        ' "as_of": "2018-03-01", "category": "temporal"}\r\n',
        encoding="utf-8",
    )
    first, second = read_cases(path)
    assert first == Case(id="a", question="¿Uno?")
    assert (first.answerable, first.category, first.as_of) == (False, "general", None)
    assert second.answerable
    assert second.relevant == (Relevant(norm="N", article="48 bis", grade=1),)
    assert second.as_of == date(2018, 3, 1)


def test_a_mark_at_the_start_or_a_line_separator_in_a_text_breaks_no_line(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('\ufeff{"id": "a", "question": "Uno\u2028dos\x85tres"}\n', encoding="utf-8")
    assert [case.question for case in read_cases(path)] == ["Uno\u2028dos\x85tres"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no es json", "line 2"),
        ('{"id": "a"}', "line 2: question"),
        ('{"question": "¿Uno?"}', "line 2: id"),
        ('{"id": "a", "question": ""}', "line 2: question"),
        ('{"id": "a", "question": "¿Uno?", "relevant": [{"article": "1"}]}', "line 2: relevant.0.norm"),
        (
            '{"id": "a", "question": "¿Uno?", "relevant": [{"norm": "N", "article": "1", "grade": 9}]}',
            "line 2: relevant.0.grade",
        ),
        ('{"id": "a", "question": "¿Uno?", "as_of": "2018-13-01"}', "line 2: as_of"),
        ('["a"]', "line 2"),
    ],
)
def test_a_line_that_is_no_case_is_told_by_number_and_field(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"cases\.jsonl") as caught:
        read_cases(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("contents", [b"", b"\n \n", b"\xff\xfe{}"])
def test_a_file_without_cases_is_refused(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(contents)
    with pytest.raises(InputError, match=r"cases\.jsonl"):
        read_cases(path)


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nada.jsonl", tmp_path):
        with pytest.raises(InputError, match=path.name):
            read_cases(path)


@pytest.mark.corpus
@pytest.mark.skipif(not (SHARED / "gold").is_dir(), reason="the question sets (../shared/gold) are not here")
def test_the_question_sets_at_hand_are_cases() -> None:
    for name, answerable in (("dev", True), ("temporal_dev", True), ("unanswerable_dev", False)):
        cases = read_cases(SHARED / "gold" / f"{name}.jsonl")
        assert {case.answerable for case in cases} == {answerable}
