"""Confidence against truth over the real norms, by words: with all search aids, without, and mixed."""

import asyncio
from datetime import date
from statistics import fmean

import pytest

from rag.answers.confidence import LEAST_HIGH
from rag.evaluation.cases import read_dataset
from rag.evaluation.measurement import evaluate
from rag.evaluation.results import Aids
from tests.conftest import ROOT
from tests.real_law import RealLaw

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

TODAY = date(2026, 11, 21)
EVERY = 5
CASES = read_dataset(ROOT / "data" / "evaluation" / "answers.jsonl").cases[::EVERY]
APART = 0.15
"""How far the mean confidence may lie from the share of right answers: two standard errors of forty."""


@pytest.mark.parametrize("aids", Aids)
def test_answers_are_as_often_right_as_their_confidence_says(real_law: RealLaw, aids: Aids) -> None:
    services = real_law.program.services
    results = asyncio.run(evaluate(CASES, services, today=TODAY, aids=aids))
    given = [one for one in results if one.told and not one.refused]
    right = [bool(one.told and one.told.right) for one in given]
    confidence = [one.confidence for one in given]
    assert len(given) > 0.9 * len(CASES)
    assert fmean(confidence) == pytest.approx(fmean(right), abs=APART)
    sure = [was_right for was_right, odds in zip(right, confidence, strict=True) if odds >= LEAST_HIGH]
    assert sum(sure) >= 0.9 * len(sure)
