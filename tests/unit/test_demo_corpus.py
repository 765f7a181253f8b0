"""The demo corpus keeps its form and, where the real law is at hand, says nothing that it does not say."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lab.check_demo import BOE, DEMO, check
from loading.formats import load

REAL = pytest.mark.skipif(not BOE.is_dir(), reason="the real norms (../shared/boe) are not here")


@pytest.fixture
def spoil(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """A copy of one demo file, in a corpus of its own, with one thing replaced."""

    def change(name: str, old: str, new: str) -> Path:
        text = (DEMO / name).read_text(encoding="utf-8")
        assert old in text
        copy = tmp_path / name
        copy.parent.mkdir()
        copy.write_text(text.replace(old, new, 1), encoding="utf-8")
        return tmp_path

    return change


def test_every_demo_file_has_the_form_that_the_loader_expects() -> None:
    report = check(boe=None)
    assert report.problems == []
    assert report.compared == 0


@pytest.mark.corpus
@REAL
def test_headings_dates_and_figures_are_those_of_the_real_articles_and_no_sentence_is_copied() -> None:
    report = check()
    assert report.problems == []
    assert report.compared >= 95


@pytest.mark.corpus
@REAL
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("treinta días naturales, y no pueden", "treinta y un días naturales, y no pueden", "the figure 31"),
        ("#### Artículo 38. Vacaciones anuales.", "#### Artículo 38. Vacaciones.", "the real heading is"),
        ("block: a38;", "block: a3800;", "the block a3800 does not exist"),
        (
            "y no pueden cambiarse por dinero.",
            "y no pueden cambiarse por dinero. El calendario de vacaciones se fijará en cada empresa y "
            "el trabajador conocerá las fechas que le correspondan dos meses antes, al menos, del comienzo.",
            "copied: «el trabajador conocerá las fechas",
        ),
    ],
)
def test_a_summary_that_departs_from_its_article_is_reported(
    spoil: Callable[[str, str, str], Path], old: str, new: str, problem: str
) -> None:
    problems = check(spoil("normativa/et.md", old, new)).problems
    assert any(problem in line for line in problems), problems


def test_the_loader_gives_each_summary_its_block_its_date_and_its_questions() -> None:
    document = load(DEMO / "normativa" / "et.md")[0]
    block = next(block for block in document.blocks if block.id == "a38")
    assert not document.norm.official
    assert document.norm.extra["source_norm"] == "BOE-A-2015-11430"
    assert (block.label, block.title) == ("38", "Artículo 38. Vacaciones anuales.")
    assert block.versions[0].valid_from.isoformat() == "2015-10-24"
    assert block.path[0] == "TÍTULO I. De la relación individual de trabajo"
    assert "<!--" not in block.versions[0].text
