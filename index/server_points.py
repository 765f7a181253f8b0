"""One collection of a Qdrant server: points in, rankings out."""

from collections.abc import Sequence

from qdrant_client import QdrantClient, models

from index.payload import (
    DENSE,
    QUESTIONS,
    WORDS,
    Condition,
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
from index.server_client import Connection

_BATCH = 256
_PAGE = 1000
_RESCORED = models.QuantizationSearchParams(rescore=True, oversampling=2.0)
_PARAMS = {
    "none": models.SearchParams(exact=True),
    "scalar": models.SearchParams(quantization=_RESCORED),
}


class Collection:
    """An `IndexContent`: the collection `name`, built with `fingerprint`."""

    def __init__(self, connection: Connection, name: str, fingerprint: Fingerprint) -> None:
        self._connection = connection
        self.name = name
        self.fingerprint = fingerprint
        self._params = None if connection.options.memory else _PARAMS[connection.options.quantization]

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        check_points(points, self.fingerprint.dimensions)
        structs = [_point(point) for point in points]
        with self._connection.calls() as client:
            for start in range(0, len(structs), _BATCH):
                client.upsert(self.name, structs[start : start + _BATCH], wait=True)

    def delete(self, chunk_ids: Sequence[str]) -> None:
        """Unknown ids are ignored."""
        if not chunk_ids:
            return
        selector = models.PointIdsList(points=[point_id(chunk_id) for chunk_id in chunk_ids])
        with self._connection.calls() as client:
            client.delete(self.name, selector, wait=True)

    def search(self, queries: Sequence[IndexQuery]) -> list[list[ScoredId]]:
        for query in queries:
            check_query(query, self.fingerprint.dimensions)
        with self._connection.calls() as client:
            return deterministic_search(queries, lambda batch: self._ask(client, batch))

    def ids(self, where: IndexFilter | None = None) -> set[str]:
        found: set[str] = set()
        offset = None
        with self._connection.calls() as client:
            while True:
                records, offset = client.scroll(
                    self.name,
                    scroll_filter=_filter(where) if where else None,
                    limit=_PAGE,
                    offset=offset,
                    with_payload=["chunk_id"],
                )
                found |= {str((record.payload or {})["chunk_id"]) for record in records}
                if offset is None:
                    return found

    def count(self) -> int:
        with self._connection.calls() as client:
            return client.count(self.name, exact=True).count

    def optimize(self) -> None:
        """Only checks that the collection exists: a server optimises by itself."""
        self.count()

    def _ask(self, client: QdrantClient, batch: Sequence[tuple[IndexQuery, int]]) -> list[list[ScoredId]]:
        requests = [
            models.QueryRequest(
                query=vector,
                using=field,
                filter=_filter(query.where),
                limit=size,
                with_payload=["chunk_id"],
                # A sparse search is exact by itself.
                params=None if field in WORDS else self._params,
            )
            for query, size in batch
            for field, vector in [_vector(query)]
        ]
        return [
            [ScoredId(id=str((hit.payload or {})["chunk_id"]), score=hit.score) for hit in response.points]
            for response in client.query_batch_points(self.name, requests)
        ]


def _vector(query: IndexQuery) -> tuple[str, list[float] | list[list[float]] | models.SparseVector]:
    """Name of the searched vector, and the query vector."""
    if found := words_of_query(query):
        name, words = found
        return name, models.SparseVector(indices=list(words.indices), values=list(words.values))
    if query.questions is not None:
        return QUESTIONS, [list(query.questions)]
    return DENSE, list(query.dense or ())


def _point(point: IndexPoint) -> models.PointStruct:
    vectors: dict[str, models.Vector] = {}
    for name, words in words_of_point(point).items():
        vectors[name] = models.SparseVector(indices=list(words.indices), values=list(words.values))
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
