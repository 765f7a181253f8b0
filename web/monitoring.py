"""Monitoring: alive, ready and measurements, and one log line per request."""

from __future__ import annotations

import hmac
import logging
import re
import time
from typing import TYPE_CHECKING
from uuid import uuid4

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.program import assembly, logs
from service.program.metrics import CONTENT_TYPE
from web.base.access import ALIVE, MEASURES, READY

if TYPE_CHECKING:
    from pydantic import SecretStr

REQUEST_ID = b"x-request-id"
KNOWN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
AREAS = (
    ("/static/", "static"),
    ("/media/", "media"),
    ("/_stcore/upload_file/", "upload"),
    ("/_stcore/", "streamlit"),
    ("/acceso", "sign-in"),
    ("/cuenta", "sign-in"),
    ("/salir", "sign-in"),
    ("/inicio", "sign-in"),
    ("/salud/", "health"),
    ("/api/", "api"),
    ("/mcp", "api"),
    ("/metricas", "health"),
)

logger = logging.getLogger("articulado.http")


async def _alive(request: Request) -> Response:
    return PlainTextResponse("vivo")


async def _ready(request: Request) -> Response:
    found = await run_in_threadpool(assembly.app().readiness.state)
    return JSONResponse(found, 200 if all(found.values()) else 503)


async def _measures(request: Request) -> Response:
    key = assembly.app().settings.metrics_token
    if key is None:
        return PlainTextResponse("No existe esta dirección.", 404)
    if not _has_key(request, key):
        return PlainTextResponse("Falta la clave.", 401, headers={"WWW-Authenticate": "Bearer"})
    text = await run_in_threadpool(assembly.app().metrics.text)
    return Response(text, headers={"Content-Type": CONTENT_TYPE})


def _has_key(request: Request, key: SecretStr) -> bool:
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    return hmac.compare_digest(given.encode(), key.get_secret_value().encode())


def routes() -> list[Route]:
    """The three probes; measurements need the key of METRICS_TOKEN."""
    return [Route(ALIVE, _alive), Route(READY, _ready), Route(MEASURES, _measures)]


class RequestLog:
    """Gives each request an id (or keeps a proxy's) and logs its status and duration.

    The path is logged without its query, which may name a conversation. The client is not logged.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if KNOWN_ID.fullmatch(given) else uuid4().hex[:16]
        others = [(key, value) for key, value in scope["headers"] if key.lower() != REQUEST_ID]
        scope = {**scope, "headers": [*others, (REQUEST_ID, name.encode())]}
        with logs.bound(request=name):
            if scope["type"] == "websocket":
                await self._websocket(scope, receive, send)
            else:
                await self._http(scope, receive, send, name)

    async def _http(self, scope: Scope, receive: Receive, send: Send, name: str) -> None:
        started, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message["headers"], (REQUEST_ID, name.encode())]}
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            elapsed = time.perf_counter() - started
            place = area(scope["path"])
            metrics = assembly.app().metrics
            metrics.requests.labels(_method(scope["method"]), place, str(status)).inc()
            metrics.seconds.labels(place).observe(elapsed)
            if place not in ("static", "health"):
                path = "/media/…" if place == "media" else scope["path"]
                facts = {"status": status, "ms": round(elapsed * 1000, 1)}
                logger.info("%s %s", scope["method"], path, extra=facts)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        metrics = assembly.app().metrics
        metrics.websockets.inc()
        logger.info("page opened")
        try:
            await self.app(scope, receive, send)
        finally:
            metrics.websockets.dec()
            logger.info("page closed")


def area(path: str) -> str:
    """The part of the service that a path belongs to; only the few values of AREAS, or page."""
    return next((name for prefix, name in AREAS if path.startswith(prefix)), "page")


def _method(method: str) -> str:
    return method if method in {"GET", "HEAD", "POST", "PUT", "DELETE"} else "other"
