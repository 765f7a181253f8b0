"""`Engine` of the running program of a home, asked through its socket."""

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from articulado.client import AsyncClient
from articulado.errors import ApiProblem, Unreachable
from articulado.operations import Call
from core.errors import InputError, NotFound
from core.values import Value
from service.contract.answers import AskRequest
from service.contract.program import dumped
from service.contract.template_documents import FillRequest
from service.contract.verification import StoredAnswer
from web.mcp.engine import Answered, Engine, Json, Tell

KINDS = {404: NotFound, 422: InputError}


@contextlib.asynccontextmanager
async def running(home: Path, door: str) -> AsyncIterator[Engine | None]:
    """The engine of the program that runs on a home while inside, or None if none does.

    Args:
        door: the name of this way in, for the audit log.
    """
    try:
        client = _Client.of_home(home, door=door)
    except Unreachable:
        yield None
        return
    client.repeats = False
    async with client:
        yield RunningEngine(client)


class _Client(AsyncClient):
    """A client that raises what the program refuses as the program raised it itself."""

    async def _send(self, call: Call) -> Json:
        try:
            return await super()._send(call)
        except ApiProblem as problem:
            if kind := KINDS.get(problem.status):
                raise kind(problem.detail) from None
            raise


class RunningEngine:
    """See `Engine`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self.search, self.tool = _by_fields(client.search), _by_fields(client.tool)
        self.norms, self.norm = client.norms, client.norm
        self.article, self.article_of = client.article, client.article_of
        self.diff, self.citations = _by_fields(client.diff), _by_fields(client.citations)
        self.certificate = _by_fields(client.certificate)
        self.templates, self.template = client.templates, client.template

    def verify(self, stored: StoredAnswer) -> Answered:
        return self._client.verify(dumped(stored))

    def fill(self, name: str, request: FillRequest) -> Answered:
        return self._client.fill(name, request.data)

    async def ask(self, request: AskRequest, tell: Tell) -> Json:
        async def on_event(name: str, data: Json) -> None:
            if name == "stage" and data["state"] == "started":
                await tell(data["name"])

        return await self._client.ask(**dict(request), on_event=on_event)


def _by_fields(ask: Callable[..., Answered]) -> Callable[[Value], Answered]:
    return lambda request: ask(**dict(request))
