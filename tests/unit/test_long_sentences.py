"""Sentences longer than a quotation: chosen by all of their words, cut where that does no harm."""

from dataclasses import replace

import pytest

from rag.answers.passage_selection import scored, stretches
from rag.answers.quotable import quotable
from rag.answers.quoted_words import without_false_marks
from rag.answers.written_answer import completed, quoted_passage
from rag.shared.hits import Hit
from tests.case_files import listed
from tests.factories import make_chunk


def of_article(text: str):
    return make_chunk(text=text, section=text.split("\n", maxsplit=1)[0], start=0)


def stretches_of(text: str):
    return stretches([(0, Hit(chunk=of_article(text), score=1.0))])


def test_a_sentence_that_goes_on_says_so():
    text = f"Artículo 9. Regla.\n{'El plazo inventado es de diez días, ' * 20}salvo pacto en contrario."
    (cut,) = quotable(of_article(text))
    assert cut.cut
    assert quoted_passage(scored("plazo inventado", (), stretches_of(text))[0]).endswith("» (…)")


def test_a_long_sentence_is_found_by_the_words_of_its_end():
    long = f"2. La norma inventada {'rige en todo caso y lugar, ' * 19}con cien coronas por persona."
    text = f"Artículo 9. Regla.\n1. La norma inventada rige en todo lugar y para toda persona.\n{long}"
    best, _ = scored("¿Cuántas coronas por persona?", (), stretches_of(text))
    assert best.cut and best.text.startswith("2.") and "coronas" not in best.text
    assert best.score > scored("¿Cuántas libras por casa?", (), stretches_of(text))[0].score


def test_an_answer_quotes_the_end_of_a_long_sentence_too():
    beginning = "1. El plazo inventado es de diez días" + ", también en la obra inventada" * 16
    text = f"Artículo 9. Regla.\n{beginning}, y de veinte si se pacta."
    (found,) = stretches_of(text)
    shown = quoted_passage(completed(found.passage(1.0), text), text)
    assert shown.endswith("si se pacta.»")
    assert without_false_marks(f"{shown} [C1]", {"C1": [text]})[1] == []


@pytest.mark.parametrize("begins", listed("pointing_back", "points back"))
def test_a_sentence_that_points_back_is_quoted_with_the_one_before_it(begins):
    before = "1. Durante el primer año se reserva el puesto inventado."
    text = f"Artículo 9. Regla.\n{before} {begins} la reserva es de otro puesto."
    last = next(one for one in stretches_of(text) if one.piece.text.startswith(before)).passage(1.0)
    alone = replace(last, start=text.index(begins), text=text[text.index(begins) :])
    assert completed(alone, text).text.startswith(before)


@pytest.mark.parametrize("begins", listed("pointing_back", "stands alone"))
def test_a_sentence_that_stands_alone_is_quoted_alone(begins):
    text = (
        f"Artículo 9. Regla.\n1. Durante el primer año se reserva el puesto. {begins} la reserva es de otro."
    )
    [found] = stretches_of(text)
    alone = replace(found.passage(1.0), start=text.index(begins), text=text[text.index(begins) :])
    assert completed(alone, text).text.startswith(begins)
