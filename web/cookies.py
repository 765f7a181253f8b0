"""Cookies that only the server reads."""

from collections.abc import Mapping

from starlette.responses import Response

from storage.people.login_sessions import DEVICE_LIFE

PLAIN = "articulado"
SECURE = "__Host-articulado"
PLAIN_DEVICE, SECURE_DEVICE = "articulado_equipo", "__Host-articulado_equipo"


def session_token(cookies: Mapping[str, str]) -> str:
    """The session token from either cookie, or '' without one."""
    token = cookies.get(SECURE) or cookies.get(PLAIN)
    return token if isinstance(token, str) else ""


def own_token(cookies: Mapping[str, str], *, secure: bool) -> str:
    """The session token, or ''; over TLS only from the cookie that no other host can have set."""
    return cookies.get(SECURE if secure else PLAIN, "")


def keep_session(response: Response, token: str, *, secure: bool) -> None:
    """Keep the token until the browser is closed; the server ends the session earlier if it must."""
    set_cookie(response, SECURE if secure else PLAIN, token, secure=secure)


def drop_session(response: Response, *, secure: bool) -> None:
    """Delete the session cookie."""
    set_cookie(response, SECURE if secure else PLAIN, "", seconds=0, secure=secure)


def device_token(cookies: Mapping[str, str], *, secure: bool) -> str:
    """The token by which an account knows this browser, or ''."""
    return cookies.get(SECURE_DEVICE if secure else PLAIN_DEVICE, "")


def keep_device(response: Response, token: str, *, secure: bool) -> None:
    """Keep that token for as long as the account knows the browser by it."""
    name, seconds = SECURE_DEVICE if secure else PLAIN_DEVICE, int(DEVICE_LIFE.total_seconds())
    set_cookie(response, name, token, seconds=seconds, secure=secure)


def set_cookie(
    response: Response, name: str, value: str, *, secure: bool, seconds: int | None = None
) -> None:
    """Set a cookie that no script reads, until the browser is closed or for some seconds; 0 deletes it."""
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="lax", secure=secure)
