"""Protocols of the corpus: reads, and writes of a norm at a time. The SQL database is the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Protocol

from core.values import Value
from law.chunks import Chunk
from law.document_records import DocumentRecord, JobChange, Referrer
from law.norms import Block, BlockKind, Document, Norm, Reference


class ChunkStore(Protocol):
    """Reads of the corpus that the pipeline makes; the SQL database behind it is the truth."""

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks that exist, in the order of `ids`."""
        ...

    def find(self, norm_id: str, label: str, as_of: date | None = None) -> list[Chunk]:
        """Every part of the block with that label in force on `as_of` (all wordings when None), in order."""
        ...

    def referenced(self, chunk_ids: Sequence[str], as_of: date) -> dict[str, list[str]]:
        """For each chunk id, the ids of the chunks its text refers to, in force on `as_of`."""
        ...

    def norms(self) -> list[Norm]: ...

    def norm(self, norm_id: str) -> Norm | None: ...

    def block(self, norm_id: str, block_id: str) -> Block | None:
        """The block with all its wordings."""
        ...

    def vector_gaps(self, as_of: date) -> VectorGaps:
        """Chunks in force on that day whose vectors the index lacks; cheap when it has them all."""
        ...


class CorpusStore(ChunkStore, Protocol):
    """The corpus as pages and ingestion read it."""

    def document(self, norm_id: str) -> Document | None:
        """The norm with its blocks and all their wordings, in reading order."""
        ...

    def norm_chunks(self, norm_id: str, offset: int = 0, limit: int | None = None) -> list[Chunk]:
        """The chunks of a norm in reading order, the wording in force first in each block."""
        ...

    def norm_outline(self, norm_id: str, as_of: date) -> list[tuple[str, BlockKind]]:
        """Id and kind of each chunk of a norm in force on that day, in reading order; cheap."""
        ...

    def referrers(self, norm_id: str, limit: int = 50) -> tuple[list[Referrer], int]:
        """(at most `limit` chunks of other norms whose text refers to that norm, their total number)."""
        ...

    def norms_with_texts(self, texts: Sequence[str]) -> set[str]:
        """Ids of the norms with a chunk whose text equals one of these exactly."""
        ...

    def ids(self) -> set[str]:
        """Every chunk id."""
        ...

    def all_chunks(self, batch: int = 500) -> Iterable[list[Chunk]]: ...

    def blocks(self, norm_id: str) -> list[Block]:
        """The blocks of a norm in reading order, without their wordings."""
        ...

    def counts(self) -> CorpusCounts: ...

    def revision(self, *, fresh: bool = False) -> str:
        """A value that differs after every change of the corpus; cheap.

        Changes of another process show within 0.2 s, or at once with `fresh`.
        """
        ...

    def fingerprint(self) -> str:
        """Short hash of every chunk's text and validity; equal hashes mean the same searchable corpus."""
        ...


class CorpusWriter(Protocol):
    """Writes of the corpus, a norm at a time."""

    def save(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        references: Mapping[str, Sequence[Reference]],
        record: DocumentRecord | None = None,
        expected: str | None = None,
        *,
        undo: JobChange | None = None,
        undone: str = "",
    ) -> CorpusChange:
        """Replace the norm, and its `record` if given, in one transaction that touches only what differs.

        Args:
            undo: what a job replaces with this, kept with the job unless nothing differs.
            undone: id of a job of which this undoes the change of the norm.

        Raises:
            ChangedMeanwhile: its `norm_hash` is not the `expected` one; nothing is stored.
        """
        ...

    def remove(self, norm_id: str, *, undo: JobChange | None = None, undone: str = "") -> CorpusChange:
        """Delete the norm; `undo` and `undone` as in `save`."""
        ...

    def update(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        record: DocumentRecord | None = None,
        expected: str | None = None,
        *,
        undoable: bool = False,
    ) -> CorpusChange:
        """Like `save`, for the same chunk ids (else ChangedMeanwhile); cross-references stay as they are.

        Args:
            undoable: a load of the norm that could be undone before this still can.
        """
        ...

    def norm_hash(self, norm_id: str) -> str:
        """Hash of everything stored about a norm, its record included; empty when the norm is unknown."""
        ...


ENOUGH = 0.9
"""Share of the texts in force that must have vectors."""


class VectorGaps(Value):
    """Chunks without vectors in the index: how many of `total`, and the norms that they belong to.

    `total` is 0 when none is missing.
    """

    missing: int = 0
    total: int = 0
    norms: frozenset[str] = frozenset()

    @property
    def too_many(self) -> bool:
        """True if nothing may be searched by meaning: the nearest of a few is no evidence."""
        return self.missing > (1 - ENOUGH) * self.total


class CorpusCounts(Value):
    """Sizes of the corpus; `pending_dense` counts chunks without a dense vector in the index."""

    norms: int
    chunks: int
    pending_dense: int


class CorpusChange(Value):
    """Result of a save: ids of the chunks added, changed and removed, and the number left unchanged.

    Attributes:
        revision_before, revision: of the corpus, before and after the save.
    """

    norm_id: str
    revision_before: str = ""
    revision: str = ""
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
