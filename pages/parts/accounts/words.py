"""Spanish words of the pages about accounts; pure functions."""

import re
from collections.abc import Sequence

from domain.accounts import Account, LoginSession, Role, Scope
from domain.tokens import ApiToken
from pages.parts.common.html import Tag
from pages.parts.common.words import dotted, moment
from service.accounts.clients import place_of

ROLES: dict[Role, tuple[str, str]] = {
    Role.LAWYER: ("Abogado", "consulta y lee la normativa."),
    Role.REVIEWER: ("Revisor", "consulta, juzga las respuestas de todos, evalúa y usa el inspector."),
    Role.ADMIN: ("Administrador", "consulta, carga normativa, lleva las cuentas y lee el registro."),
}
"""Name and meaning of each role."""

SCOPES: dict[Scope, tuple[str, str]] = {
    Scope.READ: ("Leer", "lee la normativa cargada."),
    Scope.ASK: ("Preguntar", "hace consultas en su nombre y ve las que usted tiene. También lee."),
    Scope.LOAD: ("Cargar", "carga, cambia y elimina normativa. También lee."),
    Scope.ADMIN: (
        "Administrar",
        "lleva las cuentas, consulta el registro, revisa respuestas y evalúa, lo que sus roles permitan. "
        "También lee.",
    ),
}
"""Name and meaning of each scope of a token."""

PERSONAL = (
    "Articulado funciona en modo personal: lo usa una sola persona, en este equipo, sin cuentas ni "
    "contraseñas. Para compartirlo con otras personas, quien lo instaló puede añadirle cuentas."
)

ALL, ACTIVE, DISABLED, NEVER = "Todas", "Activas", "Desactivadas", "Sin estrenar"
STATES = (ALL, ACTIVE, DISABLED, NEVER)

# The first match wins: Edge and Opera also call themselves Chrome.
BROWSERS = (
    (r"\bEdgA?/", "Edge"),
    (r"\bOPR/", "Opera"),
    (r"\bSamsungBrowser/", "Samsung Internet"),
    (r"\b(Firefox|FxiOS)/", "Firefox"),
    (r"\b(Chrome|CriOS|HeadlessChrome)/", "Chrome"),
    (r"\bSafari/", "Safari"),
)
SYSTEMS = (
    (r"\biPhone\b", "iPhone"),
    (r"\biPad\b", "iPad"),
    (r"\bAndroid\b", "Android"),
    (r"\bWindows\b", "Windows"),
    (r"\bCrOS\b", "ChromeOS"),
    (r"\bMac OS X\b|\bMacintosh\b", "Mac"),
    (r"\bLinux\b", "Linux"),
)


def role_names(roles: Sequence[Role]) -> str:
    """'Abogado, Revisor'."""
    return ", ".join(name for role, (name, _) in ROLES.items() if role in roles) or "Sin rol"


def device(agent: str) -> str:
    """'Firefox en Windows', from how the browser named itself."""
    browser, system = _first(BROWSERS, agent), _first(SYSTEMS, agent)
    if browser and system:
        return f"{browser} en {system}"
    return browser or system or "Dispositivo desconocido"


def _first(table: Sequence[tuple[str, str]], agent: str) -> str:
    return next((name for pattern, name in table if re.search(pattern, agent)), "")


def session_line(session: LoginSession) -> str:
    """Start, last activity and network address of a session."""
    return dotted(
        f"abierta el {moment(session.created_at)}",
        f"última actividad el {moment(session.seen_at)}",
        f"desde {session.address}" if session.address else "",
    )


def token_line(token: ApiToken) -> str:
    """The use of a token, its days and its last use."""
    return dotted(
        ", ".join(SCOPES[scope][0].lower() for scope in token.scopes),
        f"entró desde {place_of(token.redirect)}" if token.redirect else "",
        f"creada el {moment(token.created_at)}",
        f"caduca el {moment(token.expires_at)}",
        f"último uso el {moment(token.seen_at)}" if token.seen_at else "sin usar",
    )


def account_tags(account: Account) -> list[Tag]:
    """Roles and state, as labels."""
    tags: list[Tag] = [(role_names(account.roles), "")]
    if not account.active:
        tags.append(("desactivada", "art-low"))
    elif account.must_change:
        until = f" antes del {moment(account.change_by)}" if account.change_by else ""
        tags.append((f"debe cambiar la contraseña{until}", "art-mid"))
    if account.subject:
        tags.append(("acceso único", ""))
    return tags


def account_line(account: Account) -> str:
    """The username and the last sign-in."""
    last = f"última entrada el {moment(account.last_login)}" if account.last_login else "no ha entrado nunca"
    return f"{account.username} · {last}"


def matches(account: Account, words: str, role: Role | None, state: str) -> bool:
    """True if an account passes the filters; `words` in any order, ignoring case."""
    text = f"{account.name} {account.username}".casefold()
    named = all(word in text for word in words.casefold().split())
    wanted = {
        ALL: True,
        ACTIVE: account.active,
        DISABLED: not account.active,
        NEVER: account.last_login is None,
    }[state]
    return named and wanted and (role is None or role in account.roles)
