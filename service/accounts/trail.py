"""Entries of the audit log about accounts and sessions."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from core.errors import ArticuladoError, StorageError
from domain.accounts import Account, Role
from domain.audit import REVIEWS, AuditAction
from storage.people.audit import SqlAuditLog


class Trail:
    """Writes to the audit log; without a log it writes nothing. Raises (all methods): StorageError."""

    def __init__(self, audit: SqlAuditLog | None) -> None:
        self._audit = audit

    def record(self, actor: str, action: AuditAction, target: str = "", **detail: str) -> None:
        if self._audit is not None:
            self._audit.append(actor, action, target, detail)

    def failed(self, account: Account | None, address: str) -> None:
        """Record a failed sign-in, without the user name as typed: it may have been a password."""
        target = account.id if account else ""
        self.record("", AuditAction.SIGN_IN_FAILED, target, address=printable(address, 64))

    @contextmanager
    def doing(self, actor: str, action: AuditAction, target: str, **detail: str) -> Iterator[None]:
        """Write the entry before the body runs, and a second one (refused) if the body fails."""
        self.record(actor, action, target, **detail)
        try:
            yield
        except ArticuladoError as error:
            with suppress(StorageError):
                self.record(actor, AuditAction.REFUSED, target, why=type(error).__name__)
            raise


def announced(roles: Sequence[Role], before: Sequence[Role] = ()) -> dict[str, str]:
    """Detail that announces an entry, if these roles let somebody review whom those before did not."""
    gains = Role.REVIEWER in roles and Role.REVIEWER not in before
    return {REVIEWS: "yes"} if gains else {}


def names_of(roles: Sequence[Role]) -> str:
    """Roles as the log writes them: each once, in the order of `Role`."""
    return ", ".join(role for role in Role if role in roles)


def printable(text: str, longest: int) -> str:
    """The printable letters among the first `longest`."""
    return "".join(letter for letter in text[:longest] if letter.isprintable())
