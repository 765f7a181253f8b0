"""Terms kept in expedientes that are open to the person."""

from domain.audit import AuditAction
from service.members.own import Own, own
from storage.casework.terms import SqlTermStore


class OwnTerms(Own):
    """See `SqlTermStore`."""

    part = "database.terms"
    keep = own(SqlTermStore.keep, AuditAction.CHANGED, what="term")
    terms = own(SqlTermStore.terms)
    remove = own(SqlTermStore.remove, AuditAction.DELETED, what="term")
