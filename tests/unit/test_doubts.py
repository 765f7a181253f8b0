"""Certain findings against a sentence: figures that stand nowhere, the plain denial of a quoted clause."""

import pytest

from rag.answers.doubts import TOLD, sentence_doubts, without_told

QUOTE = (
    "La acción de despido caducará a los veinte días. No será necesario un preaviso escrito del socio "
    "inventado cuando la beca sea breve. "
    "La empresa podrá compensar la beca inventada con dinero, salvo pacto."
)


@pytest.mark.parametrize(
    "sentence",
    [
        "La acción de despido no caducará a los veinte días.",
        "La acción de despido nunca caducará a los veinte días.",
    ],
)
def test_the_denial_of_a_clause_of_the_same_words_is_told(sentence: str) -> None:
    (told,) = sentence_doubts(sentence, quotes=[QUOTE])
    assert "dice lo contrario: «La acción de despido caducará a los veinte días»" in told


@pytest.mark.parametrize(
    "sentence",
    [
        "La acción de despido caducará a los veinte días.",
        "La acción de despido no caducará a los diez días.",
        "Si la acción de despido no caduca a los veinte días, se tramita.",
        "La acción de despido no caducará a los veinte días, salvo que se pida.",
        "Será necesario un preaviso escrito del socio inventado.",
        "La empresa no podrá compensar la beca inventada con dinero.",
        "¿No caducará la acción de despido a los veinte días?",
        "No caducará.",
    ],
)
def test_what_is_not_read_whole_or_says_something_else_is_not(sentence: str) -> None:
    assert sentence_doubts(sentence, quotes=[QUOTE]) == []


@pytest.mark.parametrize(
    ("sentence", "nowhere", "told"),
    [
        ("Son cuarenta y cinco días.", ("45",), ["45"]),
        ("Son siete años y medio.", ("7,5",), ["7,5"]),
        ("Rige desde el 13 de mayo de 2026.", ("13 de mayo",), ["13 de mayo"]),
        ("Son 45 días, 45 en total.", ("45", "12"), ["45"]),
        ("Son treinta días.", ("45",), []),
    ],
)
def test_a_figure_that_stands_nowhere_is_told_once_in_its_sentence(
    sentence: str, nowhere: tuple[str, ...], told: list[str]
) -> None:
    assert [one.split("»")[0].strip("«") for one in sentence_doubts(sentence, nowhere)] == told


def test_the_mark_comes_off_again() -> None:
    sentence = "Son 45 días."
    assert (
        without_told(sentence + TOLD.format(reasons="; ".join(sentence_doubts(sentence, ("45",)))))
        == sentence
    )
