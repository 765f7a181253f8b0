"""Texts in which what is seen differs from what is there."""

import pytest

from rag.text.legible import legible
from tests.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("im\u00adprocedente", "improcedente"),
        ("im\u200bproce\u2060dente", "improcedente"),
        ("\u202eetnedecorp\u202c", "etnedecorp"),
        ("pr\u043ecedente", "procedente"),
        ("\u03bfrden del d\u0456a", "orden del dia"),
        ("n\u0336o\u0336 procede", "no procede"),
        ("\uff4e\uff4f \U0001d429\U0001d42b\U0001d428\U0001d41c\U0001d41e\U0001d41d\U0001d41e", "no procede"),
        ("e\U000e0041l\ufe0f d\u034fía", "el día"),
    ],
)
def test_hidden_overlaid_and_foreign_letters_become_what_a_reader_sees(text: str, seen: str) -> None:
    found = legible(text)
    assert found.text == seen
    assert found.warnings or "\uff4e" in text


@pytest.mark.parametrize(
    "text",
    ["Año ñandú, pingüino, cigüeña y façade.", "Москва y Ελλάδα", "a\u00a0b 1.º 2.ª «x» — …", "λ = 0,5 μm²"],
)
def test_text_in_its_own_letters_is_left_as_it_is(text: str) -> None:
    assert legible(text) == (text, ())


def test_what_was_changed_is_told_with_the_words() -> None:
    warnings = legible("El desp\u0456do\u200b").warnings
    assert "1 caracteres que no se ven" in warnings[0]
    assert "«despido»" in warnings[1]


@pytest.mark.parametrize("piece", ["\u0430", "a\u0430", "\uff4e", "\u0336a"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    assert_linear(lambda size: legible(piece * size), 40_000)
