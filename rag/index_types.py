"""What goes into the vector index and what is asked of it: frozen values, no I/O."""

from __future__ import annotations

from datetime import date

from rag.types import Chunk, Value


class SparseVector(Value):
    """Term ids and weights, same length; ids are unsigned 32-bit hashes."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


class IndexFilter(Value):
    """Conditions that all must hold; an empty tuple means no condition on that field."""

    as_of: date | None = None
    collections: tuple[str, ...] = ()
    norm_ids: tuple[str, ...] = ()
    block_ids: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    territories: tuple[str, ...] = ()
    section_types: tuple[str, ...] = ()


class IndexQuery(Value):
    """One ranking to ask of the index: dense or sparse, exactly one of them."""

    dense: tuple[float, ...] | None = None
    sparse: SparseVector | None = None
    where: IndexFilter = IndexFilter()
    limit: int = 20


class ScoredId(Value):
    """A chunk id with the raw score of one ranking (cosine, or BM25 dot product)."""

    id: str
    score: float


class IndexPoint(Value):
    """A chunk as the index keeps it; `dense` is None while its embedding is pending."""

    chunk: Chunk
    sparse: SparseVector
    dense: tuple[float, ...] | None = None


class Fingerprint(Value):
    """What an index was built with; any difference makes it unusable for a query."""

    embedding: str
    dimensions: int
    chunker: str
