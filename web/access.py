"""The table of what a browser may ask for, and who may. What is not in it does not exist."""

from __future__ import annotations

from enum import Enum
from urllib.parse import quote

from domain.accounts import Identity, Permission

PAGES: dict[str, Permission] = {
    "/": Permission.ASK,
    "/normativa": Permission.READ,
    "/review": Permission.REVIEW,
    "/evaluation": Permission.EVALUATE,
    "/inspector": Permission.INSPECT,
    "/account": Permission.ASK,
    "/users": Permission.ACCOUNTS,
    "/audit": Permission.AUDIT,
}
"""Each page, by what it asks of who opens it: the same as the page's own first line does."""

SIGN_IN, SIGN_OUT, PASSWORD, SETUP, SESSION = "/acceso", "/salir", "/cuenta/clave", "/inicio", "/sesion"
OIDC_START, OIDC_RETURN, OIDC_LEAVE = "/acceso/oidc", "/acceso/oidc/vuelta", "/acceso/oidc/salir"
STYLE, ICON = "/acceso.css", "/favicon.svg"

OIDC = frozenset({OIDC_START, OIDC_RETURN, OIDC_LEAVE})
PROBES = frozenset({"/_stcore/health"})
OPEN = OIDC | PROBES | {SIGN_IN, SETUP, SIGN_OUT, STYLE, ICON}
"""Without a session. /inicio answers only while there is no account; /salir then has nothing to end."""

MEMBERS = frozenset({SESSION, "/_stcore/host-config", "/articulado.css", "/es.js", "/drafts.js"})
BUNDLE, MEDIA, UPLOAD = "/static/", "/media/", "/_stcore/upload_file/"
STREAM = "/_stcore/stream"
ACCOUNT_ROUTES = OIDC | {SIGN_IN, SETUP, SIGN_OUT, PASSWORD}
"""Not there in the personal mode, where nobody signs in."""

WITH_NEW_PASSWORD = frozenset({PASSWORD})
"""All that is left, besides the open paths, to whoever has a password that somebody else chose."""


LONGEST_ADDRESS = 2000


class Verdict(Enum):
    GO = "go"
    UNKNOWN = "unknown"
    FORBIDDEN = "forbidden"
    MUST_CHANGE = "must change"


def verdict(path: str, method: str, who: Identity) -> Verdict:
    """Whether somebody signed in may ask for a path (`method` is WEBSOCKET for a websocket)."""
    if who.must_change:
        return Verdict.GO if path in WITH_NEW_PASSWORD else Verdict.MUST_CHANGE
    if (method == "WEBSOCKET") != (path == STREAM):
        return Verdict.UNKNOWN
    if path in PAGES:
        return Verdict.GO if who.may(PAGES[path]) else Verdict.FORBIDDEN
    if path.startswith(UPLOAD):
        return Verdict.GO if who.may(Permission.LOAD) else Verdict.FORBIDDEN
    known = path in MEMBERS or path in (STREAM, PASSWORD) or path.startswith((BUNDLE, MEDIA))
    return Verdict.GO if known else Verdict.UNKNOWN


def local_page(address: str) -> str:
    """`address` if it is one of our pages, or '/': nobody can make the sign-in lead elsewhere."""
    path = address.partition("?")[0]
    plain = address.isascii() and address.isprintable() and not set(address) & set('\\ "<>#')
    return address if plain and len(address) <= LONGEST_ADDRESS and path in PAGES else "/"


def sign_in_address(wanted: str) -> str:
    """The sign-in page that leads back to what was asked for, if that is a page."""
    ahead = local_page(wanted)
    return SIGN_IN if ahead == "/" else f"{SIGN_IN}?next={quote(ahead, safe='/')}"


def is_cacheable(path: str) -> bool:
    """Whether it is the same for everybody: what the program is made of, not what it knows."""
    return path.startswith(BUNDLE) or path.endswith((".css", ".js", ".svg"))
