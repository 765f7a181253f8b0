"""`Engine` of the running program of a home, asked through its socket."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from articulado.client import AsyncClient
from articulado.errors import ApiProblem, Unreachable
from rag.errors import InputError, NotFound
from rag.types import Value
from service.contract.answers import AskRequest
from service.contract.program import dumped
from service.contract.template_documents import FillRequest
from service.contract.verification import StoredAnswer
from web.mcp.engine import Engine, Json, P, Tell

KINDS = {404: NotFound, 422: InputError}


@contextlib.asynccontextmanager
async def running(home: Path, door: str) -> AsyncIterator[Engine | None]:
    """The engine of the program that runs on a home while inside, or None if none does.

    Args:
        door: the name of this way in, for the audit log.
    """
    try:
        client = AsyncClient.of_home(home, door=door)
    except Unreachable:
        yield None
        return
    client.repeats = False
    async with client:
        yield RunningEngine(client)


class RunningEngine:
    """See `Engine`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self.search, self.tool = _by_fields(client.search), _by_fields(client.tool)
        self.norms, self.norm = _raising(client.norms), _raising(client.norm)
        self.article, self.article_of = _raising(client.article), _raising(client.article_of)
        self.diff, self.citations = _by_fields(client.diff), _by_fields(client.citations)
        self.certificate = _by_fields(client.certificate)
        self.templates, self.template = _raising(client.templates), _raising(client.template)

    async def verify(self, stored: StoredAnswer) -> Json:
        return await _as_raised(self._client.verify(dumped(stored)))

    async def fill(self, name: str, request: FillRequest) -> Json:
        return await _as_raised(self._client.fill(name, request.data))

    async def ask(self, request: AskRequest, tell: Tell) -> Json:
        async def on_event(name: str, data: Json) -> None:
            if name == "stage" and data["state"] == "started":
                await tell(data["name"])

        return await _as_raised(self._client.ask(**dict(request), on_event=on_event))


def _raising(ask: Callable[P, Awaitable[Json]]) -> Callable[P, Coroutine[Any, Any, Json]]:
    async def asked(*given: P.args, **more: P.kwargs) -> Json:
        return await _as_raised(ask(*given, **more))

    return asked


def _by_fields(ask: Callable[..., Awaitable[Json]]) -> Callable[[Value], Coroutine[Any, Any, Json]]:
    async def asked(request: Value) -> Json:
        return await _as_raised(ask(**dict(request)))

    return asked


async def _as_raised(reply: Awaitable[Json]) -> Json:
    """The document; what the program refuses is raised as it raised it itself."""
    try:
        return await reply
    except ApiProblem as problem:
        if kind := KINDS.get(problem.status):
            raise kind(problem.detail) from None
        raise
