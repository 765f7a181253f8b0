"""Tokens of people's programs, stored by the hash of their secret."""

from datetime import datetime

from sqlalchemy import and_, delete, func, or_, select, update

from core.errors import InputError, NotFound
from domain.accounts import Account
from domain.tokens import ApiToken, Grant
from storage.base.engine import Store
from storage.people.accounts import to_account
from storage.people.login_sessions import SEEN_EVERY
from storage.tables.accounts import AccountRow, ApiTokenRow, LoginSessionRow

MOST = 20
"""Most live tokens of an account."""
ENDED = "Su sesión ya no está abierta: vuelva a entrar."
NOT_GRANTED = Grant()


class SqlTokenStore(Store):
    """API tokens by the SHA-256 of their secret; the secret itself is never stored.

    An expired token is deleted when it is found, like a dead session.

    Raises (all methods): StorageError.
    """

    def add(self, token: ApiToken, token_hash: str, session_id: str, grant: Grant = NOT_GRANTED) -> None:
        """Store a new token made in a login session.

        Expired ones of the account are deleted, and the one that the same program has had.

        Raises:
            NotFound: the session has ended, or its account is not active.
            InputError: the account already has `MOST` tokens.
        """
        own = ApiTokenRow.account_id == token.account_id
        expired = ApiTokenRow.expires_at <= token.created_at
        # Both rows stay locked: of two tokens made at once the second counts the first, and an end of all
        # sessions of the account meanwhile deletes this token too.
        account = select(AccountRow.id).where(AccountRow.id == token.account_id, AccountRow.active)
        opened = select(LoginSessionRow.id).where(
            LoginSessionRow.id == session_id, LoginSessionRow.account_id == token.account_id
        )
        with self._db.write() as session:
            if None in (session.scalar(account.with_for_update()), session.scalar(opened.with_for_update())):
                raise NotFound(ENDED)
            former = and_(ApiTokenRow.client == grant.client, ApiTokenRow.client != "")
            session.execute(delete(ApiTokenRow).where(own, or_(expired, former)))
            if (session.scalar(select(func.count(ApiTokenRow.id)).where(own)) or 0) >= MOST:
                raise InputError(f"Ya tiene {MOST} claves: anule alguna que no use.")
            row = ApiTokenRow(token_hash=token_hash, **token.model_dump(), **grant.model_dump())
            session.add(row)

    def find(self, token_hash: str, now: datetime) -> tuple[Account, ApiToken] | None:
        """The live token of an active account, as before this use; `seen_at` moves once a minute at most."""
        same = ApiTokenRow.token_hash == token_hash
        query = (
            select(AccountRow, ApiTokenRow)
            .join(ApiTokenRow, ApiTokenRow.account_id == AccountRow.id)
            .where(same, AccountRow.active)
        )
        for account, token in self._db.rows(query):
            if token.expires_at <= now:
                self._db.run(delete(ApiTokenRow).where(same))
                return None
            if token.until is not None and token.until <= now:
                return None
            if token.seen_at is None or abs(now - token.seen_at) >= SEEN_EVERY:
                self._db.run(update(ApiTokenRow).where(same).values(seen_at=now))
            return to_account(account), token.as_value(ApiToken)
        return None

    def tokens(self, account_id: str, now: datetime) -> list[ApiToken]:
        """Live tokens of an account, newest first."""
        query = (
            select(ApiTokenRow)
            .where(ApiTokenRow.account_id == account_id, ApiTokenRow.expires_at > now)
            .order_by(ApiTokenRow.created_at.desc(), ApiTokenRow.id)
        )
        return [row.as_value(ApiToken) for row in self._db.scalars(query)]

    def granted(self, family: str, token_hash: str, now: datetime) -> tuple[ApiToken, Grant] | None:
        """The live token of a program that was let in, by its family or by its access token."""
        same = or_(ApiTokenRow.family == family, ApiTokenRow.token_hash == token_hash)
        query = (
            select(ApiTokenRow)
            .join(AccountRow, AccountRow.id == ApiTokenRow.account_id)
            .where(same, ApiTokenRow.family.is_not(None), ApiTokenRow.expires_at > now, AccountRow.active)
        )
        for row in self._db.scalars(query):
            return row.as_value(ApiToken), row.as_value(Grant)
        return None

    def renew(self, token_id: str, spent: str, token_hash: str, expires_at: datetime, grant: Grant) -> bool:
        """Put new secrets in the place of a spent one; False if it was spent already, or all is over."""
        query = update(ApiTokenRow).where(ApiTokenRow.id == token_id, ApiTokenRow.next_hash == spent)
        changes = {"token_hash": token_hash, "expires_at": expires_at, **grant.model_dump()}
        return bool(self._db.run(query.values(changes)))

    def revoke(self, account_id: str, token_id: str) -> bool:
        """End a token of an account; False if there was none."""
        query = delete(ApiTokenRow).where(ApiTokenRow.account_id == account_id, ApiTokenRow.id == token_id)
        return bool(self._db.run(query))
