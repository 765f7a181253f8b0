"""Addresses of programs behind the guard of the whole application, and the API on the socket of the home."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.websockets import WebSocketDisconnect

from domain.accounts import Role, Scope
from service.program.assembly import App
from tests.api_app import events
from tests.conftest import DATA
from tests.homes import overriding
from tests.model_replies import says
from tests.model_server import ModelServer
from tests.scripted import QUESTION
from tests.web_app import LOCAL, WebApp, web_app
from web.api import local
from web.api.application import api
from web.base import access

HEALTH = f"{access.PREFIX}/health"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    with web_app(tmp_path_factory.mktemp("door")) as made:
        made.add("jefa", Role.ADMIN)
        made.add("ana")
        made.add("nueva", must_change=True)
        yield made


def secret(web: WebApp, username: str = "ana") -> str:
    who = web.accounts.sessions.identify(web.signed_in(username).token)
    assert who is not None
    return web.accounts.tokens.create(who, "Prueba", [Scope.READ], 30).secret


def refused(reply: Any, status: int) -> None:
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json"), (
        reply.text
    )
    assert reply.json()["request_id"] == reply.headers["x-request-id"]


def test_a_token_opens_the_api_and_no_page(shared: WebApp) -> None:
    headers = {"authorization": f"Bearer {secret(shared)}"}
    shared.client.cookies.clear()
    assert shared.client.get(HEALTH, headers=headers).status_code == 200
    for path in ("/", "/normativa", "/account", "/sesion", "/_stcore/host-config"):
        assert shared.client.get(path, headers=headers).status_code in (303, 401), path


@pytest.mark.parametrize("path", [HEALTH, access.MCP])
def test_the_session_of_a_browser_does_not_open_it(shared: WebApp, path: str) -> None:
    refused(shared.signed_in("ana").get(path), 401)


def test_a_token_of_somebody_who_must_change_the_password_opens_nothing(shared: WebApp) -> None:
    made = secret(shared, "nueva")
    shared.client.cookies.clear()
    refused(shared.client.get(HEALTH, headers={"authorization": f"Bearer {made}"}), 403)


@pytest.mark.parametrize("path", [HEALTH, access.MCP])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://malo.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"host": "malo.example"},
    ],
    ids=str,
)
def test_another_site_does_not_reach_it_even_with_a_token(
    shared: WebApp, headers: dict[str, str], path: str
) -> None:
    shared.client.cookies.clear()
    reply = shared.client.get(path, headers={"authorization": f"Bearer {secret(shared)}"} | headers)
    refused(reply, 403)
    assert "access-control-allow-origin" not in reply.headers


def test_no_other_site_is_told_that_it_may_ask(shared: WebApp) -> None:
    asked = {"origin": "https://malo.example", "access-control-request-method": "POST"}
    reply = shared.client.options("/api/v1/ask", headers=asked)
    assert not [name for name in reply.headers if name.startswith("access-control")]
    assert reply.status_code == 403


@pytest.mark.parametrize("path", ["/api/", "/api/v1", "/api/v2/health", "/api//v1/health"])
def test_unknown_addresses_for_programs_are_problems(shared: WebApp, path: str) -> None:
    shared.client.cookies.clear()
    refused(shared.client.get(path, headers={"authorization": f"Bearer {secret(shared)}"}), 404)


def test_the_api_has_no_websocket(shared: WebApp) -> None:
    where = "ws://localhost:8501/api/v1/ask"
    with (
        pytest.raises(WebSocketDisconnect),
        shared.client.websocket_connect(where, headers={"origin": LOCAL}),
    ):
        pass


# The socket of the home


@asynccontextmanager
async def through_the_home(home: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the socket that the home points to."""
    async with local.listening(api(), home):
        path = (home / local.POINTER).read_text("utf-8")
        assert Path(path).parent.stat().st_mode & 0o077 == 0
        assert (home / local.POINTER).stat().st_mode & 0o077 == 0
        for _ in range(1000):
            if Path(path).exists():
                break
            await asyncio.sleep(0.01)
        transport = httpx.AsyncHTTPTransport(uds=path)
        async with httpx.AsyncClient(transport=transport, base_url="http://home", timeout=30) as client:
            yield client
    assert not (home / local.POINTER).exists()
    assert not Path(path).exists()


@pytest.fixture
def program(server: ModelServer, make_program: Any) -> Iterator[App]:
    made = make_program([DATA], openai_base_url=server.url, model_retries=0)
    with overriding(made):
        yield made


async def test_whoever_reads_the_home_asks_the_running_program_without_a_token(program: App) -> None:
    async with through_the_home(program.home) as client:
        reply = await client.post("/ask", json={"question": QUESTION})
        assert reply.status_code == 200
        assert reply.json()["citations"][0]["verified"] is True


@pytest.mark.parametrize(("on_leave", "stops"), [("stop", True), ("keep", False)])
async def test_a_client_that_leaves_in_mid_answer_stops_it_unless_it_is_to_be_kept(
    program: App, server: ModelServer, on_leave: str, stops: bool
) -> None:
    server.script(answer=[says("{}", wait=5.0)])
    asked = {"question": QUESTION, "conversation": "new"}
    stream = {"accept": "text/event-stream"}
    async with through_the_home(program.home) as client:
        where = {"params": {"on_leave": on_leave}, "headers": stream, "json": asked}
        async with client.stream("POST", "/ask", **where) as reply:
            async for line in reply.aiter_lines():
                if '"answer"' in line:
                    break
        (current,) = program.runs._runs.values() if program.runs.under_way else (None,)
        assert current is not None
        if stops:
            assert await asyncio.to_thread(current.done.wait, 4.0), "it went on without anybody"
        else:
            await asyncio.sleep(0)
            assert current.alive
            program.runs.stop(current.owner, current.message_id)
            assert await asyncio.to_thread(current.done.wait, 20.0)
    assert current.cancelled


async def test_the_stream_over_the_socket_comes_piece_by_piece(program: App) -> None:
    async with through_the_home(program.home) as client:
        stream = {"accept": "text/event-stream"}
        seen = []
        async with client.stream("POST", "/ask", headers=stream, json={"question": QUESTION}) as reply:
            async for text in reply.aiter_text():
                seen.append(text)
    assert len(seen) > 3
    assert events("".join(seen))[-1][0] == "result"
