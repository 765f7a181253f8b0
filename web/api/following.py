"""Work in other threads, followed by a coroutine and sent on as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Protocol

from fastapi.sse import format_sse_event
from pydantic import BaseModel

EVENTS = "text/event-stream"
BEAT_SECONDS = 15.0
"""Longest silence of a stream: proxies close those that say nothing."""


class Followed(Protocol):
    """Something under way that tells of its changes."""

    @property
    def alive(self) -> bool: ...

    def listen(self, listener: Callable[[], None]) -> None: ...


async def changes(work: Followed, beat: float = BEAT_SECONDS) -> AsyncIterator[bool]:
    """True after each change of the work and at its end, False after each `beat` seconds without any.

    Changes between two of them count as one.
    """
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        with suppress(RuntimeError):  # the loop has been closed: nobody follows any more
            loop.call_soon_threadsafe(changed.set)

    work.listen(tell)
    changed.set()
    while True:
        try:
            # Not `wait_for`: in Python 3.11 it loses a cancellation that comes together with a change.
            async with asyncio.timeout(beat):
                await changed.wait()
        except TimeoutError:
            yield False
            continue
        changed.clear()
        # Read before the change is told: what follows this is told once more.
        alive = work.alive
        yield True
        if not alive:
            return


def event(name: str, data: BaseModel | dict[str, Any]) -> bytes:
    """An event whose data is one line of JSON."""
    document = data if isinstance(data, BaseModel) else _Data.model_validate(data)
    found: bytes = format_sse_event(event=name, data_str=document.model_dump_json(by_alias=True))
    return found


class _Data(BaseModel):
    model_config = {"extra": "allow"}


PING = b": \n\n"
