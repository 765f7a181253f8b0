"""Accounts of people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from domain.accounts import Account, Role
from rag.errors import InputError, NotFound
from storage.database import ACCOUNTS_LOCK, Store
from storage.tables.accounts import AccountRow, LoginSessionRow

FAMILIAR = 5
LAST_ADMIN = "Tiene que haber al menos una cuenta activa con el rol de admin."
NO_ACCOUNT = "No existe esa cuenta."


class SqlAccountStore(Store):
    """The `AccountStore` port over SQLite or PostgreSQL. Writers take turns, so that of two changes at once
    the second sees the first."""

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
        row = AccountRow(
            id=account_id or uuid4().hex,
            username=username.casefold(),
            name=name,
            roles=_distinct(roles),
            active=True,
            subject=subject or None,
            password_hash=password_hash,
            must_change=must_change,
            change_by=change_by,
            familiar=(),
            created_at=datetime.now(UTC),
        )
        with self._db.write(ACCOUNTS_LOCK) as session:
            if first and session.scalar(select(AccountRow.id).limit(1)):
                raise InputError("Ya hay cuentas: la primera se crea una sola vez.")
            if session.scalar(select(AccountRow.id).where(AccountRow.username == row.username)):
                raise InputError(f"Ya existe una cuenta con el nombre de usuario «{row.username}».")
            _require_free(session, subject)
            session.add(row)
            session.flush()
            _require_admin(session)
            return to_account(row)

    def account(self, account_id: str) -> Account:
        with self._db.read() as session:
            return to_account(_row(session, account_id))

    def accounts(self) -> list[Account]:
        rows = self._db.scalars(select(AccountRow).order_by(AccountRow.username))
        return [to_account(row) for row in rows]

    def count(self) -> int:
        return self._db.count(of=AccountRow)

    def by_username(self, username: str) -> tuple[Account, str] | None:
        with self._db.read() as session:
            row = session.scalar(select(AccountRow).where(AccountRow.username == username.casefold()))
            return None if row is None else (to_account(row), row.password_hash)

    def by_subject(self, subject: str) -> Account | None:
        with self._db.read() as session:
            row = session.scalar(select(AccountRow).where(AccountRow.subject == subject)) if subject else None
            return None if row is None else to_account(row)

    def link(self, account_id: str, subject: str) -> Account:
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = _row(session, account_id)
            if row.subject or row.password_hash:
                raise InputError("Esa cuenta ya tiene otra forma de entrar.")
            _require_free(session, subject)
            row.subject = subject
            return to_account(row)

    def set_password(
        self,
        account_id: str,
        password_hash: str,
        *,
        must_change: bool = False,
        change_by: datetime | None = None,
        replacing: str | None = None,
    ) -> bool:
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = _row(session, account_id)
            if replacing is not None and row.password_hash != replacing:
                return False
            row.password_hash, row.must_change, row.change_by = password_hash, must_change, change_by
            return True

    def change(
        self,
        account_id: str,
        *,
        name: str | None = None,
        roles: Sequence[Role] | None = None,
        active: bool | None = None,
    ) -> Account:
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = _row(session, account_id)
            if name is not None:
                row.name = name
            if roles is not None:
                row.roles = _distinct(roles)
            if active is not None:
                row.active = active
            if not row.active:
                session.execute(delete(LoginSessionRow).where(LoginSessionRow.account_id == account_id))
            session.flush()
            _require_admin(session)
            return to_account(row)

    def signed_in(self, account_id: str, at: datetime, address: str = "") -> None:
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = _row(session, account_id)
            row.last_login = at
            if address:
                others = [known for known in row.familiar if known != address]
                row.familiar = (address, *others)[:FAMILIAR]

    def is_familiar(self, username: str, address: str) -> bool:
        with self._db.read() as session:
            query = select(AccountRow.familiar).where(AccountRow.username == username.casefold())
            return address in (session.scalar(query) or ())

    def remove(self, account_id: str) -> None:
        with self._db.write(ACCOUNTS_LOCK) as session:
            session.delete(_row(session, account_id))
            session.flush()
            _require_admin(session)


def _row(session: Session, account_id: str) -> AccountRow:
    row = session.get(AccountRow, account_id)
    if row is None:
        raise NotFound(NO_ACCOUNT)
    return row


def _require_admin(session: Session) -> None:
    """Raises InputError when the transaction would leave nobody to administer the accounts."""
    roles = session.scalars(select(AccountRow.roles).where(AccountRow.active))
    if not any(Role.ADMIN in held for held in roles):
        raise InputError(LAST_ADMIN)


def _require_free(session: Session, subject: str) -> None:
    if subject and session.scalar(select(AccountRow.id).where(AccountRow.subject == subject)):
        raise InputError("Ya hay una cuenta de esa persona del proveedor de identidad.")


def _distinct(roles: Sequence[Role]) -> tuple[str, ...]:
    return tuple(role.value for role in Role if role in roles)


def to_account(row: AccountRow) -> Account:
    """The value of a row, without its password hash."""
    return row.as_value(Account, subject=row.subject or "")
