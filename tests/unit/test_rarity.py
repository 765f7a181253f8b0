"""The rarity of the words of a question, and what it says of a corpus."""

from datetime import date
from types import SimpleNamespace

from index.points import ScoredId
from index.sparse import term_vector
from lexicon.synonyms import Synonyms
from rag.answers.sufficiency import signals
from rag.retrieval.question_vectors import RAREST, rarities


class OneArticle:
    """An index where the stem of «almazara» stands in one short article of many, and no other stem stands."""

    def search(self, asked):
        held = term_vector("almaz")
        return [[ScoredId(id="N-1/a1", score=18.4)] if one.sparse == held else [] for one in asked]


SERVICES = SimpleNamespace(
    index=OneArticle(),
    profile=SimpleNamespace(collection_weights={"normativa": 1.0}),
    synonyms=Synonyms(),
)


def test_the_rarest_word_that_the_corpus_holds_is_not_taken_for_one_that_it_lacks():
    rarity = rarities(["almaz", "zurrib"], date(2026, 1, 1), SERVICES)
    assert rarity["almaz"] < rarity["zurrib"] == RAREST


def test_the_word_that_names_a_document_is_known():
    rarity = rarities(["almaz"], date(2026, 1, 1), SERVICES)
    assert signals("almazara", [], rarity, SERVICES)["known"] == 1.0
