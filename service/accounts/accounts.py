"""Accounts: the parts that let people in, and the administration of accounts."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from core.errors import Forbidden, InputError, NotFound
from domain.accounts import GRANTS, LOCAL, LOCAL_USER, Account, Identity, Permission, Role
from domain.audit import AuditAction
from domain.auth_settings import AuthSettings
from service.accounts.grants import Grants
from service.accounts.passwords import Passwords, one_time
from service.accounts.sessions import Sessions
from service.accounts.setup import Setup
from service.accounts.sign_in import SignIn
from service.accounts.throttle import Throttle
from service.accounts.tokens import Tokens
from service.accounts.trail import Trail, announced, names_of
from service.accounts.usernames import name_of, username_of
from storage.people.accounts import SqlAccountStore
from storage.people.audit import SqlAuditLog
from storage.people.login_sessions import SqlAttemptStore, SqlLoginSessionStore
from storage.people.tokens import SqlTokenStore

FORBIDDEN = "Su cuenta no puede administrar las de los demás."
NAMES_SECONDS = 5.0


class Accounts:
    """Administration of accounts, by the `actor`: None is the command line.

    Methods with an actor raise Forbidden when the actor may not, NotFound when there is no such account, and
    InputError when no active admin would be left. All raise StorageError.

    Attributes:
        mode: personal, local or oidc.
        sessions: login sessions, by their token.
        tokens: API tokens, by their secret.
        grants: programs that people have let in.
        sign_in: signing in and changing one's password.
        setup: the first account.
    """

    _names: tuple[float, Mapping[str, str]] | None = None

    def __init__(
        self,
        settings: AuthSettings,
        accounts: SqlAccountStore,
        sessions: SqlLoginSessionStore,
        attempts: SqlAttemptStore,
        tokens: SqlTokenStore,
        *,
        audit: SqlAuditLog | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        passwords: Passwords | None = None,
        erase: Callable[[str, str], object] = lambda _account_id, _by: None,
    ) -> None:
        """Wire it; `erase` takes away what an account owned, given its id and who asks for it."""
        self.mode = settings.auth_mode
        self._valid = timedelta(hours=settings.one_time_password_hours)
        self._accounts = accounts
        self._erase = erase
        self._clock = clock
        self._passwords = passwords = passwords or Passwords(settings.password_min_length)
        self._throttle = throttle = Throttle(attempts, clock)
        self._trail = trail = Trail(audit)
        self.sessions = Sessions(settings, sessions, accounts, trail, clock)
        self.tokens = Tokens(settings, tokens, trail, clock)
        self.grants = Grants(tokens, trail, clock)
        self.sign_in = SignIn(settings, accounts, self.sessions, throttle, passwords, trail, clock)
        self.setup = Setup(settings, accounts, self.sessions, throttle, passwords, trail)

    def add(
        self, actor: Identity | None, username: str, name: str, roles: Sequence[Role]
    ) -> tuple[Account, str]:
        """A new account and its one-time password, which is kept nowhere else.

        With an identity provider it is '': the provider's person of that user name gets the account.

        Raises:
            InputError: the user name cannot be used or is taken, or no role is given.
        """
        by = _administrator(actor)
        known = username_of(username)
        shown = name_of(name, known)
        _require_role(roles)
        password = hashed = ""
        if self.mode != "oidc":
            password, hashed = self._new_password()
        account_id = uuid4().hex
        detail = {"roles": names_of(roles)} | announced(roles)
        with self._changing(by, AuditAction.ACCOUNT_ADDED, account_id, **detail):
            account = self._accounts.add(
                known,
                shown,
                roles,
                hashed,
                must_change=bool(password),
                change_by=self._change_by() if password else None,
                account_id=account_id,
            )
        return account, password

    def reset_password(self, actor: Identity | None, account_id: str) -> str:
        """A new one-time password; the account's sessions and tokens end.

        Raises:
            InputError: the account belongs to a person of the identity provider.
        """
        by = _administrator(actor)
        account = self._accounts.account(account_id)
        if account.subject:
            raise InputError("Esa cuenta entra con el proveedor de identidad: no tiene contraseña aquí.")
        password, hashed = self._new_password()
        with self._changing(by, AuditAction.PASSWORD_CHANGED, account_id, **announced(account.roles)):
            self._accounts.set_password(account_id, hashed, must_change=True, change_by=self._change_by())
            self.sessions.end_all(account_id)
        return password

    def use_provider(self, actor: Identity | None, account_id: str) -> None:
        """Remove the password, so that the provider's person of that user name gets the account."""
        by = _administrator(actor)
        detail = {"provider": "yes"} | announced(self._accounts.account(account_id).roles)
        with self._changing(by, AuditAction.PASSWORD_CHANGED, account_id, **detail):
            self._accounts.set_password(account_id, "")
            self.sessions.end_all(account_id)

    def change(
        self,
        actor: Identity | None,
        account_id: str,
        name: str | None = None,
        roles: Sequence[Role] | None = None,
        active: bool | None = None,
    ) -> Account:
        """Change the given fields. An account made inactive loses its sessions and tokens."""
        by = _administrator(actor)
        before = self._accounts.account(account_id)
        if roles is not None:
            _require_role(roles)
        shown = None if name is None else name_of(name, before.username)
        detail = {}
        if shown not in (None, before.name):
            detail["name"] = "changed"
        if roles is not None and set(roles) != set(before.roles):
            detail["roles"] = names_of(roles)
            detail |= announced(roles, before.roles)
        if active not in (None, before.active):
            detail["active"] = "yes" if active else "no"
            detail |= announced(before.roles) if active else {}
        with self._changing(by, AuditAction.ACCOUNT_CHANGED, account_id, **detail):
            return self._accounts.change(account_id, name=shown, roles=roles, active=active)

    def remove(self, actor: Identity | None, account_id: str) -> None:
        """Remove an account with its questions and answers."""
        by = _administrator(actor)
        with self._changing(by, AuditAction.ACCOUNT_REMOVED, account_id):
            self._accounts.remove(account_id)
        self._erase(account_id, by)

    def accounts(self, actor: Identity | None) -> list[Account]:
        """All accounts, by user name."""
        _administrator(actor)
        return self._accounts.accounts()

    def may(self, owner: str, permission: Permission) -> bool:
        """True if the account `owner` exists, is active and has the permission, or there are no accounts.

        It needs no session.
        """
        return owner == LOCAL_USER or self.mode == "personal" or owner in self.allowed(permission)

    def allowed(self, permission: Permission) -> list[str]:
        """Ids of the active accounts that have the permission, by user name."""
        active = (one for one in self.accounts(None) if one.active)
        return [one.id for one in active if any(permission in GRANTS[role] for role in one.roles)]

    def named(self, actor: Identity | None, username: str) -> Account:
        """The account of that user name. Raises NotFound."""
        _administrator(actor)
        found = self._accounts.by_username(username_of(username))
        if found is None:
            raise NotFound(f"No existe la cuenta «{username_of(username)}».")
        return found[0]

    def names(self) -> Mapping[str, str]:
        """Shown name by account id, at most NAMES_SECONDS old."""
        now = time.monotonic()
        if self._names is None or now - self._names[0] > NAMES_SECONDS:
            known = {account.id: account.name for account in self._accounts.accounts()}
            self._names = now, {LOCAL_USER: LOCAL.name} | known
        return self._names[1]

    def own(self, identity: Identity) -> Account:
        """The account of the person who asks. Raises NotFound."""
        return self._accounts.account(identity.id)

    def take_notice(self, identity: Identity, number: int) -> None:
        """Record that the person has read what was announced up to that entry of the audit log."""
        self._accounts.take_notice(identity.id, number)

    def revoke_all(self, actor: Identity | None, account_id: str) -> int:
        """End every session and API token of an account; returns how many sessions."""
        by = _administrator(actor)
        ended = self.sessions.end_all(self._accounts.account(account_id).id)
        self._trail.record(by, AuditAction.SESSION_REVOKED, account_id, sessions=str(ended))
        return ended

    def _change_by(self) -> datetime:
        """Expiry of a one-time password made now."""
        return self._clock() + self._valid

    def _new_password(self) -> tuple[str, str]:
        """A one-time password and its hash."""
        password = one_time()
        with self._throttle.turn():
            return password, self._passwords.hash(password)

    @contextmanager
    def _changing(self, actor: str, action: AuditAction, account_id: str, **detail: str) -> Iterator[None]:
        with self._trail.doing(actor, action, account_id, **detail):
            yield
        self._names = None


def _administrator(actor: Identity | None) -> str:
    """Id of the actor for the audit log. Raises Forbidden."""
    if actor is None:
        return LOCAL_USER
    if not actor.may(Permission.ACCOUNTS):
        raise Forbidden(FORBIDDEN)
    return actor.id


def _require_role(roles: Sequence[Role]) -> None:
    if not roles:
        raise InputError("La cuenta necesita al menos un rol: abogado, revisor o admin.")
