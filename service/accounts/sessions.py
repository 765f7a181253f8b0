"""Login sessions: opened, found by their token, listed and ended."""

import hashlib
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from pydantic import Field

from core.errors import NotFound
from core.values import Value
from domain.accounts import LOCAL, Account, Identity, LoginSession
from domain.audit import AuditAction
from domain.auth_settings import AuthSettings
from service.accounts.throttle import SignInRefused, place
from service.accounts.trail import Trail, printable
from storage.people.accounts import SqlAccountStore
from storage.people.login_sessions import SqlLoginSessionStore

WRONG = "Usuario o contraseña incorrectos."
TOKEN_BYTES, LONGEST_TOKEN = 32, 100


class SignedIn(Value):
    """A session just opened. The token goes into the browser's cookie and is kept nowhere else.

    Attributes:
        device: token of a second cookie, which outlives the session: the account knows this browser.
    """

    token: str = Field(repr=False)
    identity: Identity
    expires_at: datetime
    device: str = Field(default="", repr=False)


class Sessions:
    """The login sessions of all accounts. Raises (all methods): StorageError."""

    def __init__(
        self,
        settings: AuthSettings,
        store: SqlLoginSessionStore,
        accounts: SqlAccountStore,
        trail: Trail,
        clock: Callable[[], datetime],
    ) -> None:
        self._personal = settings.auth_mode == "personal"
        self._idle = timedelta(minutes=settings.session_idle_minutes)
        self._longest = timedelta(hours=settings.session_hours)
        self._store = store
        self._accounts = accounts
        self._trail = trail
        self._clock = clock

    def identify(self, token: str) -> Identity | None:
        """The holder of a live session; in the personal mode always the one local person."""
        if self._personal:
            return LOCAL
        found = self.find(token)
        return None if found is None else _of_session(*found)

    def find(self, token: str) -> tuple[Account, LoginSession] | None:
        """The live session of a token, with its account."""
        if not token or len(token) > LONGEST_TOKEN:
            return None
        return self._store.find(hashed(token), self._clock(), self._idle)

    def open(self, account: Account, *, address: str, agent: str, previous_token: str = "") -> SignedIn:
        """Open a session; the one that the browser had is closed.

        Raises:
            SignInRefused: the account is gone.
        """
        self.close(previous_token)
        now = self._clock()
        token = secrets.token_urlsafe(TOKEN_BYTES)
        try:
            session = self._store.open(
                account.id,
                hashed(token),
                now,
                now + self._longest,
                address=printable(address, 64),
                agent=printable(agent, 200),
            )
            self._accounts.signed_in(account.id, now, place(address))
        except NotFound as error:
            raise SignInRefused(WRONG) from error
        self._store.purge(now, self._idle)
        self._trail.record(account.id, AuditAction.SIGNED_IN, session.id, address=session.address)
        return SignedIn(token=token, identity=_of_session(account, session), expires_at=session.expires_at)

    def known_device(self, username: str, token: str) -> str:
        """Name of the device that holds the token if the account knows it, else ''. The name is no secret."""
        if not token or len(token) > LONGEST_TOKEN:
            return ""
        known = self._store.knows_device(username, hashed(token), self._clock())
        return hashed(token)[:32] if known else ""

    def on_device(self, signed_in: SignedIn, token: str) -> SignedIn:
        """The session with the token by which its account knows the browser from now on.

        Args:
            token: the one that the account knew it by; '' for a browser that it did not know. A token that
                the browser brought along may be somebody else's.
        """
        kept = token or secrets.token_urlsafe(TOKEN_BYTES)
        self._store.remember_device(signed_in.identity.id, hashed(kept), self._clock())
        return signed_in.model_copy(update={"device": kept})

    def close(self, token: str) -> LoginSession | None:
        """End the session of a token, without a record; None when there was none."""
        if not token or len(token) > LONGEST_TOKEN:
            return None
        return self._store.close(hashed(token))

    def sign_out(self, token: str) -> None:
        """End the session of a token; nothing happens when there is none."""
        closed = self.close(token)
        if closed is not None:
            self._trail.record(closed.account_id, AuditAction.SIGNED_OUT)

    def of(self, account_id: str) -> list[LoginSession]:
        """The live sessions of an account, the latest seen first."""
        return self._store.sessions(account_id, self._clock(), self._idle)

    def alive(self, session_ids: Collection[str]) -> set[str]:
        """The ids of live sessions among these, of any account."""
        return self._store.alive(session_ids, self._clock(), self._idle)

    def revoke(self, identity: Identity, session_id: str) -> None:
        """End one session of the same account. Raises NotFound."""
        if not session_id or not self._store.revoke(identity.id, session_id):
            raise NotFound("Esa sesión ya no existe.")
        self._trail.record(identity.id, AuditAction.SESSION_REVOKED, session_id)

    def revoke_others(self, identity: Identity) -> int:
        """End all sessions of the account but the current one, and forget its devices; returns how many."""
        if not identity.session:
            return 0
        ended = self._store.revoke(identity.id, keep=identity.session)
        self._trail.record(identity.id, AuditAction.SESSION_REVOKED, identity.id, sessions=str(ended))
        return ended

    def end_all(self, account_id: str) -> int:
        """End all that lets somebody in to an account, see `SqlLoginSessionStore.revoke`, without a record.

        Returns the number of sessions.
        """
        return self._store.revoke(account_id)


def hashed(token: str) -> str:
    """SHA-256 (hex) of a token, which is random enough to need no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def identity_of(account: Account, **came_by: Any) -> Identity:
    """The person of an account; `came_by`: the fields of what they came with, a session or a token."""
    return Identity(
        id=account.id,
        username=account.username,
        name=account.name,
        roles=account.roles,
        must_change=account.must_change,
        **came_by,
    )


def _of_session(account: Account, session: LoginSession) -> Identity:
    return identity_of(account, session=session.id)
