"""Stretches of law that can be quoted: they are kept from one question to the next."""

from law.chunks import Chunk
from rag.answers.passage_selection import Found, stretches
from rag.shared.hits import Hit
from tests.factories import make_chunk

TEXT = (
    "Artículo 7. Descanso.\n1. Toda persona descansará quince días seguidos.\n2. El descanso es retribuido."
)


def read(chunk: Chunk) -> list[Found]:
    return stretches([(0, Hit(chunk=chunk, score=1.0))])


def test_an_article_that_is_worded_anew_under_its_id_is_read_again() -> None:
    before = make_chunk(text=TEXT)
    after = before.model_copy(update={"text": TEXT.replace("quince", "treinta")})
    assert [one.piece.text for one in read(before)] == TEXT.splitlines()[1:]
    assert [one.piece.text for one in read(after)] == after.text.splitlines()[1:]
    assert read(before)[0].stretch.words - read(after)[0].stretch.words == {"quinc"}


def test_the_same_article_found_at_another_place_has_that_place() -> None:
    other, chunk = make_chunk("N-2", text=TEXT), make_chunk(text=TEXT)
    assert read(chunk)[0].place == 0
    hits = [(3, Hit(chunk=other, score=1.0)), (5, Hit(chunk=chunk, score=0.5))]
    assert [(one.index, one.place) for one in stretches(hits)] == [(3, 0), (3, 0), (5, 1), (5, 1)]
