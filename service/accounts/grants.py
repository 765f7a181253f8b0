"""Programs that people let in: a code for a consent, and tokens for the code (OAuth 2.1)."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from pydantic import Field

from core.errors import InputError
from core.values import Value
from domain.accounts import Identity, Scope, offered
from domain.audit import AuditAction
from domain.tokens import ApiToken, Grant
from service.accounts.clients import Client, place_of
from service.accounts.sessions import TOKEN_BYTES, hashed
from service.accounts.tokens import MOST_DAYS, require_session
from service.accounts.trail import Trail
from storage.people.tokens import SqlTokenStore

CODE, REFRESH, ACCESS = "arc_", "arr_", "aro_"
"""Start of each kind of secret."""
CODE_LIFE, ACCESS_LIFE, IDLE = timedelta(seconds=60), timedelta(hours=1), timedelta(days=30)
LONGEST_SECRET = 120
SCOPES = (Scope.READ, Scope.ASK)
"""All that the tools of the MCP server need."""
NOTHING = "Los roles de su cuenta no dan nada de lo que pide el programa."


class Granted(Value):
    """A token with the one-time secret that was shown for it."""

    token: ApiToken
    grant: Grant


class Issued(Value):
    """New secrets, kept nowhere else."""

    access: str = Field(repr=False)
    refresh: str = Field(repr=False)
    seconds: int = int(ACCESS_LIFE.total_seconds())


class Grants:
    """The programs that people have let in. Raises (all methods): StorageError.

    A one-time secret that is shown twice was stolen from somebody, and ends its program's token.
    """

    def __init__(self, store: SqlTokenStore, trail: Trail, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._trail = trail
        self._clock = clock

    def consent(
        self,
        identity: Identity,
        client_id: str,
        client: Client,
        *,
        redirect: str,
        scopes: Sequence[Scope],
        resource: str,
        challenge: str,
    ) -> str:
        """Let a program in, for what the scopes and the roles of the person allow; the code for it.

        Raises:
            Forbidden: the person has come with a token, or has no login session.
            NotFound: the session has ended.
            InputError: nothing is left to allow, or there are too many tokens.
        """
        require_session(identity)
        given = within(identity, scopes)
        if not given:
            raise InputError(NOTHING)
        now, family = self._clock(), secrets.token_urlsafe(16)
        code = _one_time(CODE, family)
        token = ApiToken(
            id=uuid4().hex,
            account_id=identity.id,
            name=client.name,
            scopes=given,
            created_at=now,
            expires_at=now + CODE_LIFE,
            resource=resource,
            redirect=redirect,
        )
        grant = Grant(
            client=hashed(client_id),
            family=hashed(family),
            next_hash=hashed(code),
            challenge=challenge,
            until=now,
        )
        detail = {"scopes": ", ".join(given), "source": place_of(redirect)}
        with self._trail.doing(identity.id, AuditAction.TOKEN_MADE, token.id, **detail):
            self._store.add(token, hashed(secrets.token_urlsafe(TOKEN_BYTES)), identity.session, grant)
        return code

    def shown(self, kind: str, client_id: str, secret: str) -> Granted | None:
        """The token of a program that shows its code or refresh token (`kind`); None unless that is good."""
        found = self._of(client_id, secret) if secret.startswith(kind) else None
        if found is None:
            return None
        if found.grant.next_hash != hashed(secret):
            self._end(found, "reused")
            return None
        return found

    def renew(self, shown: Granted, secret: str) -> Issued | None:
        """New secrets for that one, which is spent; None if it was spent meanwhile."""
        now, family = self._clock(), _family(secret)
        made = Issued(access=ACCESS + secrets.token_urlsafe(TOKEN_BYTES), refresh=_one_time(REFRESH, family))
        grant = shown.grant.model_copy(
            update={"next_hash": hashed(made.refresh), "challenge": "", "until": now + ACCESS_LIFE}
        )
        expires_at = min(now + IDLE, shown.token.created_at + timedelta(days=MOST_DAYS))
        if not self._store.renew(shown.token.id, hashed(secret), hashed(made.access), expires_at, grant):
            self._end(shown, "reused")
            return None
        return made

    def revoke(self, client_id: str, secret: str) -> None:
        """End what a program is let in to, by any of its secrets; nothing happens for no such one."""
        found = self._of(client_id, secret)
        if found is not None:
            self._end(found, "program")

    def _of(self, client_id: str, secret: str) -> Granted | None:
        if len(secret) > LONGEST_SECRET:
            return None
        found = self._store.granted(hashed(_family(secret)), hashed(secret), self._clock())
        if found is None or found[1].client != hashed(client_id):
            return None
        return Granted(token=found[0], grant=found[1])

    def _end(self, ended: Granted, why: str) -> None:
        token = ended.token
        if self._store.revoke(token.account_id, token.id):
            self._trail.record(token.account_id, AuditAction.TOKEN_REVOKED, token.id, why=why)


def within(identity: Identity, scopes: Sequence[Scope]) -> tuple[Scope, ...]:
    """Those of the scopes that a program may have of this person."""
    return tuple(scope for scope in SCOPES if scope in scopes and scope in offered(identity.roles))


def _one_time(kind: str, family: str) -> str:
    return f"{kind}{family}.{secrets.token_urlsafe(TOKEN_BYTES)}"


def _family(secret: str) -> str:
    return secret.partition("_")[2].partition(".")[0]
