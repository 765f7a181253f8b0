"""Routes of long work, with its progress: evaluation and rebuilding of the index."""

from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from core.progress import OnProgress
from domain.accounts import Permission
from service.contract.evaluations import EvaluateRequest
from service.contract.program import dumped
from web.api import problems
from web.api.dependencies import Person
from web.api.following import EVENTS, PING, changes, event

LOOK_SECONDS = 1.0
AT_ONCE = 2
"""Pieces of long work at the same time; the others wait, so that questions are still answered."""
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"description": "El informe; con «Accept: text/event-stream», antes, eventos `progress`."}
}
router = APIRouter(tags=["trabajos"])
_threads = ThreadPoolExecutor(AT_ONCE, "api-work")


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


@router.post(
    "/evaluate",
    summary="Mide con preguntas de respuesta conocida",
    response_model=dict[str, Any],
    responses=STREAM,
)
async def evaluate(person: Person, request: Request, asked: EvaluateRequest) -> Response:
    await run_in_threadpool(person.require, Permission.EVALUATE)
    own = person.evaluations
    measured = own.keep if asked.save else own.measure
    return await _followed(request, Work(lambda tell: measured(asked.dataset, asked.aids, tell)))


@router.post(
    "/reindex",
    summary="Rehace el índice a partir de la base de datos",
    response_model=dict[str, Any],
    responses=STREAM,
)
async def reindex(person: Person, request: Request) -> Response:
    await run_in_threadpool(person.require, Permission.LOAD)
    return await _followed(request, Work(lambda tell: dumped(person.reindex(tell))))


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
