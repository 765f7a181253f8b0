"""The API as one ASGI application, with the OpenAPI document of its routes."""

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from web.api import error_handlers, made_routes, problems
from web.api.problems import Problem
from web.api.sized import Sized
from web.base.access import PREFIX

VERSION = "1.0.0"
MOST_BYTES, MOST_STORED = 2_000_000, 20_000_000
"""Bytes of the body of a request; of a stored answer, a set of cases, a brief or a certificate."""
LARGE = ("verify", "evaluate", "citations", "word")
"""Ends of the paths of those."""
ABOUT = (
    "Búsqueda, respuestas con citas comprobadas letra por letra y artículos por fecha, con los mismos"
    " documentos JSON que la línea de órdenes. Fuera del modo personal, cada petición lleva un token de la"
    " página «Mi cuenta»: «Authorization: Bearer art_…». Los errores son «application/problem+json»."
)
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": problems.TITLES[status]}
    for status in (400, 401, 403, 404, 413, 415, 422, 429, 502, 503)
}


def api() -> FastAPI:
    """The application to be mounted at `web.base.access.PREFIX`."""
    made = FastAPI(
        title="Articulado",
        version=VERSION,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=ERRORS,
        servers=[{"url": PREFIX}],
        generate_unique_id_function=_name,
    )
    made.include_router(made_routes.router())
    error_handlers.install(made)
    made.add_middleware(Sized, most=MOST_BYTES, others=dict.fromkeys(LARGE, MOST_STORED))
    return made


def _name(route: APIRoute) -> str:
    return route.name
