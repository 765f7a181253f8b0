"""Table of the addresses that a browser may ask for, and the permission each needs; all others are 404."""

from enum import Enum
from urllib.parse import quote

from domain.accounts import Identity, Permission

PAGES: dict[str, Permission] = {
    "/": Permission.ASK,
    "/matters": Permission.ASK,
    "/news": Permission.ASK,
    "/normativa": Permission.READ,
    "/calculations": Permission.READ,
    "/citations": Permission.READ,
    "/templates": Permission.ASK,
    "/review": Permission.REVIEW,
    "/evaluation": Permission.EVALUATE,
    "/inspector": Permission.INSPECT,
    "/settings": Permission.ASK,
    "/account": Permission.ASK,
    "/users": Permission.ACCOUNTS,
    "/audit": Permission.AUDIT,
    "/usage": Permission.AUDIT,
}
"""Permission that each page needs, the same that it asks for first."""

SIGN_IN, SIGN_OUT, PASSWORD, SETUP, SESSION = "/acceso", "/salir", "/cuenta/clave", "/inicio", "/sesion"
OIDC_START, OIDC_RETURN, OIDC_LEAVE = "/acceso/oidc", "/acceso/oidc/vuelta", "/acceso/oidc/salir"
CONSENT = "/authorize"
"""The question whether a program may come in in one's name."""
STYLE, ICON = "/acceso.css", "/favicon.svg"

OIDC = frozenset({OIDC_START, OIDC_RETURN, OIDC_LEAVE})
ALIVE, READY, MEASURES = "/salud/vivo", "/salud/listo", "/metricas"
PROBES = frozenset({"/_stcore/health", ALIVE, READY, MEASURES})
"""Answered under any name of the host, for monitoring by address. They say nothing about any person."""

OPEN = OIDC | PROBES | {SIGN_IN, SETUP, SIGN_OUT, STYLE, ICON}
"""Reachable without a session. /inicio answers only while no account exists; /salir then ends nothing."""

SOURCE = "/fuente"
"""The text of an article for the reading pane."""
PASSAGE = "/documento"
"""A passage of a document of one's own with its page, for the reading pane."""
ANSWER = "/respuesta"
"""The text of one's own answer, to be copied."""
PREFERENCES = "/preferencias"
"""One's own preferences, for the scripts of the pages."""
SCRIPTS = ("/preferences.js", "/es.js", "/drafts.js", "/focus.js", "/keys.js", "/pane.js", "/copy.js")
"""Scripts of the pages, in their order. The first two are not deferred."""
MEMBERS = {
    *SCRIPTS,
    SESSION,
    SOURCE,
    PASSAGE,
    ANSWER,
    PREFERENCES,
    CONSENT,
    "/_stcore/host-config",
    "/articulado.css",
    "/print.css",
}
API, MCP = "/api/", "/mcp"
PREFIX = f"{API}v1"
"""The address below which the routes of the API are."""
"""Addresses for programs, which bring a token and no session."""
PROTECTED, ISSUER = "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"
REGISTER, TOKEN, REVOKE = "/register", "/token", "/revoke"
"""These and `CONSENT` are where programs go that have forgotten what the metadata said, as the MCP library's
client has after each start."""
OAUTH = frozenset({PROTECTED, f"{PROTECTED}{MCP}", f"{PROTECTED}{MCP}/", ISSUER, REGISTER, TOKEN, REVOKE})
"""For programs that have no token yet."""
KEPT = ("/api/v1/articles", "/api/v1/norms")
"""Start of those whose replies a program may keep and ask after by their ETag."""
BUNDLE, MEDIA, UPLOAD = "/static/", "/media/", "/_stcore/upload_file/"
STREAM = "/_stcore/stream"
ACCOUNT_ROUTES = OIDC | OAUTH | {SIGN_IN, SETUP, SIGN_OUT, PASSWORD, CONSENT}
"""Unknown (404) in the personal mode, which has no sign-in."""

TO_CONSENT = frozenset({CONSENT, SIGN_IN, PASSWORD, OIDC_START, OIDC_RETURN})
"""Pages on the way of a program that is let in."""

WITH_NEW_PASSWORD = frozenset({PASSWORD})
"""Besides the open paths, all that an account with a one-time password may ask for."""


LONGEST_ADDRESS = 2000


class Verdict(Enum):
    """Answer of the table to one request."""

    GO = "go"
    UNKNOWN = "unknown"
    FORBIDDEN = "forbidden"
    MUST_CHANGE = "must change"


def verdict(path: str, method: str, who: Identity) -> Verdict:
    """The table's answer to a signed-in person (`method` is WEBSOCKET for a websocket)."""
    if who.must_change:
        return Verdict.GO if path in WITH_NEW_PASSWORD else Verdict.MUST_CHANGE
    if (method == "WEBSOCKET") != (path == STREAM):
        return Verdict.UNKNOWN
    if path in PAGES:
        return Verdict.GO if who.may(PAGES[path]) else Verdict.FORBIDDEN
    if path.startswith(UPLOAD):
        return Verdict.GO if who.may(Permission.ASK) else Verdict.FORBIDDEN
    known = path in MEMBERS or path in (STREAM, PASSWORD) or path.startswith((BUNDLE, MEDIA))
    return Verdict.GO if known else Verdict.UNKNOWN


def local_page(address: str) -> str:
    """`address` if it is a page or a consent of ours, else '/': no link makes the sign-in lead elsewhere."""
    path = address.partition("?")[0]
    plain = address.isascii() and address.isprintable() and not set(address) & set('\\ "<>#')
    return address if plain and len(address) <= LONGEST_ADDRESS and path in {*PAGES, CONSENT} else "/"


def sign_in_address(wanted: str) -> str:
    """Address of the sign-in page, which leads back to `wanted` if that is one of our pages."""
    ahead = local_page(wanted)
    return SIGN_IN if ahead == "/" else f"{SIGN_IN}?next={quote(ahead, safe='/')}"


def is_cacheable(path: str) -> bool:
    """True for the program's own files, which are the same for everybody."""
    return path.startswith(BUNDLE) or path.endswith((".css", ".js", ".svg"))


def is_for_programs(path: str) -> bool:
    """True for the addresses of the API and the MCP server."""
    return path == MCP or path.startswith((API, f"{MCP}/"))
