"""The demo corpus keeps its form and, where the real law is at hand, says nothing that it does not say."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lab.check_demo import BOE, DEMO, check, copied, numbers, sentences
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


def test_a_file_that_claims_to_be_official_is_reported(spoil: Callable[[str, str, str], Path]) -> None:
    problems = check(spoil("normativa/et.md", "official: false", "official: true"), boe=None).problems
    assert "et.md: it must say official: false" in problems


def test_a_criterion_without_its_disclaimer_is_reported(spoil: Callable[[str, str, str], Path]) -> None:
    demo = spoil(
        "criterios_inss/ejemplo-1-recaida-incapacidad-temporal.md", "no es un criterio real. La", "La"
    )
    assert any("it does not begin with" in problem for problem in check(demo, boe=None).problems)


def test_an_invented_criterion_that_claims_to_be_in_force_is_reported(
    spoil: Callable[[str, str, str], Path],
) -> None:
    criterion = "criterios_inss/ejemplo-1-recaida-incapacidad-temporal.md"
    problems = check(spoil(criterion, "state: Inventado (ejemplo de formato)", "state: Vigente"), boe=None)
    assert any("its state must begin with Inventado" in problem for problem in problems.problems)


def test_a_judgment_of_luxembourg_with_the_territory_of_the_state_is_reported(
    spoil: Callable[[str, str, str], Path],
) -> None:
    demo = spoil("sentencias/tjue-tyco.md", "territory: Unión Europea", "territory: estatal")
    assert any("its territory must be Unión Europea" in problem for problem in check(demo, boe=None).problems)


def test_the_rows_of_a_table_are_neither_sentences_nor_copied_wording() -> None:
    table = "| Año | Edad |\n| --- | --- |\n| 2031 | 70 años, 71 años, 72 años y 73 años o más |"
    assert sentences(f"La edad depende del año.\n{table}") == ["La edad depende del año."]
    assert list(copied(table, table)) == []
    assert numbers(table) == {"2031", "70", "71", "72", "73"}


@pytest.mark.corpus
@REAL
@pytest.mark.parametrize(("article", "right"), [("35.3", True), ("935.3", False)])
def test_the_number_of_an_article_is_a_pointer_only_if_the_norm_has_it(
    spoil: Callable[[str, str, str], Path], article: str, right: bool
) -> None:
    demo = spoil("normativa/et.md", "no pueden cambiarse por dinero.", f"lo explica el artículo {article}.")
    assert any("the figure" in problem for problem in check(demo).problems) is not right


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("treinta y ocho años y seis meses", {"38", "6"}),
        ("veintiún años o dos semanas", {"21", "2"}),
        ("1.221 euros o 1 221 euros", {"1221"}),
        ("el cincuenta por ciento, 50 % o el cien por cien", {"50", "100"}),
        ("un mes, el cuarto día y la sección 1.ª", set()),
        ("2. Dura diez días", {"10"}),
    ],
)
def test_figures_are_the_same_in_digits_and_in_words(text: str, found: set[str]) -> None:
    assert numbers(text) == found


def test_a_run_of_ten_words_is_a_copy_and_one_of_nine_is_not() -> None:
    real = "uno dos tres cuatro cinco seis siete ocho nueve diez once"
    assert list(copied("Tres, cuatro cinco seis siete ocho nueve diez once doce.", real)) == []
    assert list(copied("Dos tres cuatro cinco seis siete ocho nueve diez once.", real)) != []


def test_the_loader_gives_each_summary_its_block_its_date_and_its_questions() -> None:
    document = load(DEMO / "normativa" / "et.md")[0]
    block = next(block for block in document.blocks if block.id == "a38")
    assert not document.norm.official
    assert document.norm.extra["source_norm"] == "BOE-A-2015-11430"
    assert (block.label, block.title) == ("38", "Artículo 38. Vacaciones anuales.")
    assert block.versions[0].valid_from.isoformat() == "2015-10-24"
    assert block.path[0] == "TÍTULO I. De la relación individual de trabajo"
    assert "<!--" not in block.versions[0].text
