"""Evaluation: metrics against values worked out by hand, and reading the cases."""

import hashlib
from datetime import date
from math import log2
from pathlib import Path

import pytest

from core.errors import InputError
from rag.evaluation.cases import Case, Relevant, dataset_files, read_dataset
from rag.evaluation.labelled_articles import EvaluatedCorpus
from rag.evaluation.measurement import evaluate
from rag.evaluation.metrics import (
    hit_at_k,
    ndcg_at_k,
    precision_at_k,
    quantile,
    recall_at_k,
    reciprocal_rank,
)
from rag.evaluation.report import report
from rag.shared.hits import Hit
from rag.shared.trace import Trace, UnderstandRecord
from tests.factories import chunks_of, make_block, make_chunk, make_norm
from tests.fakes import MemoryCorpus

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
    hits = [Hit(chunk=chunk, score=1.0) for chunk in chunks]
    assert list(EvaluatedCorpus(MemoryCorpus()).keys(hits)) == [("N", "1"), ("N", "2"), ("M", "1")]


# What the labels mean in the corpus at hand


def summarised(norm_id: str, source: str, collection: str = "normativa", label: str = "38") -> MemoryCorpus:
    """A corpus with one article of a norm that summarises another."""
    corpus = MemoryCorpus()
    block = make_block(label)
    document = make_norm(norm_id, block, collection=collection, extra={"source_norm": source})
    corpus.save(document, chunks_of(document), {})
    return corpus


def test_a_summary_counts_as_the_article_that_it_summarises() -> None:
    corpus = summarised("demo-et", "BOE-A-1")
    evaluated = EvaluatedCorpus(corpus)
    hit = Hit(chunk=corpus.find("demo-et", "38")[0], score=1.0)
    assert list(evaluated.keys([hit])) == [("BOE-A-1", "38")]
    assert evaluated.holds(Relevant(norm="BOE-A-1", article="38"))
    assert not evaluated.holds(Relevant(norm="BOE-A-1", article="39"))


def test_a_criterion_about_a_norm_is_not_that_norm() -> None:
    evaluated = EvaluatedCorpus(summarised("criterio", "BOE-A-1", collection="criterios_inss"))
    assert not evaluated.holds(Relevant(norm="BOE-A-1", article="38"))


@pytest.mark.parametrize(
    ("relevant", "answerable"),
    [
        ([("BOE-A-1", "38", 2)], True),
        ([("BOE-A-1", "39", 2)], False),
        ([("BOE-A-1", "39", 2), ("BOE-A-1", "38", 1)], False),
        ([("BOE-A-1", "38", 2), ("BOE-A-2", "1", 2)], True),
        ([], True),
    ],
)
def test_the_corpus_can_answer_with_an_article_of_the_best_grade(
    relevant: list[tuple[str, str, int]], answerable: bool
) -> None:
    labels = tuple(Relevant(norm=norm, article=article, grade=grade) for norm, article, grade in relevant)
    case = Case(id="a", question="¿Sí?", relevant=labels)
    assert EvaluatedCorpus(summarised("demo-et", "BOE-A-1")).can_answer(case) == answerable


# The report

KNOWN = (Relevant(norm="X-LTF", article="2", grade=2),)


async def test_the_means_leave_out_what_must_be_refused_and_what_is_not_loaded(program) -> None:  # type: ignore[no-untyped-def]
    other = (Relevant(norm="X-LTF", article="999", grade=1), *KNOWN)
    cases = [
        Case(id="a", question="¿Cuántos días de vacaciones me corresponden?", relevant=KNOWN),
        Case(id="b", question="¿Cuántas vacaciones tengo?", relevant=(Relevant(norm="Z", article="1"),)),
        Case(id="c", question="¿Qué tiempo hará mañana en Cuenca?", category="ajena"),
        Case(id="d", question="vacaciones anuales", relevant=other, as_of=date(2001, 1, 1), category="antes"),
    ]
    seen: list[tuple[int, str, str]] = []

    results = await evaluate(
        cases,
        program.services,
        today=date(2026, 6, 1),
        on_result=lambda place, result, trace: seen.append((place, result.id, trace.question)),
    )
    found = report(results)

    assert [case["id"] for case in found["cases"]] == ["a", "b", "c", "d"]
    assert [case["ranks"] for case in found["cases"]] == [
        {"X-LTF 2": 1},
        {"Z 1": None},
        {},
        {"X-LTF 999": None, "X-LTF 2": None},
    ]
    assert [case["loaded"] for case in found["cases"]] == [True, False, True, True]
    metrics = found["metrics"]
    assert (metrics["recall@1"], metrics["mrr@10"]) == (0.5, 0.5)
    assert (metrics["refused"], metrics["questions"], metrics["not_loaded"]) == (1.0, 4, 1)
    assert metrics["answered"] == 0.5
    assert metrics["refusal_accuracy"] == pytest.approx(0.6667)
    assert found["by_category"]["ajena"] == {
        "refused": 1.0,
        "refused_rightly": 1.0,
        "refusal_accuracy": 1.0,
        "right": 1.0,
        "refusal_f1": 1.0,
        "questions": 1,
    }
    assert found["by_category"]["antes"]["recall@30"] == 0.0
    assert found["intervals"].keys() == metrics.keys() - {"questions", "not_loaded", "refusal_f1"}
    assert found["intervals"]["recall@1"] == (0.0, 1.0)
    assert seen == [(place, case.id, case.question) for place, case in enumerate(cases)]


async def one(program, **fields):  # type: ignore[no-untyped-def]
    case = Case.model_validate({"id": "a", "question": "¿Cuántos días de vacaciones tengo?"} | fields)
    return (await evaluate([case], program.services, today=date(2026, 6, 1)))[0]


@pytest.mark.parametrize(
    ("fields", "check", "passed"),
    [
        ({"relevant": KNOWN}, "retrieval", True),
        ({"relevant": [{"norm": "X-LTF", "article": "7"}]}, "retrieval", False),
        ({"relevant": KNOWN}, "refusal", True),
        ({"expect": "answered"}, "refusal", True),
        ({"expect": "refused"}, "refusal", False),
        (
            {"question": "Vivo en Sevilla, ¿qué vacaciones tengo?", "territory": "Andalucía"},
            "territory",
            True,
        ),
        ({"question": "Vivo en Sevilla, ¿qué vacaciones tengo?", "territory": "SEVILLA"}, "territory", True),
        ({"question": "Vivo en Sevilla, ¿qué vacaciones tengo?", "territory": "Aragón"}, "territory", False),
        ({"territory": "Andalucía"}, "territory", False),
        ({"question": "¿Qué vacaciones había el 3/5/2020?", "expected_as_of": "2020-05-03"}, "as_of", True),
        ({"question": "¿Qué vacaciones había el 3/5/2020?", "expected_as_of": "2020-05-04"}, "as_of", False),
        (
            {
                "question": "¿Cuántos días de vacaciones había en mayo de 2020?",
                "expected_as_of": "2020-05-04",
                "relevant": KNOWN,
            },
            "as_of",
            True,
        ),
        (
            {"question": "¿Qué vacaciones hay?", "expected_as_of": "2020-05-04", "relevant": KNOWN},
            "as_of",
            False,
        ),
        ({"must_contain": "no hay palabras así"}, "must_contain", False),
    ],
)
async def test_each_check_compares_what_the_case_asks_for(program, fields, check, passed) -> None:  # type: ignore[no-untyped-def]
    result = await one(program, **fields)
    assert result.checks[check] is passed
    assert result.right is all(result.checks.values())


async def test_the_words_that_must_be_read_are_looked_for_whatever_their_spaces_and_capitals(program) -> None:  # type: ignore[no-untyped-def]
    text = program.services.store.find("X-LTF", "2")[0].text
    words = " ".join(text.split()[4:9])
    assert (await one(program, must_contain=[words.upper(), words])).checks["must_contain"]
    assert not (await one(program, must_contain=[words, "no hay palabras así"])).checks["must_contain"]


async def test_the_turns_before_the_question_are_part_of_it(program) -> None:  # type: ignore[no-untyped-def]
    history = [
        {"role": "user", "text": "¿Cuántos días de vacaciones me corresponden?"},
        {"role": "assistant", "text": "Los que dice la norma."},
    ]
    case = Case.model_validate({"id": "a", "question": "¿Y si trabajo a media jornada?", "history": history})
    traces: list[Trace] = []
    await evaluate(
        [case],
        program.services,
        today=date(2026, 6, 1),
        on_result=lambda place, result, trace: traces.append(trace),
    )
    record = traces[0].stage("understand")
    assert isinstance(record, UnderstandRecord)
    assert record.understanding.follow_up
    assert "vacaciones" in record.understanding.whole


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
    first, second = read_dataset(path).cases
    assert first == Case(id="a", question="¿Uno?")
    assert (first.answerable, first.category, first.as_of) == (False, "general", None)
    assert second.answerable
    assert second.relevant == (Relevant(norm="N", article="48 bis", grade=1),)
    assert second.as_of == date(2018, 3, 1)


def test_a_mark_at_the_start_or_a_line_separator_in_a_text_breaks_no_line(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('\ufeff{"id": "a", "question": "Uno\u2028dos\x85tres"}\n', encoding="utf-8")
    assert [case.question for case in read_dataset(path).cases] == ["Uno\u2028dos\x85tres"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no es json", "línea 2"),
        ('{"id": "a"}', "línea 2: falta «question»"),
        ('{"question": "¿Uno?"}', "línea 2: falta «id»"),
        ('{"id": "a", "question": ""}', "línea 2: question debe ser"),
        (
            '{"id": "a", "question": "¿Uno?", "relevant": [{"article": "1"}]}',
            "línea 2: falta «relevant.0.norm»",
        ),
        (
            '{"id": "a", "question": "¿Uno?", "relevant": [{"norm": "N", "article": "1", "grade": 9}]}',
            "línea 2: relevant.0.grade debe ser",
        ),
        ('{"id": "a", "question": "¿Uno?", "as_of": "2018-13-01"}', "línea 2: as_of debe ser una fecha"),
        ('["a"]', "línea 2"),
    ],
)
def test_a_line_that_is_no_case_is_told_by_number_and_field(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"cases\.jsonl") as caught:
        read_dataset(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_case_may_bring_its_history_its_checks_and_one_run_of_words(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(
        '{"id": "a", "question": "¿Y si…?", "history": [{"role": "user", "text": "¿Uno?"}],'
        ' "expect": "answered", "expected_as_of": "2019-05-01", "must_contain": "dos palabras",'
        ' "territory": "León", "corpus": "boe"}',
        encoding="utf-8",
    )
    case = read_dataset(path).cases[0]
    assert case.answerable
    assert case.history[0].text == "¿Uno?"
    assert (case.must_contain, case.expected_as_of) == (("dos palabras",), date(2019, 5, 1))


def test_the_hash_of_a_set_is_that_of_its_bytes_and_its_name_that_of_its_file(tmp_path: Path) -> None:
    first, second = tmp_path / "uno.jsonl", tmp_path / "dos.jsonl"
    first.write_text('{"id": "a", "question": "¿Uno?"}', encoding="utf-8")
    second.write_text('{"id": "a", "question": "¿Uno? "}', encoding="utf-8")
    one, two = read_dataset(first), read_dataset(second)
    assert (one.name, two.name) == ("uno", "dos")
    assert one.content_hash != two.content_hash
    assert one.content_hash == hashlib.sha256(first.read_bytes()).hexdigest()


def test_the_sets_of_several_folders_are_listed_and_a_missing_folder_is_none(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "uno.jsonl").touch()
    (tmp_path / "a" / "dos.jsonl").touch()
    (tmp_path / "a" / "README.md").touch()
    found = dataset_files(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    assert found == {"dos": tmp_path / "a" / "dos.jsonl", "uno": tmp_path / "b" / "uno.jsonl"}


@pytest.mark.parametrize("contents", [b"", b"\n \n", b"\xff\xfe{}"])
def test_a_file_without_cases_is_refused(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(contents)
    with pytest.raises(InputError, match=r"cases\.jsonl"):
        read_dataset(path)


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nada.jsonl", tmp_path):
        with pytest.raises(InputError, match=path.name):
            read_dataset(path)
