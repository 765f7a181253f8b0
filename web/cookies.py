"""Cookies that only the server reads."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

PLAIN = "articulado"
SECURE = "__Host-articulado"


def session_token(cookies: Mapping[str, str]) -> str:
    """The token of the session, or ''."""
    token = cookies.get(SECURE) or cookies.get(PLAIN)
    return token if isinstance(token, str) else ""


def own_token(cookies: Mapping[str, str], *, secure: bool) -> str:
    """The token of the session; over TLS only from the cookie that no other host can have set."""
    return cookies.get(SECURE if secure else PLAIN, "")


def keep_session(response: Response, token: str, *, secure: bool) -> None:
    """Until the browser is closed; when the session ends before that, the server knows."""
    set_cookie(response, SECURE if secure else PLAIN, token, secure=secure)


def drop_session(response: Response, *, secure: bool) -> None:
    set_cookie(response, SECURE if secure else PLAIN, "", seconds=0, secure=secure)


def set_cookie(
    response: Response, name: str, value: str, *, secure: bool, seconds: int | None = None
) -> None:
    """A cookie of the whole site that no script reads; for the browser session, or 0 seconds to delete it."""
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="lax", secure=secure)
