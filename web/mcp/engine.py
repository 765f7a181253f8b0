"""Operations that the tools ask of a program, in this process or another; this process's answer to them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import date
from typing import Any, ParamSpec, Protocol

from mcp.server.context import ServerRequestContext
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from rag.run.runs import Run
from service.contract.answers import AskRequest
from service.contract.articles import DiffRequest
from service.contract.citations import CitationsRequest
from service.contract.program import dumped
from service.contract.search import SearchRequest
from service.contract.template_documents import FillRequest
from service.contract.tools import ToolRequest
from service.contract.verification import StoredAnswer
from service.members.asking import Asking
from service.members.member import Member
from service.opinions.verification import NAME, CertificateRequest
from web.api.following import changes

P = ParamSpec("P")
Json = dict[str, Any]
Tell = Callable[[str], Awaitable[None]]
"""Told the name of each stage that begins."""


Answered = Awaitable[Json]


class Engine(Protocol):
    """The operations of `service.contract`, documents as JSON. Raises (all methods): ArticuladoError."""

    def search(self, request: SearchRequest, /) -> Answered: ...
    def tool(self, request: ToolRequest, /) -> Answered: ...
    def norms(self, offset: int, limit: int) -> Answered: ...
    def norm(self, norm_id: str) -> Answered: ...
    def article(self, reference: str, as_of: date | None) -> Answered: ...
    def article_of(self, norm_id: str, label: str, as_of: date | None) -> Answered: ...
    def diff(self, request: DiffRequest, /) -> Answered: ...
    def verify(self, stored: StoredAnswer) -> Answered: ...

    def citations(self, request: CitationsRequest, /) -> Answered: ...
    def certificate(self, request: CertificateRequest, /) -> Answered: ...
    def templates(self) -> Answered: ...
    def template(self, name: str) -> Answered: ...
    def fill(self, name: str, request: FillRequest) -> Answered: ...

    async def ask(self, request: AskRequest, tell: Tell) -> Json:
        """The answer; cancelling the call stops it."""
        ...


Engines = Callable[[ServerRequestContext[Any, Any]], AbstractAsyncContextManager[Engine]]
"""The engine for one request of a client, while inside."""


def _made(make: Callable[P, BaseModel]) -> Callable[P, Coroutine[Any, Any, Json]]:
    """The same in a thread, its document as JSON."""

    async def made(*given: P.args, **more: P.kwargs) -> Json:
        return await run_in_threadpool(lambda: dumped(make(*given, **more)))

    return made


class MemberEngine:
    """`Engine` of this process's program, as one person may use it."""

    def __init__(self, member: Member) -> None:
        self._member = member
        law, templates = member.law, member.templates
        self.search, self.tool = _made(law.search), _made(law.tool)
        self.norms, self.norm = _made(law.norms), _made(law.norm)
        self.article, self.article_of = _made(law.article), _made(law.article_of)
        self.diff, self.verify = _made(law.diff), _made(law.verify)
        self.citations = _made(law.citations)
        self.templates, self.template = _made(templates.listed), _made(templates.described)

    async def certificate(self, request: CertificateRequest) -> Json:
        return await _made(self._member.law.certificate)(NAME, request.content, request.text)

    async def fill(self, name: str, request: FillRequest) -> Json:
        return await _made(self._member.templates.filled)(name, request.data)

    async def ask(self, request: AskRequest, tell: Tell) -> Json:
        asking, told = self._member.asking, 0
        starting = asyncio.ensure_future(run_in_threadpool(asking.start, request))

        def stop(started: asyncio.Future[Run]) -> None:
            if not started.cancelled() and started.exception() is None and started.result().alive:
                asking.stop(started.result())

        try:
            # A caller that leaves while the question is being stored leaves a run to be stopped.
            run = await asyncio.shield(starting)
            async for _ in changes(run):
                for stage in list(run.stages)[told:]:
                    told += 1
                    await tell(stage.name)
            return await run_in_threadpool(lambda: dumped(Asking.document(run)))
        finally:
            starting.add_done_callback(stop)
