"""Points, queries and fingerprints of the vector index: frozen values, no I/O."""

from datetime import date
from typing import NamedTuple

from core.values import Value
from law.chunks import Chunk


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
    flags: tuple[str, ...] = ()


class IndexQuery(Value):
    """One ranking to ask of the index: of exactly one vector.

    Attributes:
        dense: ranks by the cosine with the text's vector.
        sparse: ranks by the words of the text; aids: by those of its search aids.
        questions: ranks by the best cosine with those of the questions that a chunk answers.
    """

    dense: tuple[float, ...] | None = None
    sparse: SparseVector | None = None
    aids: SparseVector | None = None
    questions: tuple[float, ...] | None = None
    where: IndexFilter = IndexFilter()
    limit: int = 20


class ScoredId(NamedTuple):
    """A chunk id with the raw score of one ranking (a cosine, or BM25 dot product)."""

    id: str
    score: float


class IndexPoint(Value):
    """A chunk as the index keeps it; `dense` is None while its embedding is pending.

    `aids`: words of its search aids, empty without any. `questions`: a vector of each question that the chunk
    answers, none for most parts.
    """

    chunk: Chunk
    sparse: SparseVector
    aids: SparseVector = SparseVector(indices=(), values=())
    dense: tuple[float, ...] | None = None
    questions: tuple[tuple[float, ...], ...] = ()


class Fingerprint(Value):
    """Settings that an index was built with; any difference makes it unusable for a query."""

    embedding: str
    dimensions: int
    chunker: str
