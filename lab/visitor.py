"""A page as a browser opens it, without the browser: its HTTP request and its websocket.

Fragments with an interval run again at that interval, as in a browser.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileUploaderState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

LIMIT = 64 * 1024 * 1024
ANSWER = re.compile(r'href="/respuesta\?m=(\d+)')


class Lost(Exception):
    """The page's connection ended, or an awaited event did not come in time."""


@dataclass(eq=False)
class Visitor:
    """One open page; use it with `async with`.

    Attributes:
        page: name of the page in its address; '' is the chat.
        texts: HTML of the page, in order, since it was last drawn whole.
        inputs: key of a widget of ours to its id.
        runs: number of runs of the page's script.
    """

    address: str
    cookies: dict[str, str] = field(default_factory=dict)
    query: str = ""
    page: str = ""
    texts: list[str] = field(default_factory=list, init=False)
    inputs: dict[str, str] = field(default_factory=dict, init=False)
    runs: int = field(default=0, init=False)
    _page: str = field(default="", init=False)
    _files: list[Any] = field(default_factory=list, init=False)
    _drawn: bool = field(default=False, init=False)
    _socket: Any = field(default=None, init=False)
    _news: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _timers: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _reader: asyncio.Task[None] | None = field(default=None, init=False)

    async def __aenter__(self) -> Self:
        async with httpx.AsyncClient(base_url=self.address, timeout=60) as client:
            page = await client.get("/", headers={"Accept": "text/html", **self._cookie})
            page.raise_for_status()
            if "<title>Articulado" not in page.text or page.status_code != 200:
                raise Lost(f"no page at {self.address}: {page.status_code}")
        self._socket = await websockets.connect(
            f"{self.address.replace('http', 'ws', 1)}/_stcore/stream",
            origin=self.address,  # type: ignore[arg-type]
            subprotocols=["streamlit"],  # type: ignore[list-item]
            additional_headers=self._cookie,
            max_size=LIMIT,
            open_timeout=60,
            compression=None,
        )
        self._reader = asyncio.create_task(self._read())
        await self._send()
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
        before = self.newest
        started = time.perf_counter()
        await self.send_question(question)
        await self.until(lambda: self.still and self.newest > before, seconds)
        return time.perf_counter() - started

    async def send_question(self, question: str) -> None:
        await self._send("question", chat_input_value={"data": question})

    async def vote(self, key: str, thumb: int) -> None:
        """Press a thumb (0 down, 1 up) and wait for the page. Raises Lost."""
        await self._drawn_after(self._send(key, string_value=str(thumb)))

    async def press(self, key: str, **filled: str) -> None:
        """Press a button with these texts in the boxes of its form and wait for the page. Raises Lost."""
        texts = ((name, {"string_value": text}) for name, text in filled.items())
        await self._drawn_after(self._send(key, more=texts, trigger_value=True))

    async def upload(self, key: str, name: str, content: bytes) -> None:
        """Put a file into a box and wait for the page. Raises Lost, httpx.HTTPError."""
        message = BackMsg()
        message.file_urls_request.request_id, message.file_urls_request.file_names[:] = name, [name]
        self._files.clear()
        await self._socket.send(message.SerializeToString())
        await self.until(lambda: bool(self._files), 30)
        (place,) = self._files[0].file_urls
        async with httpx.AsyncClient(base_url=self.address, cookies=self.cookies, timeout=60) as client:
            await client.get("/_stcore/health")
            headers = {"Origin": self.address, "X-Xsrftoken": client.cookies["_streamlit_xsrf"]}
            sent = await client.put(place.upload_url, files={"file": (name, content)}, headers=headers)
            sent.raise_for_status()
        state = FileUploaderState()
        state.uploaded_file_info.add(name=name, size=len(content), file_id=place.file_id, file_urls=place)
        await self._drawn_after(self._send(key, file_uploader_state_value=state))

    async def _drawn_after(self, sending: Awaitable[None]) -> None:
        runs = self.runs
        await sending
        await self.until(lambda: self.runs > runs and self._drawn, 60)

    @property
    def _cookie(self) -> dict[str, str]:
        pairs = [f"{name}={value}" for name, value in self.cookies.items()]
        return {"Cookie": "; ".join(pairs)} if pairs else {}

    @property
    def newest(self) -> int:
        """Id of the newest stored answer on the page, refusals included, or 0; a draft has none.

        A count would not do: the page of a long conversation shows only the last of them.
        """
        return max((int(one) for text in self.texts for one in ANSWER.findall(text)), default=0)

    @property
    def still(self) -> bool:
        """True if the page is drawn and nothing on it runs by itself."""
        return self._drawn and not self._timers

    async def until(self, happened: Callable[[], bool], seconds: float) -> None:
        """Wait until a condition holds. Raises Lost."""
        deadline = time.monotonic() + seconds
        while not happened():
            left = deadline - time.monotonic()
            if left <= 0:
                raise Lost("it did not come in time")
            if self._reader is not None and self._reader.done():
                raise Lost("the connection ended")
            self._news.clear()
            with suppress(TimeoutError):
                # Not wait_for, which may swallow that the visit is cancelled.
                async with asyncio.timeout(min(left, 1)):
                    await self._news.wait()

    async def _send(
        self,
        key: str = "",
        fragment: str = "",
        more: Iterable[tuple[str, dict[str, Any]]] = (),
        **value: Any,
    ) -> None:
        """Have the page run, or one fragment of it, with new values of the widget `key` and of `more`."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string, rerun.page_script_hash = self.query, self._page
        if not self._page:
            rerun.page_name = self.page
        rerun.context_info.timezone = "Europe/Madrid"
        rerun.fragment_id, rerun.is_auto_rerun = fragment, bool(fragment)
        for name, given in (*more, *([(key, value)] if key else [])):
            rerun.widget_states.widgets.add(id=self.inputs[name], **given)
        await self._socket.send(message.SerializeToString())

    async def _read(self) -> None:
        async for data in self._socket:
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
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished":
            self.runs += 1
            self._drawn = True
        elif kind == "auto_rerun":
            name = message.auto_rerun.fragment_id
            self._stop_timers([name])
            self._timers[name] = asyncio.create_task(self._again(name, message.auto_rerun.interval))
        elif kind == "stop_auto_rerun":
            self._stop_timers(message.stop_auto_rerun.fragment_ids)
        elif kind == "file_urls_response":
            self._files.append(message.file_urls_response)
        elif kind == "delta":
            self._element(message.delta.new_element)

    def _element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind in ("html", "alert"):
            self.texts.append(getattr(element, kind).body)
        named = getattr(getattr(element, kind or "", None), "id", "")
        if isinstance(named, str) and named.startswith("$$ID-"):
            self.inputs[named.split("-", 2)[2]] = named

    async def _again(self, fragment: str, seconds: float) -> None:
        while True:
            await asyncio.sleep(seconds)
            with suppress(websockets.ConnectionClosed):
                await self._send(fragment=fragment)

    def _stop_timers(self, names: Iterable[str]) -> None:
        for name in names:
            timer = self._timers.pop(name, None)
            if timer is not None:
                timer.cancel()
