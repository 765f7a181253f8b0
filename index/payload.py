"""Shared by both adapters: point ids, payloads, filter conditions, validation, deterministic rankings."""

import math
import uuid
from collections.abc import Callable, Sequence
from datetime import date
from typing import Literal, NamedTuple

from core.errors import IndexMismatch
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, ScoredId, SparseVector
from law.chunks import Chunk
from law.norms import EVERYWHERE

DENSE = "text-dense"
QUESTIONS = "questions-dense"
SPARSE = "text-sparse"
AIDS = "aids-sparse"
WORDS = (SPARSE, AIDS)
OPEN_END = 99991231
REINDEX = "ejecute «python cli.py reindex»"

FIELDS: dict[str, Literal["keyword", "integer"]] = {
    "collection": "keyword",
    "norm_id": "keyword",
    "block_id": "keyword",
    "label": "keyword",
    "kind": "keyword",
    "territory": "keyword",
    "section_type": "keyword",
    "flags": "keyword",
    "valid_from": "integer",
    "valid_to": "integer",
}

_NAMESPACE = uuid.UUID("6f1f3a52-6f5e-5c0e-9a43-0d4f5b6c7d81")
_MARGIN = 8
# Range that a 32-bit float can square without overflow or loss.
_MIN_NORM, _MAX_NORM = 1e-12, 1e18


class Condition(NamedTuple):
    """One condition of a filter: `field` is one of `any_of`, or lies within [at_least, at_most]."""

    field: str
    any_of: tuple[str, ...] = ()
    at_least: int | None = None
    at_most: int | None = None


def point_id(chunk_id: str) -> str:
    """A name-based UUID (engines accept no other ids), so that a chunk always has the same point."""
    return str(uuid.uuid5(_NAMESPACE, chunk_id))


def day_number(day: date | None) -> int:
    """A day as YYYYMMDD, exact in the engines' 64-bit floats; None is an open end."""
    return OPEN_END if day is None else day.year * 10_000 + day.month * 100 + day.day


def payload(chunk: Chunk) -> dict[str, str | int | list[str]]:
    """Filter fields and the chunk id; texts stay in the database, which is authoritative."""
    return {
        "chunk_id": chunk.id,
        "collection": chunk.collection,
        "norm_id": chunk.norm_id,
        "block_id": chunk.block_id,
        "label": chunk.label,
        "kind": chunk.kind.value,
        "territory": chunk.territory,
        "section_type": chunk.section_type,
        "flags": list(chunk.flags),
        "valid_from": day_number(chunk.valid_from),
        "valid_to": day_number(chunk.valid_to),
    }


def conditions(where: IndexFilter) -> list[Condition]:
    """The filter as conditions that must all hold; norms of EVERYWHERE meet every territory."""
    territories = (*where.territories, *EVERYWHERE) if where.territories else ()
    wanted = {
        "collection": where.collections,
        "norm_id": where.norm_ids,
        "block_id": where.block_ids,
        "label": where.labels,
        "kind": where.kinds,
        "territory": territories,
        "section_type": where.section_types,
        "flags": where.flags,
    }
    found = [Condition(field, any_of=values) for field, values in wanted.items() if values]
    if where.as_of is not None:
        day = day_number(where.as_of)
        found += [Condition("valid_from", at_most=day), Condition("valid_to", at_least=day)]
    return found


def words_of_point(point: IndexPoint) -> dict[str, SparseVector]:
    """The sparse vectors of a point that hold anything, by the name of their field."""
    return {name: words for name, words in ((SPARSE, point.sparse), (AIDS, point.aids)) if words.indices}


def words_of_query(query: IndexQuery) -> tuple[str, SparseVector] | None:
    """(field, vector) of a query by words; None for another one."""
    if query.sparse is not None:
        return SPARSE, query.sparse
    return None if query.aids is None else (AIDS, query.aids)


def check_fingerprint(found: Fingerprint | None, expected: Fingerprint) -> None:
    """Refuse an index with another fingerprint.

    Raises:
        IndexMismatch: the message names the differences and the command that repairs them.
    """
    if found == expected:
        return
    if found is None:
        raise IndexMismatch(f"El índice no dice con qué se construyó: {REINDEX}.")
    differing = ", ".join(
        f"{name} «{getattr(found, name)}» en vez de «{getattr(expected, name)}»"
        for name in Fingerprint.model_fields
        if getattr(found, name) != getattr(expected, name)
    )
    raise IndexMismatch(f"El índice se construyó con otra configuración ({differing}): {REINDEX}.")


def check_points(points: Sequence[IndexPoint], dimensions: int) -> None:
    """Refuse points that the engines would accept silently (Edge accepts NaN) or reject half-way.

    Raises:
        ValueError: a vector of another size, NaN, infinity or zero; indices and values that do not match.
    """
    for point in points:
        for vector in (*point.questions, *((point.dense,) if point.dense is not None else ())):
            _check_dense(vector, dimensions, point.chunk.id)
        for words in (point.sparse, point.aids):
            _check_sparse(words.indices, words.values, point.chunk.id)


def check_query(query: IndexQuery, dimensions: int) -> None:
    """Refuse a query that is not exactly one usable vector.

    Raises:
        ValueError: see `check_points`; also no vector, or several.
    """
    vectors = (query.dense, query.sparse, query.aids, query.questions)
    if sum(vector is not None for vector in vectors) != 1:
        raise ValueError("a query needs a vector, dense, sparse, of aids or for questions: exactly one")
    for dense in (query.dense, query.questions):
        if dense is not None:
            _check_dense(dense, dimensions, "query")
    for words in (query.sparse, query.aids):
        if words is not None:
            _check_sparse(words.indices, words.values, "query")


def _check_dense(vector: Sequence[float], dimensions: int, name: str) -> None:
    if len(vector) != dimensions:
        raise ValueError(f"{name}: dense vector of {len(vector)} dimensions, the index has {dimensions}")
    if not _MIN_NORM < math.hypot(*vector) < _MAX_NORM:
        raise ValueError(f"{name}: dense vector with NaN or infinity, or of zeros, which has no direction")


def _check_sparse(indices: Sequence[int], values: Sequence[float], name: str) -> None:
    if len(indices) != len(values) or len(set(indices)) != len(indices):
        raise ValueError(f"{name}: sparse vector with repeated indices or without one value each")
    if not all(map(math.isfinite, values)):
        raise ValueError(f"{name}: sparse vector with NaN or infinity")


def ranked(hits: Sequence[ScoredId], limit: int) -> list[ScoredId]:
    """Best first, ties by id: the engines order ties at random."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]


def deterministic_search(
    queries: Sequence[IndexQuery],
    ask: Callable[[Sequence[tuple[IndexQuery, int]]], list[list[ScoredId]]],
) -> list[list[ScoredId]]:
    """Rankings that do not depend on how the engine breaks ties, even at the cut.

    The search fetches a few hits more than requested. While the tie at the cut includes the last fetched hit,
    other tied hits may be missing, so it queries again for more.

    Args:
        ask: one batch of (query, how many) to the engine.
    """
    results: list[list[ScoredId]] = [[] for _ in queries]
    fetch = {i: query.limit + _MARGIN for i, query in enumerate(queries) if _has_terms(query)}
    while fetch:
        answers = ask([(queries[i], size) for i, size in fetch.items()])
        again: dict[int, int] = {}
        for (i, size), hits in zip(fetch.items(), answers, strict=True):
            results[i] = ranked(hits, queries[i].limit)
            last = min((hit.score for hit in hits), default=0.0)
            if len(hits) == size and results[i] and results[i][-1].score == last:
                again[i] = size * 4
        fetch = again
    return results


def _has_terms(query: IndexQuery) -> bool:
    """False for a limit of 0 or a sparse query of stopwords only: it finds nothing in any engine."""
    return query.limit > 0 and all(words is None or words.indices for words in (query.sparse, query.aids))
