"""The whole application with accounts, and a program that asks one person to be let in."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from domain.accounts import Role
from tests.oauth_program import Program
from tests.web_app import WebApp, web_app
from web.mcp import oauth


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    with web_app(tmp_path_factory.mktemp("oauth")) as made:
        made.add("jefa", Role.ADMIN)
        yield made


@pytest.fixture
def program(web: WebApp, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """A program of a new person."""
    monkeypatch.setattr(oauth, "PER_MINUTE", 0)
    web.forget_failures()
    account = web.add("ana")
    yield Program(web, web.signed_in("ana"))
    web.clock.moved = timedelta()
    web.accounts.remove(None, account)
