"""The MCP server over a real program: in this process, or over HTTP on this machine with its door."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from starlette.applications import Starlette
from starlette.routing import Route

import rag.run.runs
from articulado.clients.client import AsyncClient
from rag.shared.state import Event
from service.program import assembly
from service.program.assembly import App
from tests.api_app import doored
from web.api.application import api
from web.api.person import of_owner
from web.base import access
from web.mcp.http import McpEndpoint
from web.mcp.server import server

MODES = ("auto", "legacy")
"""With and without sessions, as the protocol has them since 2026-07-28 and had them before."""
VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"


def inside(program: App, mode: str = "auto") -> Client:
    """A client of the server in this process, whose person is that of the machine."""

    @asynccontextmanager
    async def asking(_: Any) -> AsyncIterator[AsyncClient]:
        async with AsyncClient.inside(of_owner(api(), "mcp", program)) as client:
            yield client

    return Client(server(asking), mode=mode)


@contextmanager
def serving(program: App, per_minute: int = 0) -> Iterator[str]:
    """The address of the server over HTTP, behind the door of programs."""
    endpoint = McpEndpoint()
    app = Starlette(routes=[Route(access.MCP, endpoint)], lifespan=lambda _: endpoint.running())
    listening = socket.create_server(("127.0.0.1", 0))
    web = uvicorn.Server(uvicorn.Config(doored(app, program, per_minute), log_config=None, access_log=False))
    thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]})
    assembly.override(program)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{access.MCP}"
    finally:
        web.should_exit = True
        thread.join()
        listening.close()
        assembly.override(None)


@asynccontextmanager
async def over_http(address: str, token: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    """A client of a server over HTTP."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with (
        create_mcp_http_client(headers) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        yield client


def text(result: Any) -> str:
    """The text of a result with one."""
    (content,) = result.content
    return str(content.text)


def refusal(result: Any) -> str:
    """The sentence of a tool's error."""
    told = text(result)
    assert result.is_error, told
    assert result.structured_content is None
    assert "Traceback" not in told
    assert len(told.splitlines()) == 1
    return told


@dataclass
class Endless:
    """Answers that begin and never end, in place of the real ones."""

    begun: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, *_: object, on_event: Callable[[Event], None], **__: object) -> None:
        on_event(Event("stage_started", "search"))
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped.set()

    @classmethod
    def put(cls, monkeypatch: pytest.MonkeyPatch) -> Endless:
        made = cls()
        monkeypatch.setattr(rag.run.runs, "consult", made)
        return made

    async def cancelled(self, connected: AbstractAsyncContextManager[Client]) -> bool:
        """True if an answer is stopped when its call is cancelled and the client stays."""
        async with connected as client:
            await self._begun_and_cancelled(client)
            return await asyncio.to_thread(self.stopped.wait, 30)

    async def left(self, connected: AbstractAsyncContextManager[Client]) -> bool:
        """True if an answer is stopped when its client leaves."""
        async with connected as client:
            await self._begun_and_cancelled(client)
        return await asyncio.to_thread(self.stopped.wait, 30)

    async def _begun_and_cancelled(self, client: Client) -> None:
        call = asyncio.create_task(client.call_tool("ask", {"question": VACATIONS}))
        assert await asyncio.to_thread(self.begun.wait, 30)
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call
