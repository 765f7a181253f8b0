"""Places of rulings, and of agreements that a question is not about, beside the law."""

import pytest

from law.agreement_names import RANK
from rag.answers.after_the_law import before_rows, behind_the_law, binds_others, law_first
from rag.answers.passage_selection import Passage
from rag.question.understanding import Agreements, Filters, Understanding
from rag.shared.hits import Hit
from tests.factories import make_chunk

LAW, AGREEMENT = make_chunk("N-1"), make_chunk("C-1", rank=RANK)
GENERAL = Understanding(question="¿Cuántos días?", cleaned="", whole="")


def passage(hit: int, score: float) -> Passage:
    return Passage(hit=hit, start=0, text=f"Frase {hit}.", score=score)


@pytest.mark.parametrize(
    "read",
    [
        GENERAL.model_copy(update={"agreements": Agreements(about=("C-1",))}),
        GENERAL.model_copy(update={"filters": Filters(norm_ids=("C-1",))}),
        GENERAL.model_copy(
            update={"pointed": GENERAL.pointed.model_copy(update={"where": {"normativa": ("C-1",)}})}
        ),
    ],
    ids=["about it", "filtered", "pointed to"],
)
def test_an_agreement_that_the_question_asks_for_binds_who_asks(read: Understanding) -> None:
    assert (binds_others(AGREEMENT, GENERAL), binds_others(AGREEMENT, read)) == (True, False)
    assert not binds_others(LAW, GENERAL)


@pytest.mark.parametrize(("law", "first"), [(0.3, "N-1"), (0.1, "C-1")])
def test_an_agreement_comes_before_the_law_only_where_the_law_says_little(law: float, first: str) -> None:
    hits = [Hit(chunk=AGREEMENT, score=1.0, rerank=1.0), Hit(chunk=LAW, score=1.0, rerank=law)]
    ordered = behind_the_law(hits, GENERAL)
    assert (ordered[0].chunk.norm_id, ordered[0].rerank) == (first, 1.0)


@pytest.mark.parametrize(("law", "first"), [(0.5, 1), (0.3, 0)])
def test_a_passage_of_the_law_that_may_answer_is_quoted_first(law: float, first: int) -> None:
    hits = [Hit(chunk=AGREEMENT, score=1.0), Hit(chunk=LAW, score=1.0)]
    assert law_first([passage(0, 0.8), passage(1, law)], hits, GENERAL)[0].hit == first


def test_a_passage_of_an_article_that_comes_before_the_agreement_is_quoted_first() -> None:
    hits = [Hit(chunk=LAW, score=1.0), Hit(chunk=AGREEMENT, score=1.0)]
    assert law_first([passage(1, 0.8), passage(0, 0.01)], hits, GENERAL)[0].hit == 0


@pytest.mark.parametrize(("law", "first"), [(0.7, 1), (0.3, 0)])
def test_rows_of_an_agreement_come_after_a_passage_of_the_law_that_answers(law: float, first: int) -> None:
    hits = [Hit(chunk=AGREEMENT, score=1.0), Hit(chunk=LAW, score=1.0)]
    assert before_rows([passage(0, 1.2)], [passage(1, law)], hits, GENERAL)[0].hit == first


def scored(collection: str, norm_id: str, rerank: float) -> Hit:
    return Hit(chunk=make_chunk(norm_id, collection=collection), score=1.0, rerank=rerank)


def test_a_ruling_that_is_little_better_than_the_law_comes_behind_it():
    ruled, law = scored("sentencias", "S-1", 1.0), scored("normativa", "N-1", 0.5)
    first, second = behind_the_law([ruled, law], Understanding())
    assert (first.chunk.norm_id, first.rerank) == ("N-1", 1.0)
    assert second.rerank == pytest.approx(0.74)
    far = scored("normativa", "N-1", 0.1)
    assert [hit.chunk.norm_id for hit in behind_the_law([ruled, far], Understanding())] == ["S-1", "N-1"]


def test_the_order_of_a_corpus_without_rulings_stays_as_it_is():
    hits = [scored("normativa", "N-1", 0.5), scored("normativa", "N-2", 1.0)]
    assert behind_the_law(hits, Understanding()) == hits
