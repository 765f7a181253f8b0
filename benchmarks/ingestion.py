"""How long documents take to come in, and how much of the embedder's speed indexing keeps.

The norms of ../shared/boe without embeddings, then once more unchanged; and the demo corpus with the local
embedder. There `sync_index` and the bare embedder take turns over the same texts (A B B A), in the same
worker processes, so that whatever else the machine does weighs on both and the ratio holds.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchmarks import BOE, DEMO, build
from benchmarks.table import Row, show
from rag.ingestion.chunk import dense_text
from rag.ingestion.indexing import sync_index
from rag.providers.local_bulk import BulkEmbedder
from rag.types import Chunk

INGEST_SECONDS = 60.0
THROUGHPUT = 0.90
ROUNDS = 2


def whole_corpus(home: Path) -> list[Row]:
    """Rows for the real norms, or none when they are not here."""
    if not BOE.is_dir():
        print("ingestion: the real norms (../shared/boe) are not here; skipped")
        return []
    program = build(home, embeddings_provider="none")
    elapsed: list[float] = []
    for _ in range(2):
        started = time.perf_counter()
        program.ingest([BOE])
        elapsed.append(time.perf_counter() - started)
    counts = program.corpus.counts()
    program.close()
    return [
        Row(f"{counts.norms} norms, {counts.chunks} chunks, no embeddings", elapsed[0], "s", INGEST_SECONDS),
        Row("the same, unchanged", elapsed[1], "s"),
        Row("  chunks a second", counts.chunks / elapsed[0], "/s"),
    ]


def throughput(folder: Path) -> list[Row]:
    """Rows for `sync_index` with embeddings against the embedder alone."""
    embedder = BulkEmbedder()
    chunks = _synced(folder / "warm", embedder)[1]
    texts = [dense_text(chunk) for chunk in chunks]
    synced = bare = 0.0
    for number in range(ROUNDS):
        synced += _synced(folder / f"a{number}", embedder)[0]
        bare += _embedded(texts, embedder) + _embedded(texts, embedder)
        synced += _synced(folder / f"b{number}", embedder)[0]
    embedder.close()
    made = len(texts) * 2 * ROUNDS
    return [
        Row("embedder alone", made / bare, "chunks/s"),
        Row("sync_index with it", made / synced, "chunks/s"),
        Row(
            f"sync_index ÷ embedder alone, {len(texts)} chunks",
            bare / synced * 100,
            "%",
            THROUGHPUT * 100,
            True,
        ),
    ]


def _synced(home: Path, embedder: BulkEmbedder) -> tuple[float, list[Chunk]]:
    """Seconds to index the demo corpus with vectors, in a new home; lexical search is ready before."""
    program = build(home, embeddings_provider="none")
    program.embedder = embedder
    program.ingest([DEMO], dense=False)
    chunks = [chunk for batch in program.corpus.all_chunks() for chunk in batch]
    started = time.perf_counter()
    report = sync_index(program.corpus, program.index, program.encoder, embedder, program.database.vectors)
    elapsed = time.perf_counter() - started
    if report.notice or report.dense - report.from_cache != len(chunks):
        raise RuntimeError(f"not every chunk was embedded: {report}")
    program.embedder = None  # its workers are for the next round too
    program.close()
    return elapsed, chunks


def _embedded(texts: list[str], embedder: BulkEmbedder) -> float:
    started = time.perf_counter()
    embedder.bulk_embed(texts)
    return time.perf_counter() - started


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        rows = [*whole_corpus(Path(folder) / "boe"), *throughput(Path(folder))]
    show("Ingestion", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
