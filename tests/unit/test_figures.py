"""Figures of an answer must stand in what it cites."""

import pytest

from rag.text.figures import figures, measured, unsupported_figures
from tests.factories import make_chunk


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("treinta y tres días de salario por año", {"33"}),
        ("veintiún días", {"21"}),
        ("dos testigos", {"2"}),
        ("1.250.000,00 euros", {"1250000"}),
        ("1.184,50 euros", {"1184.5"}),
        ("artículo 48.4", {"48.4", "48", "4"}),
        ("un día, una persona", set()),
        ("mil ciento ochenta y cuatro euros", {"1184"}),
    ],
)
def test_numbers_have_one_spelling(text, expected):
    assert figures(text) == expected


def chunk():
    return make_chunk(
        section="Artículo 7. Descanso inventado.",
        label="7",
        text="1. El descanso será de doce días y la multa de 1.500 euros desde el 3 de mayo de 2024.",
    )


@pytest.mark.parametrize(
    "answer",
    [
        "Son 12 días [C1].",
        "La multa es de mil quinientos euros [C12].",
        "El artículo 7.1 lo dice.",
        "Desde el 3 de mayo de 2024.",
        "Un día.",
    ],
)
def test_figures_that_the_cited_chunk_contains_pass(answer):
    assert unsupported_figures(answer, [chunk()]) == []


@pytest.mark.parametrize(
    ("answer", "flagged"),
    [("Son 15 días.", ["15"]), ("El artículo 99 dice doce.", ["99"]), ("Unos 1.600 euros.", ["1.600"])],
)
def test_figures_that_it_does_not_contain_are_flagged_as_written(answer, flagged):
    assert unsupported_figures(answer, [chunk()]) == flagged


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("no será inferior a treinta días naturales", ["días"]),
        ("un máximo de 24 mensualidades y doce semanas", ["mensualidades", "semanas"]),
        ("el artículo 48.4 de la ley", []),
        ("sin cifras", []),
    ],
)
def test_what_a_number_measures(text, nouns):
    assert measured(text) == nouns
