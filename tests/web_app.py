"""The whole web application in this process: Streamlit, the guard and our routes, over real accounts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import streamlit as st
from starlette.testclient import TestClient
from streamlit.runtime import Runtime
from streamlit.runtime.pages_manager import PagesManager

from domain.accounts import Role
from pages.parts.answer import copying, pane, passage
from service.accounts.accounts import Accounts
from service.accounts.passwords import Passwords
from service.config import ROOT
from service.program import assembly
from service.program.metrics import Metrics
from tests.factories import settings_of
from tests.pages.fakes import FakeApp, account_stores, fake_app
from web import own_machine, server, watch
from web.cookies import PLAIN, SECURE
from web.watch import Watch

LOCAL = "http://localhost:8501"
PASSWORD = "frase larga de paso 7"
HTML = {"accept": "text/html,application/xhtml+xml"}


@dataclass
class Clock:
    """Time as the accounts see it; a test moves it."""

    moved: timedelta = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.moved


@dataclass
class Browser:
    """One person's browser: cookies of its own, and forms as a person fills them in.

    Attributes:
        jar: value of each cookie by name and path.
    """

    web: WebApp
    jar: dict[tuple[str, str], str] = field(default_factory=dict)

    def ask(self, method: str, path: str, headers: dict[str, str] | None = None, **options: Any) -> Any:
        self.web.client.cookies.clear()
        sent = {"cookie": self.cookies(path), **(headers or {})}
        reply = self.web.client.request(method, path, headers=sent, **options)
        for line in reply.headers.get_list("set-cookie"):
            for name, cookie in SimpleCookie(line).items():
                self.jar[name, cookie["path"]] = cookie.value
                if cookie["max-age"] == "0":
                    del self.jar[name, cookie["path"]]
        return reply

    def cookies(self, path: str) -> str:
        asked = path.partition("?")[0]
        return "; ".join(f"{name}={value}" for (name, at), value in self.jar.items() if asked.startswith(at))

    def get(self, path: str, **options: Any) -> Any:
        return self.ask("GET", path, **{"headers": HTML, **options})

    def post(self, path: str, data: Any = None, origin: str | None = None, **headers: str) -> Any:
        """A form as our own page sends it, or with another Origin ('' = none)."""
        origin = self.web.origin if origin is None else origin
        sent = {**HTML, **({"origin": origin} if origin else {}), **headers}
        body = {"content": data} if isinstance(data, str) else {"data": data}
        return self.ask("POST", path, headers=sent, **body)

    def csrf(self, path: str) -> str:
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.get(path).text)
        assert found, f"no form at {path}"
        return found[1]

    def submit(self, path: str, query: str = "", **fields: str) -> Any:
        return self.post(path, {"csrf": self.csrf(path + query), **fields})

    def sign_in(self, username: str, password: str = PASSWORD, **fields: str) -> Any:
        return self.submit("/acceso", username=username, password=password, **fields)

    @property
    def token(self) -> str:
        return self.jar.get((SECURE if self.web.origin.startswith("https") else PLAIN, "/"), "")

    def websocket(self, path: str = "/_stcore/stream", **headers: str) -> Any:
        self.web.client.cookies.clear()
        sent = {"origin": self.web.origin, "cookie": self.cookies(path), **headers}
        return self.web.client.websocket_connect(
            self.web.origin.replace("http", "ws", 1) + path, headers=sent
        )


@dataclass
class WebApp:
    client: TestClient
    app: st.App
    program: FakeApp
    clock: Clock
    origin: str

    @property
    def accounts(self) -> Accounts:
        return self.program.accounts

    def browser(self) -> Browser:
        return Browser(self)

    @property
    def watch(self) -> Watch:
        layers = self.app._starlette_app.user_middleware  # type: ignore[union-attr]
        return next(layer.kwargs["services"].watch for layer in layers if "services" in layer.kwargs)  # type: ignore[return-value]

    def add(self, username: str, *roles: Role, must_change: bool = False) -> str:
        """Add an account whose password is PASSWORD; returns its id."""
        account, _ = self.accounts.add(None, username, username.title(), roles or (Role.LAWYER,))
        hashed = self.accounts._passwords.hash(PASSWORD)
        self.accounts._accounts.set_password(account.id, hashed, must_change=must_change)
        return account.id

    def signed_in(self, username: str) -> Browser:
        browser = self.browser()
        assert browser.sign_in(username).status_code == 303
        return browser

    def forget_failures(self) -> None:
        """Delete all failures, so that no test is throttled for those of another."""
        self.accounts._throttle._attempts.purge(datetime.now(UTC) + timedelta(days=99))


@contextmanager
def web_app(
    folder: Path,
    origin: str = LOCAL,
    address: str = "127.0.0.1",
    client: tuple[str, int] = ("127.0.0.1", 50000),
    **settings: Any,
) -> Iterator[WebApp]:
    """The running application. Streamlit has one runtime per process: use one at a time, per module."""
    Runtime._instance = None
    PagesManager.uses_pages_directory = None  # as in a process where no router has run yet
    chosen = settings_of(**{"auth_mode": "local", "articulado_home": folder, **settings})
    program, clock = fake_app(folder), Clock()
    cheap = Passwords(12, memory=8, passes=1)
    program.accounts = Accounts(
        chosen, *account_stores(program.database.engines), clock=clock, passwords=cheap
    )
    program.settings, program.metrics = chosen, Metrics()  # type: ignore[attr-defined]
    program.readiness = SimpleNamespace(state=lambda: {"database": True})  # type: ignore[attr-defined]
    program.drain = lambda seconds: None  # type: ignore[attr-defined]
    assembly.override(program)  # type: ignore[arg-type]
    interval, watch.INTERVAL = watch.INTERVAL, 0.1
    owner, own_machine.owner = own_machine.owner, lambda *_: os.geteuid()  # no client here has a socket
    app = st.App(
        str(ROOT / "app.py"),
        **server.parts(chosen, address, [*pane.routes(), *passage.routes(), *copying.routes()]),
    )
    try:
        with TestClient(app, base_url=origin, follow_redirects=False, client=client) as test_client:
            yield WebApp(test_client, app, program, clock, origin)
    finally:
        watch.INTERVAL, own_machine.owner = interval, owner
        assembly.override(None)
        Runtime._instance = None
