"""Writes of the corpus: exact replacement of a norm."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import delete, inspect, select
from sqlalchemy.orm import Session

from core.errors import ChangedMeanwhile, InputError, NotFound
from law.chunks import Chunk
from law.corpus_store import CorpusChange
from law.document_records import DocumentRecord, JobChange
from law.norms import Document, Reference
from loading.indexing.index_sync import embedded_texts
from storage.base.engine import CORPUS_LOCK, Store
from storage.base.revision import CORPUS, DOCUMENTS, current, renew
from storage.corpus.job_changes import drop, follow, keep
from storage.corpus.law_events import record_events
from storage.corpus.ledger import bury
from storage.corpus.row_sync import Key, Row, TableDiff, batches, compare, key_names
from storage.tables.declarative import Base
from storage.tables.jobs import DocumentRow
from storage.tables.norms import (
    NONE,
    BlockRow,
    BlockVersionRow,
    ChunkRow,
    CrossReferenceRow,
    NormRow,
    TombstoneRow,
)

Rows = Sequence[Mapping[str, Any]]
TABLES: tuple[type[Base], ...] = (NormRow, BlockRow, BlockVersionRow, ChunkRow, CrossReferenceRow)
"""Tables of a norm, parents first."""
INDEX_STATE = frozenset({"index_state", "embedded_with", "passages_with"})
CHANGED = "La norma {norm_id} ha cambiado mientras se editaba; vuelva a abrirla."


class SqlCorpusWriter(Store):
    """The `CorpusWriter` port over SQLite or PostgreSQL."""

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
        """See the port. A chunk with any column different is pending again: the index carries its validity.

        Raises:
            InputError: a repeated block or chunk id, or a chunk of a norm or block that is not there.
        """
        _check(document, chunks, references)
        rows = _rows(document, chunks)
        rows[CrossReferenceRow] = [
            {"chunk_id": chunk_id, "ordinal": ordinal, **reference.model_dump()}
            for chunk_id, found in references.items()
            for ordinal, reference in enumerate(found)
        ]
        return self._replace(
            document.norm.id, rows, record, expected, document=document, undo=undo, undone=undone
        )

    def update(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        record: DocumentRecord | None = None,
        expected: str | None = None,
        *,
        undoable: bool = False,
    ) -> CorpusChange:
        """See the port. Raises InputError as `save`."""
        _check(document, chunks, {})
        rows = _rows(document, chunks)
        return self._replace(
            document.norm.id,
            rows,
            record,
            expected,
            document=document,
            same_chunks=True,
            undoable=undoable,
        )

    def norm_hash(self, norm_id: str) -> str:
        with self._db.read() as session:
            return _hash(session, norm_id)

    def remove(self, norm_id: str, *, undo: JobChange | None = None, undone: str = "") -> CorpusChange:
        """See the port. Raises NotFound when there is no such norm."""
        return self._replace(norm_id, dict.fromkeys(TABLES, ()), must_exist=True, undo=undo, undone=undone)

    def _replace(
        self,
        norm_id: str,
        wanted: Mapping[type[Base], Rows],
        record: DocumentRecord | None = None,
        expected: str | None = None,
        *,
        document: Document | None = None,
        same_chunks: bool = False,
        undoable: bool = False,
        must_exist: bool = False,
        undo: JobChange | None = None,
        undone: str = "",
    ) -> CorpusChange:
        """Bring the norm's rows in every table (parents first) to the wanted ones, in one transaction.

        Args:
            document: the norm that the rows are of; None when it is removed.
        """
        with self._db.write(CORPUS_LOCK) as session:
            if must_exist and session.get(NormRow, norm_id) is None:
                raise NotFound(f"No hay ninguna norma con el identificador «{norm_id}».")
            before = _hash(session, norm_id) if undoable or expected is not None else ""
            if expected is not None and before != expected:
                raise ChangedMeanwhile(CHANGED.format(norm_id=norm_id))
            diffs = {
                row: compare(
                    session,
                    row,
                    _scope(row, norm_id),
                    rows,
                    _unindexed if row is ChunkRow else _nothing_besides,
                )
                for row, rows in wanted.items()
            }
            chunks = diffs[ChunkRow]
            change = CorpusChange(
                norm_id=norm_id,
                added=_ids(chunks.inserts),
                changed=_ids(chunks.updates),
                removed=_ids(chunks.deletes),
                unchanged=chunks.unchanged,
            )
            if same_chunks and (change.added or change.removed):
                raise ChangedMeanwhile(CHANGED.format(norm_id=norm_id))
            job_id = undo.job_id if undo else ""
            record_events(session, norm_id, document, diffs, job_id, undone=bool(undone))
            change = _write(session, diffs, change)
            if record is not None:
                session.merge(DocumentRow(**record.model_dump()))
                renew(session, DOCUMENTS)
            if undo is not None and (record is not None or change.revision != change.revision_before):
                keep(session, undo, _hash(session, norm_id))
            if undoable:
                follow(session, norm_id, before, _hash(session, norm_id))
            if undone:
                drop(session, undone, norm_id)
        return change


def _unindexed(stored: Row | None, new: Row) -> Row:
    """State of a chunk that the index lacks; its vectors count as made unless their texts differ."""
    if stored is not None and embedded_texts(Chunk(**stored)) == embedded_texts(Chunk(**new)):
        return {"index_state": NONE}
    return {"index_state": NONE, "embedded_with": "", "passages_with": ""}


def _nothing_besides(_stored: Row | None, _new: Row) -> Row:
    return {}


def _ids(keys: Iterable[Key]) -> tuple[str, ...]:
    return tuple(key[0] for key in keys)


def _write(session: Session, diffs: Mapping[type[Base], TableDiff], change: CorpusChange) -> CorpusChange:
    for diff in reversed(list(diffs.values())):
        diff.delete(session)
    for diff in diffs.values():
        diff.write(session)
    bury(session, change.removed)
    for batch in batches(change.added):
        session.execute(delete(TombstoneRow).where(TombstoneRow.chunk_id.in_(batch)))
    before = current(session, CORPUS)
    differs = any(diff.inserts or diff.updates or diff.deletes for diff in diffs.values())
    revision = renew(session, CORPUS) if differs else before
    return change.model_copy(update={"revision_before": before, "revision": revision})


def _hash(session: Session, norm_id: str) -> str:
    """See `CorpusWriter.norm_hash`. What the index holds of a chunk is no part of it."""
    if session.get(NormRow, norm_id) is None:
        return ""
    digest = hashlib.sha256()
    tables: tuple[type[Base], ...] = (*TABLES, DocumentRow)
    for row in tables:
        columns = [column for column in inspect(row).columns if column.key not in INDEX_STATE]
        keys = [getattr(row, name) for name in key_names(row)]
        for values in session.execute(select(*columns).where(_scope(row, norm_id)).order_by(*keys)):
            digest.update(f"{row.__tablename__}{tuple(values)!r}\n".encode())
    return digest.hexdigest()


def _scope(row: type[Base], norm_id: str) -> Any:
    if row is NormRow:
        return NormRow.id == norm_id
    if row is CrossReferenceRow:
        return CrossReferenceRow.chunk_id.in_(select(ChunkRow.id).where(ChunkRow.norm_id == norm_id))
    return row.norm_id == norm_id  # type: ignore[attr-defined]


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


def _rows(document: Document, chunks: Sequence[Chunk]) -> dict[type[Base], Rows]:
    norm_id = document.norm.id
    return {
        NormRow: [document.norm.model_dump()],
        BlockRow: [{"norm_id": norm_id, **one.model_dump(exclude={"versions"})} for one in document.blocks],
        BlockVersionRow: [
            {"norm_id": norm_id, "block_id": block.id, "number": number, **version.model_dump()}
            for block in document.blocks
            for number, version in enumerate(block.versions)
        ],
        ChunkRow: [chunk.model_dump() for chunk in chunks],
    }
