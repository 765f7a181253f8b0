"""Articles that a question names stand first, with all that the search knows of them."""

from rag.retrieval.named_articles import with_exact
from rag.shared.hits import Hit
from tests.factories import make_chunk


def test_an_exact_hit_that_the_search_found_keeps_its_scores() -> None:
    one, other = make_chunk("N-1", "1", "Uno."), make_chunk("N-1", "2", "Dos.")
    searched = [Hit(chunk=other, score=0.8), Hit(chunk=one, score=0.5, dense=0.7, passage=0.91, fused=0.5)]
    exact = [Hit(chunk=one, score=2.0, origin="exact")]
    found = with_exact(searched, exact)
    assert found == [searched[1].model_copy(update={"score": 2.0, "origin": "exact"}), searched[0]]


def test_an_exact_hit_that_the_search_did_not_find_stands_first_too() -> None:
    exact = [Hit(chunk=make_chunk("N-1", "1", "Uno."), score=2.0, origin="exact")]
    searched = [Hit(chunk=make_chunk("N-1", "2", "Dos."), score=0.8)]
    assert with_exact(searched, exact) == [*exact, *searched]
