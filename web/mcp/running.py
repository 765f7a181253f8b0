"""`Engine` of the running program of a home, asked through its socket."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from rag.errors import ArticuladoError, InputError, NotFound
from service.contract.answers import AskRequest
from service.contract.articles import DiffRequest
from service.contract.program import dumped
from service.contract.search import SearchRequest
from service.contract.tools import ToolRequest
from service.contract.verification import StoredAnswer
from web.api.following import EVENTS
from web.api.local import DOOR_HEADER, HAS_SOCKETS, POINTER
from web.mcp.engine import Engine, Json, Tell

GONE = "El programa en marcha ha dejado de responder: repita la llamada."
ERRORS = {404: NotFound, 422: InputError}


class RunningProgram(ArticuladoError):
    """The running program refuses a request; the text is its own."""


@contextlib.asynccontextmanager
async def running(home: Path, door: str) -> AsyncIterator[Engine | None]:
    """The engine of the program that runs on a home while inside, or None if none does.

    Args:
        door: the name of this way in, for the audit log.
    """
    path = await _socket(home)
    if path is None:
        yield None
        return
    transport = httpx.AsyncHTTPTransport(uds=path)
    # An answer takes as long as it takes; the program itself bounds it.
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers={DOOR_HEADER: door}, timeout=None
    ) as client:
        yield RunningEngine(client)


async def _socket(home: Path) -> str | None:
    """Path of the socket, if somebody listens there: a program that was killed leaves its pointer."""
    if not HAS_SOCKETS:
        return None
    try:
        path = (home / POINTER).read_text("utf-8").strip()
        _, writer = await asyncio.open_unix_connection(path)
    except (OSError, UnicodeDecodeError):
        return None
    writer.close()
    return path


class RunningEngine:
    """See `Engine`."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def search(self, request: SearchRequest) -> Json:
        return await self._get("/search", **dumped(request))

    async def tool(self, request: ToolRequest) -> Json:
        return await self._post("/tool", request)

    async def norms(self, offset: int, limit: int) -> Json:
        return await self._get("/norms", offset=offset, limit=limit)

    async def norm(self, norm_id: str) -> Json:
        return await self._get(f"/norms/{quote(norm_id, safe='')}")

    async def article(self, reference: str, as_of: date | None) -> Json:
        return await self._get("/articles", reference=reference, as_of=as_of)

    async def article_of(self, norm_id: str, label: str, as_of: date | None) -> Json:
        return await self._get(
            f"/norms/{quote(norm_id, safe='')}/articles/{quote(label, safe='')}", as_of=as_of
        )

    async def diff(self, request: DiffRequest) -> Json:
        return await self._get("/diff", **dumped(request))

    async def verify(self, stored: StoredAnswer) -> Json:
        return await self._post("/verify", stored)

    async def ask(self, request: AskRequest, tell: Tell) -> Json:
        with _translated():
            async with self._client.stream(
                "POST", "/ask", json=dumped(request), headers={"accept": EVENTS}
            ) as reply:
                if reply.is_error:
                    await reply.aread()
                    raise _problem(reply.status_code, reply.json())
                async for name, data in _events(reply):
                    if name == "stage" and data["state"] == "started":
                        await tell(data["name"])
                    elif name == "result":
                        return data
                    elif name == "problem":
                        raise _problem(data["status"], data)
        raise RunningProgram(GONE)

    async def _get(self, path: str, **given: object) -> Json:
        asked = {name: str(value) for name, value in given.items() if value is not None}
        with _translated():
            return _document(await self._client.get(path, params=asked))

    async def _post(self, path: str, body: BaseModel) -> Json:
        with _translated():
            return _document(await self._client.post(path, json=dumped(body)))


async def _events(reply: httpx.Response) -> AsyncIterator[tuple[str, Json]]:
    """Name and data of each server-sent event; the data of ours is one line."""
    name = ""
    async for line in reply.aiter_lines():
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def _document(reply: httpx.Response) -> Json:
    found: dict[str, Any] = reply.json()
    if reply.is_error:
        raise _problem(reply.status_code, found)
    return found


def _problem(status: int, told: Json) -> ArticuladoError:
    return ERRORS.get(status, RunningProgram)(str(told["detail"]))


@contextlib.contextmanager
def _translated() -> Any:
    try:
        yield
    except (httpx.HTTPError, ValueError, KeyError):
        raise RunningProgram(GONE) from None
