"""The HTTP API over a real program, with its door, in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from domain.accounts import Identity, Role
from domain.accounts import Scope as TokenScope
from service.program import assembly
from service.program.assembly import App
from web.api.admission import Admission, Rate, Refused, refuse
from web.api.application import api
from web.base.site import Site


def person(program: App, username: str, *roles: Role) -> Identity:
    """A new account, with a session."""
    account, _ = program.accounts.add(None, username, username.title(), roles or (Role.LAWYER,))
    program.accounts._accounts.set_password(account.id, "")
    return program.accounts.sessions.open(account, address="", agent="").identity


def token(program: App, who: Identity, *scopes: TokenScope, days: int = 30) -> str:
    """The secret of a new token."""
    return program.accounts.tokens.create(who, "Prueba", scopes, days).secret


@dataclass
class Api:
    """Attributes:
    client: asks the routes by their address below /api/v1.
    """

    client: TestClient
    program: App

    def person(self, username: str, *roles: Role) -> Identity:
        return person(self.program, username, *roles)

    def token(self, who: Identity, *scopes: TokenScope, days: int = 30) -> str:
        return token(self.program, who, *scopes, days=days)

    def __call__(self, method: str, path: str, token: str = "", **options: Any) -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.client.request(method, path, headers=headers | options.pop("headers", {}), **options)


def doored(app: ASGIApp, program: App, per_minute: int = 0) -> ASGIApp:
    """The application behind the door of programs."""
    door = Admission(Site(program.accounts.mode), lambda: program.accounts, Rate(per_minute))

    async def asked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            try:
                scope = await door.opened(scope)
            except Refused as refused:
                await refuse(refused, scope, receive, send)
                return
        await app(scope, receive, send)

    return asked


@contextmanager
def api_over(program: App, per_minute: int = 0) -> Iterator[Api]:
    """The API over a program, whose mode of accounts it takes."""
    behind = doored(api(), program, per_minute)
    assembly.override(program)
    try:
        with TestClient(behind, base_url="http://localhost:8501", raise_server_exceptions=False) as client:
            yield Api(client, program)
    finally:
        assembly.override(None)


def events(text: str) -> list[tuple[str, Any]]:
    """Name and data of each server-sent event."""
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found
