"""The MCP server over HTTP, behind the guard: each request is that of the person whom the door let in."""

import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from web.api import person, problems
from web.mcp.engine import Engine, MemberEngine
from web.mcp.server import server

MOST_BYTES = 2_000_000


class McpEndpoint:
    """ASGI application; it answers while `running`, which can be entered once.

    It keeps no session: every request brings its token, and nothing that one may do waits for another. The
    library's own check of Host and Origin stays off: the guard has made both, by the addresses of the site.
    """

    def __init__(self) -> None:
        self._manager = StreamableHTTPSessionManager(
            server(_of_request), stateless=True, max_request_body_size=MOST_BYTES
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # without sessions there is nothing to listen to nor to end
            told = problems.METHOD.format(method=scope["method"][:20])
            await problems.reply(scope, 405, told, {"Allow": "POST"})(scope, receive, send)
            return
        await self._manager.handle_request(scope, receive, send)


@contextlib.asynccontextmanager
async def _of_request(context: ServerRequestContext[Any, Any]) -> AsyncIterator[Engine]:
    assert isinstance(context.request, HTTPConnection)
    yield MemberEngine(person.member(context.request))
