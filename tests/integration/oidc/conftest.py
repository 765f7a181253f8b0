"""The whole application with one identity provider on this machine."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from domain.accounts import Role
from tests.oidc_provider import CLIENT, SECRET, Provider
from tests.web_app import Browser, WebApp, web_app
from web import oidc

BACK = "/acceso/oidc/vuelta"
NOT_CONFIRMED = "no ha confirmado quién es"


@pytest.fixture(scope="session")
def shared() -> Iterator[Provider]:
    """One provider for all, because its keys take a while to make; each test finds it as new."""
    provider = Provider()
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def web(shared: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    settings = {
        "auth_mode": "oidc",
        "oidc_issuer": shared.issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_roles_claim": "realm_access.roles",
        "oidc_role_map": "letrados=abogado, revision=revisor, ti=admin",
    }
    with web_app(tmp_path_factory.mktemp("oidc"), **settings) as made:
        made.add("jefa", Role.ADMIN)
        yield made


def roles(*groups: object) -> dict[str, object]:
    return {"realm_access": {"roles": list(groups)}}


@pytest.fixture
def provider(shared: Provider, web: WebApp) -> Iterator[Provider]:
    shared.person = {"sub": "7", "preferred_username": "ana", "name": "Ana Gil", **roles("letrados", "otros")}
    yield shared
    shared.wrong, shared.metadata, shared.userinfo, shared.algorithm = {}, {}, None, "RS256"
    shared.published, shared.broken, shared.moved, shared.wait = [shared.signer], "", "", 0.0
    shared.hurry.clear()
    forget_what_is_known(web)


def forget_what_is_known(web: WebApp) -> None:
    """Bring the client to the state of a new process: no description of the provider and no keys."""
    there = provider_of(web)
    there._metadata, there._keys._keys, there._keys._read_at = {}, None, 0.0


def provider_of(web: WebApp) -> oidc.Provider:
    route = next(r for r in web.app._user_routes if getattr(r, "path", "") == BACK)
    return route.endpoint.__self__.provider  # type: ignore[attr-defined,no-any-return]


def begin(browser: Browser, page: str = "/") -> str:
    reply = browser.get("/acceso/oidc?" + urlencode({"next": page}))
    assert reply.status_code == 303, reply.text
    return str(reply.headers["location"])


def finish(browser: Browser, brought: dict[str, str]) -> Any:
    return browser.get(f"{BACK}?{urlencode(brought)}")


def enter(web: WebApp, provider: Provider) -> tuple[Browser, Any]:
    browser = web.browser()
    return browser, finish(browser, provider.approve(begin(browser)))


def refused(web: WebApp, provider: Provider) -> str:
    """Text of the page that refuses the sign-in."""
    browser, reply = enter(web, provider)
    assert 400 <= reply.status_code < 600
    assert browser.token == ""
    assert 'role="alert"' in reply.text
    return str(reply.text)
