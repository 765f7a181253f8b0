"""The MCP server of requests over HTTP, each of which is that of the person whom the door let in."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import HTTPConnection

from web.api import person
from web.mcp.engine import Engine, MemberEngine
from web.mcp.server import server

MOST_BYTES = 2_000_000


def manager() -> StreamableHTTPSessionManager:
    """The manager of those requests while its `run` is entered, which can be once.

    It keeps no session: every request brings its token, and nothing that one may do waits for another. The
    library's own check of Host and Origin stays off: the guard has made both, by the addresses of the site.
    """
    return StreamableHTTPSessionManager(server(_of_request), stateless=True, max_request_body_size=MOST_BYTES)


@contextlib.asynccontextmanager
async def _of_request(context: ServerRequestContext[Any, Any]) -> AsyncIterator[Engine]:
    assert isinstance(context.request, HTTPConnection)
    yield MemberEngine(person.member(context.request))
