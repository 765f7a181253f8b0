"""A page as a browser opens it, without the browser: its HTTP request and its websocket.

What the page asks to be run again (a fragment every so often) is run again, as the browser does it.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

LIMIT = 64 * 1024 * 1024


class Lost(Exception):
    """The page's connection ended, or what was waited for did not come."""


class Visitor:
    """One open page; use it with `async with`.

    Attributes:
        tls: for an https address, whose certificates are believed.
        texts: HTML of the page, in order, since it was last drawn whole.
        inputs: key of a widget of ours to its id.
        pages: name in the address to Streamlit's name for the pages of the menu.
        runs: how often something was drawn; `received` counts bytes.
    """

    def __init__(
        self,
        address: str,
        cookies: dict[str, str] | None = None,
        query: str = "",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.address = address
        self.tls = tls
        self.query = query
        self.cookies = dict(cookies or {})
        self.texts: list[str] = []
        self.inputs: dict[str, str] = {}
        self.pages: dict[str, str] = {}
        self.runs = 0
        self.received = 0
        self._page = ""
        self._drawn = False
        self._socket: Any = None
        self._news = asyncio.Event()
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Visitor:
        async with httpx.AsyncClient(base_url=self.address, verify=self.tls or True, timeout=60) as client:
            page = await client.get("/", headers={"Accept": "text/html", **self._cookie})
            page.raise_for_status()
            if "<title>Articulado" not in page.text or page.status_code != 200:
                raise Lost(f"no page at {self.address}: {page.status_code}")
        where = urlsplit(self.address)
        self._socket = await websockets.connect(
            f"{where.scheme.replace('http', 'ws', 1)}://{where.netloc}/_stcore/stream",
            origin=f"{where.scheme}://{where.netloc}",  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers=self._cookie,
            ssl=self.tls,
            max_size=LIMIT,
            open_timeout=60,
            compression=None,
        )
        self._reader = asyncio.create_task(self._read())
        await self._rerun()
        await self.until(lambda: self.runs >= 1, 60)
        return self

    async def __aexit__(self, *_: object) -> None:
        for timer in self._timers.values():
            timer.cancel()
        if self._reader is not None:
            self._reader.cancel()
        with suppress(Exception):
            await self._socket.close()

    async def ask(self, question: str, seconds: float = 120) -> float:
        """Seconds from sending a question to its stored answer on the page.

        Raises:
            Lost: it did not come in time, or the connection ended.
        """
        before = self.answers
        started = time.perf_counter()
        await self.send_question(question)
        await self.until(lambda: self.still and self.answers > before, seconds)
        return time.perf_counter() - started

    async def send_question(self, question: str) -> None:
        message = BackMsg()
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id = self.inputs["question"]
        widget.chat_input_value.data = question
        await self._send(message)

    async def vote(self, key: str, thumb: int, seconds: float = 30) -> None:
        """Press a thumb (0 down, 1 up) and wait for the page. Raises Lost."""
        message = BackMsg()
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id = self.inputs[key]
        widget.string_value = str(thumb)
        await self._and_wait(message, seconds)

    async def press(self, key: str, seconds: float = 30) -> None:
        """Press a button and wait for the page. Raises Lost."""
        message = BackMsg()
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id = self.inputs[key]
        widget.trigger_value = True
        await self._and_wait(message, seconds)

    async def go(self, page: str, query: str = "", seconds: float = 60) -> None:
        """Open another page of the menu by the name in its address. Raises Lost."""
        self._page, self.query = self.pages[page], query
        await self._and_wait(BackMsg(), seconds)

    async def _and_wait(self, message: BackMsg, seconds: float) -> None:
        runs = self.runs
        await self._send(message)
        await self.until(lambda: self.runs > runs and self._drawn, seconds)

    @property
    def _cookie(self) -> dict[str, str]:
        pairs = [f"{name}={value}" for name, value in self.cookies.items()]
        return {"Cookie": "; ".join(pairs)} if pairs else {}

    @property
    def answers(self) -> int:
        """How many stored answers the page shows, refusals included."""
        return sum('class="art-answer"' in text for text in self.texts)

    @property
    def still(self) -> bool:
        """Whether the page is drawn and nothing on it runs by itself."""
        return self._drawn and not self._timers

    async def until(self, happened: Callable[[], bool], seconds: float) -> None:
        """Wait until something is so. Raises Lost."""
        deadline = time.monotonic() + seconds
        while not happened():
            left = deadline - time.monotonic()
            if left <= 0:
                raise Lost("it did not come in time")
            if self._reader is not None and self._reader.done():
                raise Lost("the connection ended")
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), min(left, 1))

    async def _rerun(self, fragment: str = "") -> None:
        message = BackMsg()
        message.rerun_script.fragment_id = fragment
        message.rerun_script.is_auto_rerun = bool(fragment)
        await self._send(message)

    async def _send(self, message: BackMsg) -> None:
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self._page
        message.rerun_script.context_info.timezone = "Europe/Madrid"
        await self._socket.send(message.SerializeToString())

    async def _read(self) -> None:
        async for data in self._socket:
            self.received += len(data)
            self._take(ForwardMsg.FromString(data))
            self._news.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._page = message.new_session.page_script_hash
            if not message.metadata.run.fragment_ids:
                self._drawn = False
                self.texts.clear()
                self._stop_timers(list(self._timers))
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished":
            self.runs += 1
            self._drawn = True
        elif kind == "auto_rerun":
            name = message.auto_rerun.fragment_id
            self._stop_timers([name])
            self._timers[name] = asyncio.create_task(self._again(name, message.auto_rerun.interval))
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "stop_auto_rerun":
            self._stop_timers(message.stop_auto_rerun.fragment_ids)
        elif kind == "delta":
            self._element(message.delta.new_element)

    def _element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "html":
            self.texts.append(element.html.body)
        elif kind == "alert":
            self.texts.append(element.alert.body)
        named = getattr(getattr(element, kind or "", None), "id", "")
        if isinstance(named, str) and named.startswith("$$ID-"):
            self.inputs[named.split("-", 2)[2]] = named

    async def _again(self, fragment: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            with suppress(websockets.ConnectionClosed):
                await self._rerun(fragment)

    def _stop_timers(self, names: Iterable[str]) -> None:
        for name in names:
            timer = self._timers.pop(name, None)
            if timer is not None:
                timer.cancel()
