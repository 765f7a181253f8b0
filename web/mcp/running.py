"""`Engine` of the running program of a home, asked through its socket."""

import contextlib
from collections.abc import AsyncIterator, Awaitable
from datetime import date
from pathlib import Path

from articulado.client import AsyncClient
from articulado.errors import ApiProblem, Unreachable
from rag.errors import InputError, NotFound
from service.contract.answers import AskRequest
from service.contract.articles import DiffRequest
from service.contract.citations import CitationsRequest
from service.contract.program import dumped
from service.contract.search import SearchRequest
from service.contract.template_documents import FillRequest
from service.contract.tools import ToolRequest
from service.contract.verification import StoredAnswer
from service.opinions.verification import CertificateRequest
from web.mcp.engine import Engine, Json, Tell

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

    async def search(self, request: SearchRequest) -> Json:
        return await _as_raised(self._client.search(**dict(request)))

    async def tool(self, request: ToolRequest) -> Json:
        return await _as_raised(self._client.tool(**dict(request)))

    async def norms(self, offset: int, limit: int) -> Json:
        return await _as_raised(self._client.norms(offset, limit))

    async def norm(self, norm_id: str) -> Json:
        return await _as_raised(self._client.norm(norm_id))

    async def article(self, reference: str, as_of: date | None) -> Json:
        return await _as_raised(self._client.article(reference, as_of))

    async def article_of(self, norm_id: str, label: str, as_of: date | None) -> Json:
        return await _as_raised(self._client.article_of(norm_id, label, as_of))

    async def diff(self, request: DiffRequest) -> Json:
        return await _as_raised(self._client.diff(**dict(request)))

    async def verify(self, stored: StoredAnswer) -> Json:
        return await _as_raised(self._client.verify(dumped(stored)))

    async def citations(self, request: CitationsRequest) -> Json:
        return await _as_raised(self._client.citations(**dict(request)))

    async def certificate(self, request: CertificateRequest) -> Json:
        return await _as_raised(self._client.certificate(**dict(request)))

    async def templates(self) -> Json:
        return await _as_raised(self._client.templates())

    async def template(self, name: str) -> Json:
        return await _as_raised(self._client.template(name))

    async def fill(self, name: str, request: FillRequest) -> Json:
        return await _as_raised(self._client.fill(name, request.data))

    async def ask(self, request: AskRequest, tell: Tell) -> Json:
        async def on_event(name: str, data: Json) -> None:
            if name == "stage" and data["state"] == "started":
                await tell(data["name"])

        return await _as_raised(self._client.ask(**dict(request), on_event=on_event))


async def _as_raised(reply: Awaitable[Json]) -> Json:
    """The document; what the program refuses is raised as it raised it itself."""
    try:
        return await reply
    except ApiProblem as problem:
        if kind := KINDS.get(problem.status):
            raise kind(problem.detail) from None
        raise
