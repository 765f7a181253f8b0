"""The labelled briefs over the real norms: precision and recall of each state."""

from collections import defaultdict
from datetime import date

import pytest

from casework.briefs.brief_check import check
from casework.briefs.findings import CitationReport, State, sign_of
from casework.briefs.norm_library import Library
from tests.brief_cases import Verdict, briefs, scores, total, verdicts
from tests.case_files import pairs
from tests.conftest import BOE
from tests.real_law import RealLaw

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.slow,
    pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here"),
]
TODAY = date(2026, 11, 22)
ENOUGH, LEAST, BRIEFS = 0.97, 300, 20
BY_US = frozenset("abc")
BY_OTHERS = {
    **dict.fromkeys("defgi", 0.97),
    **{"h": 0.91, "j": 0.96, "k": 0.92, "l": 0.92, "m": 0.94},
}
"""Authors who wrote with the checker; what it reaches on the briefs of each of the others."""


@pytest.fixture(scope="module")
def found(real_law: RealLaw) -> dict[str, list[Verdict]]:
    """The verdicts on the briefs of each author."""
    library, catalogue = Library(real_law.program.database.corpus), real_law.program.holdings.catalogue()
    made: dict[str, list[Verdict]] = defaultdict(list)
    for one in briefs(library):
        made[one.author] += verdicts(one, check(one.text, library, catalogue, one.day, TODAY))
    return made


def test_the_states_of_the_citations_of_labelled_briefs_are_right(found: dict[str, list[Verdict]]) -> None:
    ours = [one for author in BY_US for one in found[author]]
    assert len({one.brief for one in ours}) >= BRIEFS
    assert sum(one.expected is not None for one in ours) >= LEAST
    wrong = [(one.brief, one.expected, one.found) for one in ours if not one.right]
    by_state = scores(ours)
    whole = total(by_state)
    assert min(whole.precision, whole.recall) >= ENOUGH, wrong
    for state, score in by_state.items():
        assert min(score.precision, score.recall) >= ENOUGH, (state, wrong)


@pytest.mark.parametrize("author", BY_OTHERS)
def test_the_briefs_of_somebody_who_had_not_seen_the_checker_are_read_as_well_as_before(
    found: dict[str, list[Verdict]], author: str
) -> None:
    assert found[author]
    whole = total(scores(found[author]))
    wrong = [one for one in found[author] if not one.right]
    assert min(whole.precision, whole.recall) >= BY_OTHERS[author], wrong


def checked(real_law: RealLaw, text: str, day: date = TODAY) -> CitationReport:
    library, catalogue = Library(real_law.program.database.corpus), real_law.program.holdings.catalogue()
    return check(text, library, catalogue, day, TODAY)


@pytest.mark.parametrize(("text", "state"), pairs("brief_states", "Con las leyes del BOE"))
def test_a_norm_that_a_loaded_one_repeals_is_repealed_and_a_part_applied_meanwhile_stands(
    real_law: RealLaw, text: str, state: str
) -> None:
    brief, _, day = text.rstrip("]").partition(" [")
    (found,) = checked(real_law, brief, date.fromisoformat(day) if day else TODAY).findings
    assert found.state == state


def test_the_wording_applied_meanwhile_is_quoted_as_that_of_its_article_with_a_warning(
    real_law: RealLaw,
) -> None:
    shelf = Library(real_law.program.database.corpus).shelf("BOE-A-2015-11724")
    assert shelf is not None
    version = shelf.labelled["dt 26"][0].wording_on(TODAY)
    assert version is not None
    (words,) = (line[3:] for line in version.text.splitlines() if line.startswith("5. "))
    report = checked(real_law, f"El art. 194 LGSS manda. El art. 194.5 LGSS dispone: «{words}»")
    assert [one.state for one in report.findings] == [State.IN_FORCE, State.IN_FORCE, State.EXACT]
    first, part, _ = report.findings
    assert "disposición transitoria vigésima sexta" in first.warning.lower()
    assert sign_of(first.state, first.warning) != "✔" == sign_of(part.state, part.warning)
    assert "disposición transitoria 26" in part.said
