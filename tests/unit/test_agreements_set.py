"""The set of invented agreements: its shares, that every answer stands where its case says, and the files."""

import json
from typing import Any

import pytest

from lab.make_agreements import SOURCE, Grid, agreements

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (SOURCE.parent / "agreements.jsonl").read_text("utf-8").splitlines()
]
AGREEMENTS = {one.stem: one for one in agreements()}


def case_id(case: dict[str, Any]) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", [case for case in CASES if "row" in case], ids=case_id)
def test_the_value_of_a_table_stands_in_the_row_that_its_case_names(case: dict[str, Any]) -> None:
    grids = [item for item in AGREEMENTS[case["category"]].items if isinstance(item, Grid)]
    rows = [row for grid in grids for row in grid.filled() if case["row"] in row and case["value"] in row]
    assert len(rows) == 1


@pytest.mark.parametrize("case", [case for case in CASES if "fact" in case], ids=case_id)
def test_the_fact_of_an_article_stands_in_the_article_that_its_case_names(case: dict[str, Any]) -> None:
    (label,) = case["relevant"]
    assert case["fact"] in AGREEMENTS[label["norm"]].articles()[label["article"]]
