"""Closes open pages when their session ends: one look at all every two seconds, and at once on sign-out."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from starlette.concurrency import run_in_threadpool
from starlette.types import Message, Receive, Send

from core.errors import ArticuladoError
from domain.accounts import Identity
from service.accounts.sessions import Sessions

SESSION_ENDED = 4401
INTERVAL = 2.0  # seconds between two looks
MOST_PAGES = 100
"""Open pages of one account: each takes memory, and a thread while it is drawn."""
CLOSE_SECONDS = 5.0
"""Longest wait for a browser that no longer reads, so that it does not delay the others."""

logger = logging.getLogger(__name__)


class Page:
    """One open websocket."""

    def __init__(self, who: Identity, receive: Receive, send: Send) -> None:
        self.who = who
        self._receive = receive
        self._send = send
        self._ended = asyncio.Event()

    async def receive(self) -> Message:
        """The browser's next message; a disconnect once the session has ended."""
        coming = asyncio.ensure_future(self._receive())
        ending = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait({coming, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not self._ended.is_set():
                return coming.result()
            return {"type": "websocket.disconnect", "code": SESSION_ENDED}
        finally:
            ending.cancel()
            if not coming.done():
                coming.cancel()

    async def send(self, message: Message) -> None:
        """Send a message, or drop it once the session has ended."""
        if not self._ended.is_set():
            await self._send(message)

    async def end(self) -> None:
        """Close the websocket with SESSION_ENDED."""
        if not self._ended.is_set():
            self._ended.set()
            with suppress(Exception):  # the browser may be gone already
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._send({"type": "websocket.close", "code": SESSION_ENDED})


class Watch:
    """The open pages of this process. Its looks do not count as use of a session."""

    def __init__(self, sessions: Callable[[], Sessions]) -> None:
        self._sessions = sessions
        self._pages: set[Page] = set()
        self._round: asyncio.Task[None] | None = None

    def is_full(self, who: Identity) -> bool:
        """True when the account has MOST_PAGES open."""
        return sum(page.who.id == who.id for page in self._pages) >= MOST_PAGES

    @asynccontextmanager
    async def over(self, who: Identity, receive: Receive, send: Send) -> AsyncIterator[tuple[Receive, Send]]:
        """Watch one websocket; gives the functions to talk through instead of the given ones."""
        page = Page(who, receive, send)
        self._pages.add(page)
        if self._round is None:
            self._round = asyncio.create_task(self._rounds())
        try:
            yield page.receive, page.send
        finally:
            self._pages.discard(page)
            if not self._pages and self._round is not None:
                self._round.cancel()
                self._round = None

    async def look(self) -> None:
        """Close the pages whose session has ended."""
        shown = {page.who.session for page in self._pages}
        try:
            alive = await run_in_threadpool(lambda: self._sessions().alive(shown))
        except ArticuladoError as error:
            logger.warning("sessions of open pages cannot be looked up: %s", error)
            return
        ended = shown - alive
        await asyncio.gather(*(page.end() for page in self._pages if page.who.session in ended))

    async def _rounds(self) -> None:
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                await self.look()
            except Exception:
                logger.exception("open pages could not be looked at; trying again")
