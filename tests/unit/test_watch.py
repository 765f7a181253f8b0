"""A page whose session has ended is closed for the browser and for the application behind it."""

import asyncio
from collections.abc import Collection
from typing import Any

import pytest

from core.errors import StorageError
from domain.accounts import LOCAL, Identity
from web import watch as watch_module
from web.watch import SESSION_ENDED, Watch

ANA = Identity(id="ana", username="ana", name="Ana", roles=LOCAL.roles, session="s1")
OTHER_TAB = ANA.model_copy(update={"session": "s2"})


class Sessions:
    """Live sessions; `broken` behaves as a database that is gone."""

    def __init__(self, *alive: str) -> None:
        self.alive_ids = set(alive)
        self.broken = False

    def alive(self, session_ids: Collection[str]) -> set[str]:
        if self.broken:
            raise StorageError("gone")
        return self.alive_ids & set(session_ids)


async def silent() -> Any:
    await asyncio.Event().wait()


async def test_the_application_is_told_that_the_browser_is_gone_and_sends_no_more() -> None:
    sessions, sent = Sessions("s1"), []

    async def send(message: Any) -> None:
        sent.append(message)

    watch = Watch(lambda: sessions)
    async with watch.over(ANA, silent, send) as (receive, guarded_send):
        waiting = asyncio.create_task(receive())
        await watch.look()
        assert not waiting.done()
        sessions.alive_ids.clear()
        await watch.look()
        assert await waiting == {"type": "websocket.disconnect", "code": SESSION_ENDED}
        await guarded_send({"type": "websocket.send", "bytes": b"late"})
        await watch.look()
        assert sent == [{"type": "websocket.close", "code": SESSION_ENDED}]


async def test_only_the_pages_of_the_session_that_ended_are_closed() -> None:
    sessions, sent = Sessions("s2"), []

    async def send(message: Any) -> None:
        sent.append(message)

    watch = Watch(lambda: sessions)
    async with watch.over(ANA, silent, send), watch.over(OTHER_TAB, silent, silent):
        await watch.look()
    assert len(sent) == 1


async def test_a_database_that_is_gone_for_a_moment_closes_nothing() -> None:
    sessions, sent = Sessions(), []
    sessions.broken = True

    async def send(message: Any) -> None:
        sent.append(message)

    watch = Watch(lambda: sessions)
    async with watch.over(ANA, silent, send):
        await watch.look()
        assert sent == []
        sessions.broken = False
        await watch.look()
        assert sent


async def test_a_browser_that_no_longer_reads_does_not_delay_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch_module, "CLOSE_SECONDS", 0.01)
    sessions, sent = Sessions("s1", "s2"), []

    async def send(message: Any) -> None:
        sent.append(message)

    watch = Watch(lambda: sessions)
    async with watch.over(ANA, silent, lambda _: silent()), watch.over(OTHER_TAB, silent, send):
        sessions.alive_ids.clear()
        async with asyncio.timeout(5):
            await watch.look()
    assert [message["type"] for message in sent] == ["websocket.close"]


async def test_looking_goes_on_after_something_unforeseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch_module, "INTERVAL", 0)
    closed = asyncio.Event()
    failures = iter([RuntimeError("unforeseen")])

    class Odd(Sessions):
        def alive(self, session_ids: Collection[str]) -> set[str]:
            for failure in failures:
                raise failure
            return set()

    async def send(message: Any) -> None:
        closed.set()

    async with Watch(Odd).over(ANA, silent, send), asyncio.timeout(5):
        await closed.wait()


async def test_messages_of_the_browser_go_through_in_order() -> None:
    messages: asyncio.Queue[Any] = asyncio.Queue()
    for number in range(3):
        messages.put_nowait(number)
    watch = Watch(lambda: Sessions("s1"))
    async with watch.over(ANA, messages.get, silent) as (receive, _):
        assert [await receive() for _ in range(3)] == [0, 1, 2]
