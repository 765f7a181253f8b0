"""Headers that every reply carries."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.types import Message, Send

Header = tuple[bytes, bytes]
NO_STORE: Header = (b"cache-control", b"no-store")
HSTS: Header = (b"strict-transport-security", b"max-age=31536000")

SECURITY: tuple[Header, ...] = (
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)

REFERRER: Header = (b"referrer-policy", b"no-referrer")
FORM_REFERRER: Header = (b"referrer-policy", b"same-origin")
"""For pages with a form: under `no-referrer` browsers send it with `Origin: null`, which is refused."""

FORM_POLICY = b"; ".join(
    (
        b"default-src 'none'",
        b"style-src 'self'",
        b"img-src 'self'",
        b"form-action 'self'",
        b"frame-ancestors 'none'",
        b"base-uri 'none'",
    )
)
"""Our own plain pages run no script at all."""


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


def with_headers(send: Send, ours: Sequence[Header], *, secure: bool) -> Send:
    """`send` that puts our headers in the place of any others of these names.

    Args:
        secure: keep every cookie off plain http, Streamlit's own too, which does not know of TLS before it.
    """
    names = {name for name, _ in ours}

    async def send_with_headers(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            kept = [(name, value) for name, value in message["headers"] if name.lower() not in names]
            if secure:
                kept = [_secured(header) for header in kept]
            message = {**message, "headers": [*kept, *ours]}
        await send(message)

    return send_with_headers


def _secured(header: Header) -> Header:
    name, value = header
    if name.lower() != b"set-cookie" or b"secure" in value.lower().replace(b" ", b"").split(b";"):
        return header
    return name, value + b"; Secure"
