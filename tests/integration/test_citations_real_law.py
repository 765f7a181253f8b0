"""The labelled briefs over the real norms: precision and recall of each state."""

from datetime import date

import pytest

from rag.briefs.check import check
from rag.briefs.library import Library
from tests.brief_cases import briefs, scores, total, verdicts
from tests.conftest import BOE
from tests.real_law import RealLaw

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]
TODAY = date(2026, 11, 22)
ENOUGH, LEAST, BRIEFS = 0.97, 300, 20


def test_the_states_of_the_citations_of_labelled_briefs_are_right(real_law: RealLaw) -> None:
    library, catalogue = Library(real_law.program.corpus), real_law.program.catalogue()
    cases = list(briefs(library))
    assert len(cases) >= BRIEFS and sum(len(one.expected) for one in cases) >= LEAST
    found = [
        verdict
        for one in cases
        for verdict in verdicts(one, check(one.text, library, catalogue, one.day, TODAY))
    ]
    wrong = [(one.brief, one.expected, one.found) for one in found if not one.right]
    by_state = scores(found)
    whole = total(by_state)
    assert min(whole.precision, whole.recall) >= ENOUGH, wrong
    for state, score in by_state.items():
        assert min(score.precision, score.recall) >= ENOUGH, (state, wrong)
