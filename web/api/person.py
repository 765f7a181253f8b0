"""The person of a request, as the door of the API has established them."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from domain.accounts import LOCAL, Identity
from service.members.member import Member
from service.program import assembly
from service.program.assembly import App

WHO, IDENTIFY, DOOR = "articulado.identity", "articulado.identify", "articulado.door"
PROGRAM = "articulado.program"


def named(
    scope: Mapping[str, Any], who: Identity, identify: Callable[[], Identity | None], door: str
) -> Scope:
    """The scope with its person.

    Args:
        identify: who the holder of the credentials is by now; asked again before each act.
        door: the name of this way in, for the audit log.
    """
    return {**scope, WHO: who, IDENTIFY: identify, DOOR: door}


def of_person(app: ASGIApp, asked: Mapping[str, Any]) -> ASGIApp:
    """The application as the person of another request asks it, in this process."""
    known = {name: asked[name] for name in (WHO, IDENTIFY, DOOR, PROGRAM) if name in asked}

    async def inside(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, **known}, receive, send)

    return inside


def of_owner(app: ASGIApp, door: str, asked: App) -> ASGIApp:
    """The application of a program as the owner of its home asks it, in this process."""
    return of_person(app, named({PROGRAM: asked}, LOCAL, lambda: LOCAL, door))


def program(scope: Scope) -> App:
    """The program that is asked: that of the process, unless the scope names one."""
    found: App = scope.get(PROGRAM) or assembly.app()
    return found


def member(connection: HTTPConnection) -> Member:
    """The program as this person may use it."""
    scope = connection.scope
    return Member(program(scope), scope[WHO], scope[IDENTIFY], scope[DOOR])
