"""The routes of the API, one for each row of the table of operations."""

import hashlib
import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse

from articulado.clients.calls import Kind
from articulado.clients.operations import OPERATIONS
from service.contract.answers import AnswerDocument
from service.contract.articles import ArticleDocument
from service.contract.files import FileDocument
from service.contract.program import dumped
from web.api import questions, work
from web.api.acts import Act, Person
from web.api.person import program

JSON = "application/json"
Accept = Annotated[str, Header()]
SAME: dict[int | str, dict[str, Any]] = {
    304: {"description": "Es la misma redacción que la de If-None-Match."}
}
EITHER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Con «Accept: application/json», el documento; si no, el archivo.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
Endpoint = Callable[..., Any]


def router() -> APIRouter:
    """All of them."""
    made = APIRouter()
    for row in OPERATIONS.values():
        act = Act(row)
        endpoint = ENDPOINTS[row.reply](act)
        _take(endpoint, [_placed(one, row.method) for one in act.parameters])
        made.add_api_route(
            row.path,
            endpoint,
            methods=[row.method],
            name=row.id,
            summary=row.says,
            tags=[row.tag],
            response_model=MODELS.get(row.reply, act.document),
            responses=RESPONSES.get(row.reply),
        )
    return made


def _document(act: Act) -> Endpoint:
    async def endpoint(person: Person, http: Request, **given: Any) -> Response:
        return await work.replied(http, act, lambda more: _json(act(person, given | more)))

    return endpoint


def _article(act: Act) -> Endpoint:
    async def endpoint(person: Person, http: Request, **given: Any) -> Response:
        return await work.replied(http, act, lambda more: _tagged(http, act(person, given | more)))

    return endpoint


def _file(act: Act) -> Endpoint:
    async def endpoint(person: Person, http: Request, accept: Accept = "", **given: Any) -> Response:
        return await work.replied(http, act, lambda more: _sent(accept, act(person, given | more)))

    return endpoint


def _health(_: Act) -> Endpoint:
    async def endpoint(http: Request) -> Response:
        found = await run_in_threadpool(program(http.scope).readiness.state)
        return JSONResponse(found, 200 if all(found.values()) else 503)

    return endpoint


ENDPOINTS: dict[Kind, Callable[[Act], Endpoint]] = {
    "document": _document,
    "article": _article,
    "file": _file,
    "answer": questions.endpoint,
    "work": work.endpoint,
    "health": _health,
}
MODELS: dict[Kind, Any] = {"answer": AnswerDocument, "work": dict[str, Any], "health": None}
"""Of replies that are made from what the act gives."""
RESPONSES = {"article": SAME, "file": EITHER, "answer": questions.STREAM, "work": work.STREAM}


def _placed(parameter: Parameter, method: str) -> Parameter:
    """The parameter as the framework reads it: a model is the query of a GET, the body of a POST."""
    kind: Any = parameter.annotation
    if method == "GET" and isinstance(kind, type) and issubclass(kind, BaseModel):
        kind = Annotated[kind, Query()]
    return parameter.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY)


def _take(endpoint: Endpoint, parameters: list[Parameter]) -> None:
    """Declare what is given to the endpoint beside its own parameters."""
    own = inspect.signature(endpoint).parameters.values()
    named = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own if one.kind is not Parameter.VAR_KEYWORD]
    endpoint.__signature__ = inspect.Signature([*named, *parameters])  # type: ignore[attr-defined]


def _json(document: BaseModel, **headers: str) -> Response:
    return JSONResponse(dumped(document), headers=headers)


def _tagged(request: Request, document: ArticleDocument) -> Response:
    """The article with its ETag, or 304 for a client that has it already."""
    tag = f'"{hashlib.sha256(document.model_dump_json().encode()).hexdigest()[:32]}"'
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers={"ETag": tag})
    return _json(document, ETag=tag)


def _sent(accept: str, document: Any) -> Response:
    """The document for a program that asks for JSON, else the file itself."""
    if JSON in accept:
        return _json(document)
    file: FileDocument = document if isinstance(document, FileDocument) else document.file
    named = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    return Response(file.data, media_type=file.media_type, headers=named)
