"""Figures of an answer must stand in the texts it was made from."""

import re
import sys

import pytest

from tests.case_files import listed, pairs
from text.figures import days, digits, figures, footprint, holds, measured, unsupported_figures


@pytest.mark.parametrize(("text", "expected"), pairs("figures", "Números, con una sola escritura"))
def test_numbers_have_one_spelling(text, expected):
    assert "; ".join(sorted(figures(text))) == expected


TEXT = (
    "Artículo 7. Descanso inventado. 1. El descanso será de doce días y la multa de 1.500 euros desde el "
    "3 de mayo de 2024."
)


@pytest.mark.parametrize("answer", listed("figures", "Cifras que el texto contiene"))
def test_figures_that_a_text_contains_pass(answer):
    assert unsupported_figures(answer, [TEXT]) == []


@pytest.mark.parametrize(("answer", "flagged"), pairs("figures", "Cifras que ese texto no contiene"))
def test_figures_that_it_does_not_contain_are_flagged_as_written(answer, flagged):
    assert "; ".join(unsupported_figures(answer, [TEXT])) == flagged


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


@pytest.mark.parametrize(("text", "held"), pairs("figures", "Filas de un cuadro que comprenden un número"))
def test_a_range_of_a_row_holds_a_number_or_not(text, held):
    number, _, row = text.partition(": ")
    assert holds(row, int(number)) is (held == "sí")


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
