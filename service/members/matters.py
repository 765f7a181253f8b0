"""Expedientes as one person may use them: membership is asked for at every call, and so is the permission.

A person who is not a member, or no longer one, gets the sentence for what does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import InputError
from domain.audit import AuditAction
from domain.matters import MatterDocument
from service.members.own import Own, own
from service.program.papers import MatterPapers
from storage.casework.matter_documents import SqlMatterDocumentStore
from storage.casework.matters import SqlMatterStore
from storage.chat.conversations import SqlConversationStore

WHAT = "document"
NOBODY = "No existe esa persona: elíjala de la lista."


class OwnMatters(Own):
    """Expedientes that are open to the person; see `SqlMatterStore`."""

    part = "database.matters"
    matters = own(SqlMatterStore.matters)
    count = own(SqlMatterStore.count)
    matter = own(SqlMatterStore.matter, AuditAction.READ, what="matter")
    members = own(SqlMatterStore.members)
    change = own(SqlMatterStore.change, AuditAction.CHANGED, what="matter")
    create = own(SqlMatterStore.create, AuditAction.CHANGED, target="matters", what="matter")
    conversations = own(SqlConversationStore.in_matter, part="database.conversations")
    count_conversations = own(SqlConversationStore.count_in_matter, part="database.conversations")

    def add_member(self, matter_id: str, account_id: str) -> None:
        """See `SqlMatterStore.add_member`. Raises InputError: there is no such account."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, matter_id, what="member"):
            if account_id not in program.accounts.names():
                raise InputError(NOBODY)
            program.database.matters.add_member(self._identity.id, matter_id, account_id)

    def remove_member(self, matter_id: str, account_id: str) -> None:
        """See `SqlMatterStore.remove_member`; answers of theirs under way are stopped."""
        program = self._program()
        with self._trail.doing(AuditAction.CHANGED, matter_id, what="member"):
            lost = program.database.matters.remove_member(self._identity.id, matter_id, account_id)
        self._stop((account_id, conversation_id) for conversation_id in lost)

    def delete(self, matter_id: str) -> None:
        """Delete it with everything of it: rows, files and index entries; answers under way are stopped."""
        program = self._program()
        with self._trail.doing(AuditAction.DELETED, matter_id, what="matter"):
            asked = program.database.matters.conversations(self._identity.id, matter_id)
            self._stop(asked)
            program.database.matters.delete(self._identity.id, matter_id)
        program.papers.tidy()

    def _stop(self, conversations: Iterable[tuple[str, str]]) -> None:
        """Stop the answers under way in conversations of these owners."""
        runs = self._program().runs
        for owner, conversation_id in conversations:
            if (run := runs.active(owner, conversation_id)) is not None:
                runs.stop(owner, run.message_id)


class OwnPapers(Own):
    """Documents that are open to the person; see `SqlMatterDocumentStore` and `service.program.papers`."""

    part = "database.matter_documents"
    documents = own(SqlMatterDocumentStore.documents)
    of_conversation = own(SqlMatterDocumentStore.of_conversation)
    document = own(SqlMatterDocumentStore.document)
    fragment = own(SqlMatterDocumentStore.fragment, AuditAction.READ, what=WHAT)
    remove = own(SqlMatterDocumentStore.remove, AuditAction.DELETED, what=WHAT, then="papers.tidy")
    pictured = own(MatterPapers.pictured, AuditAction.READ, part="papers", what=WHAT)
    original = own(MatterPapers.original, AuditAction.EXPORTED, part="papers", what=WHAT)

    def upload(self, matter_id: str, name: str, content: bytes) -> MatterDocument:
        """Take a document into an expediente; see `MatterPapers.upload`."""
        program = self._program()
        with self._trail.doing(AuditAction.LOADED, matter_id, what=WHAT):
            return program.papers.upload(self._identity.id, name, content, matter_id=matter_id)

    def upload_to_conversation(self, conversation_id: str, name: str, content: bytes) -> MatterDocument:
        """Take a document in for one conversation alone; see `MatterPapers.upload`."""
        program = self._program()
        with self._trail.doing(AuditAction.LOADED, conversation_id, what=WHAT):
            return program.papers.upload(self._identity.id, name, content, conversation_id=conversation_id)
