"""An ASGI application that is made when its first request comes: the first page waits for none of it."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from service.program.once import Once


class Late:
    """The application that `make` returns; it is made in a thread."""

    def __init__(self, make: Callable[[], ASGIApp]) -> None:
        self._once = Once(make)
        self._made: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._made is None:
            self._made = await run_in_threadpool(self._once.get)
        await self._made(scope, receive, send)
