"""The guard's answer to each request, over an application and services that only say what they were asked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import ArticuladoError
from domain.accounts import LOCAL, Identity, Role
from service.members.member import FORBIDDEN, MUST_CHANGE
from web import guard, uploads
from web.api.admission import Refused
from web.api.person import DOOR, IDENTIFY, WHO
from web.base import access
from web.headers import FORM_POLICY, FORM_REFERRER, PRIVATE, REFERRER
from web.own_machine import NOT_YOURS
from web.uploads import Uploads

LAWYER = Identity(id="a1", username="ana", name="Ana", roles=(Role.LAWYER,), session="s1")
HTML = (b"accept", b"text/html,*/*")
OWNERS = {"mine": ("a1", "s1"), "other": ("a1", "s2")}
FORGED = [(b"X-Articulado-Account", b"otra"), (b"x-articulado-session", b"otra"), (b"x-other", b"1")]


class World:
    """A guard with all that it asks, and what its application was given."""

    def __init__(self, who: Identity | None = LAWYER, mode: str = "password", **changes: Any) -> None:
        self.seen: list[dict[str, Any]] = []
        self.error: Exception | None = None
        self.begins = self.full = self.setup = False
        self.refused: Refused | None = None
        self.own = True
        self.machine = SimpleNamespace(
            key="k", lets_in=lambda scope: self.own, opens=lambda scope: scope["query_string"] == b"clave=k"
        )
        self.who = who
        site = {
            "mode": mode,
            "personal": mode == "personal",
            "secure": False,
            "serves": lambda scope: True,
            "is_own_origin": lambda scope: True,
        }
        self.site = SimpleNamespace(**site | changes)
        sessions = SimpleNamespace(identify=lambda token: LAWYER if token == "token" else None)
        services = SimpleNamespace(
            site=self.site,
            watch=SimpleNamespace(is_full=lambda who: self.full and who == self.who, over=self.over),
            identity=self.identity,
            token=lambda request: "token" if request.headers else "",
            accounts=lambda: SimpleNamespace(sessions=sessions),
            needs_setup=self.needs_setup,
        )
        self.guard = guard.Guard(
            self.app,
            services=services,  # type: ignore[arg-type]
            programs=SimpleNamespace(opened=self.opened),  # type: ignore[arg-type]
            page_owner=OWNERS.get,
            uploads=Uploads(OWNERS.get, lambda: None),  # type: ignore[arg-type,return-value]
            makers=lambda name: {"of-mine": ["other", "mine"], "of-other": ["other"]}.get(name, []),
            machine=self.machine,  # type: ignore[arg-type]
            policy="default-src 'streamlit'",
        )

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append(scope)
        if scope["type"] == "http" and (self.begins or not self.error):
            await send({"type": "http.response.start", "status": 200, "headers": []})
        if self.error:
            raise self.error
        if scope["type"] == "http":
            await send({"type": "http.response.body", "body": b"app"})
        elif scope["type"] == "websocket":
            assert (await receive())["type"] == "websocket.connect"
            await send({"type": "websocket.accept"})

    async def identity(self, request: Any) -> Identity | None:
        assert request.scope["path"]
        return self.who

    async def needs_setup(self) -> bool:
        return self.setup

    async def opened(self, scope: Any) -> Any:
        if self.refused:
            raise self.refused
        return {**scope, "opened": True}

    @asynccontextmanager
    async def over(self, who: Identity, receive: Any, send: Any) -> AsyncIterator[tuple[Any, Any]]:
        self.watched = who
        yield receive, send

    async def ask(
        self, path: str, kind: str = "http", method: str = "GET", headers: Any = (), **more: Any
    ) -> "Said":
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        scope = {"type": kind, "path": path, "headers": [*headers], "query_string": b"", **more}
        if kind == "http":
            scope["method"] = method
        await self.guard(scope, receive, send)  # type: ignore[arg-type]
        return Said(sent)


class Said:
    """Messages sent in answer to one request."""

    def __init__(self, sent: list[dict[str, Any]]) -> None:
        self.sent = sent
        self.headers = dict(sent[0].get("headers", ()))
        self.status = sent[0].get("status")
        self.text = b"".join(one.get("body", b"") for one in sent).decode()
        self.to = self.headers.get(b"location", b"").decode()


async def test_the_life_of_the_application_is_no_request() -> None:
    world = World(serves=lambda scope: False)
    await world.guard({"type": "lifespan"}, None, None)  # type: ignore[arg-type]
    assert world.seen == [{"type": "lifespan"}]


@pytest.mark.parametrize(("mode", "told"), [("personal", guard.ONLY_HERE), ("password", guard.ELSEWHERE)])
async def test_under_a_foreign_name_only_the_probes_are_answered(mode: str, told: str) -> None:
    world = World(mode=mode, serves=lambda scope: False)
    said = await world.ask("/")
    assert (said.status, said.text, world.seen) == (403, told, [])
    assert (await world.ask(access.ALIVE)).text == "app"
    assert (await world.ask(access.ALIVE, "websocket")).sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    ("method", "status"), [("GET", 200), ("HEAD", 200), ("POST", 403), ("PUT", 403), ("OPTIONS", 403)]
)
async def test_what_writes_has_to_come_from_our_own_page(method: str, status: int) -> None:
    said = await World(is_own_origin=lambda scope: False).ask("/", method=method)
    assert (said.status, said.text) == (status, "app" if status == 200 else guard.FOREIGN)


async def test_a_websocket_of_another_page_is_closed_before_it_opens() -> None:
    said = await World(is_own_origin=lambda scope: False).ask(access.STREAM, "websocket")
    assert said.sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    ("mode", "path", "answer"),
    [
        ("personal", access.SIGN_IN, (404, guard.UNKNOWN)),
        ("password", access.SIGN_IN, (200, "app")),
        ("password", access.OIDC_START, (404, guard.UNKNOWN)),
        ("oidc", access.OIDC_START, (200, "app")),
        ("personal", "/", (200, "app")),
    ],
)
async def test_the_ways_in_are_those_of_the_mode(mode: str, path: str, answer: tuple[int, str]) -> None:
    said = await World(mode=mode).ask(path)
    assert (said.status, said.text) == answer


async def test_an_open_address_is_asked_for_by_nobody() -> None:
    world = World()
    await world.ask(access.SIGN_IN, headers=FORGED)
    assert world.seen[0]["headers"] == [(b"x-other", b"1")]
    assert WHO not in world.seen[0]


async def test_the_application_is_told_who_asks_and_takes_no_name_from_the_request() -> None:
    world = World()
    await world.ask("/", headers=FORGED)
    (scope,) = world.seen
    assert scope["headers"] == [
        (b"x-other", b"1"),
        (b"x-articulado-account", b"a1"),
        (b"x-articulado-session", b"s1"),
    ]
    assert (scope[WHO], scope[IDENTIFY](), scope[DOOR]) == (LAWYER, LAWYER, "")


@pytest.mark.parametrize("path", ["/", "/copy.js", f"{access.PREFIX}/search", access.MCP])
async def test_without_accounts_a_process_of_somebody_else_is_let_in_nowhere(path: str) -> None:
    world = World(who=None, mode="personal")
    world.own = False
    said = await world.ask(path)
    assert (said.status, NOT_YOURS in said.text, world.seen) == (403, True, [])
    assert (await world.ask(access.STREAM, "websocket")).sent[-1] == {"type": "websocket.close", "code": 1008}
    assert (await world.ask(access.ALIVE)).text == "app"
    opened = await world.ask("/", query_string=b"clave=k")
    assert (opened.status, opened.to) == (303, "/")
    assert opened.headers[b"set-cookie"].startswith(b"articulado=k; HttpOnly; Path=/; SameSite=lax")


async def test_the_personal_mode_has_one_person() -> None:
    world = World(who=None, mode="personal")
    await world.ask("/")
    assert (world.seen[0][WHO], world.seen[0][IDENTIFY]()) == (LOCAL, LOCAL)
    said = await world.ask(access.STREAM, "websocket")
    assert said.sent == [{"type": "websocket.accept"}] and not hasattr(world, "watched")


async def test_an_open_page_is_watched() -> None:
    world = World()
    assert (await world.ask(access.STREAM, "websocket")).sent == [{"type": "websocket.accept"}]
    assert world.watched == LAWYER
    assert world.seen[0]["headers"][0] == (b"x-articulado-account", b"a1")


@pytest.mark.parametrize(
    ("setup", "path", "query", "to"),
    [
        (False, "/", b"", "/acceso"),
        (False, "/matters", b"", "/acceso?next=/matters"),
        (False, "/matters", b"id=7", "/acceso?next=/matters%3Fid%3D7"),
        (True, "/matters", b"", "/inicio"),
    ],
)
async def test_without_a_session_a_page_leads_to_the_way_in(
    setup: bool, path: str, query: bytes, to: str
) -> None:
    world = World(who=None)
    world.setup = setup
    for method in ("GET", "HEAD"):
        said = await world.ask(path, method=method, headers=[HTML], query_string=query)
        assert (said.status, said.to, world.seen) == (303, to, [])
    assert [
        (await world.ask(path, headers=[])).status,
        (await world.ask(path, method="POST", headers=[HTML])).status,
    ] == [401, 401]


@pytest.mark.parametrize("setup", [False, True])
async def test_without_a_session_anything_else_is_told_that_it_ended(setup: bool) -> None:
    world = World(who=None)
    world.setup = setup
    said = await world.ask("/print.css")
    assert (said.status, said.text) == (401, guard.ENDED)


@pytest.mark.parametrize(("offered", "chosen"), [(["streamlit", "x"], "streamlit"), ([], None)])
async def test_a_websocket_without_a_session_opens_only_to_say_why_it_closes(
    offered: list[str], chosen: Any
) -> None:
    said = await World(who=None).ask(access.STREAM, "websocket", subprotocols=offered)
    assert said.sent == [
        {"type": "websocket.accept", "subprotocol": chosen},
        {"type": "websocket.close", "code": 4401},
    ]


@pytest.mark.parametrize(
    ("path", "status", "text", "code"),
    [
        ("/users", 403, FORBIDDEN, None),
        ("/nowhere", 404, guard.UNKNOWN, 4403),
        (f"{access.UPLOAD}other/f", 403, uploads.NOT_YOUR_PAGE, None),
        (f"{access.UPLOAD}gone/f", 403, uploads.NOT_YOUR_PAGE, None),
        (f"{access.UPLOAD}mine/f", 200, "app", None),
        (f"{access.MEDIA}of-other", 404, guard.UNKNOWN, None),
        (f"{access.MEDIA}of-nobody", 404, guard.UNKNOWN, None),
        (f"{access.MEDIA}of-mine", 200, "app", None),
    ],
)
async def test_what_a_person_may_not_ask_for_is_refused(
    path: str, status: int, text: str, code: int | None
) -> None:
    said = await World().ask(path)
    assert (said.status, said.text) == (status, text)
    if code:
        closed = await World().ask(path, "websocket")
        assert closed.sent[-1] == {"type": "websocket.close", "code": code}


async def test_a_refused_page_is_a_page_that_leads_back() -> None:
    said = await World().ask("/users", headers=[HTML])
    assert said.status == 403
    assert FORBIDDEN in said.text and "No se puede abrir" in said.text
    assert 'href="/"' in said.text and "Volver al inicio" in said.text


async def test_a_password_that_must_be_changed_is_changed_first() -> None:
    world = World(LAWYER.model_copy(update={"must_change": True}))
    page, script = await world.ask("/", headers=[HTML]), await world.ask("/copy.js")
    assert (page.status, page.to) == (303, access.PASSWORD)
    assert (script.status, script.text) == (403, MUST_CHANGE)
    assert (await world.ask(access.STREAM, "websocket")).sent[-1]["code"] == 4403


async def test_an_account_with_too_many_pages_opens_no_more() -> None:
    world = World()
    world.full = True
    assert (await world.ask(access.STREAM, "websocket")).sent[-1] == {"type": "websocket.close", "code": 1013}
    assert (await world.ask("/")).status == 200


@pytest.mark.parametrize(
    ("error", "status", "trace"), [(ArticuladoError("x"), 503, False), (ValueError("x"), 500, True)]
)
async def test_a_failure_is_told_and_logged(
    error: Exception, status: int, trace: bool, caplog: pytest.LogCaptureFixture
) -> None:
    world = World()
    world.error = error
    said = await world.ask("/")
    assert (said.status, said.text) == (status, guard.OUT_OF_ORDER)
    assert caplog.messages == ["/ cannot be answered: x"]
    assert bool(caplog.records[0].exc_info) is trace
    assert (await world.ask(access.STREAM, "websocket")).sent[-1] == {"type": "websocket.close", "code": 1013}


async def test_a_failure_in_the_middle_of_a_reply_does_not_begin_another() -> None:
    world = World()
    world.error, world.begins = ValueError("x"), True
    with pytest.raises(ValueError, match="x"):
        await world.ask("/")


@pytest.mark.parametrize("path", [f"{access.PREFIX}/norms", access.MCP])
async def test_a_program_comes_in_by_its_token(path: str) -> None:
    world = World(who=None, is_own_origin=lambda scope: False)
    assert (await world.ask(path, method="POST", headers=FORGED)).text == "app"
    assert world.seen[0]["opened"] and world.seen[0]["headers"] == [(b"x-other", b"1")]
    world.refused = Refused(429, "Espere.", (("Retry-After", "7"),))
    said = await world.ask(path)
    assert (said.status, said.headers[b"retry-after"]) == (429, b"7") and "Espere." in said.text
    assert (await world.ask(path, "websocket")).sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("path", ["/api/v2/norms", f"{access.PREFIX}norms", f"{access.MCP}/x"])
async def test_there_are_no_other_addresses_for_programs(path: str) -> None:
    world = World()
    said = await world.ask(path, headers=[HTML])
    assert (said.status, world.seen) == (404, [])
    assert guard.UNKNOWN in said.text and b"problem+json" in said.headers[b"content-type"]


@pytest.mark.parametrize(
    ("path", "plain", "kept"),
    [
        ("/", False, b"no-store"),
        ("/acceso", True, b"no-store"),
        ("/static/x.js", False, None),
        (access.MCP, True, b"no-store"),
        (access.KEPT[0], True, PRIVATE[1]),
    ],
)
@pytest.mark.parametrize("secure", [False, True])
async def test_every_reply_has_the_headers_of_its_address(
    path: str, plain: bool, kept: bytes | None, secure: bool
) -> None:
    said = await World(secure=secure).ask(path)
    assert said.headers[b"content-security-policy"] == (FORM_POLICY if plain else b"default-src 'streamlit'")
    assert said.headers[b"referrer-policy"] == (FORM_REFERRER if plain else REFERRER)[1]
    assert said.headers[b"x-frame-options"] == b"DENY"
    assert said.headers.get(b"cache-control") == kept
    assert said.headers.get(b"strict-transport-security") == (b"max-age=31536000" if secure else None)
