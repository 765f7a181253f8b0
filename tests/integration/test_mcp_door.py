"""Who comes in at /mcp, through the whole application."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.accounts import Role, Scope
from tests.web_app import LOCAL, WebApp, web_app
from web.base import access
from web.guard import ONLY_HERE

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
SENT = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    with web_app(tmp_path_factory.mktemp("door")) as made:
        made.add("jefa", Role.ADMIN)
        yield made


def asked(web: WebApp, method: str = "POST", path: str = access.MCP, **headers: str) -> Any:
    web.client.cookies.clear()
    sent = SENT | {name.replace("_", "-"): value for name, value in headers.items()}
    return web.client.request(method, path, json=LIST, headers=sent)


def bearer(web: WebApp, scope: Scope) -> str:
    who = web.accounts.sessions.identify(web.signed_in("jefa").token)
    return f"Bearer {web.accounts.tokens.create(who, 'Asistente', [scope], 30).secret}"


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_token_opens_it(web: WebApp, path: str) -> None:
    assert asked(web, path=path).status_code == 401
    reply = asked(web, path=path, authorization=bearer(web, Scope.READ))
    assert reply.status_code == 200, reply.text
    assert "tool_lexical_search" in reply.text
    assert reply.headers["cache-control"].startswith("no-")


def test_our_own_origin_comes_in_with_its_token(web: WebApp) -> None:
    reply = asked(web, authorization=bearer(web, Scope.READ), origin=LOCAL)
    assert reply.status_code == 200


@pytest.mark.parametrize("path", ["/mcp//", "/mcp/x", "/mcp/../api/v1/norms", "/MCP", "/mcpx", "//mcp"])
def test_there_is_nothing_beside_it(web: WebApp, path: str) -> None:
    reply = asked(web, path=path, authorization=bearer(web, Scope.READ))
    assert reply.status_code in {401, 403, 404, 405}
    assert "tool_lexical_search" not in reply.text


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_only_calls_are_answered(web: WebApp, method: str) -> None:
    assert asked(web, method).status_code == 401
    assert asked(web, method, authorization=bearer(web, Scope.READ)).status_code == 405


def test_its_requests_count_for_the_rate_of_a_token(tmp_path_factory: pytest.TempPathFactory) -> None:
    with web_app(tmp_path_factory.mktemp("rate"), api_requests_per_minute=2) as web:
        web.add("jefa", Role.ADMIN)
        secret = bearer(web, Scope.READ)
        found = [asked(web, authorization=secret) for _ in range(5)]
    assert found[-1].status_code == 429
    assert int(found[-1].headers["retry-after"]) > 0


def test_the_personal_mode_asks_for_no_token_and_answers_this_machine_only(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with web_app(tmp_path_factory.mktemp("personal"), auth_mode="personal") as web:
        assert asked(web).status_code == 200
        assert asked(web, host="otra.example").json()["detail"] == ONLY_HERE
        assert asked(web, origin="https://otra.example").status_code == 403
        replies = {path: web.client.get(path).status_code for path in access.OAUTH | {access.CONSENT}}
        assert set(replies.values()) == {404}


def test_it_answers_under_the_public_name(tmp_path_factory: pytest.TempPathFactory) -> None:
    public = "https://articulado.example"
    with web_app(tmp_path_factory.mktemp("public"), public, public_url=public) as web:
        challenge = asked(web, host="articulado.example").headers["www-authenticate"]
        assert f'resource_metadata="{public}{access.PROTECTED}/mcp"' in challenge
        told = web.client.get(access.ISSUER).json()
        assert {told["issuer"], told["token_endpoint"].removesuffix(access.TOKEN)} == {public}
        assert asked(web, host="otra.example").status_code == 403
