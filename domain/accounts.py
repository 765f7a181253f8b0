"""Accounts, roles and permissions: values only."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from core.values import Value

LOCAL_USER = "local"
"""The one user of the personal mode, and the owner of what the command line does."""


class Role(StrEnum):
    """Roles of an account; the values are stored."""

    LAWYER = "abogado"
    REVIEWER = "revisor"
    ADMIN = "admin"


class Permission(StrEnum):
    """Acts that a role may allow; each page and each method asks for one."""

    ASK = "ask"
    READ = "read"
    REVIEW = "review"
    SIGN = "sign"
    EVALUATE = "evaluate"
    INSPECT = "inspect"
    LOAD = "load"
    ACCOUNTS = "accounts"
    AUDIT = "audit"


_EVERYBODY = frozenset({Permission.ASK, Permission.READ})
GRANTS: Mapping[Role, frozenset[Permission]] = MappingProxyType(
    {
        Role.LAWYER: _EVERYBODY | {Permission.SIGN},
        Role.REVIEWER: _EVERYBODY
        | {Permission.SIGN, Permission.REVIEW, Permission.EVALUATE, Permission.INSPECT},
        Role.ADMIN: _EVERYBODY | {Permission.LOAD, Permission.ACCOUNTS, Permission.AUDIT},
    }
)
"""Permissions by role. An account may hold several: an admin who is no reviewer reads nobody's answers."""


class Scope(StrEnum):
    """Uses of an API token; the values are stored."""

    READ = "leer"
    ASK = "preguntar"
    LOAD = "cargar"
    ADMIN = "administrar"


_READ = frozenset({Permission.READ})
SCOPES: Mapping[Scope, frozenset[Permission]] = MappingProxyType(
    {
        Scope.READ: _READ,
        Scope.ASK: _READ | {Permission.ASK},
        Scope.LOAD: _READ | {Permission.LOAD},
        Scope.ADMIN: _READ
        | {
            Permission.ACCOUNTS,
            Permission.AUDIT,
            Permission.EVALUATE,
            Permission.REVIEW,
            Permission.INSPECT,
        },
    }
)
"""Permissions by scope. A token gives those of its scopes that the account's roles give as well; no
program signs in the name of a person."""


def offered(roles: Sequence[Role]) -> list[Scope]:
    """Scopes of which these roles give something; what every scope gives, reading, counts for READ alone."""
    held = frozenset[Permission]().union(*(GRANTS[role] for role in roles))
    return [scope for scope, given in SCOPES.items() if held & ((given - _READ) or given)]


class Account(Value):
    """A person who may sign in.

    Attributes:
        id: opaque and never used again: what the person owns is recorded under it.
        subject: '<issuer> <subject>' of an OIDC account; empty for one with a password of ours.
        must_change: the password was given by somebody else and has to be changed before anything else.
        change_by: nobody signs in with it after that; None = whenever.
        told: number of the last announced entry of the audit log that the person has taken notice of.
    """

    id: str
    username: str
    name: str
    roles: tuple[Role, ...]
    active: bool = True
    subject: str = ""
    must_change: bool = False
    change_by: datetime | None = None
    created_at: datetime
    last_login: datetime | None = None
    told: int = 0


class LoginSession(Value):
    """A session of a person in one browser; its token is known to that browser alone.

    Attributes:
        id: public name of the session, of no use for signing in.
        address: where it was opened from.
        agent: the browser, as it named itself.
    """

    id: str
    account_id: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime
    address: str = ""
    agent: str = ""


class Identity(Value):
    """The person who acts, as one request or rerun has established it.

    Attributes:
        id: what owned things are recorded under.
        session: `LoginSession.id`; empty in the personal mode, on the command line and with an API token.
        token: `ApiToken.id` of the API token that the person came with, or ''.
        scopes: what that token is limited to; None: not limited.
    """

    id: str
    username: str
    name: str
    roles: tuple[Role, ...]
    session: str = ""
    must_change: bool = False
    token: str = ""
    scopes: tuple[Scope, ...] | None = None

    def may(self, permission: Permission) -> bool:
        """True if a role allows it, and a scope too where there are any to ask."""
        if self.scopes is not None and not any(permission in SCOPES[scope] for scope in self.scopes):
            return False
        return any(permission in GRANTS[role] for role in self.roles)


LOCAL = Identity(id=LOCAL_USER, username=LOCAL_USER, name="Este equipo", roles=tuple(Role))
"""The one person of the personal mode, who may do everything."""
