"""The VectorIndex port over its adapters."""

import math
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from core.errors import IndexMismatch, IndexUnavailable
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, SparseVector
from index.sparse import document_vector, query_vector
from index.vector_index import VectorIndex
from law.norms import BlockKind
from tests.contract.index.conftest import EAST, NORTH, PRINT, Make, found, lexical, name, near, point
from tests.factories import make_chunk


def test_a_chunk_is_found_by_its_words_and_by_its_vector(index: VectorIndex) -> None:
    index.upsert([point("1", "despido objetivo", EAST), point("2", "vacaciones anuales", NORTH)])

    words, vectors = index.search([lexical("¿Qué vacaciones hay?"), near(EAST)])

    assert [hit.id for hit in words] == [name("2")]
    assert [hit.id for hit in vectors] == [name("1"), name("2")]
    assert vectors[0].score == pytest.approx(1.0, abs=1e-5)
    assert vectors[1].score == pytest.approx(0.0, abs=1e-5)


def test_a_second_upsert_replaces_the_first(index: VectorIndex) -> None:
    index.upsert([point("1", "despido", EAST)])
    index.upsert([point("1", "vacaciones", NORTH)])

    assert index.count() == 1
    assert found(index, lexical("despido")) == []
    assert index.search([near(NORTH)])[0][0].score == pytest.approx(1.0, abs=1e-5)


def test_a_chunk_without_a_dense_vector_is_found_by_its_words_only(index: VectorIndex) -> None:
    index.upsert([point("1", "despido", None), point("2", "despido", EAST)])

    assert found(index, lexical("despido")) == [name("1"), name("2")]
    assert found(index, near(EAST)) == [name("2")]


def test_a_chunk_replaced_without_its_dense_vector_loses_it(index: VectorIndex) -> None:
    index.upsert([point("1", "despido", EAST)])
    index.upsert([point("1", "despido", None)])

    assert found(index, lexical("despido")) == [name("1")]
    assert found(index, near(EAST)) == []


def test_a_chunk_of_stopwords_alone_is_kept(index: VectorIndex) -> None:
    index.upsert([point("1", "de la que", EAST)])

    assert found(index, near(EAST)) == [name("1")]
    assert found(index, lexical("de la que")) == []


def test_what_is_deleted_is_found_no_more(index: VectorIndex) -> None:
    index.upsert([point(str(i)) for i in range(1, 6)])

    index.delete([name("2"), name("4"), "no existe"])
    index.delete([])

    assert index.count() == 3
    assert found(index, lexical("despido")) == [name("1"), name("3"), name("5")]
    assert index.ids() == {name("1"), name("3"), name("5")}


def test_after_optimizing_deleted_chunks_no_longer_count_in_the_idf(index: VectorIndex) -> None:
    index.upsert([point(str(i), "despido" if i < 3 else "vacaciones") for i in range(10)])
    index.delete([name(str(i)) for i in range(5, 10)])
    index.optimize()

    score = index.search([lexical("despido")])[0][0].score

    weight = document_vector("despido").values[0]
    assert score == pytest.approx(weight * math.log(1 + (5 - 3 + 0.5) / (3 + 0.5)), rel=1e-4)


FILTERED = [
    make_chunk("N-1", "1", since="2010-01-01", until="2019-12-31"),
    make_chunk("N-1", "1", since="2020-01-01"),
    make_chunk("N-2", "da 3", kind=BlockKind.ADDITIONAL, territory="Cataluña", since="2015-06-01"),
    make_chunk("N-3", "48 bis", collection="sentencias", territory="Galicia", section_type="doctrina"),
]
OLD, NEW, CATALAN, GALICIAN = (chunk.id for chunk in FILTERED)


FILTERS = [
    (IndexFilter(), {OLD, NEW, CATALAN, GALICIAN}),
    (IndexFilter(norm_ids=("N-1",)), {OLD, NEW}),
    (IndexFilter(norm_ids=("N-1", "N-2")), {OLD, NEW, CATALAN}),
    (IndexFilter(norm_ids=("N-1",), as_of=date(2024, 1, 1)), {NEW}),
    (IndexFilter(as_of=date(2019, 12, 31)), {OLD, CATALAN, GALICIAN}),
    (IndexFilter(as_of=date(2020, 1, 1)), {NEW, CATALAN, GALICIAN}),
    (IndexFilter(as_of=date(2015, 5, 31)), {OLD, GALICIAN}),
    (IndexFilter(as_of=date(2015, 6, 1)), {OLD, CATALAN, GALICIAN}),
    (IndexFilter(as_of=date(9999, 12, 30)), {NEW, CATALAN, GALICIAN}),
    (IndexFilter(territories=("Galicia",)), {OLD, NEW, GALICIAN}),
    (IndexFilter(territories=("Galicia", "Cataluña")), {OLD, NEW, CATALAN, GALICIAN}),
    (IndexFilter(territories=("estatal",)), {OLD, NEW}),
    (IndexFilter(labels=("48 bis",)), {GALICIAN}),
    (IndexFilter(block_ids=("a1",)), {OLD, NEW}),
    (IndexFilter(kinds=("additional",)), {CATALAN}),
    (IndexFilter(collections=("sentencias",)), {GALICIAN}),
    (IndexFilter(section_types=("doctrina",)), {GALICIAN}),
    (IndexFilter(section_types=("doctrina",), labels=("1",)), set()),
]


def test_conditions_of_a_filter_all_hold(index: VectorIndex) -> None:
    index.upsert([point(chunk, "despido", EAST) for chunk in FILTERED])
    wrong = []
    for where, expected in FILTERS:
        words, vectors = (
            {hit.id for hit in hits}
            for hits in index.search([lexical("despido", where=where), near(EAST, where=where)])
        )
        if not words == vectors == index.ids(where) == expected:
            wrong.append((where, words, vectors, index.ids(where), expected))
    assert wrong == []


def test_each_query_of_a_batch_has_its_own_filter_and_limit(index: VectorIndex) -> None:
    index.upsert([point(chunk, "despido", EAST) for chunk in FILTERED])

    one, two, none = index.search(
        [
            lexical("despido", limit=1, where=IndexFilter(norm_ids=("N-2", "N-3"))),
            near(EAST, where=IndexFilter(norm_ids=("N-1",))),
            lexical("palabra desconocida"),
        ]
    )

    assert [hit.id for hit in one] == [CATALAN]
    assert [hit.id for hit in two] == [OLD, NEW]
    assert none == []
    assert index.search([]) == []


def test_ties_come_by_id_even_when_the_cut_falls_among_them(index: VectorIndex) -> None:
    names = [f"{number:03}" for number in range(90)]
    random.Random(4).shuffle(names)
    for start in range(0, 90, 30):
        index.upsert([point(label, "despido", EAST) for label in names[start : start + 30]])
    first = [name(f"{number:03}") for number in range(5)]

    for query in (lexical("despido", limit=5), near(EAST, limit=5)):
        assert found(index, query) == first


def test_a_ranking_is_the_same_however_the_index_was_filled(make: Make) -> None:
    rankings = []
    points = [point(str(i), "despido " * (1 + i % 7) + "causa " * (i % 3), EAST) for i in range(60)]
    for seed in range(2):
        random.Random(seed).shuffle(points)
        index = make()
        index.reset(PRINT)
        index.upsert(points)
        rankings.append(found(index, lexical("despido por causas", limit=20)))
        index.close()

    assert rankings[0] == rankings[1]
    assert len(rankings[0]) == 20


@pytest.mark.parametrize(
    "vector", [(1.0, 0.0), (math.nan, 0, 0, 1), (math.inf, 0, 0, 1), (0.0,) * 4, (1e-30,) * 4, (1e300,) * 4]
)
def test_an_unusable_vector_is_refused_before_the_engine_sees_it(
    index: VectorIndex, vector: tuple[float, ...]
) -> None:
    with pytest.raises(ValueError, match="dense vector"):
        index.upsert([point("1"), point("2", "despido", vector)])
    with pytest.raises(ValueError, match="dense vector"):
        index.search([near(vector)])

    assert index.count() == 0


@pytest.mark.parametrize(
    "sparse",
    [
        SparseVector(indices=(1, 2), values=(1.0,)),
        SparseVector(indices=(1, 1), values=(1.0, 1.0)),
        SparseVector(indices=(1,), values=(math.nan,)),
    ],
)
def test_an_unusable_sparse_vector_is_refused(index: VectorIndex, sparse: SparseVector) -> None:
    with pytest.raises(ValueError, match="sparse vector"):
        index.upsert([IndexPoint(chunk=make_chunk(), sparse=sparse)])
    with pytest.raises(ValueError, match="sparse vector"):
        index.search([IndexQuery(sparse=sparse)])


def test_a_query_is_one_vector(index: VectorIndex) -> None:
    for query in (IndexQuery(), IndexQuery(dense=EAST, sparse=query_vector("despido"))):
        with pytest.raises(ValueError, match="exactly one"):
            index.search([query])


def test_without_embeddings_the_index_is_lexical(make: Make) -> None:
    index = make()
    index.open(Fingerprint(embedding="none", dimensions=0, chunker="c1"))
    index.upsert([point("1", "despido", None)])

    assert found(index, lexical("despidos")) == [name("1")]
    with pytest.raises(ValueError, match="dense vector"):
        index.upsert([point("2", "despido", EAST)])
    with pytest.raises(ValueError, match="dense vector"):
        index.search([near(EAST)])
    index.close()


def test_reset_starts_empty_with_another_fingerprint(index: VectorIndex) -> None:
    index.upsert([point("1")])

    index.reset(Fingerprint(embedding="otra", dimensions=2, chunker="c2"))

    assert index.count() == 0
    index.upsert([point("1", "despido", (1.0, 0.0))])
    with pytest.raises(ValueError, match="dense vector"):
        index.upsert([point("2", "despido", EAST)])


def test_opening_twice_and_closing_twice_is_harmless(index: VectorIndex) -> None:
    index.upsert([point("1")])
    index.open(PRINT)
    assert index.count() == 1
    index.close()
    index.close()
    with pytest.raises(IndexUnavailable, match="cerrado"):
        index.search([lexical("despido")])


@pytest.mark.parametrize("make", ["edge", "server"], indirect=True)
def test_a_reopened_index_holds_what_it_held(make: Make) -> None:
    index = make()
    index.open(PRINT)
    index.upsert([point(str(i), "despido", EAST if i % 2 else None) for i in range(20)])
    index.delete([name("3")])
    index.optimize()
    before = index.search([lexical("despido", limit=30), near(EAST, limit=30)])
    index.close()

    again = make()
    again.open(PRINT)
    assert again.search([lexical("despido", limit=30), near(EAST, limit=30)]) == before
    again.close()


@pytest.mark.parametrize("make", ["edge", "server"], indirect=True)
@pytest.mark.parametrize(
    ("change", "says"),
    [({"embedding": "otro"}, "otro"), ({"dimensions": 8}, "8"), ({"chunker": "c2"}, "c2")],
)
def test_an_index_built_with_something_else_is_refused_with_the_command_that_mends_it(
    make: Make, change: dict[str, str | int], says: str
) -> None:
    index = make()
    index.open(PRINT)
    index.close()

    other = make()
    with pytest.raises(IndexMismatch, match=r"python cli\.py reindex") as caught:
        other.open(PRINT.model_copy(update=change))
    assert says in str(caught.value)
    with pytest.raises(IndexUnavailable):
        other.search([lexical("despido")])
    other.close()


@pytest.mark.slow
def test_ten_threads_lose_no_acknowledged_point(index: VectorIndex) -> None:
    def work(thread: int) -> None:
        chunks = [make_chunk(f"T-{thread}", str(number)) for number in range(10)]
        for number, chunk in enumerate(chunks):
            index.upsert([point(chunk, f"despido {thread}", EAST if number % 2 else None)])
            hits = index.search([lexical("despido", limit=3), near(NORTH, limit=3)])
            assert len(hits[0]) <= 3
            if number % 5 == 4:
                index.delete([chunks[number - 4].id])
            if number == 7 and thread % 5 == 0:
                index.optimize()

    with ThreadPoolExecutor(10) as pool:
        for outcome in [pool.submit(work, thread) for thread in range(10)]:
            outcome.result()

    lost = {0, 5}
    expected = {
        make_chunk(f"T-{thread}", str(number)).id
        for thread in range(10)
        for number in range(10)
        if number not in lost
    }
    assert index.ids() == expected
    assert index.count() == len(expected)


@pytest.mark.slow
def test_searches_during_a_reset_fail_clearly_or_succeed(index: VectorIndex) -> None:
    index.upsert([point(str(i)) for i in range(50)])

    def ask() -> None:
        for _ in range(60):
            try:
                index.search([lexical("despido", limit=3)])
            except IndexUnavailable:
                continue

    with ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(ask) for _ in range(4)]
        for _ in range(5):
            index.reset(PRINT)
            index.upsert([point("1")])
        for outcome in asking:
            outcome.result()

    assert found(index, lexical("despido")) == [name("1")]


def answering(label: str, *questions: tuple[float, ...]) -> IndexPoint:
    return IndexPoint(
        chunk=make_chunk(label=label), sparse=document_vector("despido"), dense=NORTH, questions=questions
    )


def test_a_chunk_is_as_near_as_the_nearest_of_the_questions_it_answers(index: VectorIndex) -> None:
    slanted = (0.6, 0.8, 0.0, 0.0)
    index.upsert([answering("1", NORTH, EAST), answering("2", slanted), answering("3")])

    hits = index.search([IndexQuery(questions=EAST, limit=10)])[0]

    assert [hit.id for hit in hits] == [name("1"), name("2")]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.6], abs=1e-3)


def test_the_questions_of_a_chunk_that_comes_again_replace_the_old_ones(index: VectorIndex) -> None:
    index.upsert([answering("1", EAST)])
    index.upsert([answering("1", NORTH)])

    hits = index.search([IndexQuery(questions=EAST, limit=10)])[0]

    assert [hit.score for hit in hits] == pytest.approx([0.0], abs=1e-3)


def test_unusable_vectors_of_questions_are_refused(index: VectorIndex) -> None:
    with pytest.raises(ValueError, match="dense vector"):
        index.upsert([answering("1", EAST, (math.nan, 0.0, 0.0, 0.0))])
    with pytest.raises(ValueError, match="dense vector"):
        index.search([IndexQuery(questions=(1.0,))])
    with pytest.raises(ValueError, match="exactly one"):
        index.search([IndexQuery(questions=EAST, dense=EAST)])


def aided(label: str, text: str, aids: str = "") -> IndexPoint:
    words, helped = document_vector(text), document_vector(aids)
    return IndexPoint(chunk=make_chunk(label=label), sparse=words, aids=helped, dense=NORTH)


def test_search_aids_rank_apart_from_the_words_of_the_text(index: VectorIndex) -> None:
    index.upsert([aided("1", "finiquito"), aided("2", "liquidación", "finiquito"), aided("3", "salario")])
    query = query_vector("finiquito")

    by_words, by_aids = index.search([IndexQuery(sparse=query, limit=10), IndexQuery(aids=query, limit=10)])

    assert ([hit.id for hit in by_words], [hit.id for hit in by_aids]) == ([name("1")], [name("2")])


def test_the_aids_of_a_chunk_that_comes_again_replace_the_old_ones(index: VectorIndex) -> None:
    index.upsert([aided("1", "finiquito", "curro")])
    index.upsert([aided("1", "finiquito")])

    assert index.search([IndexQuery(aids=query_vector("curro"), limit=10)]) == [[]]


def test_unusable_aids_are_refused(index: VectorIndex) -> None:
    twice = SparseVector(indices=(3, 3), values=(1.0, 1.0))
    with pytest.raises(ValueError, match="repeated"):
        index.upsert([aided("1", "finiquito").model_copy(update={"aids": twice})])
    with pytest.raises(ValueError, match="repeated"):
        index.search([IndexQuery(aids=twice)])
    with pytest.raises(ValueError, match="exactly one"):
        index.search([IndexQuery(aids=query_vector("curro"), sparse=query_vector("curro"))])
