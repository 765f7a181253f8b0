"""Sentences longer than a quotation: chosen by all of their words, cut where that does no harm."""

from rag.answers.passage_selection import scored, stretches
from rag.answers.quotable import quotable
from rag.answers.quoted_words import without_false_marks
from rag.answers.written_answer import completed, quoted_passage
from rag.shared.hits import Hit
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


def test_the_exception_that_a_cut_would_leave_out_is_quoted_and_any_other_end_is_not():
    beginning = "1. El plazo inventado es de diez días" + ", también en la obra inventada" * 16
    for end, whole in (("salvo que se pacte otro mayor.", True), ("tal y como se haya inventado.", False)):
        text = f"Artículo 9. Regla.\n{beginning}, {end}"
        (found,) = stretches_of(text)
        shown = quoted_passage(completed(found.passage(1.0), text), text)
        assert (end in shown) is whole
        assert ("(…)" in shown) is not whole
        assert without_false_marks(f"{shown} [C1]", {"C1": [text]})[1] == []
