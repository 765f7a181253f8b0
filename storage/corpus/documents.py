"""The catalogue: where each norm came from, who loaded it and when, and how much it holds."""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from law.decisions import LAW
from law.document_records import DocumentPage, DocumentRecord, DocumentSummary
from law.norms import Norm
from storage.base.engine import Engines, Store
from storage.base.recent_values import Lately
from storage.base.revision import CORPUS, DOCUMENTS, read
from storage.corpus.chunk_cache import RevisionCache
from storage.tables.jobs import DocumentRow, JobChangeRow
from storage.tables.norms import BlockVersionRow, ChunkRow, NormRow
from text.textnorm import fold_for_search

REVIEW, UNDATED = "review", "undated"
BY_ID = ""
SORTS: dict[str, Callable[[DocumentSummary], Any]] = {
    "title": lambda row: fold_for_search(row.norm.title),
    "collection": lambda row: row.norm.collection,
    "rank": lambda row: fold_for_search(row.norm.rank),
    "status": lambda row: fold_for_search(row.norm.status),
    "versions": lambda row: row.versions,
    "fragments": lambda row: row.fragments,
    "loaded_at": lambda row: row.record.loaded_at.isoformat() if row.record else "",
}


class _Entry(NamedTuple):
    """A row of the catalogue and the folded text in which it is searched."""

    row: DocumentSummary
    text: str


class SqlDocumentStore(Store):
    """The `DocumentStore` port over SQLite or PostgreSQL.

    The catalogue is read once a revision: a page asks for it at every key that is pressed in its search.
    """

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._revision = Lately(lambda: read(engines, CORPUS, DOCUMENTS), lambda: engines.last_corpus_write)
        self._kept: RevisionCache[str, tuple[_Entry, ...]] = RevisionCache()

    def revision(self) -> str:
        """See the port. It may be a moment old (see `Lately`)."""
        return self._revision.get()

    def get(self, norm_id: str) -> DocumentRecord | None:
        with self._db.read() as session:
            row = session.get(DocumentRow, norm_id)
            return row.as_value(DocumentRecord) if row else None

    def with_hash(self, content_hash: str) -> list[DocumentRecord]:
        query = (
            select(DocumentRow).where(DocumentRow.content_hash == content_hash).order_by(DocumentRow.norm_id)
        )
        return [row.as_value(DocumentRecord) for row in self._db.scalars(query)]

    def sources(self) -> set[str]:
        used = select(DocumentRow.source).where(DocumentRow.source != "")
        replaced = select(JobChangeRow.source).where(JobChangeRow.source != "")
        return {*self._db.scalars(used), *self._db.scalars(replaced)}

    def is_used(self, source: str) -> bool:
        rows = (DocumentRow, JobChangeRow)
        return any(self._db.count(row.source == source, of=row) for row in rows)

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
        if sort.removeprefix("-") not in SORTS:
            raise ValueError(f"no such sort: {sort}")
        words = fold_for_search(search).split()
        found = [
            entry.row
            for entry in self._sorted(sort)
            if collection in ("", entry.row.norm.collection)
            and _is(entry.row, state)
            and all(word in entry.text for word in words)
        ]
        return DocumentPage(rows=tuple(found[offset : offset + limit]), total=len(found))

    def _sorted(self, sort: str) -> tuple[_Entry, ...]:
        """The whole catalogue in that order, then by id."""
        revision = self.revision()
        kept = self._kept.get(revision, (BY_ID, sort))
        if sort not in kept:
            entries, key = kept.get(BY_ID) or self._read(), SORTS[sort.removeprefix("-")]
            ordered = sorted(entries, key=lambda entry: key(entry.row), reverse=sort.startswith("-"))
            kept = {BY_ID: entries, sort: tuple(ordered)}
            self._kept.put(revision, kept)
        return kept[sort]

    def _read(self) -> tuple[_Entry, ...]:
        with self._db.read() as session:
            norms = [row.as_value(Norm) for row in session.scalars(select(NormRow))]
            records = {
                row.norm_id: row.as_value(DocumentRecord) for row in session.scalars(select(DocumentRow))
            }
            fragments = _counts(session, ChunkRow)
            versions = _counts(session, BlockVersionRow)
        rows = (
            DocumentSummary(
                norm=norm,
                versions=versions.get(norm.id, 0),
                fragments=fragments.get(norm.id, 0),
                record=records.get(norm.id),
            )
            for norm in sorted(norms, key=lambda norm: norm.id)
        )
        return tuple(_Entry(row, _searched(row)) for row in rows)


def _counts(session: Session, row: Any) -> dict[str, int]:
    query = select(row.norm_id, func.count()).group_by(row.norm_id)
    return {norm_id: count for norm_id, count in session.execute(query)}


def _is(row: DocumentSummary, state: str) -> bool:
    if state == REVIEW:
        return row.record is not None and bool(row.record.review)
    if state == UNDATED:
        return row.norm.collection == LAW and row.norm.lacks_day
    return state in ("", row.norm.status)


def _searched(row: DocumentSummary) -> str:
    norm, file_name = row.norm, row.record.file_name if row.record else ""
    names = (norm.id, norm.title, norm.law, norm.alias, *norm.aliases, norm.number, file_name)
    return fold_for_search(" ".join(names))
