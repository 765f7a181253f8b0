"""Cutting a text without apartados by size: 1000 tokens, 100 repeated (S3.10), and known defects."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loading.chunking.cut import Part, cut_by_tokens
from text.token_count import count_tokens

SENTENCE = "El torrero cobra 1.250.000,00 pesetas, con arreglo al art. 48 de la ley, y vela. "


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("mes", 1), ("días", 1), ("plazo", 2), ("trabajador", 3), ("art. 48.2, no", 7), ("_a ñoño", 2)],
)
def test_every_four_letters_of_a_word_and_every_sign_count_one(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def check(text: str, parts: list[Part], limit: int) -> None:
    """Parts cover the text in order, each within the limit and each ending after the one before it."""
    assert text[: parts[0].start].strip() == "" and text[parts[-1].end :].strip() == ""
    for part in parts:
        assert part.start <= part.fresh < part.end
        assert count_tokens(text[part.start : part.end]) <= limit
    for one, two in pairwise(parts):
        assert one.end < two.end and one.start < two.start
        assert text[one.end : two.fresh].strip() == "" and two.fresh >= one.end


def test_a_text_that_fits_is_one_part() -> None:
    assert cut_by_tokens("  Uno. Dos.\n", 1000, 100) == [Part(2, 11, 2)]
    assert cut_by_tokens(" \n ", 1000, 100) == []


def test_parts_end_at_sentences_and_repeat_whole_ones() -> None:
    text = (SENTENCE * 300).strip()
    parts = cut_by_tokens(text, 1000, 100)
    check(text, parts, 1000)
    assert all(text[part.start : part.end].startswith("El torrero") for part in parts)
    assert all(text[part.start : part.end].endswith("y vela.") for part in parts)
    repeated = [count_tokens(text[part.start : part.fresh]) for part in parts[1:]]
    assert len(repeated) > 3
    assert all(50 < tokens <= 100 for tokens in repeated)


def test_what_is_repeated_leaves_room_for_a_long_sentence() -> None:
    text = " ".join(["Corta y clara es esta frase."] * 10 + [f"Larga {'y más larga ' * 240}fin."]) * 3
    check(text, cut_by_tokens(text, 1000, 100), 1000)


def test_neither_a_decimal_point_nor_an_abbreviation_is_a_place_to_cut() -> None:
    text = "La suma de 1.250.000,00 pesetas que fija el art. 48 para la torre " * 60
    for part in cut_by_tokens(text, 100, 10):
        body = text[part.start : part.end]
        assert not body.startswith(("250", "000", "48")) and not body.endswith(("1.", "art.", "250."))


def test_a_full_stop_near_the_beginning_only_does_not_stop_the_cutting() -> None:
    text = "Uno. " + "palabra " * 5000
    parts = cut_by_tokens(text, 1000, 100)
    check(text, parts, 1000)
    assert len(parts) < 20


def test_no_part_is_the_tail_of_the_one_before() -> None:
    text = f"{'Primera frase de todas ellas. ' * 140}Fin."
    parts = cut_by_tokens(text, 1000, 100)
    bodies = [text[part.start : part.end] for part in parts]
    assert not any(two in one for one, two in pairwise(bodies))


def test_a_word_without_end_is_cut_too() -> None:
    text = "x" * 20_000
    check(text, cut_by_tokens(text, 1000, 100), 1000)


@pytest.mark.parametrize("limit", [5, 40, 300])
@settings(max_examples=60, deadline=None)
@given(text=st.text(alphabet=st.sampled_from(list("ab1.,;:\n «»ÁC()%")), min_size=1, max_size=900))
def test_any_text_is_covered_within_the_limit(limit: int, text: str) -> None:
    parts = cut_by_tokens(text, limit, limit // 10)
    if text.strip():
        check(text, parts, limit)
