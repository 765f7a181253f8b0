"""Seconds to load documents, and the share of the embedder's speed that indexing keeps.

The norms of ../shared/boe without embeddings, then once more unchanged; and a part of the demo corpus with
the local embedder. There `IndexSync.run` and the bare embedder take turns over the same texts (A B B A), in
the same worker processes: other work of the machine slows both, and the ratio holds.
"""

from pathlib import Path
from statistics import median

from lab.harness import BOE, has_norms, program
from lab.table import Row, Tables, Watch
from loading.indexing.index_sync import IndexSync
from models.local_bulk_embedder import BulkEmbedder
from service.program import assembly

INGEST_SECONDS = 60.0
THROUGHPUT = 90.0
ROUNDS = 8
# Short texts, so that a turn is shorter than changes in the machine's load.
SUBSET = [assembly.DEMO / "sentencias", assembly.DEMO / "criterios_inss"]


def whole_corpus(home: Path) -> list[Row]:
    """Rows for the real norms, or none when they are not here."""
    if not has_norms():
        return []
    elapsed: list[float] = []
    with program(home, embeddings_provider="none") as app:
        for _ in range(2):
            watch = Watch()
            app.loading.ingest([BOE])
            elapsed.append(watch.wall)
        counts = app.database.corpus.counts()
    return [
        Row(f"{counts.norms} norms, {counts.chunks} chunks, no embeddings", elapsed[0], "s", INGEST_SECONDS),
        Row("the same, unchanged", elapsed[1], "s"),
        Row("  chunks a second", counts.chunks / elapsed[0], "/s"),
    ]


def throughput(folder: Path) -> list[Row]:
    """Rows for `IndexSync.run` with embeddings against the embedder alone."""
    embedder = BulkEmbedder()
    texts, _ = _synced(folder / "warm", embedder)
    shares: list[float] = []
    bare: list[float] = []
    ours: list[float] = []
    for number in range(ROUNDS):
        # A B, then B A: a machine that slows down meanwhile favours neither.
        _, first = _synced(folder / f"a{number}", embedder)
        alone = [_embedded(texts, embedder), _embedded(texts, embedder)]
        _, second = _synced(folder / f"b{number}", embedder)
        shares.append(sum(alone) / (first[0] + second[0]) * 100)
        bare += alone
        ours += [first[1], second[1]]
    embedder.close()
    name = f"IndexSync.run ÷ embedder alone, {len(texts)} chunks, median"
    return [
        Row("embedder alone, median", len(texts) / median(bare), "chunks/s"),
        Row(name, median(shares), "%", THROUGHPUT, True),
        Row("  lowest round", min(shares), "%"),
        Row("  highest round", max(shares), "%"),
        Row("  processor time of IndexSync.run itself, a chunk", median(ours) / len(texts) * 1000, "ms"),
    ]


def _synced(home: Path, embedder: BulkEmbedder) -> tuple[list[str], tuple[float, float]]:
    """Texts of the subset, and the seconds of indexing them with vectors: by the clock, of this process."""
    with program(home, embeddings_provider="none") as app:
        app.models.embedder = embedder
        app.loading.ingest(SUBSET, dense=False)
        texts = [chunk.headed for batch in app.database.corpus.all_chunks() for chunk in batch]
        watch = Watch()
        report = IndexSync(app.database.corpus, app.database.ledger, app.index, app.database.vectors).run(
            embedder
        )
        seconds = watch.wall, watch.cpu
        app.models.embedder = None  # its workers are for the next round too
    if report.notice or report.from_cache or report.dense != len(texts):
        raise RuntimeError(f"not every chunk was embedded: {report}")
    return texts, seconds


def _embedded(texts: list[str], embedder: BulkEmbedder) -> float:
    watch = Watch()
    embedder.embed_passages(texts)
    return watch.wall


def tables(folder: Path) -> Tables:
    yield "Ingestion", [*whole_corpus(folder / "boe"), *throughput(folder)]
