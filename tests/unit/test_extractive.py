"""The answer without a model: complete, verbatim sentences, those that give what is asked first."""

import pytest

from rag.answers.contract import QUOTE_MAX
from rag.answers.extractive import by_terms, quotable, shorten_sentence
from rag.types import Hit
from tests.factories import make_chunk

TEXT = (
    "Artículo 7. Descanso inventado. Reglas.\n"
    "1. Toda persona descansará una vez al año según lo pactado.\n"
    "En ningún caso la duración será inferior a quince días seguidos.\n"
    "2. El descanso comprende los siguientes casos:\n"
    "a) El que se pacte con dos meses de antelación por las partes."
)


def chunk(**changes):
    return make_chunk(text=TEXT, section="Artículo 7. Descanso inventado. Reglas.", start=0, **changes)


def test_neither_the_heading_nor_the_announcement_of_a_list_is_quoted():
    texts = [text for _, text in quotable(chunk())]
    assert not any("Reglas" in text or text.endswith(":") for text in texts)
    assert len(texts) == 3


def test_every_quotable_sentence_stands_in_the_text_where_it_says():
    for start, text in quotable(chunk()):
        assert TEXT[start : start + len(text)] == text


@pytest.mark.parametrize(
    ("query", "expected"),
    [("¿Cuántos días de descanso hay?", "quince días"), ("¿Cuántos meses de antelación?", "dos meses")],
)
def test_a_figure_in_the_unit_asked_for_comes_first(query, expected):
    best = by_terms(query, (), [(0, Hit(chunk=chunk(), score=1.0))])[0]
    assert expected in best.text


def test_a_sentence_too_long_to_quote_is_cut_at_a_clause():
    long = "La persona descansará, " * 40
    short = shorten_sentence(long)
    assert len(short) <= QUOTE_MAX
    assert long.startswith(short)
    assert short.endswith("descansará")


def test_a_sentence_without_any_clause_to_cut_at_is_not_quoted():
    assert shorten_sentence("palabra" * 100) == ""
