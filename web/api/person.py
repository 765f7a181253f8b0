"""The person of a request, as the door of the API has established them."""

from collections.abc import Callable

from starlette.requests import HTTPConnection
from starlette.types import Scope

from domain.accounts import Identity
from service.members.member import Member
from service.program import assembly

WHO, IDENTIFY, DOOR = "articulado.identity", "articulado.identify", "articulado.door"


def named(scope: Scope, who: Identity, identify: Callable[[], Identity | None], door: str) -> Scope:
    """The scope with its person.

    Args:
        identify: who the holder of the credentials is by now; asked again before each act.
        door: the name of this way in, for the audit log.
    """
    return {**scope, WHO: who, IDENTIFY: identify, DOOR: door}


def member(connection: HTTPConnection) -> Member:
    """The program as this person may use it."""
    scope = connection.scope
    return Member(assembly.app(), scope[WHO], scope[IDENTIFY], scope[DOOR])
