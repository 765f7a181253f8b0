"""Apartados and letters of a provision: which it has, which are repealed, what they say."""

import pytest

from law import parts
from law.provision_reading import read_provision

TEXT = """Artículo 12. Faros.
1.La luz se encenderá:
a) Al anochecer.
b)(Derogada)
2.(Derogado)
3. El farero anotará:
a) La hora.
1.ª Con tinta.
2.ª Sin tachar.
4 bis. (Suprimido)"""
WORDS = "Uno. La luz se encenderá.\nDos. (Derogado)"


@pytest.mark.parametrize(
    ("apartado", "letter", "words"),
    [
        ("1", None, "1.La luz se encenderá: a) Al anochecer. b)(Derogada)"),
        ("1", "a", "a) Al anochecer."),
        ("3", "a", "a) La hora. 1.ª Con tinta. 2.ª Sin tachar."),
        (None, "b", "b)(Derogada)"),
        ("2", None, "2.(Derogado)"),
        ("7", None, " ".join(TEXT.split())),
        (None, None, " ".join(TEXT.split())),
    ],
)
def test_a_part_is_told_with_all_that_is_inside_it(
    apartado: str | None, letter: str | None, words: str
) -> None:
    assert parts.words_of(read_provision(TEXT), apartado, letter) == words


@pytest.mark.parametrize(
    ("text", "apartado", "letter", "gone"),
    [
        (TEXT, "2", None, True),
        (TEXT, "1", "b", True),
        (TEXT, "4 bis", None, True),
        (WORDS, "2", None, True),
        (TEXT, "1", None, False),
        (TEXT, "1", "a", False),
        (TEXT, "7", None, False),
        (TEXT, None, None, False),
    ],
)
def test_a_part_is_gone_if_it_only_says_so(
    text: str, apartado: str | None, letter: str | None, gone: bool
) -> None:
    assert parts.is_gone(read_provision(text), apartado, letter) is gone


@pytest.mark.parametrize(
    ("apartado", "letter", "held"),
    [
        ("1", None, True),
        ("1", "b", True),
        ("1", "c", False),
        ("3", "b", False),
        ("7", None, False),
        (None, "b", True),
        (None, "z", False),
        (None, None, True),
    ],
)
def test_only_what_a_provision_surely_lacks_is_missing(
    apartado: str | None, letter: str | None, held: bool
) -> None:
    assert parts.holds(read_provision(TEXT), apartado, letter) is held


def test_a_number_that_opens_no_list_may_be_an_apartado() -> None:
    assert parts.holds(read_provision("Artículo 3. Boyas.\n7. Una boya suelta."), "7", None)


def test_an_offset_has_the_label_of_its_part() -> None:
    provision = read_provision(TEXT)
    labels = [
        parts.label_at(provision, TEXT.index(words)) for words in ("Faros", "Al anoch", "tinta", "Suprim")
    ]
    assert labels == ["", "1.a", "3.a.1", "4 bis"]


@pytest.mark.parametrize(
    ("words", "apartado"),
    [("Con tinta.", "3"), ("(Derogado)", "2"), ("Faros.", ""), ("2.(Derogado)\n3. El", ""), ("Suprim", "")],
)
def test_a_stretch_is_of_the_one_apartado_that_holds_it(words: str, apartado: str) -> None:
    start = TEXT.index(words)
    assert parts.apartado_of(read_provision(TEXT), start, start + len(words)) == apartado


def test_where_a_list_inside_counts_from_one_again_no_part_is_surely_whole() -> None:
    provision = read_provision("1. Uno.\n2. Dos.\n1. Otra vez uno.\n2. Otra vez dos.")
    assert parts.whole_part(provision, ["2"]) == []
    assert [part.label for part in parts.whole_part(read_provision(TEXT), ["3", "a"])] == [
        "3.a",
        "3.a.1",
        "3.a.2",
    ]
    assert [part.label for part in parts.whole_part(read_provision(TEXT), ["", "a"])] == [
        "1.a",
        "3.a",
        "3.a.1",
        "3.a.2",
    ]
