"""Admission to the API: who comes with which token, and how often."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from cachetools import TTLCache
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from core.errors import ArticuladoError
from domain.accounts import LOCAL, Identity
from service.accounts.accounts import Accounts
from service.accounts.grants import SCOPES
from service.members.member import MUST_CHANGE
from web.api import problems
from web.api.person import named
from web.base import access
from web.base.site import Site

NO_TOKEN = (
    "Hace falta un token: créelo en la página «Mi cuenta» y envíelo en la cabecera «Authorization: Bearer …»."
)
FOREIGN = "La API no atiende a otras páginas web."
OFTEN = "Demasiadas peticiones con este token: espere {seconds} segundos."
WINDOW_SECONDS, MOST_TOKENS = 60, 10_000
SAME_SITE = frozenset({"same-origin", "none"})


class Rate:
    """Requests of each token in each window of 60 seconds, in this process."""

    def __init__(self, most: int, clock: Callable[[], float] = time.time) -> None:
        """Wire it; `most` requests a window, 0 = no limit."""
        self._most = most
        self._clock = clock
        self._counts: TTLCache[tuple[str, int], int] = TTLCache(MOST_TOKENS, 2 * WINDOW_SECONDS)

    def wait(self, token: str) -> int:
        """Count a request; the seconds to wait if it is one too many, else 0. For one thread."""
        window, inside = divmod(int(self._clock()), WINDOW_SECONDS)
        count = self._counts.get((token, window), 0) + 1
        self._counts[token, window] = count
        return WINDOW_SECONDS - inside if 0 < self._most < count else 0


@dataclass(frozen=True)
class Refused(Exception):
    """Why a request does not come in."""

    status: int
    detail: str
    headers: tuple[tuple[str, str], ...] = ()


class Admission:
    """Lets requests of the API in by their token; in the personal mode, all from this machine."""

    def __init__(self, site: Site, accounts: Callable[[], Accounts], rate: Rate) -> None:
        self._site = site
        self._accounts = accounts
        self._rate = rate

    async def opened(self, scope: Scope) -> Scope:
        """The scope with its person. Raises Refused."""
        try:
            return await self._opened(scope)
        except ArticuladoError as error:
            found = problems.of(scope, error)
            raise Refused(found.status, found.detail) from None

    async def _opened(self, scope: Scope) -> Scope:
        door = "mcp" if scope["path"].startswith(access.MCP) else "api"
        headers = HTTPConnection(scope).headers
        if "origin" in headers and not self._site.is_own_origin(scope):
            raise Refused(403, FOREIGN)
        if headers.get("sec-fetch-site", "none") not in SAME_SITE:
            raise Refused(403, FOREIGN)
        if self._site.personal:
            return named(scope, LOCAL, lambda: LOCAL, door)
        secret = _bearer(headers.get("authorization", ""))
        resource = self._site.origin(scope) + access.MCP if door == "mcp" else ""
        identify = partial(self._accounts().tokens.identify, secret, resource)
        who: Identity | None = await run_in_threadpool(identify) if secret else None
        if who is None:
            way = _way_in(self._site.origin(scope), bool(secret)) if resource else ""
            raise Refused(401, NO_TOKEN, (("WWW-Authenticate", f"Bearer{way}"),))
        if who.must_change:
            raise Refused(403, MUST_CHANGE)
        if seconds := self._rate.wait(who.token):
            raise Refused(429, OFTEN.format(seconds=seconds), (("Retry-After", str(seconds)),))
        return named(scope, who, identify, door)


def _bearer(header: str) -> str:
    kind, _, secret = header.partition(" ")
    return secret.strip() if kind.lower() == "bearer" else ""


def _way_in(origin: str, had_token: bool) -> str:
    """Where a program learns how to be let in (RFC 9728), as parameters of the challenge."""
    wrong = 'error="invalid_token", ' if had_token else ""
    told = f'resource_metadata="{origin}{access.PROTECTED}{access.MCP}"'
    return f' {wrong}{told}, scope="{" ".join(SCOPES)}"'


async def refuse(refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the problem of a refusal."""
    reply = problems.reply(scope, refused.status, refused.detail, dict(refused.headers))
    await reply(scope, receive, send)
