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
BY_US, BY_OTHERS = frozenset("abc"), 0.9
"""Authors who wrote with the checker; what it must reach on the briefs of anybody else."""


def test_the_states_of_the_citations_of_labelled_briefs_are_right(real_law: RealLaw) -> None:
    library, catalogue = Library(real_law.program.corpus), real_law.program.catalogue()
    cases = [one for one in briefs(library) if one.author in BY_US]
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


def test_on_the_briefs_of_somebody_who_had_not_seen_the_checker_nine_in_ten_are_right(
    real_law: RealLaw,
) -> None:
    library, catalogue = Library(real_law.program.corpus), real_law.program.catalogue()
    cases = [one for one in briefs(library) if one.author not in BY_US]
    assert cases
    found = [
        verdict
        for one in cases
        for verdict in verdicts(one, check(one.text, library, catalogue, one.day, TODAY))
    ]
    whole = total(scores(found))
    assert min(whole.precision, whole.recall) >= BY_OTHERS, [one for one in found if not one.right]
