"""Security headers of every reply."""

from collections.abc import Sequence

from starlette.types import Message, Send

Header = tuple[bytes, bytes]
NO_STORE: Header = (b"cache-control", b"no-store")
PRIVATE: Header = (b"cache-control", b"private, no-cache")
HSTS: Header = (b"strict-transport-security", b"max-age=31536000")

SECURITY: tuple[Header, ...] = (
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)

OPENER: Header = (b"cross-origin-opener-policy", b"same-origin")
WITH_OPENER: Header = (b"cross-origin-opener-policy", b"unsafe-none")
"""For the way to a consent: a site that opens it in a window of its own would take the window for closed."""

REFERRER: Header = (b"referrer-policy", b"no-referrer")
FORM_REFERRER: Header = (b"referrer-policy", b"same-origin")
"""For pages with a form: under `no-referrer` browsers send `Origin: null`, which the guard refuses."""

FORM_POLICY = (
    b"default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    b"frame-ancestors 'none'; base-uri 'none'"
)
"""Content security policy of our own plain pages, which run no script."""


def content_security_policy(script_hashes: Sequence[str]) -> str:
    """Policy of the Streamlit pages. It names no remote origin: no document or model text can call out."""
    scripts = " ".join(["'self'", *(f"'{value}'" for value in script_hashes)])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
        "manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )


def with_headers(send: Send, ours: Sequence[Header], *, secure: bool) -> Send:
    """`send` with our headers in place of any others of the same names.

    Args:
        secure: mark every cookie Secure, also those of Streamlit, which does not know of the TLS proxy.
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
