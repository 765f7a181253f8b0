"""Answers from the real law without a model are as they were frozen."""

import pytest

from rag.stages.notice_rules import UNMARKED
from tests.frozen.row_files import differences, frozen
from tests.frozen.seams import OF_LAW

pytestmark = [pytest.mark.slow, pytest.mark.corpus, pytest.mark.timeout(1800)]


@pytest.mark.parametrize("seam", ["answers"])
def test_the_seam_is_as_it_was_frozen(law, seam):
    if told := differences(seam, OF_LAW[seam](law)):
        pytest.fail(told, pytrace=False)


def test_no_answer_is_told_that_its_own_quotations_do_not_stand_so():
    notes = {case: " ".join(row.get("notes", ())) for case, row in frozen("answers").items()}
    assert len(notes) > 100
    assert [case for case, told in notes.items() if UNMARKED.partition("{")[0] in told] == []
