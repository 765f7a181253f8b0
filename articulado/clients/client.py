"""Clients of a running Articulado, over HTTP by address and token or over the socket of a home."""

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
from httpx_sse import EventSource, ServerSentEvent, SSEError

from articulado.clients.calls import Call, Json
from articulado.clients.errors import ApiProblem, Unreachable
from articulado.clients.inside import ADDRESS, Inside
from articulado.clients.inside import App as AsgiApp
from articulado.clients.operations import Operations
from core.errors import ArticuladoError, ConfigurationError
from core.hosts import is_loopback, on_this_machine, server

T = TypeVar("T")

URL, PREFIX = "http://127.0.0.1:8501", "/api/v1"
POINTER = "socket"
"""File in a home that says where its socket is: paths of sockets are too short for some homes."""
KEY_FILE = ".key"
"""File in a home with the key of the running program, which the personal mode may ask for."""
DOOR, DOOR_HEADER = "cli", "x-articulado-door"
"""Way in that the audit log names for a request over a socket that tells no other, and how it tells."""
SILENCE_SECONDS, CONNECT_SECONDS = 60.0, 5.0
RESULT, PROBLEM = "result", "problem"
NOT_AN_ADDRESS = "«{url}» no es la dirección de un Articulado: escríbala como https://articulado.example."
IN_CLEAR = "El token viajaría sin cifrar a {url}: use una dirección https."
BAD_TOKEN = "El token no se puede enviar: cópielo de nuevo, sin espacios, al crearlo en «Mi cuenta»."
NOT_RUNNING = "Ningún Articulado en marcha atiende en la carpeta {home}: inícielo y vuelva a intentarlo."
NOBODY = "No se puede conectar con Articulado en {where}: compruebe la dirección y que está en marcha."
CUT = "Articulado ha dejado de responder antes de terminar: compruebe que sigue en marcha y repita la orden."
NOT_OURS = "Lo que atiende en {where} no responde como Articulado: compruebe la dirección."


class AsyncClient(Operations[Awaitable[Json]]):
    """Asks without blocking the event loop; closed with `async with`. Callbacks run in the loop."""

    def __init__(
        self,
        url: str = URL,
        token: str = "",
        *,
        seconds: float = SILENCE_SECONDS,
        uds: str = "",
        door: str = DOOR,
    ) -> None:
        """Wire it; nothing is sent.

        Args:
            token: of the page «Mi cuenta»; the personal mode asks for none.
            seconds: longest silence of the server; what is streamed says something every fifteen.
            uds: path of a socket on which the API is served without a prefix; `of_home` finds it.
            door: name of this way in, for the audit log of a program that is reached by its socket.

        Raises:
            ConfigurationError: the address or the token cannot be used, or the token would travel in clear.
        """
        _check(url, token)
        self._where = url
        self._asking: set[asyncio.Task[Any] | None] = set()
        base = url.rstrip("/").removesuffix(PREFIX) + ("" if uds else PREFIX)
        headers = {DOOR_HEADER: door} if uds else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        timeout = httpx.Timeout(seconds, connect=CONNECT_SECONDS)
        transport = httpx.AsyncHTTPTransport(uds=uds) if uds else None
        self._http = httpx.AsyncClient(transport=transport, base_url=base, headers=headers, timeout=timeout)

    @classmethod
    def of_home(cls, home: Path | str, *, seconds: float = SILENCE_SECONDS, door: str = DOOR) -> Self:
        """A client of the program that runs on a home, as its owner.

        Raises:
            Unreachable: none does, or this system has no such sockets (Windows).
        """
        made = cls("http://localhost", seconds=seconds, uds=_socket_of(Path(home)), door=door)
        made._where = str(home)
        return made

    @classmethod
    def inside(cls, app: AsgiApp) -> Self:
        """A client of an API in this process, as the person for whom `app` asks it."""
        made = cls(ADDRESS)
        made._http = httpx.AsyncClient(transport=Inside(app), base_url=ADDRESS)
        return made

    async def _send(self, call: Call) -> Json:
        asking = asyncio.current_task()
        self._asking.add(asking)
        try:
            return await self._once(call)
        except Unreachable:
            if not call.key:
                raise
            return await self._once(call)
        finally:
            self._asking.discard(asking)

    async def _once(self, call: Call) -> Json:
        with self._translated():
            async with self._http.stream(**call.request) as response:
                if call.on_event is None or response.is_error:
                    await response.aread()
                    return self._document(call, response)
                async for event in EventSource(response).aiter_sse():
                    heard = self._heard(event)
                    if event.event == RESULT:
                        return heard
                    if (told := call.on_event(event.event, heard)) is not None:
                        await told
        raise Unreachable(CUT)

    async def close(self) -> None:
        """Give up what is still being asked, and close the connection once nothing uses it."""
        if left := [*filter(None, self._asking)]:
            for asking in left:
                if not asking.cancelling():  # a second time would cut short what it does to end
                    asking.cancel()
            await asyncio.wait(left)
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise what goes wrong with a connection as Unreachable."""
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise Unreachable(NOBODY.format(where=self._where)) from error
        except (SSEError, httpx.DecodingError) as error:
            raise self._not_ours() from error
        except httpx.TransportError as error:
            raise Unreachable(CUT) from error

    def _document(self, call: Call, response: httpx.Response) -> Json:
        """The document of a response that has been read. Raises ApiProblem, Unreachable."""
        found = self._read(response.content)
        if response.is_success or (call.name == "health" and "detail" not in found):
            return found
        raise self._problem(found)

    def _heard(self, event: ServerSentEvent) -> Json:
        """The data of an event. Raises ApiProblem, Unreachable."""
        data = self._read(event.data)
        if event.event == PROBLEM:
            raise self._problem(data)
        return data

    def _read(self, text: str | bytes) -> Json:
        try:
            found: Any = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise self._not_ours()
        return found

    def _problem(self, data: Json) -> ArticuladoError:
        if not isinstance(data.get("status"), int) or not isinstance(data.get("detail"), str):
            return self._not_ours()
        return ApiProblem(data["status"], data["detail"])

    def _not_ours(self) -> Unreachable:
        return Unreachable(NOT_OURS.format(where=self._where))


class Client(Operations[Json]):
    """Asks and waits; for one thread at a time, closed with `with`. Callbacks run in other threads."""

    def __init__(
        self,
        url: str = URL,
        token: str = "",
        *,
        seconds: float = SILENCE_SECONDS,
        uds: str = "",
        door: str = DOOR,
    ) -> None:
        """See `AsyncClient`."""
        self._wait_for(AsyncClient(url, token, seconds=seconds, uds=uds, door=door))

    @classmethod
    def of_home(cls, home: Path | str, *, seconds: float = SILENCE_SECONDS, door: str = DOOR) -> Self:
        """See `AsyncClient.of_home`."""
        made = cls.__new__(cls)
        made._wait_for(AsyncClient.of_home(home, seconds=seconds, door=door))
        return made

    def _wait_for(self, client: AsyncClient) -> None:
        self._client = client
        self._loop = asyncio.new_event_loop()
        self._closed = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="articulado-client")
        self._thread.start()

    def _run(self) -> None:
        """Run the loop until it is closed, with whatever was left in it."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._closed.wait())

    def _send(self, call: Call) -> Json:
        told = call.on_event

        async def on_event(name: str, data: Json) -> None:
            assert told is not None
            await asyncio.to_thread(told, name, data)  # a callback may ask something itself

        return self._done(self._client._send(replace(call, on_event=told and on_event)))

    def _done(self, work: Coroutine[Any, Any, T]) -> T:
        """Result of work in the loop, which is cancelled when the caller is interrupted."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        if self._thread.is_alive():
            self._done(self._client.close())
            self._loop.call_soon_threadsafe(self._closed.set)
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check(url: str, token: str) -> None:
    parts = server(url)
    if parts is None or parts.scheme not in ("http", "https") or "@" in url:
        raise ConfigurationError(NOT_AN_ADDRESS.format(url=url))
    if token and parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ConfigurationError(IN_CLEAR.format(url=url))
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigurationError(BAD_TOKEN)


def key_of_home(url: str, home: Path) -> str:
    """The key of the program that runs on a home, for its address on this machine; '' without any."""
    try:
        return (home / KEY_FILE).read_text("ascii") if on_this_machine(url) else ""
    except (OSError, ValueError):
        return ""


def _socket_of(home: Path) -> str:
    """The path of the socket of a home on which somebody listens. Raises Unreachable."""
    try:
        path = (home / POINTER).read_text("utf-8")
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(CONNECT_SECONDS)
            probe.connect(path)
    except (OSError, ValueError, AttributeError):
        raise Unreachable(NOT_RUNNING.format(home=home)) from None
    return path
