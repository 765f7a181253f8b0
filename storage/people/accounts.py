"""Accounts of people."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.errors import InputError
from domain.accounts import Account, Role
from storage.base.engine import ACCOUNTS_LOCK, Store, required
from storage.tables.accounts import AccountRow, ApiTokenRow, LoginSessionRow

FAMILIAR = 5
LAST_ADMIN = "Tiene que haber al menos una cuenta activa con el rol de admin."
NO_ACCOUNT = "No existe esa cuenta."


class SqlAccountStore(Store):
    """Accounts of people. Writers take turns, so that of two changes at once the second sees the first.

    No method may leave the installation without an active admin: those raise InputError instead, decided
    within the transaction that would do it.

    Raises (all methods): StorageError; NotFound for an account that does not exist.
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
        """A new account; `account_id` is a new one, made before so that the audit log could name it.

        Raises:
            InputError: the user name is taken (case does not count), or with `first` there is any account
                already: of two setups at once one wins.
        """
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
            return to_account(required(session, AccountRow, account_id, NO_ACCOUNT))

    def accounts(self) -> list[Account]:
        """By user name."""
        rows = self._db.scalars(select(AccountRow).order_by(AccountRow.username))
        return [to_account(row) for row in rows]

    def count(self) -> int:
        return self._db.count(of=AccountRow)

    def by_username(self, username: str) -> tuple[Account, str] | None:
        """The account and its password hash; case does not count."""
        with self._db.read() as session:
            row = session.scalar(select(AccountRow).where(AccountRow.username == username.casefold()))
            return None if row is None else (to_account(row), row.password_hash)

    def by_subject(self, subject: str) -> Account | None:
        with self._db.read() as session:
            row = session.scalar(select(AccountRow).where(AccountRow.subject == subject)) if subject else None
            return None if row is None else to_account(row)

    def link(self, account_id: str, subject: str) -> Account:
        """Tie an account without a password to a person of an identity provider; once, for good.

        Raises:
            InputError: it has a password or another person, or the person another account.
        """
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = required(session, AccountRow, account_id, NO_ACCOUNT)
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
        """False, and nothing is done, when the hash to be replaced is no longer there."""
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = required(session, AccountRow, account_id, NO_ACCOUNT)
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
        """An account that is made inactive loses its sessions and tokens in the same transaction."""
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = required(session, AccountRow, account_id, NO_ACCOUNT)
            if name is not None:
                row.name = name
            if roles is not None:
                row.roles = _distinct(roles)
            if active is not None:
                row.active = active
            if not row.active:
                for kind in (LoginSessionRow, ApiTokenRow):
                    session.execute(delete(kind).where(kind.account_id == account_id))
            session.flush()
            _require_admin(session)
            return to_account(row)

    def signed_in(self, account_id: str, at: datetime, address: str = "") -> None:
        """Record a sign-in; the last few addresses are kept, see `knows_address`."""
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = required(session, AccountRow, account_id, NO_ACCOUNT)
            row.last_login = at
            if address:
                others = [known for known in row.familiar if known != address]
                row.familiar = (address, *others)[:FAMILIAR]

    def knows_address(self, address: str) -> bool:
        """True if any account has signed in from this address lately.

        Of which account it does not matter: an answer that depended on it would tell that there is such one.
        """
        return any(address in known for known in self._db.scalars(select(AccountRow.familiar)))

    def take_notice(self, account_id: str, number: int) -> None:
        """Keep the number of the last entry that the person has taken notice of; it only grows."""
        with self._db.write(ACCOUNTS_LOCK) as session:
            row = required(session, AccountRow, account_id, NO_ACCOUNT)
            row.told = max(row.told, number)

    def remove(self, account_id: str) -> None:
        """Remove it with its sessions and tokens; the caller deletes what it owned."""
        with self._db.write(ACCOUNTS_LOCK) as session:
            session.delete(required(session, AccountRow, account_id, NO_ACCOUNT))
            session.flush()
            _require_admin(session)


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
