"""How the embedded index grows: search, recall, memory, disk, opening and updates, from small to large homes.

    python -m benchmarks.scale 50000 200000 500000      # chunks; each in a folder of its own under --folder

The corpus is synthetic. Its vectors are those that the program ships (of real texts and questions), each
moved along the difference of two others, so that they lie as real ones do; words follow a Zipf-Mandelbrot law
in which the commonest is in one chunk of five. Half of the chunks have two questions and words of aids. A
search is what a sub-query asks of one collection: five rankings of 20 in one batch, filtered by date and
collection, and their fusion. Each size is filled in one process and measured in another.
"""

import argparse
import multiprocessing
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from benchmarks.table import Row, Tables, Watch, percentile, show
from index.edge import EdgeIndex
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, SparseVector
from law.chunks import Chunk
from rag.retrieval.fusion import rrf
from service.config import ROOT
from tests.factories import make_chunk

SIZES = (5_000, 20_000)
SHIPPED = ROOT / "data" / "enrichment" / "vectors.npz"
DIMENSIONS, BATCH, QUERIES, NEAREST = 384, 500, 200, 10
VOCABULARY, WORDS, AIDED, ASKED = 60_000, 70, 15, 8
NORM = 200
"""Chunks of a norm: number // NORM is its number."""
APART, NEAR = 0.5, 0.35
"""How far a chunk is from a real vector, and a question from its chunk, in differences of two vectors."""
WHERE = IndexFilter(as_of=date(2024, 1, 1), collections=("normativa",))
OPENED = Fingerprint(embedding="synthetic", dimensions=DIMENSIONS, chunker="synthetic")
RATIO, RECALL, OPENING_S = 2.0, 0.97, 5.0


@dataclass(frozen=True)
class Measured:
    """One size.

    Attributes:
        search_ms, search_cpu: milliseconds of each search, by the clock and of the processor.
        by_ranking: median milliseconds of the processor for each ranking by itself.
        anonymous, mapped: resident MB of the process after the searches, its own and the index's files'.
        added_s, replaced_s: seconds to write a new norm of NORM chunks with its vectors after it, and an old
            one once more, `optimize` included; deleted_s: to delete it.
    """

    chunks: int
    fill_s: float
    optimize_s: float
    disk_mb: float
    opening_s: float
    search_ms: Sequence[float]
    search_cpu: Sequence[float]
    by_ranking: dict[str, float]
    recall: float
    anonymous_mb: float
    mapped_mb: float
    added_s: float
    replaced_s: float
    deleted_s: float


@cache
def _real() -> np.ndarray:
    vectors: np.ndarray = np.load(SHIPPED)["vectors"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


@cache
def _odds() -> np.ndarray:
    odds = (np.arange(VOCABULARY) + 50.0) ** -1.1
    return np.cumsum(odds / odds.sum())


def _moved(rng: np.random.Generator, vectors: np.ndarray, far: float) -> np.ndarray:
    """The vectors, each moved `far` along the difference of two real ones."""
    real = _real()
    one, other = rng.integers(len(real), size=(2, len(vectors)))
    made: np.ndarray = vectors + far * (real[one] - real[other])
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def vectors_of(block: int) -> np.ndarray:
    """The vectors of a block of BATCH chunks, always the same."""
    rng = np.random.default_rng([7, block])
    real = _real()
    return _moved(rng, real[rng.integers(len(real), size=BATCH)], APART)


def words_of(block: int, count: int = WORDS) -> np.ndarray:
    """The numbers of the words of each chunk of a block, shape (BATCH, count), with repetitions."""
    return np.searchsorted(_odds(), np.random.default_rng([11, block, count]).random((BATCH, count)))


def _sparse(words: np.ndarray) -> SparseVector:
    numbers, times = np.unique(words, return_counts=True)
    return SparseVector(indices=tuple(numbers.tolist()), values=tuple((times / (times + 1.2)).tolist()))


def points(block: int) -> list[IndexPoint]:
    """A block of chunks as the index gets them; every third is no longer in force."""
    vectors, words, aids = vectors_of(block), words_of(block), words_of(block, AIDED)
    rng = np.random.default_rng([13, block])
    asked = [_moved(rng, vectors, NEAR).tolist() for _ in range(2)]
    return [
        IndexPoint(
            chunk=_chunk(block * BATCH + row),
            sparse=_sparse(words[row]),
            aids=_sparse(aids[row]) if row % 2 else SparseVector(indices=(), values=()),
            dense=tuple(vectors[row].tolist()),
            questions=tuple(tuple(one[row]) for one in asked) if row % 2 else (),
        )
        for row in range(BATCH)
    ]


def _chunk(number: int) -> Chunk:
    until = "2022-12-31" if number % 3 == 0 else None
    return make_chunk(f"N-{number // NORM}", str(number % NORM), "", since="2020-01-01", until=until)


def questions(chunks: int) -> list[dict[str, IndexQuery]]:
    """The rankings that each question asks for: near a chunk, with words of it."""
    rng = np.random.default_rng(17)
    asked = []
    for block in rng.integers(chunks // BATCH, size=QUERIES).tolist():
        row = int(rng.integers(BATCH))
        dense = _moved(rng, vectors_of(block)[row : row + 1], NEAR)
        adapted = _moved(rng, dense, NEAR / 4)
        words = _sparse(rng.choice(words_of(block)[row], ASKED, replace=False))
        words = SparseVector(indices=words.indices, values=(1.0,) * len(words.indices))
        near, moved = tuple(dense[0].tolist()), tuple(adapted[0].tolist())
        made = {"dense": IndexQuery(dense=near), "adapted": IndexQuery(dense=moved)}
        made |= {"questions": IndexQuery(questions=near), "words": IndexQuery(sparse=words)}
        made["aids"] = IndexQuery(aids=words)
        asked.append({name: one.model_copy(update={"where": WHERE}) for name, one in made.items()})
    return asked


def exact(chunks: int, asked: Sequence[dict[str, IndexQuery]]) -> list[set[str]]:
    """Ids of the NEAREST chunks in force to the vector of each question, by comparing with every one."""
    wanted = np.array([one["dense"].dense for one in asked], dtype=np.float32)
    best = np.full((len(asked), NEAREST), -2.0, dtype=np.float32)
    places = np.zeros((len(asked), NEAREST), dtype=np.int64)
    for block in range(chunks // BATCH):
        numbers = np.arange(block * BATCH, (block + 1) * BATCH)
        scores = wanted @ vectors_of(block).T
        scores[:, numbers % 3 == 0] = -2.0
        both = np.hstack([best, scores])
        known = np.hstack([places, np.broadcast_to(numbers, scores.shape)])
        order = np.argsort(-both, axis=1)[:, :NEAREST]
        best, places = np.take_along_axis(both, order, 1), np.take_along_axis(known, order, 1)
    return [{_chunk(number).id for number in row} for row in places.tolist()]


def fill(path: Path, chunks: int) -> tuple[float, float]:
    """Seconds of writing all chunks, and of `optimize` after that."""
    index = EdgeIndex(path)
    index.open(OPENED)
    written = 0.0
    for block in range(chunks // BATCH):
        batch = points(block)
        watch = Watch()
        index.upsert(batch)
        written += watch.wall
    watch = Watch()
    index.optimize()
    took = watch.wall
    index.close()
    return written, took


def measure(path: Path, chunks: int, filled: tuple[float, float]) -> Measured:
    """The figures of a filled index, in a process that has not opened it before."""
    disk = sum(file.stat().st_blocks * 512 for file in path.rglob("*") if file.is_file()) / 1e6
    asked = questions(chunks)
    index = EdgeIndex(path)
    watch = Watch()
    index.open(OPENED)
    index.search(list(asked[0].values()))
    opening = watch.wall
    taken = [_timed(partial(_hybrid, index, one)) for one in asked]
    own, mapped = _resident()
    by_ranking = {
        name: percentile([_timed(partial(index.search, [one[name]])).cpu * 1000 for one in asked[:50]], 50)
        for name in asked[0]
    }
    near = [{hit.id for hit in index.search([one["dense"]])[0][:NEAREST]} for one in asked]
    recall = sum(len(a & b) for a, b in zip(near, exact(chunks, asked), strict=True)) / (QUERIES * NEAREST)
    # A process's first rewriting is a full one.
    index.optimize()
    new, old = points(chunks // BATCH)[:NORM], points(chunks // BATCH // 2)[:NORM]
    added = _timed(partial(_written, index, new)).wall
    replaced = _timed(partial(_written, index, old)).wall
    watch = Watch()
    index.delete([point.chunk.id for point in old])
    index.optimize()
    deleted = watch.wall
    index.close()
    return Measured(
        chunks,
        *filled,
        disk,
        opening,
        [one.wall * 1000 for one in taken],
        [one.cpu * 1000 for one in taken],
        by_ranking,
        recall,
        own,
        mapped,
        added,
        replaced,
        deleted,
    )


class Taken(NamedTuple):
    """Seconds by the clock and of the processor."""

    wall: float
    cpu: float


def _written(index: EdgeIndex, norm: Sequence[IndexPoint]) -> None:
    """As a load does it: words at once, then vectors."""
    index.upsert([point.model_copy(update={"dense": None, "questions": ()}) for point in norm])
    index.upsert(norm)
    index.optimize()


def _hybrid(index: EdgeIndex, one: dict[str, IndexQuery]) -> list[tuple[str, float]]:
    return rrf([[hit.id for hit in ranking] for ranking in index.search(list(one.values()))])[:NEAREST]


def _timed(work: Callable[[], object]) -> Taken:
    watch = Watch()
    work()
    return Taken(watch.wall, watch.cpu)


def _resident() -> tuple[float, float]:
    """MB of this process in memory: its own, and of files."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    own, files = (int(lines[name].split()[0]) / 1000 for name in ("RssAnon", "RssFile"))
    return own, files


def one_size(folder: Path, chunks: int) -> Measured:
    path = folder / f"index-{chunks}"
    try:
        filled = _apart(fill, path, chunks)
        measured: Measured = _apart(measure, path, chunks, filled)
        return measured
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _apart(work: Callable[..., Any], *given: object) -> Any:
    """The result of `work` in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *given).result()


def rows(one: Measured) -> list[Row]:
    return [
        Row("search, p50", percentile(one.search_ms, 50), "ms"),
        Row("search, p95", percentile(one.search_ms, 95), "ms"),
        Row("search of the processor, p50", percentile(one.search_cpu, 50), "ms"),
        Row("search of the processor, p95", percentile(one.search_cpu, 95), "ms"),
        *(Row(f"  {name} alone, p50", value, "ms") for name, value in one.by_ranking.items()),
        Row(f"recall@{NEAREST} of the nearest texts", one.recall, "", RECALL, at_least=True),
        Row("memory, its own", one.anonymous_mb, "MB"),
        Row("memory, files of the index", one.mapped_mb, "MB"),
        Row("disk", one.disk_mb, "MB"),
        Row("opening and first search", one.opening_s, "s", OPENING_S),
        Row(f"a new norm of {NORM} chunks", one.added_s, "s"),
        Row("  an old one, written again", one.replaced_s, "s"),
        Row("  an old one, deleted", one.deleted_s, "s"),
        Row("reindex: written", one.fill_s, "s"),
        Row("  and optimised", one.optimize_s, "s"),
    ]


def growth(all_sizes: Sequence[Measured]) -> Iterator[Row]:
    """The exponent b of a·chunks^b that fits best, for what grows; 1 is as the corpus does, 0 not at all."""
    told: dict[str, Callable[[Measured], float]] = {
        "search of the processor, p95": lambda one: percentile(one.search_cpu, 95),
        "memory, both": lambda one: one.anonymous_mb + one.mapped_mb,
        "disk": lambda one: one.disk_mb,
        "opening": lambda one: one.opening_s,
        "a new norm": lambda one: one.added_s,
        "a norm deleted": lambda one: one.deleted_s,
        "reindex": lambda one: one.fill_s + one.optimize_s,
    }
    sizes = np.log([one.chunks for one in all_sizes])
    for name, value in told.items():
        yield Row(f"{name}: exponent", float(np.polyfit(sizes, np.log([*map(value, all_sizes)]), 1)[0]), "")
    first, last = all_sizes[0], all_sizes[-1]
    ratio = percentile(last.search_cpu, 95) / percentile(first.search_cpu, 95)
    yield Row(f"p95 of the processor at {last.chunks} ÷ at {first.chunks}", ratio, "×", RATIO)


def tables(folder: Path, sizes: Sequence[int] = SIZES) -> Tables:
    done = []
    for chunks in sizes:
        done.append(one_size(folder, chunks))
        yield f"Embedded index of {chunks} chunks", rows(done[-1])
    if len(done) > 1:
        yield "Growth", list(growth(done))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scale", description="Growth of the embedded index."
    )
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, metavar="CHUNKS")
    parser.add_argument(
        "--folder", type=Path, help="where the indexes are made and deleted; default: temporary"
    )
    chosen = parser.parse_args()
    with TemporaryDirectory(prefix="articulado-scale-", dir=chosen.folder) as made:
        for title, lines in tables(Path(made), chosen.sizes):
            show(title, lines)
