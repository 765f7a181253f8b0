"""How long a hybrid search takes: the embedded index against qdrant-client's memory mode, same data.

    python benchmarks/search.py [--points 50000] [--queries 300] [--memory-queries 10]

A query is one batch (dense and sparse, filtered by date and collection, 20 each) and its RRF. The corpus is
synthetic: invented words by Zipf's law, random unit vectors. Targets at 50,000 points of 384 dimensions, on
two idle cores: p95 up to 10 ms, and up to 60 ms with the embedding of the query.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rag.errors import EmbedderUnavailable
from rag.index.edge import EdgeIndex
from rag.index.server import ServerIndex
from rag.index.server_options import MEMORY, ServerOptions
from rag.index.sparse import SparseEncoder
from rag.index.types import Fingerprint, IndexFilter, IndexPoint, IndexQuery, SparseVector
from rag.ports import VectorIndex
from rag.providers.local import LocalEmbedder
from rag.retrieval.fusion import rrf
from rag.types import BlockKind, Chunk

DIMENSIONS = 384
WORDS_PER_CHUNK = 90
VOCABULARY = 20_000
BATCH = 500
ENCODER = SparseEncoder()
WHERE = IndexFilter(as_of=date(2024, 1, 1), collections=("normativa",))
QUESTION = "¿Cuántos días de permiso corresponden por el nacimiento de un hijo, caso {}?"


def synthetic_points(count: int, seed: int = 7) -> Iterator[list[IndexPoint]]:
    """Batches of points; one wording in three is no longer in force."""
    rng = np.random.default_rng(seed)
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        vectors = unit_rows(rng, size)
        ranks = np.minimum(rng.zipf(1.3, size=(size, WORDS_PER_CHUNK)), VOCABULARY)
        yield [
            IndexPoint(
                chunk=synthetic_chunk(start + row),
                sparse=ENCODER.document(" ".join(map(word, ranks[row]))),
                dense=tuple(vectors[row].tolist()),
            )
            for row in range(size)
        ]


def synthetic_chunk(number: int) -> Chunk:
    return Chunk(
        id=f"N-{number // 200}/a{number % 200}@2020-01-01#1",
        collection="normativa",
        norm_id=f"N-{number // 200}",
        block_id=f"a{number % 200}",
        kind=BlockKind.ARTICLE,
        label=str(number % 200),
        law="Ley inventada",
        section=f"Artículo {number % 200}.",
        text="",
        start=0,
        end=0,
        valid_from=date(2020, 1, 1),
        valid_to=date(2022, 12, 31) if number % 3 == 0 else None,
        content_hash="",
    )


def word(rank: int) -> str:
    return f"p{rank:x}q"


def unit_rows(rng: np.random.Generator, rows: int) -> np.ndarray:
    vectors = rng.standard_normal((rows, DIMENSIONS)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def hybrid(index: VectorIndex, dense: Sequence[float], sparse: SparseVector) -> list[tuple[str, float]]:
    rankings = index.search(
        [
            IndexQuery(dense=tuple(dense), where=WHERE, limit=20),
            IndexQuery(sparse=sparse, where=WHERE, limit=20),
        ]
    )
    return rrf([[hit.id for hit in ranking] for ranking in rankings])[:10]


def measure(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """p50 and p95 of `work(i)` in milliseconds, after one unmeasured call."""
    work(0)
    elapsed = []
    for number in range(times):
        started = time.perf_counter()
        work(number)
        elapsed.append((time.perf_counter() - started) * 1000)
    p50, p95 = np.percentile(elapsed, [50, 95])
    return float(p50), float(p95)


def fill(index: VectorIndex, count: int) -> float:
    """Seconds spent inside the index."""
    index.open(Fingerprint(embedding="synthetic", dimensions=DIMENSIONS, chunker="synthetic"))
    spent = 0.0
    for batch in synthetic_points(count):
        started = time.perf_counter()
        index.upsert(batch)
        spent += time.perf_counter() - started
    started = time.perf_counter()
    index.optimize()
    return spent + time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--points", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--memory-queries", type=int, default=10, help="0 leaves the memory mode out")
    options = parser.parse_args()

    rng = np.random.default_rng(11)
    vectors = unit_rows(rng, options.queries)
    ranks = np.minimum(rng.zipf(1.3, size=(options.queries, 8)), VOCABULARY)
    sparse = [ENCODER.query(" ".join(map(word, row))) for row in ranks]
    dense = [tuple(row.tolist()) for row in vectors]
    rows: list[tuple[str, float, float]] = []

    def on(index: VectorIndex) -> Callable[[int], object]:
        return lambda number: hybrid(index, dense[number], sparse[number])

    with tempfile.TemporaryDirectory() as folder:
        edge = EdgeIndex(Path(folder))
        print(f"edge: {options.points} points in {fill(edge, options.points):.1f} s")
        rows.append(("edge, hybrid", *measure(on(edge), options.queries)))
        rows += with_embedding(edge, sparse, min(options.queries, 100))
        edge.close()
    if options.memory_queries:
        memory = ServerIndex(ServerOptions(url=MEMORY))
        print(f"memory mode: {options.points} points in {fill(memory, options.points):.1f} s")
        rows.append(("memory mode, hybrid", *measure(on(memory), options.memory_queries)))
        memory.close()
    report(rows)


def with_embedding(
    index: VectorIndex, sparse: Sequence[SparseVector], times: int
) -> list[tuple[str, float, float]]:
    embedder = LocalEmbedder()
    try:
        embedder.load()
    except EmbedderUnavailable as error:
        print(error)
        return []

    def ask(number: int) -> object:
        vectors, _ = asyncio.run(embedder.embed_queries([QUESTION.format(number)]))
        return hybrid(index, vectors[0], sparse[number])

    return [("edge, hybrid + embedding", *measure(ask, times))]


def report(rows: Sequence[tuple[str, float, float]]) -> None:
    print(f"\n{'':28}{'p50 ms':>10}{'p95 ms':>10}{'p50 ratio':>12}")
    for name, p50, p95 in rows:
        print(f"{name:28}{p50:10.2f}{p95:10.2f}{p50 / rows[0][1]:12.1f}")


if __name__ == "__main__":
    main()
