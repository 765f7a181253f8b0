"""The set of invented agreements: its shares, that every answer stands where its case says, and the files."""

import json
from collections import Counter
from typing import Any

import pytest

from lab.make_agreements import SOURCE, Agreement, Grid, agreements

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (SOURCE.parent / "agreements.jsonl").read_text("utf-8").splitlines()
]
AGREEMENTS = {one.stem: one for one in agreements()}


def case_id(case: dict[str, Any]) -> str:
    return str(case["id"])


def test_there_are_ten_questions_about_each_of_ten_agreements() -> None:
    assert Counter(case["category"] for case in CASES) == dict.fromkeys(AGREEMENTS, 10)
    assert len(AGREEMENTS) == 10
    assert len({case["id"] for case in CASES}) == len({case["question"] for case in CASES}) == 100


def test_the_shares_of_the_questions_are_those_of_the_readme() -> None:
    assert Counter(case["naming"] for case in CASES) == {"sector": 50, "full": 33, "none": 17}
    assert Counter(case["voice"] for case in CASES) == {"plain": 50, "lawyer": 50}
    assert Counter("row" in case for case in CASES) == {True: 50, False: 50}


@pytest.mark.parametrize("case", [case for case in CASES if case["naming"] == "full"], ids=case_id)
def test_a_question_that_names_its_agreement_in_full_holds_its_title(case: dict[str, Any]) -> None:
    title = AGREEMENTS[case["category"]].title
    assert title.casefold().removesuffix(".") in accentless(case["question"], title)


def accentless(question: str, title: str) -> str:
    """The question with the accents of the title, as many write without them."""
    plain = str.maketrans("áéíóú", "aeiou")
    known = {word.translate(plain): word for word in title.casefold().split()}
    return " ".join(known.get(word, word) for word in question.casefold().split())


@pytest.mark.parametrize("case", [case for case in CASES if "row" in case], ids=case_id)
def test_the_value_of_a_table_stands_in_the_row_that_its_case_names(case: dict[str, Any]) -> None:
    grids = [item for item in AGREEMENTS[case["category"]].items if isinstance(item, Grid)]
    rows = [row for grid in grids for row in grid.filled() if case["row"] in row and case["value"] in row]
    assert len(rows) == 1


@pytest.mark.parametrize("case", [case for case in CASES if "fact" in case], ids=case_id)
def test_the_fact_of_an_article_stands_in_the_article_that_its_case_names(case: dict[str, Any]) -> None:
    (label,) = case["relevant"]
    assert case["fact"] in AGREEMENTS[label["norm"]].articles()[label["article"]]


@pytest.mark.parametrize("one", AGREEMENTS.values(), ids=lambda one: one.stem)
def test_an_agreement_has_between_25_and_45_articles_numbered_in_order(one: Agreement) -> None:
    assert list(one.articles()) == [str(number) for number in range(1, len(one.articles()) + 1)]
    assert 25 <= len(one.articles()) <= 45
