"""Members of the lists of a legal text, each with the sentence that announces it."""

import pytest

from text.lists import members

TEXT = """Artículo 1. Nombre inventado.
1. Son cosas las siguientes:
a) Una.
b) Dos, que son:
1.º Esto.
2.º Aquello.
c) Tres.
Lo anterior vale siempre.
2. Otra frase.
3. Hay dos:
a) La primera.
b) La segunda."""


def test_each_member_has_the_announcement_of_its_own_list() -> None:
    found = [(TEXT[m.start : m.end], TEXT[slice(*m.lead)]) for m in members(TEXT)]
    assert found == [
        ("a) Una.", "1. Son cosas las siguientes:"),
        ("b) Dos, que son:", "1. Son cosas las siguientes:"),
        ("1.º Esto.", "b) Dos, que son:"),
        ("2.º Aquello.", "b) Dos, que son:"),
        ("c) Tres.", "1. Son cosas las siguientes:"),
        ("a) La primera.", "3. Hay dos:"),
        ("b) La segunda.", "3. Hay dos:"),
    ]


@pytest.mark.parametrize("text", ["", "\n \n", "Una frase.", "a) Sin anuncio.\nb) Tampoco.", "Se anuncia:"])
def test_without_an_announced_list_there_are_no_members(text: str) -> None:
    assert members(text) == ()
