"""Writes of the corpus: exact replacement of a norm, and what the index holds of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from sqlalchemy import delete, select

from rag.clock import today_in_spain
from rag.errors import InputError, NotFound
from rag.ports import CorpusChange
from rag.types import Chunk, Document, Reference
from storage.corpus.index_state import IndexState, bury
from storage.corpus.reads import CorpusReads
from storage.corpus.row_sync import TableDiff, batches, compare
from storage.database import CORPUS_LOCK, Engines
from storage.revision import CORPUS, renew
from storage.tables.core import (
    NONE,
    Base,
    BlockRow,
    BlockVersionRow,
    ChunkRow,
    CrossReferenceRow,
    MetaRow,
    NormRow,
    TombstoneRow,
)

Rows = Sequence[Mapping[str, Any]]
TABLES: tuple[type[Base], ...] = (NormRow, BlockRow, BlockVersionRow, ChunkRow, CrossReferenceRow)
"""What a norm is made of, parents first."""


class SqlCorpusStore(IndexState, CorpusReads):
    """The `CorpusStore` port over SQLite or PostgreSQL."""

    def __init__(self, engines: Engines, today: Callable[[], date] = today_in_spain) -> None:
        CorpusReads.__init__(self, engines)
        IndexState.__init__(self, engines, today)

    def save(
        self, document: Document, chunks: Sequence[Chunk], references: Mapping[str, Sequence[Reference]]
    ) -> CorpusChange:
        """See the port. A chunk with any column different is pending again: the index carries its validity.

        Raises:
            InputError: a repeated block or chunk id, or a chunk of a norm or block that is not there.
        """
        norm = document.norm
        _check(document, chunks, references)
        rows: list[Rows] = [
            [norm.model_dump()],
            _block_rows(document),
            list(_version_rows(document)),
            [chunk.model_dump() for chunk in chunks],
            list(_reference_rows(references)),
        ]
        return self._replace(norm.id, list(zip(TABLES, rows, strict=True)))

    def update(self, document: Document, chunks: Sequence[Chunk]) -> CorpusChange:
        """See the port.

        Raises:
            InputError: the chunk ids differ from those stored; as in `save`.
        """
        norm = document.norm
        _check(document, chunks, {})
        with self._db.read() as session:
            stored = set(session.scalars(select(ChunkRow.id).where(ChunkRow.norm_id == norm.id)))
        if stored != {chunk.id for chunk in chunks}:
            raise InputError(f"La norma {norm.id} ha cambiado mientras se editaba; vuelva a abrirla.")
        rows: list[Rows] = [
            [norm.model_dump()],
            _block_rows(document),
            list(_version_rows(document)),
            [chunk.model_dump() for chunk in chunks],
        ]
        return self._replace(norm.id, list(zip(TABLES, rows, strict=False)))

    def remove(self, norm_id: str) -> CorpusChange:
        """See the port. Raises NotFound when there is no such norm."""
        return self._replace(norm_id, [(row, []) for row in TABLES], must_exist=True)

    def save_meta(self, key: str, value: str) -> None:
        with self._db.write(CORPUS_LOCK) as session:
            session.merge(MetaRow(key=key, value=value))
            session.commit()

    def meta(self, key: str) -> str | None:
        with self._db.read() as session:
            return session.scalar(select(MetaRow.value).where(MetaRow.key == key))

    def _replace(
        self, norm_id: str, tables: Sequence[tuple[type[Base], Rows]], must_exist: bool = False
    ) -> CorpusChange:
        """Bring the norm's rows in every table (parents first) to the given ones, in one transaction."""
        with self._db.write(CORPUS_LOCK) as session:
            if must_exist and session.get(NormRow, norm_id) is None:
                raise NotFound(f"No hay ninguna norma con el identificador «{norm_id}».")
            diffs = {
                row: compare(
                    session,
                    row,
                    _scope(row, norm_id),
                    wanted,
                    {"index_state": NONE, "embedded_with": ""} if row is ChunkRow else {},
                )
                for row, wanted in tables
            }
            for diff in reversed(diffs.values()):
                diff.delete(session)
            for diff in diffs.values():
                diff.write(session)
            change = _change(norm_id, diffs[ChunkRow])
            bury(session, change.removed)
            if any(diff.inserts or diff.updates or diff.deletes for diff in diffs.values()):
                renew(session, CORPUS)
            for batch in batches(change.added):
                session.execute(delete(TombstoneRow).where(TombstoneRow.chunk_id.in_(batch)))
            session.commit()
        return change


def _scope(row: type[Base], norm_id: str) -> Any:
    if row is NormRow:
        return NormRow.id == norm_id
    if row is CrossReferenceRow:
        return CrossReferenceRow.chunk_id.in_(select(ChunkRow.id).where(ChunkRow.norm_id == norm_id))
    return row.norm_id == norm_id  # type: ignore[attr-defined]


def _change(norm_id: str, diff: TableDiff) -> CorpusChange:
    def ids(keys: Any) -> tuple[str, ...]:
        return tuple(key[0] for key in keys)

    return CorpusChange(
        norm_id=norm_id,
        added=ids(diff.inserts),
        changed=ids(diff.updates),
        removed=ids(diff.deletes),
        unchanged=diff.unchanged,
    )


def _check(
    document: Document, chunks: Sequence[Chunk], references: Mapping[str, Sequence[Reference]]
) -> None:
    norm_id = document.norm.id
    blocks = Counter(block.id for block in document.blocks)
    ids = Counter(chunk.id for chunk in chunks)
    for item, times in [*blocks.most_common(1), *ids.most_common(1)]:
        if times > 1:
            raise InputError(f"La norma {norm_id} repite el identificador «{item}»; revise el documento.")
    strays = [chunk.id for chunk in chunks if chunk.norm_id != norm_id or chunk.block_id not in blocks]
    strays += references.keys() - ids.keys()
    if strays:
        raise InputError(
            f"El fragmento «{strays[0]}» no pertenece a la norma {norm_id}; revise el documento."
        )


def _block_rows(document: Document) -> Rows:
    return [
        {"norm_id": document.norm.id, **block.model_dump(exclude={"versions"})} for block in document.blocks
    ]


def _version_rows(document: Document) -> Iterator[Mapping[str, Any]]:
    for block in document.blocks:
        for number, version in enumerate(block.versions):
            yield {
                "norm_id": document.norm.id,
                "block_id": block.id,
                "number": number,
                **version.model_dump(),
            }


def _reference_rows(references: Mapping[str, Sequence[Reference]]) -> Iterator[Mapping[str, Any]]:
    for chunk_id, found in references.items():
        for ordinal, reference in enumerate(found):
            yield {"chunk_id": chunk_id, "ordinal": ordinal, **reference.model_dump()}
