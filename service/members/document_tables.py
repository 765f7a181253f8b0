"""Review tables of expedientes as one person may use them: membership is asked for at every call."""

from __future__ import annotations

from collections.abc import Sequence

from domain.audit import AuditAction
from domain.matters import MatterDocument
from service.members.own import Own, own
from storage.casework.document_tables import SqlDocumentTableStore

WHAT, FILLED = "table", "table_filling.soon"


class OwnDocumentTables(Own):
    """Review tables that are open to the person; what is new in one is filled in the background."""

    part = "database.document_tables"
    tables = own(SqlDocumentTableStore.tables)
    table = own(SqlDocumentTableStore.table, AuditAction.READ, what=WHAT)
    cells = own(SqlDocumentTableStore.cells)
    passages = own(SqlDocumentTableStore.passages)
    stop = own(SqlDocumentTableStore.stop, AuditAction.CHANGED, what=WHAT)
    remove = own(SqlDocumentTableStore.remove, AuditAction.DELETED, what=WHAT)
    create = own(SqlDocumentTableStore.create, AuditAction.CHANGED, what=WHAT, then=FILLED)
    change = own(SqlDocumentTableStore.change, AuditAction.CHANGED, what=WHAT, then=FILLED)
    resume = own(SqlDocumentTableStore.resume, AuditAction.CHANGED, what=WHAT, then=FILLED)

    def documents(self, table_id: str) -> Sequence[MatterDocument]:
        """The documents of its expediente that are there now."""
        program = self._program()
        table = program.database.document_tables.table(self._identity.id, table_id)
        return program.database.matter_documents.documents(self._identity.id, table.matter_id)

    def sheet(self, table_id: str) -> bytes:
        """The table as an XLSX file."""
        from service.opinions.table_sheet import workbook

        program = self._program()
        with self._trail.doing(AuditAction.EXPORTED, table_id, what=WHAT):
            table = program.database.document_tables.table(self._identity.id, table_id)
            cells = program.database.document_tables.cells(self._identity.id, table_id)
            there = {one.id for one in self.documents(table_id)}
            return workbook(table, cells, there)
