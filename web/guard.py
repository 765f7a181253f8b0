"""The ASGI guard: only this machine, only what the pages need, with security headers on every reply.

Articulado has one local user, so nothing may reach it from another machine or from another site:
the server binds to the loopback address, the Host header must name it (against DNS rebinding), and a
websocket or a write must come from the page itself.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rag.errors import ConfigurationError

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD"})
OPEN_PREFIXES = ("/static/", "/media/", "/_stcore/upload_file/")
OPEN_PATHS = frozenset({"/_stcore/health", "/_stcore/host-config", "/_stcore/stream"})
POLICY_VIOLATION = 1008


def require_loopback(address: str | None) -> None:
    """Refuse to serve on an address that other machines can reach.

    Raises:
        ConfigurationError: `address` is not a loopback address, or is unset (every interface).
    """
    if address is None or not is_loopback(address):
        raise ConfigurationError(
            f"Articulado solo atiende a este equipo: la dirección «{address or 'todas'}» no es local. "
            "Inícielo desde su carpeta, sin --server.address o con --server.address 127.0.0.1."
        )


def is_loopback(address: str) -> bool:
    if address in LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def content_security_policy(script_hashes: Sequence[str]) -> str:
    """No remote origin anywhere: text of documents and models cannot make the browser call out."""
    scripts = " ".join(["'self'", *(f"'{value}'" for value in script_hashes)])
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "manifest-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    )


class Guard:
    """Lets through the pages' own paths, asked for by this machine's browser; 4xx for the rest."""

    def __init__(self, app: ASGIApp, pages: Sequence[str], policy: str) -> None:
        self.app = app
        self.pages = frozenset(pages)
        self.headers = [
            (b"content-security-policy", policy.encode()),
            (b"x-frame-options", b"DENY"),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            status, text = refusal
            await PlainTextResponse(text, status)(scope, receive, self._with_headers(send))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        server = (scope.get("server") or ("",))[0]
        if host_name(host) not in LOCAL_NAMES or not is_loopback(server):
            return 403, "Articulado solo atiende a este equipo: abra http://localhost."
        writes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if writes and not same_origin(headers.get(b"origin", b"").decode("latin-1"), host):
            return 403, "Solicitud rechazada: no procede de la página de Articulado."
        if not self._is_open(scope["path"]):
            return 404, "No existe esta dirección."
        return None

    def _is_open(self, path: str) -> bool:
        return path in self.pages or path in OPEN_PATHS or path.startswith(OPEN_PREFIXES)

    def _with_headers(self, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in self.headers}
                kept = [(name, value) for name, value in message["headers"] if name.lower() not in ours]
                message = {**message, "headers": [*kept, *self.headers]}
            await send(message)

        return send_with_headers


def host_name(host: str) -> str:
    """The name in a Host header, without its port; empty when it is malformed."""
    match = re.fullmatch(r"(\[[0-9a-fA-F:]+\]|[^:\[\]@/\s]+)(?::\d{1,5})?", host)
    return match[1].strip("[]").lower() if match else ""


def same_origin(origin: str, host: str) -> bool:
    """Whether an Origin header names the page served at this Host."""
    return bool(origin) and urlsplit(origin).netloc.lower() == host.lower()


def middleware(pages: Sequence[str], script_hashes: Sequence[str]) -> list[Middleware]:
    """The guard, ready for `st.App`; `pages` are the paths with a front page or a file of ours."""
    return [Middleware(Guard, pages=pages, policy=content_security_policy(script_hashes))]
