"""The address of the MCP server over HTTP; what answers there is imported when the first request comes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from service.program.once import Once
from web.api import problems

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager


class McpEndpoint:
    """ASGI application; it answers while `running`, which can be entered once."""

    def __init__(self) -> None:
        self._manager = Once(_manager)
        self._asked, self._ready = asyncio.Event(), asyncio.Event()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests while inside."""
        # A task of its own: what `run` enters can be left only where it was entered.
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        await self._asked.wait()
        async with self._manager.get().run():
            self._ready.set()
            await asyncio.Event().wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # without sessions there is nothing to listen to nor to end
            told = problems.METHOD.format(method=scope["method"][:20])
            await problems.reply(scope, 405, told, {"Allow": "POST"})(scope, receive, send)
            return
        if not self._ready.is_set():
            await run_in_threadpool(self._manager.get)
            self._asked.set()
            await self._ready.wait()
        await self._manager.get().handle_request(scope, receive, send)


def _manager() -> StreamableHTTPSessionManager:
    from web.mcp.manager import manager

    return manager()
