"""Drafts of writs kept in expedientes that are open to the person."""

from domain.audit import AuditAction
from service.members.own import Own, own
from storage.casework.drafts import SqlDraftStore


class OwnDrafts(Own):
    """See `SqlDraftStore`."""

    part = "database.drafts"
    keep = own(SqlDraftStore.keep, AuditAction.CHANGED, what="draft")
    drafts = own(SqlDraftStore.drafts)
    draft = own(SqlDraftStore.draft, AuditAction.READ, what="draft")
    remove = own(SqlDraftStore.remove, AuditAction.DELETED, what="draft")
