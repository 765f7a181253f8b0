"""Tokens of people's programs: made, found by their secret, listed and revoked."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from pydantic import Field

from core.errors import Forbidden, InputError, NotFound
from core.values import Value
from domain.accounts import Identity, Scope, offered
from domain.audit import AuditAction
from domain.auth_settings import AuthSettings
from domain.tokens import ApiToken
from service.accounts.sessions import LONGEST_TOKEN, TOKEN_BYTES, hashed, identity_of
from service.accounts.trail import Trail
from service.accounts.usernames import name_of
from storage.people.tokens import SqlTokenStore

PREFIX = "art_"
"""Start of every secret, by which tools that look for secrets in files can know one."""
LONGEST_NAME, MOST_DAYS = 80, 365
BY_HAND = "Las claves se crean y se anulan en la página «Mi cuenta», después de entrar: no con otra clave."


class MadeToken(Value):
    """A token just made; its secret is kept nowhere else."""

    secret: str = Field(repr=False)
    token: ApiToken


class Tokens:
    """The API tokens of all accounts. Raises (all methods): StorageError."""

    def __init__(
        self, settings: AuthSettings, store: SqlTokenStore, trail: Trail, clock: Callable[[], datetime]
    ) -> None:
        self._personal = settings.auth_mode == "personal"
        self._store = store
        self._trail = trail
        self._clock = clock

    def create(self, identity: Identity, name: str, scopes: Sequence[Scope], days: int) -> MadeToken:
        """Make a token that is good for so many days.

        Raises:
            Forbidden: the person has come with a token, or has no login session.
            NotFound: the session has ended.
            InputError: the name, scopes or days cannot be, or there are too many tokens.
        """
        require_session(identity)
        shown = name_of(name, "", LONGEST_NAME)
        wanted = tuple(scope for scope in Scope if scope in scopes)
        if not shown:
            raise InputError("Escriba un nombre para la clave, como «Programa de nóminas».")
        if not wanted:
            raise InputError("Marque al menos un permiso para la clave.")
        if useless := [scope.value for scope in wanted if scope not in offered(identity.roles)]:
            raise InputError(f"Los roles de su cuenta no dan ningún permiso para «{', '.join(useless)}».")
        if not 1 <= days <= MOST_DAYS:
            raise InputError(f"Una clave vale de 1 a {MOST_DAYS} días.")
        now = self._clock()
        token = ApiToken(
            id=uuid4().hex,
            account_id=identity.id,
            name=shown,
            scopes=wanted,
            created_at=now,
            expires_at=now + timedelta(days=days),
        )
        secret = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        detail = {"scopes": ", ".join(wanted), "days": str(days)}
        with self._trail.doing(identity.id, AuditAction.TOKEN_MADE, token.id, **detail):
            self._store.add(token, hashed(secret), identity.session)
        return MadeToken(secret=secret, token=token)

    def identify(self, secret: str, resource: str = "") -> Identity | None:
        """The owner of a live token, limited to its scopes; in the personal mode always None.

        Args:
            resource: the address that is asked for; one that a program was let in to is good for no other.
        """
        if self._personal or not secret or len(secret) > LONGEST_TOKEN:
            return None
        found = self._store.find(hashed(secret), self._clock())
        if found is None:
            return None
        account, token = found
        if token.resource not in ("", resource):
            return None
        return identity_of(account, token=token.id, scopes=token.scopes)

    def of(self, account_id: str) -> list[ApiToken]:
        """The live tokens of an account, the latest made first."""
        return self._store.tokens(account_id, self._clock())

    def revoke(self, identity: Identity, token_id: str) -> None:
        """End a token of the same account.

        Raises:
            Forbidden: the person has come with a token, or has no login session.
            NotFound: there is no such token.
        """
        require_session(identity)
        if not self._store.revoke(identity.id, token_id):
            raise NotFound("Esa clave ya no existe.")
        self._trail.record(identity.id, AuditAction.TOKEN_REVOKED, token_id)


def require_session(identity: Identity) -> None:
    """Raises Forbidden unless the person has come by signing in."""
    if identity.token or not identity.session:
        raise Forbidden(BY_HAND)
