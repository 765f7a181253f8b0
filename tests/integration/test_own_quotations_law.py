"""The program never doubts the quotations that it chose itself, held against the real norms."""

import asyncio
from datetime import date
from itertools import chain

import pytest

from config import ROOT
from rag.answers.extractive import completed, said
from rag.answers.quotable import quotable
from rag.answers.quoted import without_false_marks
from rag.answers.selection import Passage
from rag.evaluation.cases import read_dataset
from rag.pipeline import run
from rag.stages.verify import UNMARKED
from rag.text.segmentation import is_row
from tests.real_law import RealLaw

pytestmark = [pytest.mark.corpus, pytest.mark.slow]
TODAY = date(2026, 11, 21)
NOTE = UNMARKED.partition("{")[0]
EACH = 20


def test_every_passage_that_may_be_quoted_keeps_its_marks(real_law: RealLaw) -> None:
    for chunk in chain.from_iterable(real_law.program.services.store.all_chunks()):
        for start, text, headers, cut, lead in quotable(chunk):
            if not is_row(text):
                one = Passage(0, start, text, headers=headers, cut=cut, lead=lead)
                shown = f"{said(completed(one, chunk.text), chunk.text)} [C1] «{text[:60]}» [C1]"
                _, lost = without_false_marks(shown, {"C1": [chunk.text]}, [text[:60]])
                assert not lost, (chunk.name, lost)


@pytest.mark.parametrize("name", ["answers", "jury", "examiner", "desk", "everyday"])
def test_no_answer_is_told_that_its_own_quotations_do_not_stand_so(real_law: RealLaw, name: str) -> None:
    cases = read_dataset(ROOT / "data" / "evaluation" / f"{name}.jsonl").cases
    for case in cases[:: len(cases) // EACH][:EACH]:
        found = run(case.question, real_law.program.services, as_of=case.as_of, today=TODAY)
        answer = asyncio.run(found).answer
        assert NOTE not in (answer.notes or ""), (case.question, answer.answer)
