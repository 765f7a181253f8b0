"""Protocols: the contents of an index, and the database's record of the chunks it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from core.values import Value
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery, ScoredId
from law.chunks import Chunk


class IndexWork(Value):
    """Counts of chunks: to delete from the index, to add, with vectors ready to add, to embed."""

    stale: int = 0
    sparse: int = 0
    ready: int = 0
    to_embed: int = 0


class IndexLedger(Protocol):
    """Record of the chunks that the index holds or lacks, by which it is kept in step."""

    def pending_index(self, *, dense: bool, limit: int = 500) -> list[Chunk]:
        """Chunks without an index entry (dense=False), or whose entry lacks its dense vector (True).

        Wordings in force come first, history after them.
        """
        ...

    def mark_indexed(self, chunk_ids: Sequence[str | Chunk], *, dense: bool) -> None:
        """Record that the index holds these chunks (dense=False: their sparse half only).

        A chunk passed whole, not by id, stays pending if it has changed since it was read.
        """
        ...

    def to_embed(self, model: str, limit: int = 500) -> list[Chunk]:
        """Chunks whose dense vector the index lacks and whose vectors `mark_embedded` has not announced."""
        ...

    def mark_embedded(self, chunk_ids: Sequence[str], model: str) -> None:
        """Record that the vector cache has every vector of these chunks; an empty model undoes it."""
        ...

    def embedded(self, model: str, limit: int = 500) -> list[Chunk]:
        """Chunks whose sparse half is indexed and whose announced vectors the index lacks."""
        ...

    def without_passages(self, model: str, limit: int = 500) -> list[Chunk]:
        """Chunks in force today or later whose passages `mark_passages` has not announced."""
        ...

    def mark_passages(self, chunk_ids: Sequence[str], model: str) -> None:
        """Record that the vector cache has, or ships, every passage of these chunks."""
        ...

    def passages_left(self, model: str) -> int:
        """Number of the chunks of `without_passages`."""
        ...

    def index_work(self, model: str) -> IndexWork:
        """Counts of pending index work; cheap enough to ask every second."""
        ...

    def reset_index_state(self) -> None:
        """Clear the record of indexed chunks: everything is pending again."""
        ...

    def stale_index_ids(self, limit: int = 5000) -> list[str]:
        """Ids of chunks deleted from the database whose index entry may still exist (a tombstone table)."""
        ...

    def forget_stale(self, chunk_ids: Sequence[str]) -> None:
        """Record that the index no longer holds these chunks."""
        ...


class IndexContent(Protocol):
    """Chunks as an index keeps them. Every method may be called from any thread.

    Raises (all methods): IndexUnavailable.
    """

    def upsert(self, points: Sequence[IndexPoint]) -> None:
        """Add or replace. Raises ValueError on a vector of another size, NaN or infinity."""
        ...

    def delete(self, chunk_ids: Sequence[str]) -> None: ...

    def search(self, queries: Sequence[IndexQuery]) -> list[list[ScoredId]]:
        """One ranking per query, in one batch; each best first, ties by id."""
        ...

    def ids(self, where: IndexFilter | None = None) -> set[str]: ...

    def count(self) -> int: ...

    def optimize(self) -> None: ...


class StagedIndex(IndexContent, Protocol):
    """An index being built beside the one in use: no search sees it."""

    def publish(self) -> bool:
        """Replace the index in use with this one, atomically for every reader.

        Returns:
            True if no process needs the replaced index: it had the same fingerprint, or there was none.
        """
        ...

    def discard(self) -> None:
        """Delete the staged index."""
        ...


@runtime_checkable
class RebuildableIndex(IndexContent, Protocol):
    """An index that can be rebuilt while it is searched."""

    def stage(self, fingerprint: Fingerprint) -> StagedIndex:
        """A new empty index; leftovers of earlier rebuilds are dropped first."""
        ...

    def sweep(self) -> None:
        """Drop the indexes that are not in use."""
        ...


class KnownNorms(Protocol):
    """Questions that known norms answer, loaded or not."""

    def norms(self) -> frozenset[str]:
        """Their ids."""
        ...

    def nearness(self, model: str, vector: Sequence[float]) -> dict[str, float]:
        """Id of each norm to how near it is to a question, a cosine; empty for another model's vector."""
        ...


class PassageVectors(Protocol):
    """Vectors of passages, as questions are embedded, that need not be computed."""

    def get(self, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """Unit vectors of those of `texts` that are known of a model, by text."""
        ...

    def past(self, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """As `get`, of wordings that are no longer in force: they only save making a vector."""
        ...

    def nearest(self, model: str, vector: Sequence[float], chunks: Sequence[Chunk]) -> dict[str, float]:
        """Cosine of a vector with the nearest passage of each chunk, by its id; none where none is known."""
        ...


class VectorIndex(IndexContent, Protocol):
    """A derived, disposable index of chunks."""

    def open(self, fingerprint: Fingerprint) -> None:
        """Open or create. Raises IndexMismatch when it was built with another fingerprint."""
        ...

    def reset(self, fingerprint: Fingerprint) -> None:
        """Drop everything and start empty with this fingerprint."""
        ...

    def close(self) -> None: ...


class VectorCache(Protocol):
    """Embeddings by (model, content hash)."""

    def remove(self, hashes: Sequence[str]) -> int:
        """Delete these vectors of every model; returns how many there were."""
        ...

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]: ...

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None: ...
