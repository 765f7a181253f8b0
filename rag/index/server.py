"""The served index: a Qdrant server or cloud through `qdrant-client`, or its memory mode (':memory:')."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from rag.errors import IndexUnavailable
from rag.index.payload import (
    DENSE,
    FIELDS,
    QUESTIONS,
    REINDEX,
    SPARSE,
    Condition,
    check_fingerprint,
    check_points,
    check_query,
    conditions,
    deterministic_search,
    payload,
    point_id,
)
from rag.index_types import Fingerprint, IndexFilter, IndexPoint, IndexQuery, ScoredId

MEMORY = ":memory:"
_BATCH = 256
_PAGE = 1000
_TIMEOUT_SECONDS = 30
_FINGERPRINT = "articulado"


class ServerIndex:
    """A `VectorIndex` in one collection of a server (1.16 or later: the fingerprint is collection metadata).

    The memory mode is not thread-safe and keeps one lock around every call; a server needs none.
    """

    def __init__(self, url: str, api_key: str | None = None, collection: str = "articulado") -> None:
        self._url = url
        self._api_key = api_key
        self._collection = collection
        self._lifecycle = threading.RLock()
        self._guard = threading.RLock() if url == MEMORY else nullcontext()
        self._client: QdrantClient | None = None
        self._dimensions = 0

    def open(self, fingerprint: Fingerprint) -> None:
        """See `VectorIndex`; opening again with the same fingerprint does nothing."""
        with self._lifecycle:
            was_open = self._client is not None
            try:
                with self._calls(connect=True) as client:
                    if client.collection_exists(self._collection):
                        check_fingerprint(_stored_fingerprint(client, self._collection), fingerprint)
                        self._dimensions = fingerprint.dimensions
                    else:
                        self._create(client, fingerprint)
            except IndexUnavailable:
                if not was_open:
                    self.close()
                raise

    def reset(self, fingerprint: Fingerprint) -> None:
        """See `VectorIndex`."""
        with self._lifecycle, self._calls(connect=True) as client:
            if client.collection_exists(self._collection):
                client.delete_collection(self._collection)
            self._create(client, fingerprint)

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """See `VectorIndex`."""
        check_points(points, self._dimensions)
        structs = [_point(point) for point in points]
        with self._calls() as client:
            for start in range(0, len(structs), _BATCH):
                client.upsert(self._collection, structs[start : start + _BATCH], wait=True)

    def delete(self, chunk_ids: Sequence[str]) -> None:
        """See `VectorIndex`; unknown ids are ignored."""
        if not chunk_ids:
            return
        selector = models.PointIdsList(points=[point_id(chunk_id) for chunk_id in chunk_ids])
        with self._calls() as client:
            client.delete(self._collection, selector, wait=True)

    def search(self, queries: Sequence[IndexQuery]) -> list[list[ScoredId]]:
        """See `VectorIndex`."""
        for query in queries:
            check_query(query, self._dimensions)
        with self._calls() as client:
            return deterministic_search(queries, lambda batch: self._ask(client, batch))

    def ids(self, where: IndexFilter | None = None) -> set[str]:
        """See `VectorIndex`."""
        found: set[str] = set()
        offset = None
        with self._calls() as client:
            while True:
                records, offset = client.scroll(
                    self._collection,
                    scroll_filter=_filter(where) if where else None,
                    limit=_PAGE,
                    offset=offset,
                    with_payload=["chunk_id"],
                )
                found |= {str((record.payload or {})["chunk_id"]) for record in records}
                if offset is None:
                    return found

    def count(self) -> int:
        """See `VectorIndex`."""
        with self._calls() as client:
            return client.count(self._collection, exact=True).count

    def optimize(self) -> None:
        """A server optimises by itself; this only checks that it is there."""
        self.count()

    def close(self) -> None:
        """See `VectorIndex`; closing twice is harmless. The memory mode forgets everything."""
        with self._lifecycle, self._guard:
            client, self._client = self._client, None
            if client is not None:
                client.close()

    @contextmanager
    def _calls(self, *, connect: bool = False) -> Iterator[QdrantClient]:
        """The client, its lock held where it needs one, its errors translated."""
        try:
            with self._guard:
                if self._client is None and connect:
                    self._client = self._connect()
                if self._client is None:
                    raise IndexUnavailable("El índice está cerrado: vuelva a abrir la aplicación.")
                yield self._client
        except UnexpectedResponse as error:
            raise IndexUnavailable(_explain(error, self._collection)) from error
        except (ResponseHandlingException, ApiException, OSError) as error:
            raise IndexUnavailable(
                "No se puede conectar con el servidor Qdrant: compruebe que está en marcha y QDRANT_URL."
            ) from error
        except ValueError as error:
            if "not found" not in str(error):
                raise
            raise IndexUnavailable(f"La colección «{self._collection}» no existe: {REINDEX}.") from error

    def _connect(self) -> QdrantClient:
        if self._url == MEMORY:
            return QdrantClient(MEMORY)
        try:
            return QdrantClient(
                url=self._url, api_key=self._api_key, timeout=_TIMEOUT_SECONDS, check_compatibility=False
            )
        except ValueError as error:
            raise IndexUnavailable("QDRANT_URL no es una dirección válida: revísela.") from error

    def _create(self, client: QdrantClient, fingerprint: Fingerprint) -> None:
        size = fingerprint.dimensions
        several = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
        dense = {
            DENSE: models.VectorParams(size=size, distance=models.Distance.COSINE),
            QUESTIONS: models.VectorParams(
                size=size, distance=models.Distance.COSINE, multivector_config=several
            ),
        }
        client.create_collection(
            self._collection,
            vectors_config=dense if size else {},
            sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            metadata={_FINGERPRINT: fingerprint.model_dump()},
        )
        if self._url != MEMORY:
            for field, kind in FIELDS.items():
                client.create_payload_index(self._collection, field, models.PayloadSchemaType(kind))
        self._dimensions = size

    def _ask(self, client: QdrantClient, batch: Sequence[tuple[IndexQuery, int]]) -> list[list[ScoredId]]:
        requests = [
            models.QueryRequest(
                query=vector,
                using=field,
                filter=_filter(query.where),
                limit=size,
                with_payload=["chunk_id"],
            )
            for query, size in batch
            for field, vector in [_vector(query)]
        ]
        return [
            [ScoredId(id=str((hit.payload or {})["chunk_id"]), score=hit.score) for hit in response.points]
            for response in client.query_batch_points(self._collection, requests)
        ]


def _stored_fingerprint(client: QdrantClient, collection: str) -> Fingerprint | None:
    metadata = client.get_collection(collection).config.metadata or {}
    try:
        return Fingerprint.model_validate(metadata.get(_FINGERPRINT))
    except ValueError:
        return None


def _explain(error: UnexpectedResponse, collection: str) -> str:
    if error.status_code == 404:
        return f"La colección «{collection}» no existe en el servidor Qdrant: {REINDEX}."
    if error.status_code in {401, 403}:
        return "El servidor Qdrant rechaza la clave: compruebe QDRANT_API_KEY."
    return f"El servidor Qdrant ha respondido con el error {error.status_code}: consulte su registro."


def _vector(query: IndexQuery) -> tuple[str, list[float] | list[list[float]] | models.SparseVector]:
    """Name of the vector that is searched, and what it is compared with."""
    if query.sparse is not None:
        values = list(query.sparse.values)
        return SPARSE, models.SparseVector(indices=list(query.sparse.indices), values=values)
    if query.questions is not None:
        return QUESTIONS, [list(query.questions)]
    return DENSE, list(query.dense or ())


def _point(point: IndexPoint) -> models.PointStruct:
    vectors: dict[str, models.Vector] = {}
    if point.sparse.indices:
        vectors[SPARSE] = models.SparseVector(
            indices=list(point.sparse.indices), values=list(point.sparse.values)
        )
    if point.dense is not None:
        vectors[DENSE] = list(point.dense)
    if point.questions:
        vectors[QUESTIONS] = [list(vector) for vector in point.questions]
    return models.PointStruct(id=point_id(point.chunk.id), vector=vectors, payload=dict(payload(point.chunk)))


def _filter(where: IndexFilter) -> models.Filter | None:
    found = [_condition(condition) for condition in conditions(where)]
    return models.Filter(must=[*found]) if found else None


def _condition(condition: Condition) -> models.FieldCondition:
    if condition.any_of:
        return models.FieldCondition(key=condition.field, match=models.MatchAny(any=list(condition.any_of)))
    return models.FieldCondition(
        key=condition.field, range=models.Range(gte=condition.at_least, lte=condition.at_most)
    )
