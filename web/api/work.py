"""Work of the API in threads of its own: what fills them keeps nobody from signing in or reading pages."""

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
from service.members.own import TELL
from web.api import problems
from web.api.acts import Act, Person
from web.api.following import EVENTS, PING, changes, event

LOOK_SECONDS = 1.0
LEFT = 499
"""Status of a reply that nobody receives, as nginx writes it in its log."""
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"description": "El informe; con «Accept: text/event-stream», antes, eventos `progress`."}
}
LONG, COSTLY, QUICK = (
    ThreadPoolExecutor(threads, f"api-{name}")
    for threads, name in ((2, "work"), (40, "costly"), (20, "quick"))
)
"""Threads of evaluation and index, of what waits for its turn (no more than may wait), and of all else."""
_under_way: set[Future[Any]] = set()


class Left(Exception):
    """Nobody waits for the work any more."""


class Work:
    """A function in a thread, which tells its progress and ends at its next step when nobody waits."""

    def __init__(self, work: Callable[[OnProgress], Any], threads: ThreadPoolExecutor) -> None:
        self.progress = ("", 0, 0)
        self._left = False
        self._listeners: list[Callable[[], None]] = []

        def begun() -> Any:
            self._tell("", 0, 0)
            return work(self._tell)

        self.done: Future[Any] = threads.submit(copy_context().run, begun)
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
        if (phase, done, total) != self.progress:
            self.progress = (phase, done, total)
            for listener in self._listeners:
                listener()


def settle() -> None:
    """Wait for the work under way: what it uses may then be closed."""
    wait(list(_under_way))


def endpoint(act: Act) -> Callable[..., Any]:
    """The route of a piece of long work."""

    async def do(person: Person, http: Request, **given: Any) -> Response:
        await run_in_threadpool(person.require, act.permission)
        work = Work(lambda tell: _report(act(person, given | {TELL: tell})), LONG)
        if EVENTS in http.headers.get("accept", ""):
            return StreamingResponse(_events(http, work), media_type=EVENTS)
        found = await _followed(http, work)
        return found if isinstance(found, Response) else JSONResponse(found)

    return do


async def replied(http: Request, act: Act, ask: Callable[[dict[str, Any]], Response]) -> Response:
    """The reply that `ask` makes, in a thread, of an act with what else that is given."""
    threads = COSTLY if act.waits else QUICK
    made: Response = await _followed(
        http, Work(lambda tell: ask({TELL: tell} if act.costly else {}), threads)
    )
    return made


def _report(made: BaseModel | dict[str, Any]) -> dict[str, Any]:
    return dumped(made) if isinstance(made, BaseModel) else made


async def _followed(request: Request, work: Work) -> Any:
    """Result of the work, or an empty response when nobody waits for it any more."""
    async for _ in changes(work, LOOK_SECONDS):
        if work.alive and await request.is_disconnected():
            work.leave()
            return Response(status_code=LEFT)
    return work.done.result()


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
