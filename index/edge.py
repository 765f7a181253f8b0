"""The embedded index: Qdrant's engine inside the process, one folder on disk (`qdrant-edge-py`).

Dense search is exact: without an HNSW graph two builds of the same corpus rank alike, and at 50,000 chunks of
384 dimensions the five rankings of a search take some 20 ms. Larger ones belong on a server (`server.py`);
what they cost here is in docs/scale.md.
"""

import contextlib
import json
import logging
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import portalocker
import qdrant_edge as qe

from core.errors import IndexHeld, IndexUnavailable
from core.whole_files import written_whole
from index.payload import (
    DENSE,
    FIELDS,
    QUESTIONS,
    REINDEX,
    WORDS,
    Condition,
    check_fingerprint,
    check_points,
    check_query,
    conditions,
    deterministic_search,
    payload,
    point_id,
    words_of_point,
    words_of_query,
)
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, ScoredId
from index.single_terms import SingleTerms

_SCHEMAS = {"keyword": qe.PayloadSchemaType.Keyword, "integer": qe.PayloadSchemaType.Integer}
_PAGE = 5000
SLOW_SECONDS = 5.0
SEARCH_THREADS = 1
"""Of the engine. More only help where there are many segments, and cost a third more processor time."""
FIELDS_FROM = 200
"""Points of an index whose fields are indexed for filters. Fewer are looked at one by one in a millisecond;
the ten indexes would take most of the time and nine tenths of the 24 MB of a new folder."""
LARGE, DEAD = 100_000, 0.05
"""Points of an index that is rewritten only when more than this share of them has been replaced."""
logger = logging.getLogger(__name__)

_HELD = (
    "Otro proceso tiene abierto el índice: cierre la otra instancia de Articulado,"
    " o configure QDRANT_URL para compartirlo entre procesos."
)


class EdgeIndex:
    """A `VectorIndex` in `path`; one process at a time may have it open.

    Our own lock file keeps a second process out: the engine notices it too late, after loading has
    already truncated files that the first process still writes to.

    What `upsert` and `delete` have acknowledged is on disk. Searches run in parallel and with writes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shard_path = path / "shard"
        self._fingerprint_path = path / "fingerprint.json"
        self._lifecycle = threading.RLock()
        self._open_shard: qe.EdgeShard | None = None
        self._lock: portalocker.Lock | None = None
        self._dimensions = 0
        self._fields_indexed = False
        self._terms = SingleTerms()
        # Until the first rewriting, what lies dead in the segments is unknown.
        self._deleted, self._replaced = True, 0

    def open(self, fingerprint: Fingerprint) -> None:
        """Opening again with the same fingerprint does nothing.

        A folder that has vanished under an open index is created again, empty.
        """
        with self._lifecycle, _translated():
            if self._open_shard is not None and not self._fingerprint_path.exists():
                self._drop_shard()
                # The engine may have begun to write it again.
                shutil.rmtree(self._shard_path, ignore_errors=True)
                self._release()
            self._hold()
            try:
                if not self._shard_path.exists():
                    self._create(fingerprint)
                    return
                check_fingerprint(self._read_fingerprint(), fingerprint)
                if self._open_shard is None:
                    self._open_shard = qe.EdgeShard.load(
                        str(self._shard_path), _config(fingerprint.dimensions)
                    )
                    self._fields_indexed = False
                    self._terms.forget()
                self._dimensions = fingerprint.dimensions
            except BaseException:
                if self._open_shard is None:
                    self._release()
                raise

    def reset(self, fingerprint: Fingerprint) -> None:
        """A damaged index is replaced, one that another process holds is left alone."""
        with self._lifecycle, _translated():
            if not self._path.is_dir():
                _remove(self._path)
            self._hold()
            self._drop_shard()
            _remove(self._fingerprint_path)
            _remove(self._shard_path)
            self._create(fingerprint)

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        check_points(points, self._dimensions)
        if points:
            self._replaced += len(points)
            self._write(qe.UpdateOperation.upsert_points([_point(point) for point in points]))
            self._index_fields()

    def delete(self, chunk_ids: Sequence[str]) -> None:
        """Unknown ids are ignored."""
        if chunk_ids:
            self._deleted = True
            self._write(qe.UpdateOperation.delete_points([point_id(chunk_id) for chunk_id in chunk_ids]))

    def search(self, queries: Sequence[IndexQuery]) -> list[list[ScoredId]]:
        for query in queries:
            check_query(query, self._dimensions)
        with _translated():
            shard = self._shard()
            return self._terms.search(
                queries, lambda rest: deterministic_search(rest, lambda batch: _ask(shard, batch))
            )

    def ids(self, where: IndexFilter | None = None) -> set[str]:
        found: set[str] = set()
        offset = None
        with _translated():
            while True:
                records, offset = self._shard().scroll(
                    qe.ScrollRequest(
                        limit=_PAGE,
                        offset=offset,
                        filter=_filter(where) if where else None,
                        with_payload=["chunk_id"],
                    )
                )
                found |= {str((record.payload or {})["chunk_id"]) for record in records}
                if offset is None:
                    return found

    def count(self) -> int:
        with _translated():
            return self._shard().count(qe.CountRequest())

    def optimize(self) -> None:
        """Rewrite segments without their dead points, which the engine's IDF counts until then.

        That takes as long as the whole corpus is large. So a large index is left as it is while few points
        have been replaced since the last time and none deleted: what was deleted must be gone.
        """
        with _translated():
            shard, held = self._shard(), self.count()
            if held >= LARGE and not self._deleted and self._replaced < DEAD * held:
                return
            self._deleted, self._replaced = False, 0
            shard.optimize()
            self._terms.forget()
            shard.flush()

    def close(self) -> None:
        """Closing twice is harmless."""
        with self._lifecycle:
            shard, self._open_shard = self._open_shard, None
            started = time.monotonic()
            try:
                if shard is not None:
                    with _translated():
                        # It flushes: some 65 files, one after another.
                        shard.close()
            finally:
                self._release()
            if (took := time.monotonic() - started) > SLOW_SECONDS:
                logger.warning("closing the index took %.1f s: look at the load of its disk", took)

    def _hold(self) -> None:
        """Lock the folder for this process; the system releases the lock if the process dies."""
        if self._lock is not None:
            return
        self._path.mkdir(parents=True, exist_ok=True)
        lock = portalocker.Lock(self._path / "lock", mode="a", timeout=0, fail_when_locked=True)
        try:
            lock.acquire()
        except portalocker.exceptions.LockException as error:
            raise IndexHeld(_HELD) from error
        self._lock = lock

    def _release(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    def _drop_shard(self) -> None:
        """Close a shard that is about to be deleted; errors of a damaged one are ignored."""
        shard, self._open_shard = self._open_shard, None
        if shard is not None:
            with contextlib.suppress(Exception):
                shard.close()

    def _shard(self) -> qe.EdgeShard:
        shard = self._open_shard
        if shard is None:
            raise IndexUnavailable("El índice está cerrado: vuelva a abrir la aplicación.")
        return shard

    def _write(self, operation: qe.UpdateOperation) -> None:
        with _translated():
            shard = self._shard()
            try:
                shard.update(operation)
            finally:
                self._terms.forget()
            shard.flush()

    def _create(self, fingerprint: Fingerprint) -> None:
        """The fingerprint is written last: a shard without one is a build that was cut short."""
        self._shard_path.mkdir(parents=True)
        shard = qe.EdgeShard.create(str(self._shard_path), _config(fingerprint.dimensions))
        shard.flush()
        with written_whole(self._fingerprint_path) as stream:
            stream.write(fingerprint.model_dump_json().encode())
        self._open_shard = shard
        self._fields_indexed = False
        self._dimensions = fingerprint.dimensions
        self._terms.forget()

    def _index_fields(self) -> None:
        """Index the fields of filters that are not yet, once there are FIELDS_FROM points.

        A process that dies before that has not acknowledged its points: the next ones make up for it.
        """
        with self._lifecycle, _translated():
            shard = self._shard()
            if self._fields_indexed or self.count() < FIELDS_FROM:
                return
            for field in FIELDS.keys() - shard.info().payload_schema.keys():
                shard.update(qe.UpdateOperation.create_field_index(field, _SCHEMAS[FIELDS[field]]))
            shard.flush()
            self._fields_indexed = True

    def _read_fingerprint(self) -> Fingerprint | None:
        try:
            return Fingerprint.model_validate(json.loads(self._fingerprint_path.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError):
            return None


def _remove(path: Path) -> None:
    """Remove whatever is there: what lies in the place of an index is none that could be lost."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def _translated() -> Iterator[None]:
    """Translates engine errors: bare `Exception`, and panics that derive only from BaseException."""
    try:
        yield
    except (IndexUnavailable, ValueError):
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and not _is_panic(error):
            raise
        if "not initialized" in str(error):
            raise IndexUnavailable("El índice está cerrado: vuelva a abrir la aplicación.") from error
        raise IndexUnavailable(f"El índice está dañado o no se puede leer: {REINDEX}.") from error


def _is_panic(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"


def _config(dimensions: int) -> qe.EdgeConfig:
    several = qe.MultiVectorConfig(qe.MultiVectorComparator.MaxSim)
    dense = {
        DENSE: qe.EdgeVectorParams(size=dimensions, distance=qe.Distance.Cosine),
        QUESTIONS: qe.EdgeVectorParams(
            size=dimensions, distance=qe.Distance.Cosine, multivector_config=several
        ),
    }
    return qe.EdgeConfig(
        vectors=dense if dimensions else None,
        sparse_vectors={name: qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf) for name in WORDS},
        hnsw_config=qe.HnswIndexConfig(m=0, ef_construct=16, full_scan_threshold=10_000),
        optimizers=qe.EdgeOptimizersConfig(deleted_threshold=0.0, vacuum_min_vector_number=1),
        max_search_threads=SEARCH_THREADS,
    )


def _point(point: IndexPoint) -> qe.Point:
    vectors: dict[str, list[float] | qe.SparseVector | list[list[float]]] = {}
    for name, words in words_of_point(point).items():
        vectors[name] = qe.SparseVector(list(words.indices), list(words.values))
    if point.dense is not None:
        vectors[DENSE] = list(point.dense)
    if point.questions:
        vectors[QUESTIONS] = [list(vector) for vector in point.questions]
    return qe.Point(point_id(point.chunk.id), vectors, dict(payload(point.chunk)))


def _ask(shard: qe.EdgeShard, batch: Sequence[tuple[IndexQuery, int]]) -> list[list[ScoredId]]:
    requests = [
        qe.QueryRequest(
            limit=size,
            query=_nearest(query),
            filter=_filter(query.where),
            with_payload=["chunk_id"],
            params=qe.SearchParams(exact=True),
        )
        for query, size in batch
    ]
    return [
        [ScoredId(str((hit.payload or {})["chunk_id"]), hit.score) for hit in hits]
        for hits in shard.query_batch(qe.QueryBatchRequest(requests))
    ]


def _nearest(query: IndexQuery) -> qe.Query:
    if found := words_of_query(query):
        name, words = found
        return qe.Query.Nearest(qe.SparseVector(list(words.indices), list(words.values)), using=name)
    if query.questions is not None:
        return qe.Query.Nearest([list(query.questions)], using=QUESTIONS)
    return qe.Query.Nearest(list(query.dense or ()), using=DENSE)


def _filter(where: IndexFilter) -> qe.Filter | None:
    found = [_condition(condition) for condition in conditions(where)]
    return qe.Filter(must=[*found]) if found else None


def _condition(condition: Condition) -> qe.FieldCondition:
    if condition.any_of:
        return qe.FieldCondition(condition.field, match=qe.MatchAny(list(condition.any_of)))
    return qe.FieldCondition(
        condition.field, range=qe.RangeFloat(gte=condition.at_least, lte=condition.at_most)
    )
