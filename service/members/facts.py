"""Facts of the cases of expedientes that are open to the person."""

from __future__ import annotations

from casework.matters.case_facts import FactsSheet
from casework.matters.facts_reading import CasePaper, read_facts
from domain.audit import AuditAction
from domain.matters import DocumentState
from service.members.own import Own


class OwnFacts(Own):
    """The facts sheet of an expediente, read from its papers at each call."""

    def sheet(self, matter_id: str) -> FactsSheet:
        """The facts that its papers tell. Raises NotFound: it is not open to the person."""
        stored = self._program().database.matter_documents
        documents = stored.documents(self._identity.id, matter_id)
        self._trail.once(AuditAction.READ, matter_id, what="matter")
        return read_facts(
            CasePaper(one.title, one.name, one.id, stored.fragments(one.id))
            for one in documents
            if one.state is DocumentState.READ
        )
