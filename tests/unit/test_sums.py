"""Calculations that an answer shows are done again."""

import pytest

from tests.case_files import pairs
from text.sums import sums


@pytest.mark.parametrize(("text", "shown"), pairs("sums", "Cuentas bien hechas"))
def test_a_right_calculation_is_recognised_in_spanish_format(text, shown):
    found = sums(text)
    assert "; ".join(one.shown for one in found) == shown
    assert all(one.right for one in found)


@pytest.mark.parametrize(("text", "value"), pairs("sums", "Cuentas mal hechas"))
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
