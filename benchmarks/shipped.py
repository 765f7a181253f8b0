"""Seconds to load norms with vectors, with the vectors of questions that ship and without them.

The first `NORMS` norms of ../shared/boe (6; 49 are all of them, and take an hour) are loaded twice with each,
turn about (A B B A), into homes of their own: read, stored, indexed by words and by meaning, with the local
embedder. The vectors of their texts ship too, so what is left without those of questions is to embed these.
"""

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import BOE, has_norms, program
from benchmarks.table import Row, Tables, Watch
from index.vector_index import VectorCache
from loading.indexing.index_sync import IndexSync, asked, embedding_key
from models.local_bulk_embedder import BulkEmbedder

NORMS = int(os.environ.get("NORMS", "6"))
TIMES_FASTER = 2.0


@dataclass(frozen=True)
class Without:
    """The vectors that ship, but for those of `hidden` keys, which are only had once they are computed."""

    shipped: VectorCache
    own: VectorCache
    hidden: Collection[str]

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        found = self.own.get(model, hashes)
        return found | self.shipped.get(model, [h for h in hashes if h not in found and h not in self.hidden])

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        self.own.put(model, vectors)

    def remove(self, hashes: Sequence[str]) -> int:
        return self.own.remove(hashes)


@dataclass(frozen=True)
class Loaded:
    """A load: its seconds, and the numbers of chunks and of questions."""

    seconds: float
    chunks: int
    questions: int


def load(home: Path, embedder: BulkEmbedder, *, questions: bool) -> Loaded:
    """Load the norms into a new home; without `questions`, none of their vectors is there.

    Raises:
        RuntimeError: a chunk was left without its vector.
    """
    folders = sorted(BOE.iterdir())[:NORMS]
    with program(home) as app:
        watch = Watch()
        app.loading.ingest(folders, dense=False)
        stored = watch.wall
        keys = {
            embedding_key(q)
            for batch in app.database.corpus.all_chunks()
            for one in batch
            for q in asked(one)
        }
        cache = app.vectors if questions else Without(app.vectors, app.database.vectors, keys)
        watch = Watch()
        report = IndexSync(app.database.corpus, app.database.ledger, app.index, cache).run(embedder)
        found = Loaded(stored + watch.wall, report.dense, len(keys))
        if report.notice or report.dense != app.database.corpus.counts().chunks:
            raise RuntimeError(f"not every chunk was embedded: {report}")
    return found


def tables(folder: Path) -> Tables:
    if not has_norms():
        return
    embedder = BulkEmbedder()
    embedder.embed_passages(["El modelo se carga antes de medir."])
    turns = [
        load(folder / str(number), embedder, questions=questions)
        for number, questions in enumerate((True, False, False, True))
    ]
    embedder.close()
    shipped, made = (turns[0].seconds + turns[3].seconds) / 2, (turns[1].seconds + turns[2].seconds) / 2
    one = turns[0]
    yield (
        f"Loading {NORMS} norms, {one.chunks} chunks and {one.questions} questions, with vectors",
        [
            Row("with the vectors of questions that ship", shipped, "s"),
            Row("without them", made, "s"),
            Row("without ÷ with", made / shipped, "×", TIMES_FASTER, True),
        ],
    )
