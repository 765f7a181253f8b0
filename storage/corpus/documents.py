"""The catalogue: where each norm came from, who loaded it and when, and how much it holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session

from rag.errors import NotFound
from rag.ingestion.records import DocumentPage, DocumentRecord, DocumentSummary
from rag.types import Norm
from storage.corpus.reads import NORM_COLUMNS
from storage.database import CORPUS_LOCK, Engines
from storage.tables.core import DENSE, BlockVersionRow, ChunkRow, DocumentRow, NormRow

COLUMNS = [getattr(DocumentRow, name) for name in DocumentRecord.model_fields]
REVIEW = "review"
SORTS: dict[str, Callable[[DocumentSummary], Any]] = {
    "title": lambda row: _folded(row.norm.title),
    "collection": lambda row: row.norm.collection,
    "rank": lambda row: _folded(row.norm.rank),
    "status": lambda row: _folded(row.norm.status),
    "versions": lambda row: row.versions,
    "fragments": lambda row: row.fragments,
    "loaded_at": lambda row: row.record.loaded_at.isoformat() if row.record else "",
}


class SqlDocumentStore:
    """The `DocumentStore` port over SQLite or PostgreSQL."""

    def __init__(self, engines: Engines) -> None:
        self._db = engines

    def record(self, record: DocumentRecord) -> None:
        with self._db.write(CORPUS_LOCK) as session:
            if session.get(NormRow, record.norm_id) is None:
                raise NotFound(f"No hay ninguna norma con el identificador «{record.norm_id}».")
            session.merge(DocumentRow(**record.model_dump()))
            session.commit()

    def get(self, norm_id: str) -> DocumentRecord | None:
        with self._db.read() as session:
            row = session.execute(select(*COLUMNS).where(DocumentRow.norm_id == norm_id)).one_or_none()
        return None if row is None else _record(row)

    def with_hash(self, content_hash: str) -> list[DocumentRecord]:
        query = select(*COLUMNS).where(DocumentRow.content_hash == content_hash).order_by(DocumentRow.norm_id)
        with self._db.read() as session:
            return [_record(row) for row in session.execute(query)]

    def sources(self) -> set[str]:
        with self._db.read() as session:
            return set(session.scalars(select(DocumentRow.source).where(DocumentRow.source != "")))

    def page(
        self,
        search: str = "",
        *,
        collection: str = "",
        state: str = "",
        sort: str = "title",
        offset: int = 0,
        limit: int = 50,
    ) -> DocumentPage:
        """See the port. Words match without regard to case and accents, which the databases fold unalike."""
        key = SORTS.get(sort.removeprefix("-"))
        if key is None:
            raise ValueError(f"no such sort: {sort}")
        words = _folded(search).split()
        found = [row for row in self._summaries(collection) if _matches(row, words, state)]
        found.sort(key=lambda row: row.norm.id)
        found.sort(key=key, reverse=sort.startswith("-"))
        return DocumentPage(rows=tuple(found[offset : offset + limit]), total=len(found))

    def _summaries(self, collection: str) -> list[DocumentSummary]:
        query = select(*NORM_COLUMNS)
        if collection:
            query = query.where(NormRow.collection == collection)
        with self._db.read() as session:
            norms = [Norm(**row._mapping) for row in session.execute(query)]
            records = {row.norm_id: _record(row) for row in session.execute(select(*COLUMNS))}
            fragments = _counts(session, ChunkRow)
            pending = _counts(session, ChunkRow, ChunkRow.index_state < DENSE)
            versions = _counts(session, BlockVersionRow)
        return [
            DocumentSummary(
                norm=norm,
                versions=versions.get(norm.id, 0),
                fragments=fragments.get(norm.id, 0),
                pending=pending.get(norm.id, 0),
                record=records.get(norm.id),
            )
            for norm in norms
        ]


def _counts(session: Session, row: Any, *conditions: Any) -> dict[str, int]:
    query = select(row.norm_id, func.count()).where(*conditions).group_by(row.norm_id)
    return {norm_id: count for norm_id, count in session.execute(query)}


def _matches(row: DocumentSummary, words: list[str], state: str) -> bool:
    record = row.record
    if state == REVIEW:
        if record is None or not record.review:
            return False
    elif state and row.norm.status != state:
        return False
    norm = row.norm
    file_name = record.file_name if record else ""
    names = (norm.id, norm.title, norm.law, norm.alias, *norm.aliases, norm.number, file_name)
    text = _folded(" ".join(names))
    return all(word in text for word in words)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def _record(row: Row[*tuple[Any, ...]]) -> DocumentRecord:
    return DocumentRecord(**row._mapping)
