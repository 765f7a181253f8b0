"""Errors of the API as RFC 9457 problem details, in Spanish, for every way in which a request can fail."""

import logging
from collections.abc import Mapping

from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import Scope

from core.errors import (
    ArticuladoError,
    EmbedderUnavailable,
    Forbidden,
    IndexUnavailable,
    InputError,
    ModelError,
    NotFound,
    StorageError,
    TooManyWaiting,
)
from domain.usage import QuotaExceeded
from service.members.asking import Unanswered
from service.members.member import SessionEnded

MEDIA_TYPE = "application/problem+json"
BROKEN = "Articulado no ha podido atender la petición por un error interno. Vuelva a intentarlo."
UNKNOWN = "No existe esta dirección: la lista de todas está en /api/v1/openapi.json."
TOO_LARGE = "La petición es demasiado grande: abréviela o divídala en varias."
NUL = "La dirección tiene un carácter nulo («%00»): quítelo."
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
    (TooManyWaiting, 429),
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
