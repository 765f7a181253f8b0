"""The questions of `dated.jsonl`: their labels stand in the real law, and each is read with its day."""

import asyncio
import json
from datetime import date
from typing import Any

import pytest

from rag.run.pipeline import retrieve
from tests.conftest import ROOT
from tests.real_law import RealLaw

TODAY = date(2026, 11, 21)
LINES = (ROOT / "data" / "evaluation" / "dated.jsonl").read_text("utf-8").splitlines()
EVERY = [json.loads(line) for line in LINES]
CASES = [case for case in EVERY if case.get("relevant")]
WITHOUT_LAW = [case for case in EVERY if case.get("expect") == "warned"]

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


@pytest.mark.parametrize("case", WITHOUT_LAW, ids=lambda case: case["id"])
def test_no_law_that_is_loaded_answers_a_question_to_be_refused_or_warned(
    real_law: RealLaw, case: dict[str, Any]
) -> None:
    day = date.fromisoformat(case["asked_on"])
    chunks = (chunk for batch in real_law.program.database.corpus.all_chunks() for chunk in batch)
    texts = [" ".join(chunk.text.split()).casefold() for chunk in chunks if chunk.in_force_on(day)]
    assert day > TODAY or not texts or case["absent"]
    assert not [words for words in case.get("absent", ()) if any(words in text for text in texts)]
