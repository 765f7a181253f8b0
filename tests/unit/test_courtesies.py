"""Courtesies: what is answered in a line, and what stays a question."""

from datetime import date

import pytest

from rag.question.courtesies import reply
from rag.question.matter import foreign
from rag.question.question_form import clean
from tests.case_files import listed, pairs

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(("said", "begins"), pairs("courtesies", "courtesies"))
def test_a_courtesy_is_answered_in_a_line(said: str, begins: str) -> None:
    assert reply(clean(said), TODAY).startswith(begins)


@pytest.mark.parametrize("said", listed("courtesies", "questions"))
def test_a_question_is_no_courtesy(said: str) -> None:
    assert reply(clean(said), TODAY) == ""


@pytest.mark.parametrize(
    ("question", "country"),
    [
        ("mi contrato indica que hago 40 horas, ¿cuántas horas extra puedo hacer?", ""),
        ("¿Qué contrato indican para las obras?", ""),
        ("el reglamento chino de jornada", "China"),
        ("¿Qué dice la ley india del trabajo?", "India"),
        ("las leyes alemanas", "Alemania"),
    ],
)
def test_a_country_is_named_by_whole_words(question: str, country: str) -> None:
    assert foreign(question) == country


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("DESPIDO OBJETIVO CAUSAS", "despido objetivo causas"),
        ("QUE DICE EL ART 49.1.B ET", "qué dice el art 49.1.b ET"),
        ("ERTE", "ERTE"),
        ("plazo de la LRJS", "plazo de la LRJS"),
    ],
)
def test_capitals_throughout_are_read_as_small_letters(typed: str, read: str) -> None:
    assert clean(typed) == read
