"""Facts of a case read from its papers: those that stand there, and nothing else."""

import pytest

from casework.matters.fact_values import typed_value
from core.errors import InputError
from lab.facts import HELD, SET, case, measured, sheet

CASES = sorted(SET.glob("*.txt"))


@pytest.fixture(scope="module")
def measures():
    return {path.stem: measured(stands, sheet(papers)) for path in CASES for papers, stands in [case(path)]}


def test_no_fact_is_invented(measures):
    assert {name: invented for name, (_, _, invented) in measures.items() if invented} == {}


def test_nearly_all_facts_that_stand_in_the_papers_are_told(measures):
    stand = sum(count for count, _, _ in measures.values())
    assert sum(len(missed) for _, missed, _ in measures.values()) <= 0.05 * stand


def test_of_cases_that_nobody_read_as_many_facts_are_told_as_at_first_sight():
    found = [measured(stands, sheet(papers)) for papers, stands in map(case, sorted(HELD.glob("*.txt")))]
    stand, missed, wrong = (
        sum(ones) for ones in zip(*((n, len(a), len(b)) for n, a, b in found), strict=True)
    )
    assert (stand, missed <= 13, wrong <= 12) == (94, True, True)


def test_each_value_stands_in_the_sentence_that_it_names():
    found = sheet(case(SET / "acebo.txt")[0])["salary"]
    assert (found.shown, found.paper) == ("1.590,72 € al mes", "nomina_junio")
    assert found.sentence == "A. TOTAL DEVENGADO ...... 1.590,72"
    assert [(one.value, one.unit, one.paper) for one in found.others] == [("15.960,00", "año", "contrato")]


@pytest.mark.parametrize(
    ("lines", "key", "shown"),
    [
        ("CONCEPTO      IMPORTE\nTOTAL DEVENGADO      900,00\nLÍQUIDO   80,00", "salary", "900,00 € al mes"),
        ("Régimen      Devengos\nTotales      900,00\nlíquido a percibir 1", "salary", "900,00 € al mes"),
        ("DATOS DE LA EMPRESA\nNombre: PAN Y SAL, S.L.\nDATOS DEL TRABAJADOR\nNombre: Ana Roca Sil", "worker",
         "Ana Roca Sil"),
        ("2ª. Jornada. Cuarenta horas semanales.", "hours", "40 horas a la semana"),
        ("Categoría de peón. Fecha de nacimiento: 01/02/1990", "start", "no consta"),
        ("C0NTRAT0\nPuesto: 0FICIAL DE 0BRA", "category", "OFICIAL DE OBRA"),
        ("Salario: veintiún mil seiscientos euros al año", "salary", "21.600,00 € al año"),
        ("El salario es de 1.200 euros al mes y la dieta de 30 euros al día.", "salary", "1.200,00 € al mes"),
        ("Presta servicios con antigüedad de 1/6/15, excedencia desde el 1/6/20.", "start", "01/06/2015"),
    ],
)  # fmt: skip
def test_the_words_nearest_to_a_value_or_above_it_tell_what_it_is(lines, key, shown):
    assert sheet({"papel": lines})[key].shown == shown
    assert sheet({"papel": lines})[key].others == ()


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
        pytest.param(
            {"acta": "De otra parte, D. Pedro Gómez Ruiz, en representación de la empresa."},
            "worker", "no consta", [], 0, id="a person for the firm",
        ),
        pytest.param(
            {"contrato": "Entre el Ayuntamiento de Urce, representado por D. Luis Paz, con DNI 33889900G."},
            "employer_id", "no consta", [], 0, id="the number of somebody else",
        ),
        pytest.param(
            {"carta": LETTER.format(" y a su colega y compañero, con antigüedad de 01/03/2020")},
            "start", "no consta", [], 0, id="a fact of a colleague",
        ),
        pytest.param(
            {"carta": LETTER.format(", que no tiene efectos el 5 de marzo de 2026")},
            "effects", "no consta", [], 1, id="a denial",
        ),
    ],
)  # fmt: skip
def test_what_papers_cannot_mean_is_no_fact(papers, key, shown, others, problems):
    found = sheet(papers)
    assert found[key].shown == shown
    assert [one.shown for one in found[key].others] == others
    assert len(found.problems) == problems


@pytest.mark.parametrize(
    ("key", "said", "unit", "value"),
    [
        ("start", "2 de mayo de 2017", "", "02/05/2017"),
        ("start", "31/02/2026", "", None),
        ("start", "en mayo", "", None),
        ("salary", "1590,72 €", "mes", "1.590,72"),
        ("salary", "1.590,72", "", None),
        ("salary", "mucho", "mes", None),
        ("hours", "37,5", "semana", "37,5"),
        ("worker", "  Marta\u202e Prieto ", "", "Marta Prieto"),
        ("worker", "x" * 301, "", None),
        ("seat", "", "", ""),
    ],
)
def test_what_a_person_gives_is_a_value_of_its_kind_or_refused_with_a_sentence(key, said, unit, value):
    if value is None:
        with pytest.raises(InputError, match=r"[.]$"):
            typed_value(key, said, unit)
    else:
        assert typed_value(key, said, unit).value == value


def test_a_value_that_a_person_gives_comes_first_and_papers_stay_beside_it():
    papers = {"nomina": "Total devengado: 900,00"}
    given = sheet(papers).given("salary", "950,00", "mes", "Ana")["salary"]
    assert (given.shown, given.by, given.paper) == ("950,00 € al mes", "Ana", "")
    assert [one.shown for one in given.others] == ["900,00 € al mes"]
    assert sheet(papers).given("salary", "10.800,00", "año", "Ana")["salary"].others == ()


@pytest.mark.parametrize(
    ("paper", "fact", "value"),
    [
        ("NOMBRE DE LA EMPRESA:  DOMICILIO SOCIAL\n", "employer", ""),
        ("EMPRESA: QUESOS DEL ALBA, S. COOP.   C.I.F.: F31209455\n", "employer", "QUESOS DEL ALBA, S. COOP."),
        ("EMPRESA: FAROS DEL ALBA, S. L.   C.I.F.: B31209455\n", "employer", "FAROS DEL ALBA, S. L."),
        (
            "El trabajador prestará sus servicios como (4) FARERA MAYOR, en Vigo.\n",
            "category",
            "FARERA MAYOR",
        ),
    ],
)
def test_what_a_form_prints_around_a_value_is_none_of_it(paper: str, fact: str, value: str) -> None:
    assert sheet({"contrato": f"CONTRATO DE TRABAJO\n\n{paper}"})[fact].value == value
