"""How the embedded index grows: search, recall, memory, disk, opening and updates, from small to large homes.

    python -m lab scale [50000 200000 500000]      # chunks, each in a temporary folder of its own

The corpus is synthetic. Its vectors are those that the program ships (of real texts and questions), each
moved along the difference of two others, so that they lie as real ones do; words follow a Zipf-Mandelbrot law
in which the commonest is in one chunk of five. Half of the chunks have two questions and words of aids. A
search is what a sub-query asks of one collection: five rankings of 20 in one batch, filtered by date and
collection, and their fusion. Each size is filled in one process and measured in another.
"""

import multiprocessing
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from index.edge import EdgeIndex
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, SparseVector
from lab.table import Row, Tables, Watch, percentile, spread
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
RECALL, OPENING_S = 0.97, 5.0


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


def fill(path: Path, chunks: int) -> Row:
    """Seconds of writing all chunks, `optimize` included."""
    index = EdgeIndex(path)
    index.open(OPENED)
    written = 0.0
    for block in range(chunks // BATCH):
        batch = points(block)
        written += _seconds(partial(index.upsert, batch))
    written += _seconds(index.optimize)
    index.close()
    return Row("reindex", written, "s")


def measure(path: Path, chunks: int) -> list[Row]:
    """The figures of a filled index, in a process that has not opened it before."""
    disk = sum(file.stat().st_blocks * 512 for file in path.rglob("*") if file.is_file()) / 1e6
    asked = questions(chunks)
    index = EdgeIndex(path)
    watch = Watch()
    index.open(OPENED)
    index.search(list(asked[0].values()))
    opening = watch.wall
    taken = [_cpu_ms(partial(_hybrid, index, one)) for one in asked]
    own, mapped = _resident()
    alone = {name: [_cpu_ms(partial(index.search, [one[name]])) for one in asked[:50]] for name in asked[0]}
    near = [{hit.id for hit in index.search([one["dense"]])[0][:NEAREST]} for one in asked]
    recall = sum(len(a & b) for a, b in zip(near, exact(chunks, asked), strict=True)) / (QUERIES * NEAREST)
    # A process's first rewriting is a full one.
    index.optimize()
    new, old = points(chunks // BATCH)[:NORM], points(chunks // BATCH // 2)[:NORM]
    rows = [
        *spread("search of the processor", taken, "ms"),
        *(Row(f"  {name} alone, p50", percentile(times, 50), "ms") for name, times in alone.items()),
        Row(f"recall@{NEAREST} of the nearest texts", recall, "", RECALL, at_least=True),
        Row("memory, its own", own, "MB"),
        Row("memory, files of the index", mapped, "MB"),
        Row("disk", disk, "MB"),
        Row("opening and first search", opening, "s", OPENING_S),
        Row(f"a new norm of {NORM} chunks", _seconds(partial(_written, index, new)), "s"),
        Row("an old one, written again", _seconds(partial(_written, index, old)), "s"),
        Row("an old one, deleted", _seconds(partial(_deleted, index, old)), "s"),
    ]
    index.close()
    return rows


def _written(index: EdgeIndex, norm: Sequence[IndexPoint]) -> None:
    """As a load does it: words at once, then vectors."""
    index.upsert([point.model_copy(update={"dense": None, "questions": ()}) for point in norm])
    index.upsert(norm)
    index.optimize()


def _deleted(index: EdgeIndex, norm: Sequence[IndexPoint]) -> None:
    index.delete([point.chunk.id for point in norm])
    index.optimize()


def _hybrid(index: EdgeIndex, one: dict[str, IndexQuery]) -> list[tuple[str, float]]:
    return rrf([[hit.id for hit in ranking] for ranking in index.search(list(one.values()))])[:NEAREST]


def _seconds(work: Callable[[], object]) -> float:
    watch = Watch()
    work()
    return watch.wall


def _cpu_ms(work: Callable[[], object]) -> float:
    """Milliseconds of the processor, which other work of the machine hardly moves."""
    watch = Watch()
    work()
    return watch.cpu * 1000


def _resident() -> tuple[float, float]:
    """MB of this process in memory: its own, and of files."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    own, files = (int(lines[name].split()[0]) / 1000 for name in ("RssAnon", "RssFile"))
    return own, files


def _apart(work: Callable[..., Any], *given: object) -> Any:
    """The result of `work` in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *given).result()


def growth(sizes: Sequence[int], measured: Sequence[Sequence[Row]]) -> list[Row]:
    """The exponent b of a·chunks^b that fits each figure best: 1 grows as the corpus does, 0 not at all."""
    values = {
        row.name: [next(one.value for one in rows if one.name == row.name) for rows in measured]
        for row in measured[0]
    }
    return [
        Row(f"{name}: exponent", float(np.polyfit(np.log(sizes), np.log(given), 1)[0]), "")
        for name, given in values.items()
        if min(given) > 0
    ]


def tables(folder: Path) -> Tables:
    sizes = [int(one) for one in sys.argv[1:]] or SIZES
    measured: list[list[Row]] = []
    for chunks in sizes:
        path = folder / f"index-{chunks}"
        filled = _apart(fill, path, chunks)
        measured.append([*_apart(measure, path, chunks), filled])
        yield f"Embedded index of {chunks} chunks", measured[-1]
    if len(sizes) > 1:
        yield "Growth", growth(sizes, measured)
