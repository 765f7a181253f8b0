"""The MCP server of requests over HTTP, each of which is that of the person whom the door let in."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import HTTPConnection

from articulado.clients.client import AsyncClient
from web.api.application import api
from web.api.person import of_person
from web.mcp.server import server

MOST_BYTES = 2_000_000


def manager() -> StreamableHTTPSessionManager:
    """The manager of those requests while its `run` is entered, which can be once.

    It keeps no session: every request brings its token, and nothing that one may do waits for another. The
    library's own check of Host and Origin stays off: the guard has made both, by the addresses of the site.
    """
    routes = api()

    @contextlib.asynccontextmanager
    async def of_request(context: ServerRequestContext[Any, Any]) -> AsyncIterator[AsyncClient]:
        assert isinstance(context.request, HTTPConnection)
        async with AsyncClient.inside(of_person(routes, context.request.scope)) as client:
            yield client

    return StreamableHTTPSessionManager(server(of_request), stateless=True, max_request_body_size=MOST_BYTES)
