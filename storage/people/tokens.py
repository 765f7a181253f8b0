"""Personal API tokens, stored by the hash of their secret."""

from datetime import datetime

from sqlalchemy import delete, func, select, update

from core.errors import InputError, NotFound
from domain.accounts import Account
from domain.tokens import ApiToken
from storage.base.engine import Store
from storage.people.accounts import to_account
from storage.people.login_sessions import SEEN_EVERY
from storage.tables.accounts import AccountRow, ApiTokenRow, LoginSessionRow

MOST = 20
"""Most live tokens of an account."""
ENDED = "Su sesión ya no está abierta: vuelva a entrar."


class SqlTokenStore(Store):
    """API tokens by the SHA-256 of their secret; the secret itself is never stored.

    An expired token is deleted when it is found, like a dead session.

    Raises (all methods): StorageError.
    """

    def add(self, token: ApiToken, token_hash: str, session_id: str) -> None:
        """Store a new token made in a login session; expired ones of the account are deleted.

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
            session.execute(delete(ApiTokenRow).where(own, expired))
            if (session.scalar(select(func.count(ApiTokenRow.id)).where(own)) or 0) >= MOST:
                raise InputError(f"Ya tiene {MOST} claves: anule alguna que no use.")
            session.add(ApiTokenRow(token_hash=token_hash, **token.model_dump()))

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

    def revoke(self, account_id: str, token_id: str) -> bool:
        """End a token of an account; False if there was none."""
        query = delete(ApiTokenRow).where(ApiTokenRow.account_id == account_id, ApiTokenRow.id == token_id)
        return bool(self._db.run(query))
