"""Clients of the API that are closed in the middle of a request."""

import asyncio
import threading

import httpx
import pytest

from articulado.clients.calls import Call
from articulado.clients.client import AsyncClient, Client

CALL = Call("norms", "GET", "/norms", params={}, body=None, on_event=None, key="", seconds=None)


class Slow(httpx.AsyncBaseTransport):
    """A server that never answers, and a connection that takes a moment to let a request go."""

    def __init__(self) -> None:
        self.begun, self.told = threading.Event(), list[str]()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(5):
                await asyncio.sleep(0)
            self.told.append("given up")
        raise AssertionError

    async def aclose(self) -> None:
        self.told.append("closed")


@pytest.mark.parametrize("interrupted", [True, False])
def test_a_connection_is_closed_after_the_request_that_uses_it_has_ended(interrupted: bool) -> None:
    slow = Slow()
    asynchronous = AsyncClient("http://localhost")
    asynchronous._http = httpx.AsyncClient(transport=slow, base_url="http://localhost")
    client = Client.__new__(Client)
    client._wait_for(asynchronous)
    asked = asyncio.run_coroutine_threadsafe(asynchronous._send(CALL), client._loop)
    assert slow.begun.wait(10)
    if interrupted:
        asked.cancel()
    client.close()
    assert slow.told == ["given up", "closed"]
