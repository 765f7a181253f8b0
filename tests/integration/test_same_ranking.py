"""The embedded index and a server's adapter rank the demo corpus alike: changing over loses no answer."""

from collections.abc import Sequence
from datetime import date

import pytest

from index.points import IndexFilter, IndexQuery, ScoredId
from index.server import ServerIndex
from index.server_options import MEMORY, ServerOptions
from index.sparse import query_vector
from loading.indexing import rebuild as rebuild_module
from loading.indexing.index_sync import IndexSync, embedding_key
from loading.indexing.rebuild import rebuild
from tests.conftest import Maker
from tests.fakes import HashEmbedder

QUESTIONS = 36
TODAY = date(2025, 6, 1)


def shipped_only() -> HashEmbedder:
    """Named as the model whose vectors travel with the demo corpus; it makes none itself."""
    embedder = HashEmbedder(dimensions=384, fail_after=0)
    embedder.name = "multilingual-e5-small-q4/windows-1"
    return embedder


@pytest.mark.slow
def test_both_indexes_rank_the_demo_alike(make_program: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild_module, "GRACE_SECONDS", 0.0)
    program = make_program(embedder=shipped_only())
    program.load_demo()
    assert program.database.corpus.counts().pending_dense == 0
    embedded = program.services.index
    served = ServerIndex(ServerOptions(url=MEMORY))
    cache = program.vectors
    sync = IndexSync(program.database.corpus, program.database.ledger, served, cache)
    rebuild(sync, served, program.models.fingerprint, program.models.embedder)

    ids = sorted(program.database.corpus.ids())
    chunks = program.database.corpus.chunks(ids[:: len(ids) // QUESTIONS])
    keys = [embedding_key(chunk.headed) for chunk in chunks]
    vectors = cache.get(program.models.embedder.name, keys)
    where = IndexFilter(as_of=TODAY, collections=("normativa",))
    queries: list[IndexQuery] = []
    for chunk, key in zip(chunks, keys, strict=True):
        words = query_vector(" ".join((chunk.section, *chunk.text.split()[:12])))
        queries.append(IndexQuery(sparse=words, limit=10, where=where))
        queries.append(IndexQuery(dense=vectors[key], limit=10, where=where))
        queries.append(IndexQuery(questions=vectors[key], limit=10, where=where))

    assert len(chunks) >= QUESTIONS
    one, other = embedded.search(queries), served.search(queries)
    assert all(len(ranking) == 10 for ranking in one)
    assert [order(ranking) for ranking in one] == [order(ranking) for ranking in other]
    assert [score(ranking) for ranking in one] == [pytest.approx(score(r), abs=1e-4) for r in other]
    served.close()


def order(ranking: Sequence[ScoredId]) -> list[str]:
    return [hit.id for hit in ranking]


def score(ranking: Sequence[ScoredId]) -> list[float]:
    return [hit.score for hit in ranking]
