"""Review tables of expedientes as one person may use them: membership is asked for at every call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.audit import AuditAction
from domain.document_tables import DocumentTable
from domain.matters import MatterDocument
from service.members.own import Own, own
from storage.document_tables import SqlDocumentTableStore

WHAT = "table"


class OwnDocumentTables(Own):
    """Review tables that are open to the person; see `SqlDocumentTableStore`."""

    part = "document_tables"
    tables = own(SqlDocumentTableStore.tables)
    table = own(SqlDocumentTableStore.table, AuditAction.READ, what=WHAT)
    cells = own(SqlDocumentTableStore.cells)
    passages = own(SqlDocumentTableStore.passages)
    stop = own(SqlDocumentTableStore.stop, AuditAction.CHANGED, what=WHAT)
    remove = own(SqlDocumentTableStore.remove, AuditAction.DELETED, what=WHAT)

    def create(
        self, matter_id: str, name: str, documents: Iterable[str], questions: Iterable[str]
    ) -> DocumentTable:
        """See `SqlDocumentTableStore.create`; it is filled in the background."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, matter_id, what=WHAT):
            made = program.document_tables.create(self._identity.id, matter_id, name, documents, questions)
        program.table_filling.soon()
        return made

    def change(self, table_id: str, documents: Iterable[str], questions: Iterable[str]) -> DocumentTable:
        """See `SqlDocumentTableStore.change`; what is new is filled in the background."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, table_id, what=WHAT):
            changed = program.document_tables.change(self._identity.id, table_id, documents, questions)
        program.table_filling.soon()
        return changed

    def resume(self, table_id: str) -> DocumentTable:
        """See `SqlDocumentTableStore.resume`."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, table_id, what=WHAT):
            table = program.document_tables.resume(self._identity.id, table_id)
        program.table_filling.soon()
        return table

    def documents(self, table_id: str) -> Sequence[MatterDocument]:
        """The documents of its expediente that are there now."""
        program = self._program()
        table = program.document_tables.table(self._identity.id, table_id)
        return program.matter_documents.documents(self._identity.id, table.matter_id)

    def sheet(self, table_id: str) -> bytes:
        """The table as an XLSX file."""
        from service.opinions.table_sheet import workbook

        program = self._program()
        with self._trail.doing(AuditAction.EXPORTED, table_id, what=WHAT):
            table = program.document_tables.table(self._identity.id, table_id)
            cells = program.document_tables.cells(self._identity.id, table_id)
            there = {one.id for one in self.documents(table_id)}
            return workbook(table, cells, there)
