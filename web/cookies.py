"""The session cookie."""

from __future__ import annotations

from collections.abc import Mapping

PLAIN = "articulado"
SECURE = "__Host-articulado"


def session_token(cookies: Mapping[str, str]) -> str:
    """The token of the session, or ''."""
    token = cookies.get(SECURE) or cookies.get(PLAIN)
    return token if isinstance(token, str) else ""
