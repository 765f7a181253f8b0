"""The stores of accounts, their sessions and failed attempts, as Protocols."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from domain.accounts import Account, LoginSession, Role


class AccountStore(Protocol):
    """Accounts of people. Raises (all methods): StorageError; NotFound for an account that does not exist.

    No method may leave the installation without an active admin: those raise InputError instead, decided
    within the transaction that would do it.
    """

    def add(
        self,
        username: str,
        name: str,
        roles: Sequence[Role],
        password_hash: str = "",
        *,
        subject: str = "",
        must_change: bool = False,
        change_by: datetime | None = None,
        first: bool = False,
        account_id: str = "",
    ) -> Account:
        """Raises InputError when the username is taken (case does not count), or with `first` when there
        is any account already: of two setups at once one wins. `account_id` is a new one, made before so
        that the audit log could name it."""
        ...

    def account(self, account_id: str) -> Account: ...

    def accounts(self) -> list[Account]:
        """By username."""
        ...

    def count(self) -> int: ...

    def by_username(self, username: str) -> tuple[Account, str] | None:
        """The account and its password hash; case does not count."""
        ...

    def by_subject(self, subject: str) -> Account | None: ...

    def link(self, account_id: str, subject: str) -> Account:
        """Tie an account without a password to a person of an identity provider; once, for good.

        Raises InputError when it has a password or another person, or the person another account."""
        ...

    def set_password(
        self,
        account_id: str,
        password_hash: str,
        *,
        must_change: bool = False,
        change_by: datetime | None = None,
        replacing: str | None = None,
    ) -> bool:
        """False, and nothing is done, when the hash to be replaced is no longer there."""
        ...

    def change(
        self,
        account_id: str,
        *,
        name: str | None = None,
        roles: Sequence[Role] | None = None,
        active: bool | None = None,
    ) -> Account:
        """An account that is made inactive loses its sessions in the same transaction."""
        ...

    def signed_in(self, account_id: str, at: datetime, address: str = "") -> None:
        """The last few addresses are kept: see `is_familiar`."""
        ...

    def is_familiar(self, username: str, address: str) -> bool:
        """True if the account has signed in from this address lately."""
        ...

    def remove(self, account_id: str) -> None:
        """Remove it with its sessions; the caller deletes what it owned."""
        ...


class LoginSessionStore(Protocol):
    """Sessions by the SHA-256 of their token; the token itself is never stored."""

    def open(
        self,
        account_id: str,
        token_hash: str,
        now: datetime,
        expires_at: datetime,
        *,
        address: str = "",
        agent: str = "",
    ) -> LoginSession: ...

    def find(self, token_hash: str, now: datetime, idle: timedelta) -> tuple[Account, LoginSession] | None:
        """The live session of an active account; `seen_at` is kept to the minute."""
        ...

    def sessions(self, account_id: str, now: datetime, idle: timedelta) -> list[LoginSession]:
        """The live ones, the latest seen first."""
        ...

    def alive(self, session_ids: Collection[str], now: datetime, idle: timedelta) -> set[str]:
        """Those of them that are live."""
        ...

    def close(self, token_hash: str) -> LoginSession | None:
        """End it; None when there was none."""
        ...

    def revoke(self, account_id: str, session_id: str = "", *, keep: str = "") -> int:
        """End one session of an account, or all of them but `keep`; how many there were."""
        ...

    def purge(self, now: datetime, idle: timedelta) -> int:
        """Drop the dead ones."""
        ...


class AttemptStore(Protocol):
    """Failed attempts by key ('account:…', 'address:…'), for throttling across processes."""

    def fail(self, keys: Sequence[str], now: datetime, window: timedelta) -> dict[str, int]:
        """Count a failure under each key; the failures of each within the window."""
        ...

    def failures(
        self, keys: Sequence[str], now: datetime, window: timedelta
    ) -> dict[str, tuple[int, datetime | None]]:
        """Number of attempts within the window, and the time of the last one."""
        ...

    def clear(self, keys: Sequence[str]) -> None: ...

    def purge(self, before: datetime) -> int: ...
