"""Folding: quick for Spanish, and the same as decomposing every letter."""

import random
import unicodedata

import pytest

from text.textnorm import fold_for_search


def slowly(text: str) -> str:
    """Folding defined letter by letter."""
    plain = "".join(" " if char in "ºª°\u00a0" else char for char in text).lower()
    return "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Artículo 4.º «Añadas»", "articulo 4.  «anadas»"),
        ("PENSIÓN DE VIUDEDAD", "pension de viudedad"),
        ("co\u0301digo ﬁnal", "codigo final"),
        ("1\u00a0000 €", "1 000 €"),
        ("", ""),
    ],
)
def test_accents_marks_and_capitals_go(text: str, expected: str) -> None:
    assert fold_for_search(text) == expected


def test_any_text_folds_as_if_each_letter_had_been_decomposed() -> None:
    letters = [chr(code) for code in (*range(0x20, 0x250), *range(0x300, 0x340))] + list("ﬁ①Ⅳª«—…€İΣ가\u1112")
    chance = random.Random(7)
    for _ in range(5000):
        text = "".join(chance.choices(letters, k=chance.randint(0, 12)))
        assert fold_for_search(text) == slowly(text), ascii(text)
