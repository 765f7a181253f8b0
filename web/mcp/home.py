"""The MCP server of a home, for an assistant on this machine that starts it and speaks over stdio."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server

from articulado.clients.client import AsyncClient
from articulado.clients.errors import Unreachable
from service.config import Settings
from service.program import assembly
from service.program.assembly import App
from web.api.application import api
from web.api.person import of_owner
from web.mcp.server import server

DOOR = "mcp"
IDLE_SECONDS = 20.0
"""An assistant keeps its servers all day: after this time without a call, the page may have the index."""


async def serve(chosen: Settings) -> None:
    """Serve over standard input and output until the input ends."""
    home = HomeEngines(chosen)
    made = server(home.engine)
    try:
        async with stdio_server() as (read, write):
            await made.run(read, write, made.create_initialization_options())
    finally:
        await home.close()


class HomeEngines:
    """Clients of a home: of its running program or, while there is none, of one that is opened here."""

    def __init__(self, chosen: Settings, idle: float = IDLE_SECONDS) -> None:
        """Wire it; `idle` is in seconds."""
        self._settings = chosen
        self._idle = idle
        self._routes = api()
        self._lock = asyncio.Lock()
        self._opening: asyncio.Task[App] | None = None
        self._uses = 0
        self._turn = 0
        self._rests: set[asyncio.Task[None]] = set()

    @property
    def opened(self) -> bool:
        """True while the home is open here."""
        return self._opening is not None

    @contextlib.asynccontextmanager
    async def engine(self, _: ServerRequestContext[Any, Any] | None = None) -> AsyncIterator[AsyncClient]:
        """The client for one request. Raises ConfigurationError, StorageError: the home cannot be opened."""
        async with contextlib.AsyncExitStack() as inside:
            try:
                client = AsyncClient.of_home(self._settings.articulado_home, door=DOOR)
            except Unreachable:
                program = await inside.enter_async_context(self._used())
                client = AsyncClient.inside(of_owner(self._routes, DOOR, program))
            yield await inside.enter_async_context(client)

    @contextlib.asynccontextmanager
    async def _used(self) -> AsyncIterator[App]:
        """The home, open here while inside and for a while after it."""
        self._uses += 1
        self._turn += 1
        try:
            yield await self._open()
        finally:
            self._uses -= 1
            if not self._uses:
                rest = asyncio.create_task(self._rest(self._turn))
                self._rests.add(rest)
                rest.add_done_callback(self._rests.discard)

    async def close(self) -> None:
        """Close the home if it is open here; for when nothing asks any more."""
        for rest in self._rests:
            rest.cancel()
        await self._close()

    async def _open(self) -> App:
        async with self._lock:
            if self._opening is None or (self._opening.done() and self._opening.exception()):
                self._opening = asyncio.create_task(asyncio.to_thread(self._made))
            opening = self._opening
        # A caller that leaves meanwhile leaves a home that is open, for others and to be closed.
        return await asyncio.shield(opening)

    def _made(self) -> App:
        program = assembly.build(self._settings)
        if not program.database.corpus.norms():
            program.load_demo()
        return program

    async def _rest(self, turn: int) -> None:
        await asyncio.sleep(self._idle)
        async with self._lock:
            if turn == self._turn:
                await self._close()

    async def _close(self) -> None:
        opening, self._opening = self._opening, None
        if opening is None:
            return
        await asyncio.wait([opening])
        if opening.exception() is None:
            await asyncio.to_thread(opening.result().close)
