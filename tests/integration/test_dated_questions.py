"""The questions of `dated.jsonl`: their labels stand in the real law, and each is read with its day."""

import asyncio
import json
from datetime import date
from typing import Any

import pytest

from rag.pipeline import retrieve
from tests.conftest import ROOT
from tests.real_law import RealLaw

TODAY = date(2026, 11, 21)
LINES = (ROOT / "data" / "evaluation" / "dated.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]

pytestmark = [pytest.mark.corpus, pytest.mark.slow]


def day_of(case: dict[str, Any]) -> date:
    return date.fromisoformat(case["expected_as_of"]) if "expected_as_of" in case else TODAY


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_label_stands_in_the_wording_of_its_day_and_what_it_must_not_be_does_not(
    real_law: RealLaw, case: dict[str, Any]
) -> None:
    wanted = case["relevant"][0]
    parts = real_law.program.services.store.find(wanted["norm"], wanted["article"], day_of(case))
    text = " ".join(part.text for part in parts)
    assert case["must_contain"] in text
    assert case.get("must_not_contain", "\0") not in text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_question_is_searched_in_the_law_of_its_day(real_law: RealLaw, case: dict[str, Any]) -> None:
    state, _ = asyncio.run(retrieve(case["question"], real_law.program.services, today=TODAY))
    assert state.as_of == day_of(case)
