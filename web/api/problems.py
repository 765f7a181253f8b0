"""Errors of the API as RFC 9457 problem details, in Spanish, for every way in which a request can fail."""

import logging
from collections.abc import Mapping

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse
from starlette.types import Scope

from domain.usage import QuotaExceeded
from rag.errors import (
    ArticuladoError,
    EmbedderUnavailable,
    Forbidden,
    IndexUnavailable,
    InputError,
    ModelError,
    NotFound,
    StorageError,
)
from rag.text.problems import problem
from service.members.asking import Unanswered
from service.members.member import SessionEnded

MEDIA_TYPE = "application/problem+json"
BROKEN = "Articulado no ha podido atender la petición por un error interno. Vuelva a intentarlo."
UNKNOWN = "No existe esta dirección: la lista de todas está en /api/v1/openapi.json."
TOO_LARGE = "La petición es demasiado grande: abréviela o divídala en varias."
METHOD = "Esta dirección no admite el método {method}."
NOT_JSON = "El cuerpo de la petición debe ser un objeto JSON, con la cabecera Content-Type: application/json."
TITLES = {
    400: "Petición mal escrita",
    401: "Falta un token válido",
    403: "Sin permiso",
    404: "No existe",
    405: "Método no admitido",
    409: "En conflicto",
    413: "Demasiado grande",
    415: "Tipo de contenido no admitido",
    422: "No se puede usar",
    429: "Demasiadas peticiones",
    500: "Error interno",
    502: "Sin respuesta",
    503: "No disponible ahora",
}
STATUS: tuple[tuple[type[ArticuladoError], int], ...] = (
    (SessionEnded, 401),
    (Forbidden, 403),
    (NotFound, 404),
    (QuotaExceeded, 429),
    (InputError, 422),
    (EmbedderUnavailable, 503),
    (IndexUnavailable, 503),
    (StorageError, 503),
    (ModelError, 502),
    (Unanswered, 502),
)
"""Status of each error, the first that fits; any other is 500."""
QUOTA_RETRY_SECONDS = 3600

logger = logging.getLogger(__name__)


class Problem(BaseModel):
    """Why a request was not answered; `detail` is one sentence that says what to do."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    request_id: str = Field(default="", description="El mismo que en la cabecera X-Request-Id.")


def reply(scope: Scope, status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A problem as the reply to a request."""
    found = made(scope, status, detail).model_dump()
    return JSONResponse(found, status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def made(scope: Scope, status: int, detail: str) -> Problem:
    """A problem of the request of that scope."""
    named = HTTPConnection(scope).headers.get("x-request-id", "")
    return Problem(title=TITLES.get(status, "Error"), status=status, detail=detail, request_id=named)


def of(scope: Scope, error: Exception) -> Problem:
    """The problem for an error; what is not meant for a person stays in the log."""
    if not isinstance(error, ArticuladoError):
        logger.error("%s failed", scope["path"], exc_info=error)
        return made(scope, 500, BROKEN)
    status = next((status for kind, status in STATUS if isinstance(error, kind)), 500)
    return made(scope, status, " ".join(str(error).split()))


def install(api: FastAPI) -> None:
    """Have every error of the application answered as a problem."""
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)
    api.add_exception_handler(ArticuladoError, _ours)
    api.add_exception_handler(Exception, _ours)


async def _ours(request: Request, error: Exception) -> JSONResponse:
    found = of(request.scope, error)
    retry = {429: QUOTA_RETRY_SECONDS, 503: 5}.get(found.status)
    headers = {"Retry-After": str(retry)} if retry else {}
    return JSONResponse(found.model_dump(), found.status, headers=headers, media_type=MEDIA_TYPE)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return reply(request.scope, 400, NOT_JSON)
    if first["loc"] == ("body",) and "json" not in request.headers.get("content-type", ""):
        return reply(request.scope, 415, NOT_JSON)
    named = ".".join(str(part) for part in first["loc"][1:])
    return reply(request.scope, 422, f"No se puede usar: {problem(named[:100], first)}.")


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    known = {404: UNKNOWN, 405: METHOD.format(method=request.method[:20]), 400: NOT_JSON, 413: TOO_LARGE}
    return reply(request.scope, error.status_code, known.get(error.status_code, BROKEN), error.headers)
