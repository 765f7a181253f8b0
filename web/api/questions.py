"""The route of questions: one JSON answer, or its stages and text as they come."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextvars import copy_context
from typing import Annotated, Any, Literal

from fastapi import Header, Query, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from core.errors import ArticuladoError
from core.turns import QUEUE
from rag.run.runs import Run
from service.contract.program import dumped
from service.members.asking import Asking
from web.api import problems
from web.api.acts import Act, Person
from web.api.following import EVENTS, PING, changes, event
from web.api.repeats import Repeats
from web.api.work import LEFT, QUICK

LOOK_SECONDS = 1.0
"""Seconds between checks that the client is still connected."""
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Con «Accept: text/event-stream», eventos: `queue` (respuestas que empiezan antes),"
        " `stage` (etapa que empieza o termina),"
        " `text` (texto de la respuesta: `delta`, o `text` cuando cambia entero), y al final `result` o"
        " `problem`.",
        "content": {EVENTS: {"schema": {"type": "string"}}},
    }
}
_repeats = Repeats()
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=255,
        pattern=r"^[\x21-\x7e]*$",
        description="Repetir la petición con la misma clave da la misma respuesta, un día como mucho.",
    ),
]
Leave = Annotated[
    Literal["stop", "keep"], Query(description="Si quien pregunta se va: detener la respuesta o seguir.")
]


def endpoint(act: Act) -> Callable[..., Any]:
    """The route of `ask`."""

    async def ask(
        person: Person, http: Request, key: Key = "", on_leave: Leave = "stop", **given: Any
    ) -> Response:
        asked = given["request"].model_dump_json()

        def start() -> Run:
            person.require(act.permission)
            return _repeats.run(
                person.identity.id, key, asked, lambda: act(person, given), person.asking.again
            )

        run: Run = await asyncio.get_running_loop().run_in_executor(QUICK, copy_context().run, start)

        def leave() -> None:
            if on_leave == "stop" and not key and run.alive:
                person.asking.stop(run)

        if EVENTS in http.headers.get("accept", ""):
            return StreamingResponse(_events(http, run, leave), media_type=EVENTS)
        async for _ in changes(run, LOOK_SECONDS):
            if run.alive and await http.is_disconnected():
                leave()
                return Response(status_code=LEFT)
        return JSONResponse(dumped(Asking.document(run)))

    return ask


async def _events(request: Request, run: Run, leave: Callable[[], None]) -> AsyncIterator[bytes]:
    told = _Told()
    try:
        async for changed in changes(run):
            if not changed:
                yield PING
            for name, data in told.news(run):
                yield event(name, data)
        yield _end(request, run)
    finally:
        leave()


def _end(request: Request, run: Run) -> bytes:
    try:
        return event("result", Asking.document(run))
    except ArticuladoError as error:
        return event("problem", problems.of(request.scope, error))


class _Told:
    """Events of a run already sent."""

    def __init__(self) -> None:
        self._ahead = 0
        self._begun = 0
        self._ended: set[int] = set()
        self._text = ""

    def news(self, run: Run) -> list[tuple[str, dict[str, Any]]]:
        """New events since the last call."""
        found: list[tuple[str, dict[str, Any]]] = []
        if (ahead := run.ahead) != self._ahead:
            self._ahead = ahead
            found.append((QUEUE, {"ahead": ahead}))
        for place, stage in enumerate(list(run.stages)):
            if place >= self._begun:
                self._begun = place + 1
                found.append(("stage", {"name": stage.name, "state": "started"}))
            if stage.elapsed_ms is not None and place not in self._ended:
                self._ended.add(place)
                done = {"state": "finished", "elapsed_ms": round(stage.elapsed_ms, 1), "note": stage.note}
                found.append(("stage", {"name": stage.name, **done}))
        text, before = run.text, self._text
        if text != before and run.alive:
            self._text = text
            grown = text.startswith(before)
            found.append(("text", {"delta": text[len(before) :]} if grown else {"text": text}))
        return found
