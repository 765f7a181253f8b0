"""Forms of attack on codes and tokens of programs that were let in; a row each, to which anybody may add.

Every row changes one thing of what works (`test_what_the_rows_change_works`), and says how it is refused.
"""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.accounts import Permission, Role
from pages.parts.accounts.words import token_line
from service.accounts.grants import ACCESS_LIFE, CODE_LIFE, IDLE
from service.accounts.tokens import MOST_DAYS
from tests.oauth_program import BACK, HERE, SENT, Program
from web.base import access


def test_what_the_rows_change_works(program: Program) -> None:
    answer = program.consented()
    assert (answer["state"], answer["iss"]) == ("estado", program.web.origin)
    tokens = program.redeem(answer["code"]).json()
    assert (tokens["scope"], tokens["expires_in"]) == ("leer preguntar", 3600)
    assert program.calls(tokens["access_token"]) == program.calls(tokens["access_token"], "/mcp/") == 200
    again = program.refresh(tokens["refresh_token"]).json()
    assert program.calls(again["access_token"]) == 200
    assert program.calls(tokens["access_token"]) == 401
    (one,) = program.granted()
    assert (one.name, one.redirect, one.resource) == ("Asistente", BACK, f"{program.web.origin}/mcp")
    assert "entró desde asistente.example" in token_line(one)
    assert program.post(
        access.REVOKE, data={"token": again["refresh_token"], "client_id": program.id}
    ).is_success
    assert program.calls(again["access_token"]) == 401 and program.granted() == []


def later(program: Program, span: timedelta) -> None:
    program.web.clock.moved += span


def after_a_consent(act: Callable[[Program], object]) -> Callable[[Program], Any]:
    def tried(program: Program) -> Any:
        code = program.consented()["code"]
        act(program)
        return program.redeem(code)

    return tried


def after_tokens(act: Callable[[Program], object]) -> Callable[[Program], Any]:
    def tried(program: Program) -> Any:
        tokens = program.let_in()
        act(program)
        assert program.calls(tokens["access_token"]) == 401
        return program.refresh(tokens["refresh_token"])

    return tried


def redeemed(**changes: str | None) -> Callable[[Program], Any]:
    return lambda program: program.redeem(program.consented()["code"], **changes)


def refreshed(**changes: str | None) -> Callable[[Program], Any]:
    return lambda program: program.refresh(program.let_in()["refresh_token"], **changes)


def by_another(show: Callable[[Program, Program], Any]) -> Callable[[Program], Any]:
    return lambda program: show(program, Program(program.web, program.browser, "Otro"))


def disable(program: Program) -> None:
    program.web.accounts.change(None, program.web.accounts.named(None, "ana").id, active=False)


def end_sessions(program: Program) -> None:
    program.web.accounts.revoke_all(None, program.web.accounts.named(None, "ana").id)


def revoke_on_the_page(program: Program) -> None:
    who = program.web.accounts.sessions.identify(program.browser.token)
    assert who is not None
    for one in program.granted():
        program.web.accounts.tokens.revoke(who, one.id)


def a_year_of_use(program: Program) -> Any:
    """The reply to the first refresh that is too late, though one has come before each month was over."""
    tokens, month = program.let_in(), IDLE - timedelta(days=1)
    for _ in range(MOST_DAYS // month.days):
        later(program, month)
        tokens = program.refresh(tokens["refresh_token"]).json()
    later(program, month)
    return program.refresh(tokens["refresh_token"])


TOKENS: dict[str, tuple[Callable[[Program], Any], str]] = {
    "no verifier": (redeemed(code_verifier=None), "invalid_request"),
    "another verifier": (redeemed(code_verifier="w" * 64), "invalid_grant"),
    "the challenge as verifier": (redeemed(code_verifier="E" * 43), "invalid_grant"),
    "another address": (redeemed(redirect_uri=HERE), "invalid_request"),
    "no address": (redeemed(redirect_uri=None), "invalid_request"),
    "code for another server": (redeemed(resource="https://evil.example/mcp"), "invalid_target"),
    "refresh for another server": (refreshed(resource="https://evil.example/mcp"), "invalid_target"),
    "code of another program": (
        by_another(lambda one, other: other.redeem(one.consented()["code"])),
        "invalid_grant",
    ),
    "refresh of another program": (
        by_another(lambda one, other: other.refresh(one.let_in()["refresh_token"])),
        "invalid_grant",
    ),
    "more than was allowed": (refreshed(scope="leer administrar"), "invalid_scope"),
    "code as refresh": (lambda program: program.refresh(program.consented()["code"]), "invalid_grant"),
    "refresh as code": (lambda program: program.redeem(program.let_in()["refresh_token"]), "invalid_grant"),
    "access as refresh": (lambda program: program.refresh(program.let_in()["access_token"]), "invalid_grant"),
    "a password for tokens": (redeemed(grant_type="password"), "invalid_request"),
    "an invented code": (lambda program: program.redeem("arc_x.y"), "invalid_grant"),
    "an endless code": (lambda program: program.redeem("arc_" + "x" * 9000), "invalid_grant"),
    "a late code": (after_a_consent(lambda one: later(one, CODE_LIFE)), "invalid_grant"),
    "code of a disabled person": (after_a_consent(disable), "invalid_grant"),
    "code after the end of all sessions": (after_a_consent(end_sessions), "invalid_grant"),
    "after a year of use": (a_year_of_use, "invalid_grant"),
    "unused for long": (after_tokens(lambda one: later(one, IDLE)), "invalid_grant"),
    "refresh of a disabled person": (after_tokens(disable), "invalid_grant"),
    "refresh after the end of all sessions": (after_tokens(end_sessions), "invalid_grant"),
    "refresh of what was revoked": (after_tokens(revoke_on_the_page), "invalid_grant"),
    "refresh after another consent": (after_tokens(lambda one: one.let_in()), "invalid_grant"),
}


@pytest.mark.parametrize("row", TOKENS)
def test_no_token_is_given_for_what_is_wrong(program: Program, row: str) -> None:
    tried, error = TOKENS[row]
    reply = tried(program)
    assert (reply.status_code, reply.json()["error"]) == (400, error), reply.text
    assert "access_token" not in reply.text


def test_a_code_that_is_shown_again_ends_what_it_gave(program: Program) -> None:
    code = program.consented()["code"]
    tokens = program.redeem(code).json()
    assert program.redeem(code).json()["error"] == "invalid_grant"
    assert program.calls(tokens["access_token"]) == 401
    assert program.refresh(tokens["refresh_token"]).json()["error"] == "invalid_grant"


def test_a_refresh_token_that_is_shown_again_ends_what_it_gave(program: Program) -> None:
    first = program.let_in()
    second = program.refresh(first["refresh_token"]).json()
    assert program.refresh(first["refresh_token"]).json()["error"] == "invalid_grant"
    assert program.calls(second["access_token"]) == 401 and program.granted() == []


# The tokens at work


def own_token(program: Program) -> str:
    return program.let_in()["access_token"]


def an_hour_later(program: Program, token: str) -> int:
    later(program, ACCESS_LIFE)
    return program.calls(token)


CALLS: dict[str, Callable[[Program], int]] = {
    "at the API": lambda program: program.calls(own_token(program), f"{access.PREFIX}/norms"),
    "after its hour": lambda program: an_hour_later(program, own_token(program)),
    "a code": lambda program: program.calls(program.consented()["code"]),
    "a refresh token": lambda program: program.calls(program.let_in()["refresh_token"]),
    "of another server": lambda program: Program(
        program.web, program.browser, origin="http://127.0.0.1:8501"
    ).calls(own_token(program)),
}


@pytest.mark.parametrize("row", CALLS)
def test_a_token_opens_nothing_but_what_it_is_for(program: Program, row: str) -> None:
    assert CALLS[row](program) == 401


def test_a_token_never_does_more_than_tools_need_whatever_the_roles(program: Program) -> None:
    web = program.web
    account = web.accounts.named(None, "ana")
    web.accounts.change(None, account.id, roles=list(Role))
    tokens = program.let_in(scope="leer preguntar cargar administrar")
    assert tokens["scope"] == "leer preguntar"
    who = web.accounts.tokens.identify(tokens["access_token"], f"{web.origin}/mcp")
    assert who is not None and {one for one in Permission if who.may(one)} == {
        Permission.READ,
        Permission.ASK,
    }
    assert program.let_in(scope="leer")["scope"] == "leer"
    assert web.accounts.tokens.identify(tokens["access_token"]) is None


def test_a_stranger_ends_nothing_of_anybody(program: Program) -> None:
    tokens, other = program.let_in(), Program(program.web, program.browser, "Otro")
    for secret in (*tokens.values(), "", "arr_x.y", "x" * 9000):
        data = {"token": str(secret), "client_id": other.id}
        assert program.post(access.REVOKE, data=data).status_code == 200
    assert program.post(access.REVOKE, data={"token": tokens["access_token"]}).status_code == 401
    assert program.calls(tokens["access_token"]) == 200


def test_without_a_token_the_way_in_is_told_at_mcp_and_nowhere_else(program: Program) -> None:
    told = f'resource_metadata="{program.web.origin}/.well-known/oauth-protected-resource/mcp"'
    for path in ("/mcp", "/mcp/"):
        assert told in program.post(path, json={}, headers=SENT).headers["www-authenticate"]
    assert program.post(f"{access.PREFIX}/search", json={}).headers["www-authenticate"] == "Bearer"


def test_no_secret_is_stored(program: Program) -> None:
    code = program.consented()["code"]
    tokens = program.redeem(code).json()
    engine = program.web.program.database.engines.engine
    kept = b"".join(path.read_bytes() for path in Path(str(engine.url.database)).parent.glob("*.db*"))
    for secret in (code, tokens["access_token"], tokens["refresh_token"]):
        assert secret.rpartition(".")[2].encode() not in kept
