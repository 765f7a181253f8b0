"""Long work with its progress: evaluation and rebuilding of the index."""

from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import Any

from fastapi import Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from core.progress import OnProgress
from service.contract.program import dumped
from web.api import problems
from web.api.acts import TELL, Act, Person
from web.api.following import EVENTS, PING, changes, event

LOOK_SECONDS = 1.0
AT_ONCE = 2
"""Pieces of long work at the same time; the others wait, so that questions are still answered."""
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"description": "El informe; con «Accept: text/event-stream», antes, eventos `progress`."}
}
_threads = ThreadPoolExecutor(AT_ONCE, "api-work")
_under_way: set[Future[dict[str, Any]]] = set()


class Left(Exception):
    """Nobody waits for the work any more."""


class Work:
    """A function in a thread, which tells its progress and ends at its next step when nobody waits."""

    def __init__(self, work: Callable[[OnProgress], dict[str, Any]]) -> None:
        self.progress = ("", 0, 0)
        self._left = False
        self._listeners: list[Callable[[], None]] = []

        def begun() -> dict[str, Any]:
            self._tell("", 0, 0)
            return work(self._tell)

        self.done: Future[dict[str, Any]] = _threads.submit(copy_context().run, begun)
        _under_way.add(self.done)
        self.done.add_done_callback(_under_way.discard)

    @property
    def alive(self) -> bool:
        return not self.done.done()

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)
        self.done.add_done_callback(lambda _: listener())

    def leave(self) -> None:
        """Have it end at its next step."""
        self._left = True

    def _tell(self, phase: str, done: int, total: int) -> None:
        if self._left:
            raise Left
        self.progress = (phase, done, total)
        for listener in self._listeners:
            listener()


def settle() -> None:
    """Wait for the work under way: what it uses may then be closed."""
    wait(list(_under_way))


def endpoint(act: Act) -> Callable[..., Any]:
    """The route of a piece of work."""

    async def do(person: Person, http: Request, **given: Any) -> Response:
        await run_in_threadpool(person.require, act.permission)
        return await _followed(http, Work(lambda tell: _report(act(person, given | {TELL: tell}))))

    return do


def _report(made: BaseModel | dict[str, Any]) -> dict[str, Any]:
    return dumped(made) if isinstance(made, BaseModel) else made


async def _followed(request: Request, work: Work) -> Response:
    if EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_events(request, work), media_type=EVENTS)
    async for _ in changes(work, LOOK_SECONDS):
        if work.alive and await request.is_disconnected():
            work.leave()
    return JSONResponse(work.done.result())


async def _events(request: Request, work: Work) -> AsyncIterator[bytes]:
    try:
        async for changed in changes(work):
            phase, done, total = work.progress
            yield event("progress", {"phase": phase, "done": done, "total": total}) if changed else PING
        try:
            end = event("result", work.done.result())
        except Exception as error:
            end = event("problem", problems.of(request.scope, error))
        yield end
    finally:
        work.leave()
