"""Calculations that an answer shows are done again."""

import pytest

from text.sums import sums


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Son 33 días × 5 años = 165 días.", ["33 × 5 = 165"]),
        ("- 45 días por 8 años = 360 días; 33 por 2,5 = 82,5", ["45 × 8 = 360", "33 × 2,5 = 82,5"]),
        ("el 50 % de 1.200 € = 600 €", ["50 % × 1.200 = 600"]),
        ("1.184 × 14 / 12 = 1.381,33 euros", ["1.184 × 14 ÷ 12 = 1.381,33"]),
        ("(45 × 8) + (33 × 2) = 426 días", ["( 45 × 8 ) + ( 33 × 2 ) = 426"]),
        ("33 × 5 = 165 + 20 = 185", ["33 × 5 = 165", "165 + 20 = 185"]),
        ("1.200 − 6,35 % = 1.123,80", ["1.200 − 6,35 % = 1.123,80"]),
        ("60 € x 33 días = 1.980 €. 1.980 € × 5 = 9.900 €", ["60 × 33 = 1.980", "1.980 × 5 = 9.900"]),
        ("18.000 ÷ 365 × 165 = 8.137,80", ["18.000 ÷ 365 × 165 = 8.137,80"]),
        ("1.000 ÷ 3 = 333,33", ["1.000 ÷ 3 = 333,33"]),
        ("100 ÷ 3 = aproximadamente 33,5", ["100 ÷ 3 = 33,5"]),
        ("20 ÷ 80 = 25 %", ["20 ÷ 80 = 25"]),
        ("El 10 % de 220 son 22.", ["10 % × 220 = 22"]),
        ("33 días por 4 años suman 132 días", ["33 × 4 = 132"]),
        ("65 % + 5 puntos × 2 = 75 %", ["65 % + 5 × 2 = 75"]),
        ("2024 – 2005 = 19 años", ["2024 − 2005 = 19"]),
        ("artículo 56: 33 días por año [C1] × 4 = 132 días.", ["33 × 4 = 132"]),
    ],
)
def test_a_right_calculation_is_recognised_in_spanish_format(text, shown):
    assert [(one.shown, one.right) for one in sums(text)] == [(one, True) for one in shown]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("33 días × 5 años = 160 días", "165"),
        ("1.184 × 14 = 16.567", "16.576"),
        ("10 ÷ 4 = 2,4", "2,50"),
        ("18.000 ÷ 365 × 165 = 8.186,99", "8.136,99"),
        ("60 % de 1.000 = 610", "600"),
        ("1,5 × 3 = 45", "4,50"),
        ("El 10 % de 220 son 30", "22"),
        ("33 días por 4 años equivalen a 123 días", "132"),
    ],
)
def test_a_wrong_result_comes_with_the_right_one(text, value):
    assert [(one.right, one.value) for one in sums(text)] == [(False, value)]


@pytest.mark.parametrize(
    "text",
    [
        "del 01/03/2024 al 31/12/2025 = 671 días",
        "jornada = 40 horas",
        "De 40 horas, un octavo son 5 y la mitad son 20.",
        "De lunes a viernes son 5 días.",
        "33 días por 5 años, es decir, 165",
        "12 ÷ 0 = 3",
        "10 × (3 = 30",
        "3 × 4 = doce",
        "la Ley 15/2022 = 7",
        "grupos 2-3 = 40 horas",
        "=" * 1000,
        "(" * 5000 + "1 + 1 = 2",
        "1 + " * 5000 + "1",
        "9" * 400 + " × 9 = 8",
    ],
)
def test_what_is_no_whole_calculation_is_none(text):
    assert all(one.right for one in sums(text))
