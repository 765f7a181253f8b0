"""The route of questions: one JSON answer, or its stages and text as they come."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from core.errors import ArticuladoError
from rag.run.runs import Run
from service.contract.answers import AnswerDocument, AskRequest
from service.contract.program import dumped
from service.members.asking import Asking
from web.api import problems
from web.api.dependencies import Person
from web.api.following import EVENTS, PING, changes, event
from web.api.repeats import Repeats

LOOK_SECONDS = 1.0
"""Seconds between checks that the client is still connected."""
LEFT = 499
"""Status of a reply that nobody receives, as nginx writes it in its log."""
STREAM = (
    "Con «Accept: text/event-stream», eventos: `stage` (etapa que empieza o termina), `text` (texto de la"
    " respuesta: `delta`, o `text` cuando cambia entero), y al final `result` o `problem`."
)
router = APIRouter(tags=["preguntas"])
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


@router.post(
    "/ask",
    summary="Una respuesta con las citas comprobadas",
    response_model=AnswerDocument,
    responses={200: {"description": STREAM, "content": {EVENTS: {"schema": {"type": "string"}}}}},
)
async def ask(
    person: Person,
    request: Request,
    asked: AskRequest,
    key: Key = "",
    on_leave: Annotated[
        Literal["stop", "keep"], Query(description="Si quien pregunta se va: detener la respuesta o seguir.")
    ] = "stop",
) -> Response:
    who, text = person.identity.id, asked.model_dump_json()
    run = await run_in_threadpool(_repeats.run, who, key, text, lambda: person.asking.start(asked))

    def leave() -> None:
        if on_leave == "stop" and not key and run.alive:
            person.asking.stop(run)

    if EVENTS in request.headers.get("accept", ""):
        return StreamingResponse(_events(request, run, leave), media_type=EVENTS)
    async for _ in changes(run, LOOK_SECONDS):
        if run.alive and await request.is_disconnected():
            leave()
            return Response(status_code=LEFT)
    return JSONResponse(dumped(Asking.document(run)))


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
        self._begun = 0
        self._ended: set[int] = set()
        self._text = ""

    def news(self, run: Run) -> list[tuple[str, dict[str, Any]]]:
        """New events since the last call."""
        found: list[tuple[str, dict[str, Any]]] = []
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
