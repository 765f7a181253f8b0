"""Announcements to everybody with an account: who has come to read what all of them ask.

They are entries of the audit log, which is written before the deed: nobody comes to review in silence, not
even an admin who makes a reviewer of themselves.
"""

from domain.accounts import Account
from domain.audit import REVIEWS, AuditAction, AuditEntry
from service.oversight.audit import pages
from storage.people.audit import SqlAuditLog

ACTIONS = (AuditAction.ACCOUNT_ADDED, AuditAction.ACCOUNT_CHANGED, AuditAction.PASSWORD_CHANGED)


def announced(log: SqlAuditLog, account: Account) -> list[AuditEntry]:
    """Announced entries that the person has not taken notice of and did not cause, the first one first."""
    found = pages(log.entries, actions=ACTIONS, since=account.created_at, after=account.told)
    new = [entry for page in found for entry in page]
    return [entry for entry in reversed(new) if REVIEWS in entry.detail and entry.actor != account.id]
