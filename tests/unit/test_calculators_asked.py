"""A question that asks for an account is told of the calculator that does it."""

import pytest

from calculations.catalogue import CALCULATORS
from lexicon.calculators import calculator
from lexicon.data_files import read_toml


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("calcula despido objetivo 7 años y 3 meses, 1.850 €", "Indemnización por extinción"),
        (
            "Gano 1.500 euros y me despiden tras 4 años: ¿cuánto me corresponde?",
            "Indemnización por extinción",
        ),
        ("¿Cuánto cobro de paro si ganaba 2.000 € al mes?", "Prestación por desempleo"),
        ("cálculo del finiquito con 3 días de vacaciones", "Finiquito"),
        ("¿Cómo se calcula lo que cobro de baja médica?", "Subsidio por incapacidad temporal"),
        ("calcúlame las semanas de paternidad", "Nacimiento y cuidado de menor"),
        ("calcula a qué edad me jubilo con 37 años cotizados", "Edad ordinaria de jubilación"),
        ("¿Cuánto dura el paro?", ""),
        ("¿Qué indemnización tiene un despido objetivo?", ""),
        ("calcula la indemnización por daños y perjuicios del despido", ""),
        ("¿Cuánto es el subsidio por desempleo con 500 euros de rentas?", ""),
        ("calcula la edad de jubilación anticipada", ""),
        ("¿Cuánto se paga de multa, 626 euros?", ""),
    ],
)
def test_an_account_that_a_calculator_does_is_known_by_its_words(question: str, title: str) -> None:
    assert calculator(question) == title


def test_every_name_and_title_is_of_a_calculator() -> None:
    named = {item["name"]: item["title"] for item in read_toml("calculators.toml")["calculator"]}
    assert named == {name: CALCULATORS[name].title for name in named}
