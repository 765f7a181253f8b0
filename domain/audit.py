"""Entries of the audit log: actor, action and target, never texts."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from core.values import Value


class AuditAction(StrEnum):
    """Kinds of acts in the log; the values are stored."""

    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    SESSION_REVOKED = "session_revoked"
    TOKEN_MADE = "token_made"
    TOKEN_REVOKED = "token_revoked"
    PASSWORD_CHANGED = "password_changed"
    ACCOUNT_ADDED = "account_added"
    ACCOUNT_CHANGED = "account_changed"
    ACCOUNT_REMOVED = "account_removed"
    ASKED = "asked"
    SEARCHED = "searched"
    CALCULATED = "calculated"
    READ = "read"
    VOTED = "voted"
    JUDGED = "judged"
    ASSIGNED = "assigned"
    EVALUATED = "evaluated"
    EXPORTED = "exported"
    LOADED = "loaded"
    CHANGED = "changed"
    DELETED = "deleted"
    ERASED = "erased"
    EXPIRED = "expired"
    REFUSED = "refused"


REVIEWS = "reviews"
"""Detail of an entry by which somebody comes to read what everybody asks: it is announced to all."""


class AuditEntry(Value):
    """One link of the chain.

    Attributes:
        number: 1, 2, 3… without gaps.
        actor: `Identity.id`, or '' for nobody.
        target: what it was done to: a conversation, message, norm, job or account id.
        detail: short facts (counts, names of fields, addresses), never the text of a question or document.
        hash: SHA-256 (hex) over the canonical JSON of all other fields, `previous` included; with a key
            (AUDIT_KEY) its HMAC, marked 'hmac:'.
    """

    number: int
    at: datetime
    actor: str
    action: AuditAction
    target: str = ""
    detail: Mapping[str, str] = Field(default_factory=dict)
    previous: str = ""
    hash: str = ""


class AuditCheck(Value):
    """Result of a verification.

    Attributes:
        head: 'number:hash' of the last entry; empty when there is none.
        problem: where the chain breaks, in Spanish, or empty; `broken` is the number of that entry.
        unsigned: entries from before the key was set, which anyone who can write the database can forge.
    """

    entries: int
    head: str
    problem: str = ""
    broken: int | None = None
    unsigned: int = 0
