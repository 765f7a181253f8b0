"""The articles that documents of watched expedientes refer to."""

from collections.abc import Iterable

from sqlalchemy import insert, select, update

from storage.base.engine import Store
from storage.tables.alerts import DocumentReferenceRow, WatchRow
from storage.tables.matters import MatterDocumentRow, MatterFragmentRow


class SqlReferenceStore(Store):
    """References of documents, for the program itself. Raises (all methods): StorageError."""

    def due(self, known: str = "") -> list[str]:
        """Ids of read documents, of watched expedientes, that were never looked through.

        Args:
            known: names the norms that are known now: those looked through with others are due as well.
        """
        watched = select(WatchRow.matter_id).where(WatchRow.matter_id.is_not(None))
        query = select(MatterDocumentRow.id).where(
            MatterDocumentRow.state == "read",
            MatterDocumentRow.conversation_id.is_(None),
            MatterDocumentRow.matter_id.in_(watched),
        )
        if known:
            query = query.where(MatterDocumentRow.referenced_with != known)
        else:
            query = query.where(MatterDocumentRow.referenced_with == "")
        return list(self._db.scalars(query.order_by(MatterDocumentRow.added_at, MatterDocumentRow.id)))

    def text(self, document_id: str) -> str:
        """The fragments of a document, in order, a line each."""
        query = select(MatterFragmentRow.text).where(MatterFragmentRow.document_id == document_id)
        return "\n".join(self._db.scalars(query.order_by(MatterFragmentRow.number)))

    def keep(self, document_id: str, found: Iterable[tuple[str, str]], known: str) -> None:
        """Add what a document refers to: ids of norms with labels of their articles.

        What was found before stays: a norm that has been deleted is known no more, and that is to be told.
        """
        done = update(MatterDocumentRow).where(MatterDocumentRow.id == document_id)
        with self._db.write() as session:
            if session.get(MatterDocumentRow, document_id) is None:
                return
            there = select(DocumentReferenceRow.norm_id, DocumentReferenceRow.label)
            held = set(session.execute(there.where(DocumentReferenceRow.document_id == document_id)).tuples())
            rows = [
                {"document_id": document_id, "norm_id": norm_id, "label": label}
                for norm_id, label in sorted(set(found) - held)
            ]
            if rows:
                session.execute(insert(DocumentReferenceRow), rows)
            session.execute(done.values(referenced_with=known))
