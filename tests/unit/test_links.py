"""Links of a model: they lead nowhere and load nothing, and its markers of citations stay."""

import pytest

from tests.growth import assert_linear
from text.links import without_links


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Véase [el BOE](https://boe.es/x).", "Véase el BOE (https://boe.es/x)."),
        ("![](https://malo.example/p?d=1)", "(https://malo.example/p?d=1)"),
        ("![foto](<https://malo.example/a b> 'título')", "foto (https://malo.example/a b)"),
        ("[![foto](//malo.example)](https://malo.example)", "foto (//malo.example) (https://malo.example)"),
        ("Treinta días [C1] (art. 38 ET).", "Treinta días [C1] (art. 38 ET)."),
        ("Treinta días [C1](art. 38 ET).", "Treinta días [C1](art. 38 ET)."),
        ("Treinta días [C1](https://malo.example).", "Treinta días [C1] (https://malo.example)."),
        ("[uno][a]\n\n[a]: https://malo.example", "[uno][a]\n\na: https://malo.example"),
        ("![uno][a]", "[uno][a]"),
        ("<img src=//malo.example> y 3 < 4", "< img src=//malo.example> y 3 < 4"),
        ("Plazo [sic] de 20 días (art. 59.3).", "Plazo [sic] de 20 días (art. 59.3)."),
    ],
)
def test_links_and_images_are_words(written: str, kept: str) -> None:
    assert without_links(written) == kept


@pytest.mark.parametrize("unit", ["[", "[a](", "![a](b", "[a", "<", "[a]: ", "](", "[[a]"])
def test_no_text_takes_more_than_its_length(unit: str) -> None:
    assert_linear(lambda size: without_links(unit * (size // len(unit))), 40_000)
