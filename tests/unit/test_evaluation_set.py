"""Our own evaluation set: its shape, and that what it asks for can be found in the demo corpus."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from law.labels import fold
from law.norms import Document
from loading.aids.packed_attributes import QUESTIONS, unpacked
from loading.formats import load
from rag.evaluation.cases import Case, read_dataset

ROOT = Path(__file__).parents[2]
SETS = ROOT / "data" / "evaluation"
DEMO = ROOT / "data" / "demo"
CASES = {name: read_dataset(SETS / f"{name}.jsonl").cases for name in ("core", "law", "unanswerable")}
EVERY = [case for cases in CASES.values() for case in cases]


def raw(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text("utf-8").splitlines()]


def plain(question: str) -> str:
    return "".join(letter for letter in fold(question) if letter.isalnum())


def of_category(category: str) -> list[Case]:
    return [case for case in EVERY if case.category == category]


def test_no_identifier_and_no_question_comes_twice() -> None:
    assert len({case.id for case in EVERY}) == len(EVERY)
    assert len({plain(case.question) + str(case.history) for case in EVERY}) == len(EVERY)


def test_the_core_set_covers_at_least_eight_topics() -> None:
    assert len({line["topic"] for line in raw("core") if line["relevant"]}) >= 8


@pytest.fixture(scope="module")
def demo() -> list[Document]:
    paths = [path for path in sorted(DEMO.rglob("*.md")) if path.name != "README.md"]
    return [document for path in paths for document in load(path)]


def test_every_article_of_the_core_set_is_one_that_the_demo_corpus_summarises(demo: list[Document]) -> None:
    held = {(d.norm.extra.get("source_norm"), block.label) for d in demo for block in d.blocks}
    wanted = {(label.norm, label.article) for case in CASES["core"] for label in case.relevant}
    assert wanted - held == set()


def test_no_question_is_one_of_the_demo_corpus(demo: list[Document]) -> None:
    taken = {
        plain(question)
        for document in demo
        for block in document.blocks
        for question in unpacked(block, QUESTIONS)
    }
    assert len(taken) > 400
    assert [case.id for case in EVERY if plain(case.question) in taken] == []


@pytest.mark.parametrize("case", [case for case in EVERY if case.relevant], ids=lambda case: case.id)
def test_an_answerable_case_names_an_article_that_answers_and_none_twice(case: Case) -> None:
    labels = [(label.norm, label.article) for label in case.relevant]
    assert len(set(labels)) == len(labels)
    assert max(label.grade for label in case.relevant) == 2


def test_what_must_be_refused_names_no_article() -> None:
    assert all(not case.relevant and not case.answerable for case in CASES["unanswerable"])
    assert all(not case.relevant and not case.answerable for case in of_category("negative"))
    assert all(bool(case.relevant) == case.answerable for case in EVERY)


def test_territorial_cases_say_where_and_mix_both_outcomes() -> None:
    cases = of_category("territorial")
    assert all(case.territory for case in cases)
    assert Counter(case.expect for case in cases) == {"answered": 3, "refused": 2}


def test_temporal_cases_give_the_day_only_in_the_question_and_six_words_at_most() -> None:
    cases = of_category("temporal")
    assert all(case.expected_as_of and case.as_of is None and case.must_contain for case in cases)
    assert all(str(case.expected_as_of.year) in case.question for case in cases if case.expected_as_of)
    assert all(len(words.split()) <= 6 for case in cases for words in case.must_contain)


def test_follow_ups_have_a_history_and_comparisons_two_answers() -> None:
    for case in of_category("follow-up"):
        assert [turn.role for turn in case.history] == ["user", "assistant"]
    for case in of_category("comparison"):
        assert sum(label.grade == 2 for label in case.relevant) == 2


ANSWERS = read_dataset(SETS / "answers.jsonl").cases
DATED = read_dataset(SETS / "dated.jsonl").cases


def test_the_answers_have_the_kinds_of_question_that_they_are_to_have() -> None:
    kinds = Counter(case.category for case in ANSWERS)
    assert kinds == {"plain": 85, "yes_no": 40, "two_provisions": 30, "dated": 25, "false_premise": 20}
    assert len({case.id for case in ANSWERS}) == len(ANSWERS) == 200
    yes_no = [case for case in ANSWERS if case.category == "yes_no"]
    assert Counter(case.yes_no for case in yes_no) == {"sí": 20, "no": 20}
    for case in ANSWERS:
        provisions = {(one.norm, one.article) for fact in case.facts for one in fact.source}
        assert case.facts
        assert len(provisions) > (case.category == "two_provisions")
        assert bool(case.expected_as_of) or case.category != "dated"
    assert len({norm for case in ANSWERS for norm in case.norms}) > 30


def test_ten_dated_cases_are_of_a_day_whose_law_is_not_loaded_and_are_to_be_refused_or_warned() -> None:
    assert Counter(case.expect for case in DATED) == {None: 25, "warned": 10}
    assert all(bool(case.relevant) == case.answerable for case in DATED)
    assert sum(bool(case.must_not_contain) for case in DATED) == 13
