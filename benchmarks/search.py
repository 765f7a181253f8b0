"""Milliseconds of a hybrid search: the embedded index against qdrant-client's memory mode, same data.

A query is one batch (dense and sparse, filtered by date and collection, 20 each) and its RRF. The corpus is
synthetic: invented words by Zipf's law, random unit vectors of 384 dimensions. The targets are for 50,000
points (`POINTS`) on two idle cores.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.table import Row, Tables, Watch, percentile, spread, timed
from core.errors import EmbedderUnavailable
from index.edge import EdgeIndex
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, SparseVector
from index.server import ServerIndex
from index.server_options import MEMORY, ServerOptions
from index.sparse import document_vector, query_vector
from index.vector_index import VectorIndex
from law.chunks import Chunk
from models.local_embedder import LocalEmbedder
from rag.retrieval.fusion import rrf
from tests.factories import make_chunk

POINTS = int(os.environ.get("POINTS", "50000"))
QUERIES, EMBEDDED_QUERIES, MEMORY_QUERIES = 300, 100, 10
P95_MS, EMBEDDED_P95_MS = 10.0, 60.0
DIMENSIONS = 384
WORDS_PER_CHUNK, WORDS_PER_QUERY = 90, 8
VOCABULARY = 20_000
BATCH = 500
WHERE = IndexFilter(as_of=date(2024, 1, 1), collections=("normativa",))
QUESTION = "¿Cuántos días de permiso corresponden por el nacimiento de un hijo, caso {}?"

Query = tuple[tuple[float, ...], SparseVector]


def unit_rows(rng: np.random.Generator, rows: int, dimensions: int = DIMENSIONS) -> np.ndarray:
    """Random unit vectors, shape (rows, dimensions)."""
    vectors = rng.standard_normal((rows, dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def texts(rng: np.random.Generator, rows: int, words: int) -> list[str]:
    ranks = np.minimum(rng.zipf(1.3, size=(rows, words)), VOCABULARY)
    return [" ".join(f"p{rank:x}q" for rank in row) for row in ranks]


def points(seed: int = 7) -> Iterator[list[IndexPoint]]:
    rng = np.random.default_rng(seed)
    for start in range(0, POINTS, BATCH):
        size = min(BATCH, POINTS - start)
        vectors = unit_rows(rng, size).tolist()
        yield [
            IndexPoint(chunk=chunk(start + row), sparse=document_vector(text), dense=tuple(vectors[row]))
            for row, text in enumerate(texts(rng, size, WORDS_PER_CHUNK))
        ]


def chunk(number: int) -> Chunk:
    """A wording; every third is no longer in force."""
    until = "2022-12-31" if number % 3 == 0 else None
    return make_chunk(f"N-{number // 200}", str(number % 200), "", since="2020-01-01", until=until)


def hybrid(index: VectorIndex, query: Query) -> list[tuple[str, float]]:
    """The best ten points with their scores."""
    dense, sparse = query
    batch = [IndexQuery(dense=dense, where=WHERE, limit=20), IndexQuery(sparse=sparse, where=WHERE, limit=20)]
    return rrf([[hit.id for hit in ranking] for ranking in index.search(batch)])[:10]


def fill(index: VectorIndex) -> float:
    """Seconds spent inside the index."""
    index.open(Fingerprint(embedding="synthetic", dimensions=DIMENSIONS, chunker="synthetic"))
    spent = 0.0
    for batch in points():
        watch = Watch()
        index.upsert(batch)
        spent += watch.wall
    watch = Watch()
    index.optimize()
    return spent + watch.wall


def with_embedding(index: VectorIndex, queries: Sequence[Query]) -> list[Row]:
    """Rows with the embedding of the query, or none without the local embedder."""
    embedder = LocalEmbedder()
    try:
        embedder.load()
    except EmbedderUnavailable as error:
        print(error)
        return []

    def ask(number: int) -> object:
        vectors, _ = asyncio.run(embedder.embed_queries([QUESTION.format(number)]))
        return hybrid(index, (tuple(vectors[0]), queries[number][1]))

    return spread("  with the query's embedding", timed(ask, EMBEDDED_QUERIES), "ms", None, EMBEDDED_P95_MS)


def tables(folder: Path) -> Tables:
    rng = np.random.default_rng(11)
    dense = [tuple(row) for row in unit_rows(rng, QUERIES).tolist()]
    queries = list(zip(dense, map(query_vector, texts(rng, QUERIES, WORDS_PER_QUERY)), strict=True))
    edge = EdgeIndex(folder)
    filled = fill(edge)
    ours = timed(lambda number: hybrid(edge, queries[number]), QUERIES)
    embedded = with_embedding(edge, queries)
    edge.close()
    memory = ServerIndex(ServerOptions(url=MEMORY))
    memory_filled = fill(memory)
    theirs = timed(lambda number: hybrid(memory, queries[number]), MEMORY_QUERIES)
    memory.close()
    rows = [
        *spread("embedded index", ours, "ms", None, P95_MS),
        *embedded,
        Row("  points written", POINTS / filled, "/s"),
        *spread("memory mode", theirs, "ms"),
        Row("  points written", POINTS / memory_filled, "/s"),
        Row("memory mode ÷ embedded index, p50", percentile(theirs, 50) / percentile(ours, 50), "×"),
    ]
    yield f"Hybrid search in {POINTS} points", rows
