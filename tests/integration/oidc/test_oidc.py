"""Signing in with an identity provider that behaves, and tokens that were not made for us."""

import logging
import re
import time
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import pytest

from domain.accounts import Role
from tests.integration.oidc.conftest import (
    BACK,
    NOT_CONFIRMED,
    begin,
    enter,
    finish,
    forget_what_is_known,
    provider_of,
    refused,
    roles,
)
from tests.oauth_program import Program
from tests.oidc_provider import CLIENT, SECRET, Provider, key
from tests.web_app import LOCAL, PASSWORD, WebApp

# --- A provider that behaves


def test_a_person_of_the_organisation_comes_in_with_the_roles_of_their_groups(
    web: WebApp, provider: Provider
) -> None:
    browser = web.browser()
    assert 'href="/acceso/oidc?next=/normativa"' in browser.get("/acceso?next=/normativa").text
    address = begin(browser, "/normativa")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    assert address.startswith(f"{provider.issuer}/authorize?")
    assert asked["redirect_uri"] == f"{LOCAL}{BACK}"
    assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
    assert min(len(asked["state"]), len(asked["nonce"]), len(asked["code_challenge"])) >= 43
    reply = finish(browser, provider.approve(address))
    assert (reply.status_code, reply.headers["location"]) == (303, "/normativa")
    who = web.accounts.sessions.identify(browser.token)
    assert who is not None
    assert (who.username, who.name, who.roles) == ("ana", "Ana Gil", (Role.LAWYER,))
    assert browser.get("/review").status_code == 403


def test_coming_in_again_closes_the_session_that_the_browser_had(web: WebApp, provider: Provider) -> None:
    browser, _ = enter(web, provider)
    old = browser.token
    finish(browser, provider.approve(begin(browser)))
    assert browser.token != old
    assert web.accounts.sessions.identify(old) is None


def test_the_roles_follow_the_groups_at_every_sign_in(web: WebApp, provider: Provider) -> None:
    for groups, expected in (
        (["revision"], {Role.REVIEWER}),
        (["letrados", "ti"], {Role.LAWYER, Role.ADMIN}),
    ):
        provider.person |= roles(*groups)
        browser, _ = enter(web, provider)
        who = web.accounts.sessions.identify(browser.token)
        assert who is not None
        assert set(who.roles) == expected


@pytest.mark.parametrize("groups", [[], ["otros"], [["ti"], 7, None, {"ti": 1}], ["TI"], ["admin"]])
def test_groups_that_the_map_does_not_name_give_no_access(
    web: WebApp, provider: Provider, groups: list[object]
) -> None:
    provider.person |= {"sub": "8", "preferred_username": "otto", **roles(*groups)}
    assert "no da acceso" in refused(web, provider)


def test_the_secret_goes_to_the_token_endpoint_and_nowhere_else(
    web: WebApp, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        address = begin(web.browser())
        enter(web, provider)
        provider.broken = "token"
        page = refused(web, provider)
    assert SECRET not in address + page + caplog.text
    assert "client_secret" not in provider.sent[-1]
    assert provider.sent[-1]["authorization"].startswith("Basic ")


def test_a_provider_that_wants_the_secret_in_the_form_gets_it_there(web: WebApp, provider: Provider) -> None:
    forget_what_is_known(web)
    provider.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    browser, _ = enter(web, provider)
    assert browser.token
    assert provider.sent[-1]["client_secret"] == SECRET
    assert provider.sent[-1]["authorization"] == ""


def test_claims_that_the_token_lacks_come_from_the_userinfo_of_the_same_person(
    web: WebApp, provider: Provider
) -> None:
    lacking = {"sub": "11", "preferred_username": "luz", "name": "Luz", **roles("revision")}
    provider.person, provider.userinfo = {"sub": "11"}, lacking
    browser, _ = enter(web, provider)
    who = web.accounts.sessions.identify(browser.token)
    assert who is not None
    assert (who.username, who.roles) == ("luz", (Role.REVIEWER,))
    provider.userinfo = {**lacking, "sub": "12"}
    assert NOT_CONFIRMED in refused(web, provider)


def test_signing_out_leads_to_the_provider_only_on_request(web: WebApp, provider: Provider) -> None:
    browser, _ = enter(web, provider)
    assert browser.submit("/salir").headers["location"] == "/acceso?salida=1"
    assert 'href="/acceso/oidc/salir"' in browser.get("/acceso?salida=1").text
    asked = urlencode({"client_id": CLIENT, "post_logout_redirect_uri": f"{LOCAL}/acceso"})
    assert browser.get("/acceso/oidc/salir").headers["location"] == f"{provider.issuer}/logout?{asked}"
    forget_what_is_known(web)
    provider.metadata = {"end_session_endpoint": None}
    assert browser.get("/acceso/oidc/salir").headers["location"] == "/acceso"


def test_an_account_with_a_password_still_comes_in_when_the_provider_is_down(
    web: WebApp, provider: Provider
) -> None:
    provider.broken = "/"
    forget_what_is_known(web)
    browser = web.browser()
    assert browser.get("/acceso/oidc").status_code == 503
    assert browser.sign_in("jefa", PASSWORD).status_code == 303


# --- Tokens


NOW = int(time.time())


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another"},
        {"aud": "another", "azp": CLIENT},
        {"aud": []},
        {"aud": None},
        {"aud": [CLIENT, "another"]},
        {"aud": [CLIENT, "another"], "azp": "another"},
        {"azp": "another"},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"exp": NOW - 3600},
        {"exp": None},
        {"exp": "tomorrow"},
        {"iat": NOW + 3600},
        {"iat": None},
        {"nbf": NOW + 3600},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"padding": "x" * 30_000},
    ],
    ids="-".join,
)
def test_a_token_that_was_not_made_for_this_sign_in_opens_nothing(
    web: WebApp, provider: Provider, wrong: dict[str, object]
) -> None:
    provider.wrong = wrong
    assert NOT_CONFIRMED in refused(web, provider)


@pytest.mark.parametrize(
    "right",
    [{"aud": [CLIENT]}, {"aud": [CLIENT, "x"], "azp": CLIENT}, {"exp": NOW - 5}, {"iat": NOW + 30}],
    ids="-".join,
)
def test_clocks_that_differ_a_little_and_lists_of_one_are_fine(
    web: WebApp, provider: Provider, right: dict[str, object]
) -> None:
    if "exp" in right:
        right = {"exp": int(time.time()) - 5}
    provider.wrong = right
    browser, reply = enter(web, provider)
    assert reply.status_code == 303
    assert browser.token


@pytest.mark.parametrize("algorithm", ["none", "HS256", "None", "RS256x"])
def test_a_token_that_anybody_could_have_signed_opens_nothing(
    web: WebApp, provider: Provider, algorithm: str
) -> None:
    provider.algorithm = algorithm
    assert NOT_CONFIRMED in refused(web, provider)


def test_a_token_of_another_key_opens_nothing(web: WebApp, provider: Provider) -> None:
    enter(web, provider)
    own, provider.signer = provider.signer, key("k1")
    try:
        assert NOT_CONFIRMED in refused(web, provider)
    finally:
        provider.signer = own


def test_new_keys_of_the_provider_are_fetched_but_not_at_every_token(web: WebApp, provider: Provider) -> None:
    enter(web, provider)
    own, provider.signer = provider.signer, key("k2")
    there = provider_of(web)
    try:
        provider.published = [own, provider.signer]
        there._keys._read_at -= 60
        asked = provider.asked.count("/keys")
        browser, _ = enter(web, provider)
        assert browser.token
        assert provider.asked.count("/keys") == asked + 1
        provider.published, provider.signer = [own], key("k3")
        for _ in range(3):
            refused(web, provider)
        assert provider.asked.count("/keys") == asked + 1
    finally:
        provider.signer = own


@pytest.mark.parametrize("username", [None, "", 7, ["ana"]])
def test_a_person_without_a_user_name_is_told_so(web: WebApp, provider: Provider, username: object) -> None:
    provider.person |= {"sub": "9", "preferred_username": username}
    provider.userinfo = {"sub": "9"}
    assert "nombre de usuario" in refused(web, provider)


@pytest.mark.parametrize("verified", [None, False, "false", 1, "sí"])
def test_an_address_that_nobody_has_verified_gives_no_account(
    web: WebApp, provider: Provider, monkeypatch: pytest.MonkeyPatch, verified: object
) -> None:
    by_mail(web, monkeypatch)
    provider.person |= {"sub": "77", "email": "socia@bufete.example", "email_verified": verified}
    provider.userinfo = {"sub": "77"}
    assert "no ha comprobado su dirección de correo" in refused(web, provider)


def test_a_verified_address_gives_the_account_which_its_person_keeps(
    web: WebApp, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_mail(web, monkeypatch)
    provider.person |= {"sub": "78", "email": "socio@bufete.example", "email_verified": True}
    assert enter(web, provider)[0].token
    provider.person |= {"email_verified": False}
    provider.userinfo = {"sub": "78"}
    assert enter(web, provider)[0].token, "the subject is known by now"


def by_mail(web: WebApp, monkeypatch: pytest.MonkeyPatch) -> None:
    there = provider_of(web)
    changed = there._chosen.model_copy(update={"oidc_username_claim": "email"})
    monkeypatch.setattr(there, "_chosen", changed)


def test_groups_that_do_not_fit_into_the_token_are_told_and_give_no_other_role(
    web: WebApp, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = provider_of(web)
    changed = there._chosen.model_copy(update={"oidc_roles_claim": "groups"})
    monkeypatch.setattr(there, "_chosen", changed)
    provider.person |= {"sub": "79", "_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {}}}
    provider.userinfo = {"sub": "79"}
    assert "son demasiados" in refused(web, provider)


def test_a_person_whose_user_name_has_a_password_here_does_not_get_that_account(
    web: WebApp, provider: Provider
) -> None:
    provider.person |= {"sub": "666", "preferred_username": "jefa", **roles("letrados")}
    refused(web, provider)
    assert web.browser().sign_in("jefa", PASSWORD).status_code == 303


def test_a_program_is_let_in_by_a_person_of_the_provider(web: WebApp, provider: Provider) -> None:
    """The provider says who the person is; the tokens are ours."""
    program = Program(web, web.browser())
    entrance = program.browser.get(program.page().headers["location"])
    (way,) = re.findall(r'href="/acceso/oidc\?next=([^"]+)"', entrance.text)
    reply = finish(program.browser, provider.approve(begin(program.browser, unquote(way))))
    assert reply.headers["location"].startswith("/authorize?client_id=")
    assert program.calls(program.let_in()["access_token"]) == 200
