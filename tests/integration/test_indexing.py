"""Index and database made equal: what is searchable when, and what survives an interruption."""

import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from core.errors import IndexUnavailable
from index.edge import EdgeIndex
from index.points import Fingerprint, IndexFilter, IndexQuery
from index.server import ServerIndex
from index.server_options import MEMORY, ServerOptions
from index.sparse import label_token, number_token, query_vector
from index.vector_index import VectorIndex
from loading.indexing.index_sync import DENSE_BATCH, IndexSync, embedding_key, reindex
from tests.factories import chunks_of, make_block, make_norm, make_version
from tests.fakes import DENSE, HashEmbedder, MemoryCorpus, MemoryVectors

PRINT = Fingerprint(embedding="hash-64", dimensions=64, chunker="c1")


class Interrupted(Exception):
    """Stands for Ctrl-C, or a process that dies."""


@pytest.fixture(params=["edge", "memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorIndex]:
    made: VectorIndex = (
        EdgeIndex(tmp_path) if request.param == "edge" else ServerIndex(ServerOptions(url=MEMORY))
    )
    made.open(PRINT)
    yield made
    made.close()


def corpus(articles: int = 100) -> MemoryCorpus:
    """A norm whose every tenth article has an older wording, no longer in force."""
    blocks = []
    for number in range(articles):
        wordings = [
            make_version(f"Artículo {number}. Permiso inventado número {number}.", since="2020-01-01")
        ]
        if number % 10 == 0:
            old = f"Artículo {number}. Descanso antiguo número {number}."
            wordings.insert(0, make_version(old, since="2010-01-01", until="2019-12-31"))
        blocks.append(make_block(str(number), *wordings))
    document = make_norm("N-1", *blocks, number="7/2020")
    store = MemoryCorpus()
    store.save(document, chunks_of(document), {})
    return store


def lexical(index: VectorIndex, text: str, tokens: tuple[str, ...] = ()) -> list[str]:
    query = IndexQuery(sparse=query_vector(text, tokens=tokens), limit=20)
    return [hit.id for hit in index.search([query])[0]]


async def semantic(index: VectorIndex, embedder: HashEmbedder, text: str, limit: int = 500) -> list[str]:
    vectors, _ = await embedder.embed_queries([text])
    return [hit.id for hit in index.search([IndexQuery(dense=vectors[0], limit=limit)])[0]]


async def test_everything_is_searchable_by_words_by_meaning_and_by_reference(index: VectorIndex) -> None:
    store, embedder = corpus(), HashEmbedder()

    report = IndexSync(store, store, index, MemoryVectors()).run(embedder)

    assert (report.sparse, report.dense, report.deleted, report.notice) == (110, 110, 0, "")
    assert lexical(index, "permisos número 37")[0].startswith("N-1/a37@")
    assert (await semantic(index, embedder, store.find("N-1", "37")[0].headed))[0].startswith("N-1/a37@")
    assert lexical(index, "", (label_token("42"), number_token("7/2020")))[0].startswith("N-1/a42@")
    assert set(store.state.values()) == {DENSE}
    assert index.ids(IndexFilter(as_of=date(2015, 1, 1))) == {
        f"N-1/a{n}@2010-01-01#1" for n in range(0, 100, 10)
    }


def test_a_second_run_has_nothing_to_do(index: VectorIndex) -> None:
    store, embedder, cache = corpus(), HashEmbedder(), MemoryVectors()
    IndexSync(store, store, index, cache).run(embedder)
    embedded = len(embedder.embedded)

    report = IndexSync(store, store, index, cache).run(embedder)

    assert (report.sparse, report.dense, report.deleted) == (0, 0, 0)
    assert len(embedder.embedded) == embedded


async def test_lexical_search_is_ready_before_the_first_embedding(index: VectorIndex) -> None:
    store = corpus()
    seen: list[tuple[str, int]] = []

    def watch(phase: str, done: int, total: int) -> None:
        seen.append((phase, done))
        if phase == "dense" and done == DENSE_BATCH:
            raise Interrupted

    with pytest.raises(Interrupted):
        IndexSync(store, store, index, MemoryVectors(), watch).run(HashEmbedder())

    assert seen[0] == ("sparse", 110)
    assert index.count() == 110


async def test_wordings_in_force_are_embedded_first(index: VectorIndex) -> None:
    store, embedder = corpus(), HashEmbedder(fail_after=100)

    report = IndexSync(store, store, index, MemoryVectors()).run(embedder)

    assert report.notice
    assert report.dense == 96
    assert not any("antiguo" in text for text in embedder.embedded)
    assert not any("@2010" in found for found in await semantic(index, embedder, "Descanso antiguo"))


@pytest.mark.parametrize("stop_at", range(1, 6))
async def test_a_run_goes_on_where_another_was_interrupted(index: VectorIndex, stop_at: int) -> None:
    store, embedder, cache = corpus(), HashEmbedder(), MemoryVectors()
    steps = 0

    def stop(phase: str, done: int, total: int) -> None:
        nonlocal steps
        steps += 1
        if steps == stop_at:
            raise Interrupted

    with pytest.raises(Interrupted):
        IndexSync(store, store, index, cache, stop).run(embedder)
    IndexSync(store, store, index, cache).run(embedder)

    assert index.ids() == set(store.stored)
    assert len(await semantic(index, embedder, "permiso")) == 110
    assert len(embedder.embedded) == len(set(embedder.embedded)) == 110


def test_an_embedder_that_stops_leaves_a_notice_and_the_next_run_completes(index: VectorIndex) -> None:
    store, cache = corpus(), MemoryVectors()

    stopped = IndexSync(store, store, index, cache).run(HashEmbedder(fail_after=40))
    report = IndexSync(store, store, index, cache).run(HashEmbedder())

    assert stopped.notice == "El modelo de embeddings de prueba se ha detenido."
    assert (stopped.sparse, stopped.dense) == (110, 32)
    assert (report.sparse, report.dense, report.notice) == (0, 78, "")


def test_dense_vectors_can_wait(index: VectorIndex) -> None:
    store, embedder = corpus(), HashEmbedder()

    assert IndexSync(store, store, index, MemoryVectors()).run(None).dense == 0
    assert embedder.embedded == []
    assert lexical(index, "permiso 3")
    assert IndexSync(store, store, index, MemoryVectors()).run(None).sparse == 0
    assert IndexSync(store, store, index, MemoryVectors()).run(embedder).dense == 110


async def test_a_change_of_the_norm_reaches_the_index_and_nothing_else_is_embedded(
    index: VectorIndex,
) -> None:
    store, embedder, cache = corpus(20), HashEmbedder(), MemoryVectors()
    IndexSync(store, store, index, cache).run(embedder)
    embedder.embedded.clear()
    blocks = [block for block in store.blocks("N-1") if block.label != "4"]
    blocks[5] = make_block("6", "Artículo 6. Excedencia inventada.", since="2020-01-01")
    document = make_norm("N-1", *blocks)
    store.save(document, chunks_of(document), {})

    report = IndexSync(store, store, index, cache).run(embedder)

    assert (report.deleted, report.sparse, report.dense) == (1, 1, 1)
    assert embedder.embedded == ["Artículo 6. Prueba.\nArtículo 6. Excedencia inventada."]
    assert lexical(index, "excedencias")[0].startswith("N-1/a6@")
    assert index.ids() == set(store.stored)
    assert store.stale_index_ids() == []


def test_equal_texts_are_embedded_once_and_cached_texts_never_again(index: VectorIndex) -> None:
    cache, embedder = MemoryVectors(), HashEmbedder()
    one, other = (
        make_norm("N-1", make_block("1", "Mismo texto.")),
        make_norm("N-2", make_block("1", "Mismo texto.")),
    )
    store = MemoryCorpus()
    store.save(one, chunks_of(one), {})
    store.save(other, chunks_of(other), {})

    report = IndexSync(store, store, index, cache).run(embedder)
    again = reindex(IndexSync(store, store, index, cache), index, PRINT, embedder)

    assert len(embedder.embedded) == 1
    assert (report.dense, report.from_cache) == (2, 1)
    assert (again.sparse, again.dense, again.from_cache) == (2, 2, 2)
    assert list(cache.vectors) == [(embedder.name, embedding_key(chunks_of(one)[0].headed))]


async def test_an_index_that_lost_its_folder_is_filled_again(tmp_path: Path) -> None:
    store, embedder, cache = corpus(), HashEmbedder(), MemoryVectors()
    index = EdgeIndex(tmp_path / "index")
    index.open(PRINT)
    IndexSync(store, store, index, cache).run(embedder)
    index.close()
    shutil.rmtree(tmp_path / "index")
    index.open(PRINT)

    report = IndexSync(store, store, index, cache).run(embedder)

    assert (report.sparse, report.dense, report.from_cache) == (110, 110, 110)
    assert len(await semantic(index, embedder, "permiso")) == 110
    index.close()


def test_points_that_the_database_does_not_know_are_removed(index: VectorIndex) -> None:
    store, cache = corpus(), MemoryVectors()
    IndexSync(store, store, index, cache).run(None)
    smaller = MemoryCorpus()
    document = make_norm("N-1", make_block("1", "Artículo 1. Permiso.", since="2020-01-01"))
    smaller.save(document, chunks_of(document), {})

    IndexSync(smaller, smaller, index, cache).run(None)

    assert index.ids() == set(smaller.stored)


def test_reindex_takes_an_index_built_with_something_else(tmp_path: Path) -> None:
    store, cache = corpus(), MemoryVectors()
    index = EdgeIndex(tmp_path)
    index.open(Fingerprint(embedding="otro", dimensions=8, chunker="c0"))
    IndexSync(store, store, index, cache).run(None)

    reindex(IndexSync(store, store, index, cache), index, PRINT, HashEmbedder())

    assert index.count() == 110
    index.close()
    index.open(PRINT)
    index.close()


def test_what_the_index_did_not_acknowledge_stays_pending() -> None:
    store = corpus()
    index = ServerIndex(ServerOptions(url=MEMORY))
    index.open(PRINT)
    index.close()

    with pytest.raises(IndexUnavailable):
        IndexSync(store, store, index, MemoryVectors()).run(None)

    assert len(store.pending_index(dense=False, limit=500)) == 110
