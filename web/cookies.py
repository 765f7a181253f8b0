"""The session cookie."""

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
    response.set_cookie(
        SECURE if secure else PLAIN, token, path="/", httponly=True, samesite="lax", secure=secure
    )


def drop_session(response: Response, *, secure: bool) -> None:
    response.delete_cookie(
        SECURE if secure else PLAIN, path="/", httponly=True, samesite="lax", secure=secure
    )
