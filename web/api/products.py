"""Routes of work products: opinions of one's own conversations, and templates of briefs."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Path, Response
from pydantic import BaseModel
from starlette.responses import JSONResponse

from service.contract.files import FileDocument
from service.contract.program import dumped
from service.contract.template_documents import (
    FilledDocument,
    FillRequest,
    TemplateDocument,
    TemplatesDocument,
)
from service.opinions.request import LONGEST_ID, AnswersDocument, OpinionRequest
from web.api.dependencies import Person

router = APIRouter(tags=["escritos"])
JSON = "application/json"
Name = Annotated[str, Path(max_length=LONGEST_ID)]
Accept = Annotated[str, Header()]
EITHER: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Con «Accept: application/json», el documento; si no, el archivo.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get("/conversations/{conversation_id}/answers", summary="Las respuestas terminadas de una consulta")
def answers(person: Person, conversation_id: Name) -> AnswersDocument:
    return person.opinions.listed(conversation_id)


@router.post(
    "/opinions",
    summary="Un dictamen con respuestas de una consulta propia",
    response_model=FileDocument,
    responses=EITHER,
)
def opinion(person: Person, request: OpinionRequest, accept: Accept = "") -> Response:
    made = person.opinions.document(request)
    return _sent(accept, made, made)


@router.get("/templates", summary="Los modelos de escrito")
def templates(person: Person) -> TemplatesDocument:
    return person.templates.listed()


@router.get("/templates/{name}", summary="Un modelo de escrito, con sus datos y el estado de sus preceptos")
def template(person: Person, name: Name) -> TemplateDocument:
    return person.templates.described(name)


@router.post(
    "/templates/{name}",
    summary="Un escrito con estos datos, y su archivo de Word",
    response_model=FilledDocument,
    responses=EITHER,
)
def fill(person: Person, name: Name, request: FillRequest, accept: Accept = "") -> Response:
    made = person.templates.filled(name, request.data)
    return _sent(accept, made, made.file)


def _sent(accept: str, document: BaseModel, file: FileDocument) -> Response:
    """The document for a program that asks for JSON, else the file itself."""
    if JSON in accept:
        return JSONResponse(dumped(document))
    named = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name)}"}
    return Response(file.data, media_type=file.media_type, headers=named)
