"""Vectors of passages: the nearest of each chunk, by what is made."""

import pytest

from loading.indexing.passage_vectors import Passages, add_passages, passage_keys
from tests.factories import make_chunk
from tests.fakes import HashEmbedder, MemoryVectors

HEADING = "Artículo 1. Prueba.\n"
HOLIDAYS = "Las vacaciones anuales serán de treinta días naturales."
STRIKE = "La huelga legal suspende el contrato de trabajo."
BOTH = make_chunk("N-1", "1", f"{HEADING}{STRIKE}\n{HOLIDAYS}")
ONE = make_chunk("N-1", "2", f"{HEADING}{STRIKE}")


def vector(text: str) -> tuple[float, ...]:
    return HashEmbedder()._vector(text)


def made(*chunks, cache=None):
    cache = cache or MemoryVectors()
    add_passages(chunks, HashEmbedder(), cache)
    return Passages(cache)


def test_a_chunk_is_as_near_as_its_best_passage():
    near = made(BOTH, ONE).nearest(HashEmbedder().name, vector(HOLIDAYS), [ONE, BOTH])
    assert near[BOTH.id] == pytest.approx(1.0, abs=1e-3)
    assert near[ONE.id] < 0.9


def test_a_chunk_whose_passages_are_not_made_is_not_given_until_they_are():
    cache = MemoryVectors()
    passages = made(ONE, cache=cache)
    ask = passages.nearest
    name = HashEmbedder().name
    other = make_chunk("N-2", "1", HEADING + HOLIDAYS)
    assert ask(name, vector(HOLIDAYS), [ONE, other]).keys() == {ONE.id}
    add_passages([other], HashEmbedder(), cache)
    assert ask(name, vector(HOLIDAYS), [ONE, other]).keys() == {ONE.id, other.id}


def test_vectors_of_another_model_or_of_an_older_text_are_not_compared():
    passages = made(ONE)
    assert passages.nearest("otro", vector(HOLIDAYS), [ONE]) == {}
    newer = make_chunk("N-1", "2", HEADING + HOLIDAYS)
    assert newer.id == ONE.id
    assert passages.nearest(HashEmbedder().name, vector(HOLIDAYS), [newer]) == {}


def test_a_chunk_without_passages_and_no_chunk_at_all_are_no_error():
    bare = make_chunk("N-1", "3", HEADING + "(Derogado)")
    assert passage_keys(bare) == ()
    assert made(bare).nearest(HashEmbedder().name, vector(HOLIDAYS), [bare]) == {}
    assert made(bare).nearest(HashEmbedder().name, vector(HOLIDAYS), []) == {}


def test_what_the_cache_has_is_not_embedded_again():
    cache = MemoryVectors()
    made(ONE, cache=cache)
    before = dict(cache.vectors)
    asked = HashEmbedder()
    asked._vector = None  # type: ignore[assignment,method-assign]
    add_passages([ONE], asked, cache)
    assert cache.vectors == before
