"""Transport of a client to an ASGI application in its own process.

`httpx.ASGITransport` hands a response over once it is whole; here its pieces come as they are made, so that
progress is told while there is any, and whoever leaves is noticed.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any

import httpx

Message = MutableMapping[str, Any]
App = Callable[[Any, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

ADDRESS = "http://localhost"
BROKEN = "the application ended before its response"


class _Exchange(httpx.AsyncByteStream):
    """A request as the application reads it, and the pieces of its response."""

    def __init__(self, body: bytes) -> None:
        self.begun: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._sent = asyncio.Queue[bytes | None]()
        self._left = asyncio.Event()
        self._body: bytes | None = body

    async def receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if not self.begun.done():
                self.begun.set_result(message)
            return
        self._sent.put_nowait(message.get("body", b""))
        if not message.get("more_body"):
            self._sent.put_nowait(None)

    def end(self) -> None:
        """No more comes."""
        if not self.begun.done():
            self.begun.set_exception(httpx.RemoteProtocolError(BROKEN))
        self._sent.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self._sent.get()) is not None:
            yield piece

    async def aclose(self) -> None:
        self._left.set()


class Inside(httpx.AsyncBaseTransport):
    """Hands requests to an application in this loop; closing it waits for what the application still does."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._under_way: set[asyncio.Task[None]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        exchange = _Exchange(await request.aread())
        task = asyncio.create_task(self._run(request, exchange))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            begun = await exchange.begun
        except BaseException:
            # As one who hangs up: the application is told, and ends what it has begun.
            await exchange.aclose()
            raise
        return httpx.Response(begun["status"], headers=begun["headers"], stream=exchange)

    async def _run(self, request: httpx.Request, exchange: _Exchange) -> None:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": request.url.scheme,
            "path": request.url.path,
            "raw_path": request.url.raw_path.partition(b"?")[0],
            "query_string": request.url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "server": (request.url.host, request.url.port),
            "client": None,
        }
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except Exception:
            pass
        finally:
            exchange.end()

    async def aclose(self) -> None:
        if self._under_way:
            await asyncio.wait(self._under_way)
