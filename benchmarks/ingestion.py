"""How long documents take to come in, and how much of the embedder's speed indexing keeps.

The norms of ../shared/boe without embeddings, then once more unchanged; and a part of the demo corpus with
the local embedder. There `sync_index` and the bare embedder take turns over the same texts (A B B A), in the
same worker processes, so that whatever else the machine does weighs on both and the ratio holds.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import BOE, DEMO, build
from benchmarks.table import Row, show
from rag.chunking.chunk import dense_text
from rag.indexing.sync import sync_index
from rag.providers.local_bulk import BulkEmbedder

INGEST_SECONDS = 60.0
THROUGHPUT = 90.0
ROUNDS = 8
# Short texts, so that a turn is short: turns must be quicker than what else changes on the machine.
SUBSET = [DEMO / "sentencias", DEMO / "criterios_inss"]


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
    texts = _Syncing(folder / "warm", embedder).texts
    embedder.embed_passages(texts[:16])
    shares: list[float] = []
    bare: list[float] = []
    ours: list[float] = []
    for number in range(ROUNDS):
        # A B, then B A: a machine that slows down meanwhile favours neither.
        first = _Syncing(folder / f"a{number}", embedder).run()
        bare += [_embedded(texts, embedder), _embedded(texts, embedder)]
        second = _Syncing(folder / f"b{number}", embedder).run()
        shares.append((bare[-2] + bare[-1]) / (first.wall + second.wall))
        ours += [first.cpu, second.cpu]
    embedder.close()
    return [
        Row("embedder alone, median", len(texts) / statistics.median(bare), "chunks/s"),
        Row(
            f"sync_index ÷ embedder alone, {len(texts)} chunks, median",
            _percent(shares),
            "%",
            THROUGHPUT,
            True,
        ),
        Row("  lowest round", min(shares) * 100, "%"),
        Row("  highest round", max(shares) * 100, "%"),
        Row("  processor time of sync_index itself, a chunk", _per_chunk(ours, texts), "ms"),
    ]


@dataclass
class _Syncing:
    """A new home with the subset in its database and its lexical index, to be given vectors."""

    home: Path
    embedder: BulkEmbedder
    wall: float = 0.0
    cpu: float = 0.0

    def __post_init__(self) -> None:
        self.program = build(self.home, embeddings_provider="none")
        self.program.embedder = self.embedder
        self.program.ingest(SUBSET, dense=False)
        self.texts = [dense_text(c) for batch in self.program.corpus.all_chunks() for c in batch]

    def run(self) -> _Syncing:
        """Index with vectors: its seconds, and those of the processor in this process."""
        wall, cpu = time.perf_counter(), time.process_time()
        program = self.program
        report = sync_index(
            program.corpus, program.index, program.encoder, self.embedder, program.database.vectors
        )
        self.wall, self.cpu = time.perf_counter() - wall, time.process_time() - cpu
        if report.notice or report.from_cache or report.dense != len(self.texts):
            raise RuntimeError(f"not every chunk was embedded: {report}")
        program.embedder = None  # its workers are for the next round too
        program.close()
        return self


def _percent(shares: list[float]) -> float:
    return statistics.median(shares) * 100


def _per_chunk(seconds: list[float], texts: list[str]) -> float:
    return statistics.median(seconds) / len(texts) * 1000


def _embedded(texts: list[str], embedder: BulkEmbedder) -> float:
    started = time.perf_counter()
    embedder.embed_passages(texts)
    return time.perf_counter() - started


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        rows = [*whole_corpus(Path(folder) / "boe"), *throughput(Path(folder))]
    show("Ingestion", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
