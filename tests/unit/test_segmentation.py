"""Where Spanish legal text may be cut."""

from itertools import pairwise

import pytest

from tests.case_files import listed, pairs
from text.segmentation import sentences


def pieces(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize("text", listed("sentences", "Una frase entera"))
def test_a_sentence_is_never_cut_inside_an_abbreviation_a_number_or_a_quotation(text: str) -> None:
    assert pieces(text) == [text]


@pytest.mark.parametrize(("text", "expected"), pairs("sentences", "Varias frases"))
def test_sentences_end_where_they_should(text: str, expected: str) -> None:
    assert " ‖ ".join(pieces(text)) == expected


@pytest.mark.parametrize("text", ["", "   \n\n ", "Sin punto", "Uno. Dos.\n\n  Tres. \u00a0Cuatro…  Cinco"])
def test_sentences_cover_the_text_and_leave_only_white_space_between(text: str) -> None:
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    rest = list(text)
    for span in spans:
        rest[span.start : span.end] = [" "] * (span.end - span.start)
    assert "".join(rest).strip() == ""
