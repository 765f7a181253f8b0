"""Facts of a case read from its papers: those that stand there, and nothing else."""

import pytest

from casework.matters.case_facts import shown as shown_value
from lab.facts import SET, case, measured, sheet

CASES = sorted(SET.glob("*.txt"))


@pytest.fixture(scope="module")
def measures():
    return {path.stem: measured(stands, sheet(papers)) for path in CASES for papers, stands in [case(path)]}


def test_no_fact_is_invented(measures):
    assert {name: invented for name, (_, _, invented) in measures.items() if invented} == {}


def test_nearly_all_facts_that_stand_in_the_papers_are_told(measures):
    stand = sum(count for count, _, _ in measures.values())
    assert sum(len(missed) for _, missed, _ in measures.values()) <= 0.05 * stand


def test_each_value_stands_in_the_sentence_that_it_names():
    found = sheet(case(SET / "acebo.txt")[0])["salary"]
    assert (found.shown, found.paper) == ("1.590,72 € al mes", "nomina_junio")
    assert found.sentence == "A. TOTAL DEVENGADO ...... 1.590,72"
    assert [(one.value, one.unit, one.paper) for one in found.others] == [("15.960,00", "año", "contrato")]


LETTER = "Madrid, 3 de marzo de 2026\n\nLe comunicamos su despido{}.\n"


@pytest.mark.parametrize(
    ("papers", "key", "shown", "others", "problems"),
    [
        pytest.param({"nota": "Sin fechas."}, "start", "no consta", [], 0, id="a paper without dates"),
        pytest.param(
            {"carta": LETTER.format(", con efectos de 31 de febrero de 2026")},
            "effects", "no consta", [], 1, id="a day that does not exist",
        ),
        pytest.param(
            {"contrato": "El salario será de 1.500 euros al mes.\nEl salario es de 1.650 euros mensuales."},
            "salary", "1.500,00 € al mes", ["1.650,00 € al mes"], 0, id="two salaries in one paper",
        ),
        pytest.param(
            {"contrato": "El salario será de 18.000 euros al año, 1.500 euros mensuales."},
            "salary", "18.000,00 € al año", [], 0, id="a salary by year and month",
        ),
        pytest.param({"contrato": "El salario será de 1.500 euros."}, "salary", "no consta", [], 0,
                     id="a salary for nobody knows how long"),
        pytest.param(
            {"nomina": "Antigüedad: 01/02/2020\nTotal devengado: 900,00",
             "demanda": "DEMANDA\nTrabaja con una antigüedad de 1 de enero de 2019."},
            "start", "01/02/2020", ["01/01/2019"], 0, id="a writ that says something else",
        ),
    ],
)  # fmt: skip
def test_what_papers_cannot_mean_is_no_fact(papers, key, shown, others, problems):
    found = sheet(papers)
    assert found[key].shown == shown
    assert [shown_value(found[key].kind, one) for one in found[key].others] == others
    assert len(found.problems) == problems
