"""Errors of the routes of the API, answered as problems."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.errors import ArticuladoError, TooManyWaiting
from text.refused_values import problem
from web.api import problems


def install(api: FastAPI) -> None:
    """Have every error of the application answered as a problem."""
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _http)
    api.add_exception_handler(ArticuladoError, _ours)
    api.add_exception_handler(Exception, _ours)


async def _ours(request: Request, error: Exception) -> JSONResponse:
    found = problems.of(request.scope, error)
    retry = {429: problems.QUOTA_RETRY_SECONDS, 503: 5}.get(found.status)
    if isinstance(error, TooManyWaiting):
        retry = error.seconds
    headers = {"Retry-After": str(retry)} if retry else {}
    return JSONResponse(found.model_dump(), found.status, headers=headers, media_type=problems.MEDIA_TYPE)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problems.reply(request.scope, 400, problems.NOT_JSON)
    if first["loc"] == ("body",) and "json" not in request.headers.get("content-type", ""):
        return problems.reply(request.scope, 415, problems.NOT_JSON)
    named = ".".join(str(part) for part in first["loc"][1:])
    return problems.reply(request.scope, 422, f"No se puede usar: {problem(named[:100], first)}.")


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    known = {
        404: problems.UNKNOWN,
        405: problems.METHOD.format(method=request.method[:20]),
        400: problems.NOT_JSON,
        413: problems.TOO_LARGE,
    }
    return problems.reply(
        request.scope, error.status_code, known.get(error.status_code, problems.BROKEN), error.headers
    )
