"""Sessions: who holds one, opening and closing them."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from pydantic import Field

from domain.account_ports import AccountStore, AttemptStore, LoginSessionStore
from domain.accounts import LOCAL, Account, Identity, LoginSession
from domain.audit import AuditAction, AuditLog
from domain.auth_settings import AuthSettings
from rag.errors import ArticuladoError, NotFound, StorageError
from rag.types import Value
from service.accounts.passwords import Passwords
from service.accounts.throttle import SignInRefused, Throttle, place

WRONG = "Usuario o contraseña incorrectos."
TOKEN_BYTES, LONGEST_TOKEN = 32, 100


class SignedIn(Value):
    """A session that has just been opened; the token is for the browser's cookie and nothing else."""

    token: str = Field(repr=False)
    identity: Identity
    expires_at: datetime


class LoginSessions:
    """What lets a browser that holds a token in.

    Raises (all methods): StorageError.
    """

    def __init__(
        self,
        settings: AuthSettings,
        accounts: AccountStore | None = None,
        sessions: LoginSessionStore | None = None,
        attempts: AttemptStore | None = None,
        audit: AuditLog | None = None,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        passwords: Passwords | None = None,
    ) -> None:
        """The stores may be absent in the personal mode only."""
        self._settings = settings
        self._accounts_store = accounts
        self._sessions_store = sessions
        self._throttle_store = Throttle(attempts, clock) if attempts is not None else None
        self._audit = audit
        self._clock = clock
        self._passwords = passwords or Passwords(settings.password_min_length)
        self._idle = timedelta(minutes=settings.session_idle_minutes)
        self._longest = timedelta(hours=settings.session_hours)
        self._has_accounts = False
        self._setup_code = ""
        self._setup_lock = threading.Lock()

    @property
    def mode(self) -> str:
        return self._settings.auth_mode

    def identify(self, token: str) -> Identity | None:
        """Who holds this session token now; in the personal mode, the one local person."""
        if self.mode == "personal":
            return LOCAL
        found = self._found(token)
        return None if found is None else _identity(*found)

    @property
    def _accounts(self) -> AccountStore:
        assert self._accounts_store is not None
        return self._accounts_store

    @property
    def _sessions(self) -> LoginSessionStore:
        assert self._sessions_store is not None
        return self._sessions_store

    @property
    def _throttle(self) -> Throttle:
        assert self._throttle_store is not None
        return self._throttle_store

    def _found(self, token: str) -> tuple[Account, LoginSession] | None:
        if not token or len(token) > LONGEST_TOKEN:
            return None
        return self._sessions.find(hashed(token), self._clock(), self._idle)

    def _open(self, account: Account, address: str, agent: str, previous_token: str = "") -> SignedIn:
        self._close(previous_token)
        now = self._clock()
        token = secrets.token_urlsafe(TOKEN_BYTES)
        try:
            session = self._sessions.open(
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
        self._sessions.purge(now, self._idle)
        self._throttle.purge()
        self._record(account.id, AuditAction.SIGNED_IN, session.id, address=session.address)
        return SignedIn(token=token, identity=_identity(account, session), expires_at=session.expires_at)

    def _close(self, token: str) -> LoginSession | None:
        if self.mode == "personal" or not token or len(token) > LONGEST_TOKEN:
            return None
        return self._sessions.close(hashed(token))

    def _failed(self, account: Account | None, address: str) -> None:
        """What was typed as user name is not recorded: it may have been a password."""
        target = account.id if account else ""
        self._record("", AuditAction.SIGN_IN_FAILED, target, address=printable(address, 64))

    @contextmanager
    def _doing(self, actor: str, action: AuditAction, target: str, **detail: str) -> Iterator[None]:
        """Write the entry, then let it be done; what then fails leaves a second one that says so."""
        self._record(actor, action, target, **detail)
        try:
            yield
        except ArticuladoError as error:
            with suppress(StorageError):
                self._record(actor, AuditAction.REFUSED, target, why=type(error).__name__)
            raise

    def _record(self, actor: str, action: AuditAction, target: str = "", **detail: str) -> None:
        if self._audit is not None:
            self._audit.append(actor, action, target, detail)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def printable(text: str, longest: int) -> str:
    return "".join(letter for letter in text[:longest] if letter.isprintable())


def _identity(account: Account, session: LoginSession) -> Identity:
    return Identity(
        id=account.id,
        username=account.username,
        name=account.name,
        roles=account.roles,
        session=session.id,
        must_change=account.must_change,
    )
