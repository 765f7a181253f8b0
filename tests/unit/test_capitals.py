"""Titles in capitals become those that the sentences of their text would write."""

import pytest

from loading.formats.capitals import as_said

TEXTS = [
    "CONVENIO COLECTIVO DE LOS CAMPANEROS DE SAN TIRSO",
    "Este convenio colectivo obliga a las empresas de San Tirso, San Tirso y sus campaneros.",
]


@pytest.mark.parametrize(
    ("title", "said"),
    [
        (TEXTS[0], "Convenio colectivo de los campaneros de San Tirso"),
        ("III CONVENIO COLECTIVO DE FAROS DE LUGO, S.A.", "III convenio colectivo de Faros de Lugo, S.A."),
        ("Convenio colectivo de SAN TIRSO", "Convenio colectivo de SAN TIRSO"),
        ("CONVENIO DE SAN TIRSO. TABLAS SALARIALES", "Convenio de San Tirso. Tablas salariales"),
        ("PLAN DE IGUALDAD 2026", "Plan de Igualdad 2026"),
    ],
)
def test_a_title_in_capitals_has_those_that_its_words_have_in_sentences(title: str, said: str) -> None:
    assert as_said(title, TEXTS) == said
