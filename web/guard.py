"""The ASGI guard: rejects every request that the role table does not allow, and adds security headers.

Order of the checks: Host, Origin of writing requests, session, then the table in `access`. The personal
mode has one local person; the other modes take the person from the session cookie.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import ArticuladoError
from domain.accounts import LOCAL, Identity
from service.accounts.sign_in import ENDED
from service.members.member import FORBIDDEN, MUST_CHANGE
from web import html
from web.api import problems
from web.api.admission import Admission, Refused, refuse
from web.api.person import named
from web.base import access
from web.base.access import PREFIX, Verdict
from web.cookies import keep_session
from web.form_routes import FormServices
from web.frames import without_others
from web.headers import (
    FORM_POLICY,
    FORM_REFERRER,
    HSTS,
    NO_STORE,
    OPENER,
    PRIVATE,
    REFERRER,
    SECURITY,
    WITH_OPENER,
    with_headers,
)
from web.own_machine import NOT_YOURS, OwnMachine
from web.uploads import Owner, Uploads

SAFE_METHODS = frozenset({"GET", "HEAD"})
POLICY_VIOLATION, SESSION_ENDED, NOT_ALLOWED, TRY_LATER = 1008, 4401, 4403, 1013
ACCOUNT_HEADER, SESSION_HEADER = b"x-articulado-account", b"x-articulado-session"
"""Tell Streamlit account and login session: it hands a page session to no other (`trustedUserHeaders`)."""

ELSEWHERE = "Este servicio no atiende en esta dirección."
ONLY_HERE = "Articulado solo atiende a este equipo: abra http://localhost."
FOREIGN = "Solicitud rechazada: no procede de la página de Articulado."
UNKNOWN = "No existe esta dirección."
OUT_OF_ORDER = "Articulado no puede atenderle ahora mismo; inténtelo en unos segundos."

logger = logging.getLogger(__name__)


class Guard:
    """Middleware around the whole application.

    Args:
        programs: the door of the API and the MCP server.
        page_owner: gives the account and the login session that opened a Streamlit page session, by its id;
            None if not open.
        uploads: says which files a page may send.
        makers: gives the ids of the page sessions that made the file of that name.
        machine: says whose processes may ask where there are no accounts.
        policy: content security policy of Streamlit's pages.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        services: FormServices,
        programs: Admission,
        page_owner: Callable[[str], Owner | None],
        uploads: Uploads,
        makers: Callable[[str], Collection[str]],
        machine: OwnMachine,
        policy: str,
    ) -> None:
        self.app = app
        self.services = services
        self.programs = programs
        self.site = services.site
        self.watch = services.watch
        self.page_owner = page_owner
        self.uploads = uploads
        self.makers = makers
        self.machine = machine
        self.policy = policy.encode()
        self.open = access.OPEN if self.site.mode == "oidc" else access.OPEN - access.OIDC

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        reply = Reply(
            scope, receive, with_headers(send, self._headers(scope["path"]), secure=self.site.secure)
        )
        try:
            await self._check(scope, receive, reply)
        except Exception as error:
            known = isinstance(error, ArticuladoError)
            logger.error("%s cannot be answered: %s", scope["path"], error, exc_info=not known)
            if reply.begun:
                raise
            await reply.refuse(503 if known else 500, OUT_OF_ORDER, TRY_LATER)

    async def _check(self, scope: Scope, receive: Receive, reply: Reply) -> None:
        is_probe = scope["path"] in access.PROBES and scope["type"] == "http"
        if not (is_probe or self.site.serves(scope)):
            await reply.refuse(403, ONLY_HERE if self.site.personal else ELSEWHERE)
        elif self.site.personal and self.machine.opens(scope):
            await reply.admit(self.machine.key)
        elif self.site.personal and not is_probe and not self.machine.lets_in(scope):
            await reply.refuse(403, NOT_YOURS)
        elif access.is_for_programs(scope["path"]):
            await self._for_programs(scope, receive, reply)
        elif scope["path"] in access.ACCOUNT_ROUTES and self.site.personal:
            await reply.refuse(404, UNKNOWN)
        elif scope["path"] in access.OAUTH and scope["type"] == "http":
            await self.app(_named(scope, None), receive, reply.send)
        elif _writes(scope) and not self.site.is_own_origin(scope):
            await reply.refuse(403, FOREIGN)
        elif scope["path"] in self.open and scope["type"] == "http":
            await self.app(_named(scope, None), receive, reply.send)
        else:
            await self._behind_the_door(scope, receive, reply)

    async def _for_programs(self, scope: Scope, receive: Receive, reply: Reply) -> None:
        """A program's request: its token counts, and no session that a browser may hold."""
        known = scope["path"] in (access.MCP, f"{access.MCP}/") or scope["path"].startswith(f"{PREFIX}/")
        if scope["type"] == "websocket" or not known:
            await reply.refuse(404, UNKNOWN)
            return
        try:
            opened = await self.programs.opened(_named(scope, None))
        except Refused as refused:
            await refuse(refused, scope, receive, reply.send)
        else:
            await self.app(opened, receive, reply.send)

    async def _behind_the_door(self, scope: Scope, receive: Receive, reply: Reply) -> None:
        who = await self._identify(scope)
        if who is None:
            await self._send_to_sign_in(scope, reply)
            return
        found = access.verdict(scope["path"], scope.get("method", "WEBSOCKET"), who)
        if found is Verdict.MUST_CHANGE:
            await reply.lead_to(access.PASSWORD, 403, MUST_CHANGE, NOT_ALLOWED)
        elif found is Verdict.FORBIDDEN:
            await reply.refuse(403, FORBIDDEN, NOT_ALLOWED)
        elif found is Verdict.UNKNOWN:
            await reply.refuse(404, UNKNOWN, NOT_ALLOWED)
        elif refused := self.uploads.refusal(scope, who):
            await reply.refuse(*refused)
        elif not self._owns_media(scope["path"], who):
            await reply.refuse(404, UNKNOWN)
        elif scope["type"] == "websocket" and self.watch.is_full(who):
            await reply.refuse(503, OUT_OF_ORDER, TRY_LATER)
        else:
            await self._let_in(_named(scope, who), receive, reply.send, who)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send, who: Identity) -> None:
        if scope["type"] != "websocket":
            with self.uploads.coming(scope):
                await self.app(named(scope, who, self._identified(scope), ""), receive, send)
        elif self.site.personal:
            await self.app(scope, without_others(receive), send)
        else:
            async with self.watch.over(who, receive, send) as (watched_receive, watched_send):
                await self.app(scope, without_others(watched_receive), watched_send)

    async def _identify(self, scope: Scope) -> Identity | None:
        """The person of the request, or None."""
        return LOCAL if self.site.personal else await self.services.identity(HTTPConnection(scope))

    def _identified(self, scope: Scope) -> Callable[[], Identity | None]:
        """Tells who the holder of the browser's session is by now."""
        if self.site.personal:
            return lambda: LOCAL
        token = self.services.token(HTTPConnection(scope))
        return lambda: self.services.accounts().sessions.identify(token)

    async def _send_to_sign_in(self, scope: Scope, reply: Reply) -> None:
        if reply.wants_page and await self.services.needs_setup():
            await reply.lead_to(access.SETUP, 401, ENDED, SESSION_ENDED)
        else:
            await reply.lead_to(access.sign_in_address(_asked_for(scope)), 401, ENDED, SESSION_ENDED)

    def _owns_media(self, path: str, who: Identity) -> bool:
        """False for a file that no open page of this very session has made; it dies with the session."""
        if not path.startswith(access.MEDIA):
            return True
        made_by = map(self.page_owner, self.makers(path.removeprefix(access.MEDIA)))
        return (who.id, who.session) in made_by

    def _headers(self, path: str) -> list[tuple[bytes, bytes]]:
        plain = path in access.ACCOUNT_ROUTES or access.is_for_programs(path)
        policy = (b"content-security-policy", FORM_POLICY if plain else self.policy)
        opener = WITH_OPENER if path in access.TO_CONSENT else OPENER
        headers = [policy, FORM_REFERRER if plain else REFERRER, opener, *SECURITY]
        if path.startswith(access.KEPT):
            headers.append(PRIVATE)
        elif not access.is_cacheable(path):
            headers.append(NO_STORE)
        return [*headers, HSTS] if self.site.secure else headers


class Reply:
    """Answers one request; a refusal has the form that its sender understands: page, text or close code."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.receive = receive
        self.begun = False
        self._send = send

    async def send(self, message: Message) -> None:
        """Pass a message on; from then on the reply has begun."""
        self.begun = True
        await self._send(message)

    @property
    def wants_page(self) -> bool:
        """True for a browser that opens a page."""
        reads = self.scope["type"] == "http" and self.scope["method"] in SAFE_METHODS
        return reads and "text/html" in Headers(scope=self.scope).get("accept", "")

    async def refuse(self, status: int, text: str, code: int = POLICY_VIOLATION) -> None:
        """Refuse with an HTTP status, or a websocket with a close code."""
        if self.scope["type"] == "websocket":
            await self._close(code)
        elif access.is_for_programs(self.scope["path"]):
            await self._respond(problems.reply(self.scope, status, text))
        elif self.wants_page:
            await self._respond(
                html.page("No se puede abrir", html.link("/", "Volver al inicio"), lead=text, status=status)
            )
        else:
            await self._respond(PlainTextResponse(text, status))

    async def lead_to(self, address: str, status: int, text: str, code: int) -> None:
        """Redirect a browser that opens a page; refuse anything else."""
        if self.wants_page:
            await self._respond(RedirectResponse(address, 303))
        else:
            await self.refuse(status, text, code)

    async def admit(self, key: str) -> None:
        """Lead to the first page with the key in a cookie."""
        response = RedirectResponse("/", 303)
        keep_session(response, key, secure=False)
        await self._respond(response)

    async def _respond(self, response: Response) -> None:
        await response(self.scope, self.receive, self.send)

    async def _close(self, code: int) -> None:
        """Close a websocket. Our scripts read why from the code, which browsers show only after an accept."""
        await self.receive()
        if code != POLICY_VIOLATION:
            offered = self.scope.get("subprotocols") or [None]
            await self.send({"type": "websocket.accept", "subprotocol": offered[0]})
        await self.send({"type": "websocket.close", "code": code})


def _asked_for(scope: Scope) -> str:
    query = scope["query_string"].decode("latin-1")
    return f"{scope['path']}?{query}" if query else str(scope["path"])


def _writes(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS


def _named(scope: Scope, who: Identity | None) -> Scope:
    """The scope with the ids of account and login session in headers; those from the sender are dropped."""
    ours = {} if who is None else {ACCOUNT_HEADER: who.id.encode(), SESSION_HEADER: who.session.encode()}
    others = [pair for pair in scope["headers"] if pair[0].lower() not in (ACCOUNT_HEADER, SESSION_HEADER)]
    return {**scope, "headers": [*others, *ours.items()]}
