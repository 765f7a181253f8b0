"""Figures of an answer must stand in the texts it was made from."""

import re
import sys

import pytest

from tests.case_files import pairs
from text.figures import days, digits, figures, footprint, holds, measured, unsupported_figures


@pytest.mark.parametrize(("text", "expected"), pairs("figures", "Números, con una sola escritura"))
def test_numbers_have_one_spelling(text, expected):
    assert "; ".join(sorted(figures(text))) == expected


TEXT = (
    "Artículo 7. Descanso inventado. 1. El descanso será de doce días y la multa de 1.500 euros desde el "
    "3 de mayo de 2024."
)


@pytest.mark.parametrize(
    "answer",
    [
        "Son 12 días [C1].",
        "La multa es de mil quinientos euros [C12].",
        "El artículo 7.1 lo dice.",
        "Desde el 3 de mayo de 2024.",
        "El artículo 7.12 lo dice.",
        "El artículo 7.3.12 lo dice.",
        "Un día.",
        "2. Doce días.\n15) Doce días.",
    ],
)
def test_figures_that_a_text_contains_pass(answer):
    assert unsupported_figures(answer, [TEXT]) == []


@pytest.mark.parametrize(
    ("answer", "flagged"),
    [
        ("Son 15 días.", ["15"]),
        ("El artículo 99 dice doce.", ["99"]),
        ("El artículo 7.99 dice doce.", ["7.99"]),
        ("Unos 1.600 euros.", ["1.600"]),
        ("Son 1[C2]5 días.", ["15"]),
    ],
)
def test_figures_that_it_does_not_contain_are_flagged_as_written(answer, flagged):
    assert unsupported_figures(answer, [TEXT]) == flagged


@pytest.mark.parametrize(("text", "nouns"), pairs("figures", "Lo que mide un número"))
def test_what_a_number_measures(text, nouns):
    assert "; ".join(measured(text)) == nouns


def test_the_footprint_counts_each_number_as_written():
    assert footprint("12 días, 12 meses y 1.500,00 euros") == {"12": 2, "1.500,00": 1}


def test_numbers_of_neighbouring_fields_do_not_run_together():
    texts = ["Plazo de 12", "5 días"]
    assert unsupported_figures("Son 12 y 5.", texts) == []
    assert unsupported_figures("Son 125.", texts) == ["125"]


@pytest.mark.parametrize(("text", "lengths"), pairs("figures", "Duraciones, en días"))
def test_lengths_of_time_are_told_in_days(text, lengths):
    assert "; ".join(map(str, days(text))) == lengths


@pytest.mark.parametrize(
    ("row", "length", "held"),
    [
        ("| Desde 720 hasta 899 | 240 |", 720, True),
        ("| Desde 720 hasta 899 | 240 |", 899, True),
        ("| Desde 720 hasta 899 | 240 |", 900, False),
        ("| De 1.080 a 1.259 días | 360 |", 1100, True),
        ("| Entre 360 y los 539 | 120 |", 400, True),
        ("| Desde 2.160 | 720 |", 5000, True),
        ("| Desde 2.160 | 720 |", 2159, False),
        ("| Grupo 3 | 1.512,60 |", 3, False),
    ],
)
def test_a_range_of_a_row_holds_a_number_or_not(row, length, held):
    assert holds(row, length) is held


@pytest.mark.parametrize(
    ("text", "number"),
    [("c\u0131nco", "5"), ("do\u017f", "2"), ("D\u0130EZ", "10"), ("tre\u017f", "3"), ("VE\u0130NTE", "20")],
)
def test_a_number_with_a_letter_that_looks_like_i_or_s_is_read(text, number):
    assert digits(f"{text} meses") == f"{number} meses"


def test_no_letter_that_a_pattern_takes_for_another_case_of_ours_ends_the_reading():
    ours = re.compile("[a-zñáéíóú]", re.I)
    for letter in filter(ours.fullmatch, map(chr, range(sys.maxunicode))):
        for word in ("dos", "cinco", "siete", "diez", "nueve", "quince"):
            for place in range(len(word)):
                digits(f"{word[:place]}{letter}{word[place + 1 :]}")
