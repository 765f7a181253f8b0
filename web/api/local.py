"""The API on a socket inside a private folder, for the commands of people who may read the home.

A command that finds the index held by the running program asks it there. Who can open the socket could
read the home itself, so no token is asked for.
"""

import asyncio
import contextlib
import logging
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import uvicorn
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from articulado.clients.client import DOOR, DOOR_HEADER, POINTER
from domain.accounts import LOCAL
from web.api.person import named

DOORS = frozenset({DOOR, "mcp"})
"""Ways in that a request may name, for the audit log."""
START_SECONDS = 0.01
HAS_SOCKETS = hasattr(socket, "AF_UNIX")

logger = logging.getLogger("articulado.server")


@contextlib.asynccontextmanager
async def listening(api: ASGIApp, home: Path) -> AsyncIterator[None]:
    """Serve the API on a socket while inside; where there are none (Windows), nothing is done."""
    if not HAS_SOCKETS:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="articulado-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "api"
        config = uvicorn.Config(
            _LocalDoor(api), uds=str(path), lifespan="off", log_config=None, access_log=False
        )
        server = _Server(config)
        task = asyncio.create_task(_served(server))
        while not (server.started or task.done()):
            await asyncio.sleep(START_SECONDS)
        _point(home, str(path))
        try:
            yield
        finally:
            (home / POINTER).unlink(missing_ok=True)
            server.should_exit = True
            await task


class _Server(uvicorn.Server):
    """A server beside the one of the page, which alone is told of signals."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def _served(server: uvicorn.Server) -> None:
    try:
        await server.serve()
    except OSError as error:
        logger.warning("commands cannot reach the running program: %s", error)


def _point(home: Path, path: str) -> None:
    """Write the pointer in one step, so that no command reads half of it."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = home / f".{POINTER}"
    draft.write_text(path, "utf-8")
    draft.chmod(0o600)
    draft.replace(home / POINTER)


class _LocalDoor:
    """Makes every request that of the owner of the home."""

    def __init__(self, api: ASGIApp) -> None:
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = HTTPConnection(scope).headers.get(DOOR_HEADER, DOOR)
        door = told if told in DOORS else DOOR
        await self._api(named(scope, LOCAL, lambda: LOCAL, door), receive, send)
