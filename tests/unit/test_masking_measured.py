"""Masking measured: sentences of eight authors, questions of the evaluation, the real law, and time."""

import pytest

from lab.masking import law, questions
from masking.engine import find
from masking.vault import Vault
from tests.growth import assert_linear

PIECES = (
    " ", " \t", "S.L. ", "Ruiz ", "D. ", "1234 ", "+34 ", "calle ", "Ana ", "nombre: ", "a; ", "nac\n",
    "nombre; dni\n", "nombre; dni\na; b\n", "| ", "vivo en A ", "seis ", "arroba ", "ana punto ", "n.º 1, ",
    "1 de la calle ", "edificio A, ", "matricula a ", "bloque 1 ", "ES91 ", "12.", "Ana, ", "ANA, ",
    "ana y ", "Fa-\nchadas ", "Bar Manolo ", "la empresa es ", "Ruiz/", "A. ", "Ruiz Abogados ",
    "polígono 2, 28001 Madrid ", "DNI de ", "@ana ", "DNI: ", "DNI\n", "DNI 1 ", "1 (DNI) ", "n. 1",
    "Ana, 1/2/1990, ", "nac. 1/2/1990, Ana, ", "Olmo 14, ", "Olmo, 28001 Madrid ", "Olmo 14, 2º B, ", "B1O",
    "O0l", "1 2 ", "J. M. ", "el bar es ", "Ruiz & ", "__",
)  # fmt: skip
"""Repeated, each is what some finder begins to read and cannot end."""


@pytest.mark.slow
def test_the_questions_of_the_evaluation_are_nearly_all_left_alone() -> None:
    asked = questions()
    hits = [(span.kind, question[span.start : span.end]) for question in asked for span in find(question)]
    # A company whose own agreement is asked about, and a date of birth, are masked like any other.
    hits = [hit for hit in hits if hit[0] not in ("EMPRESA", "NACIMIENTO")]
    assert len(asked) > 24_000
    # Who is named in a story, and five towns («un cliente de Alcaraz»).
    assert len(hits) <= 110
    # «soy manuel» is a name; the others are known faults.
    assert sorted({value for _, value in hits if value[0].islower()}) == [
        "alma",
        "alta médica",
        "aura",
        "eligió",
        "justo entonces",
        "ladron delante de los clientes",
        "lidia",
        "manuel",
        "maximo",
        "máximo",
        "máximo adicional",
        "máximo semanal",
        "niña bonita",
    ]


@pytest.mark.slow
@pytest.mark.corpus
def test_the_real_law_leaves_as_it_is(boe) -> None:
    # A later wording repeats most lines of the one before.
    texts = ["\n".join(dict.fromkeys(text.splitlines())) for text in law()]
    words = sum(len(text.split()) for text in texts)
    hits = [hit for text in texts for hit in Vault().mask([text]).values.values()]
    assert words > 1_200_000
    assert len(hits) <= 4 * words / 1_000_000, hits[:40]


@pytest.mark.parametrize("piece", PIECES)
def test_time_is_linear_in_the_text(piece: str) -> None:
    assert_linear(lambda size: find((piece * size)[:size]), 10_000)
