"""Questions about papers, as they are read; and the set of expedientes: its facts stand in its papers."""

import json
from collections import Counter

import pytest

from lab.matters import SET, Question
from rag.question.asked_papers import asked_paper
from tests.case_files import pairs

CASES = [
    Question.model_validate(json.loads(one)) for one in (SET / "cases.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("question", "read"), pairs("asked_papers"))
def test_a_question_points_to_the_papers_that_it_names_and_keeps_its_other_words(
    question: str, read: str
) -> None:
    found = asked_paper(question)
    kinds = ", ".join(one.name for one in found.kinds) or "papeles"
    assert (f"{kinds}: {found.rest.strip('¿? ')}" if found.of_case else "") == read


@pytest.mark.parametrize("case", [one for one in CASES if one.holds], ids=lambda one: one.question)
def test_each_fact_of_the_set_stands_in_the_paper_that_its_case_names(case: Question) -> None:
    text = (SET / case.matter / f"{case.paper}.txt").read_text("utf-8")
    assert [one for one in case.holds if one not in text] == []


def test_each_expediente_has_seven_facts_two_points_of_law_and_one_question_without_answer() -> None:
    found = Counter((one.matter, one.asks) for one in CASES)
    matters = {one.name for one in SET.iterdir() if one.is_dir()}
    assert found == {
        (one, asks): n for one in matters for asks, n in (("paper", 7), ("law", 2), ("nothing", 1))
    }
