"""Signing in with an identity provider, and providers, attackers and networks that misbehave."""

import logging
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from domain.accounts import Role
from tests.oidc_provider import CLIENT, SECRET, Provider, key
from tests.web_app import LOCAL, PASSWORD, Browser, WebApp, web_app
from web import oidc
from web.oidc import claim_of
from web.oidc_sign_in import Attempt

BACK = "/acceso/oidc/vuelta"
NOT_CONFIRMED = "no ha confirmado quién es"


@pytest.fixture(scope="module")
def shared() -> Iterator[Provider]:
    """One provider for the module, because its keys take a while to make; each test finds it as new."""
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


def test_a_person_whose_user_name_has_a_password_here_does_not_get_that_account(
    web: WebApp, provider: Provider
) -> None:
    provider.person |= {"sub": "666", "preferred_username": "jefa", **roles("letrados")}
    refused(web, provider)
    assert web.browser().sign_in("jefa", PASSWORD).status_code == 303


# --- The way back


def test_a_code_is_good_once(web: WebApp, provider: Provider) -> None:
    browser = web.browser()
    brought = provider.approve(begin(browser))
    remembered = dict(browser.jar)
    assert finish(browser, brought).status_code == 303
    assert not any(name.endswith("oidc") for name, _ in browser.jar)
    thief = web.browser()
    thief.jar.update(remembered)
    assert finish(thief, brought).status_code == 401
    assert thief.token == ""


@pytest.mark.parametrize("state", ["", "x", "ñ" * 50, None])
def test_an_answer_to_another_question_opens_nothing(
    web: WebApp, provider: Provider, state: str | None
) -> None:
    browser = web.browser()
    brought = provider.approve(begin(browser))
    brought = {"code": brought["code"], **({} if state is None else {"state": state})}
    reply = finish(browser, brought)
    assert reply.status_code == 401
    assert "Vuelva a empezar" in reply.text
    assert provider.codes  # the code was never sent


def test_an_attacker_cannot_sign_a_victim_in_to_the_attackers_account(
    web: WebApp, provider: Provider
) -> None:
    """Login CSRF: the attacker's answer in the victim's browser."""
    attacker, victim = web.browser(), web.browser()
    begin(victim)
    assert finish(victim, provider.approve(begin(attacker))).status_code == 401
    assert finish(web.browser(), provider.approve(begin(attacker))).status_code == 401
    assert victim.token == ""


@pytest.mark.parametrize("cookie", ["", "x", "e30=", "bnVsbA==", "é", "W10=", "A" * 9000, "[" * 5000])
def test_a_spoilt_cookie_of_the_attempt_counts_as_expired(cookie: str) -> None:
    assert Attempt.read(cookie) is None


def test_the_page_to_come_back_to_is_checked_again(web: WebApp, provider: Provider) -> None:
    browser = web.browser()
    brought = provider.approve(begin(browser))
    (place,) = [place for place in browser.jar if place[0].endswith("oidc")]
    attempt = Attempt.read(browser.jar[place])
    assert attempt is not None
    browser.jar[place] = attempt.model_copy(update={"page": "//evil.example"}).written()
    assert finish(browser, brought).headers["location"] == "/"


@pytest.mark.parametrize("issuer", ["https://evil.example", ""])
def test_an_answer_that_names_another_provider_is_refused(
    web: WebApp, provider: Provider, issuer: str
) -> None:
    browser = web.browser()
    assert finish(browser, {**provider.approve(begin(browser)), "iss": issuer}).status_code == 401
    assert provider.codes


def test_a_provider_that_promised_its_name_has_to_say_it(web: WebApp, provider: Provider) -> None:
    forget_what_is_known(web)
    provider.metadata = {"authorization_response_iss_parameter_supported": True}
    assert NOT_CONFIRMED in refused(web, provider)
    browser = web.browser()
    brought = {**provider.approve(begin(browser)), "iss": provider.issuer}
    assert finish(browser, brought).status_code == 303


def test_the_providers_text_about_an_error_is_not_repeated(web: WebApp, provider: Provider) -> None:
    browser = web.browser()
    state = provider.approve(begin(browser))["state"]
    said = {"error": "access_denied", "error_description": "<b>llame al 900</b>", "state": state}
    reply = finish(browser, said)
    assert reply.status_code == 401
    assert "900" not in reply.text
    assert "access_denied" not in reply.text


# --- The provider in trouble


@pytest.mark.parametrize("part", ["openid-configuration", "token", "keys"])
def test_a_broken_provider_is_reported_and_can_be_tried_again(
    web: WebApp, provider: Provider, part: str
) -> None:
    forget_what_is_known(web)
    provider.broken = part
    browser = web.browser()
    reply = browser.get("/acceso/oidc")
    if reply.status_code == 303:
        reply = finish(browser, provider.approve(reply.headers["location"]))
    assert reply.status_code == 503
    assert "no responde ahora" in reply.text
    assert "oops" not in reply.text
    provider.broken = ""
    assert enter(web, provider)[1].status_code == 303


@pytest.mark.parametrize("part", ["openid-configuration", "token", "keys"])
def test_a_redirect_is_not_followed(web: WebApp, provider: Provider, part: str) -> None:
    """It would take the code and the client's secret to another address."""
    forget_what_is_known(web)
    provider.moved = part
    browser = web.browser()
    reply = browser.get("/acceso/oidc")
    if reply.status_code == 303:
        reply = finish(browser, provider.approve(reply.headers["location"]))
    assert reply.status_code == 503
    assert "/elsewhere" not in provider.asked


def test_an_answer_that_is_too_long_is_given_up(web: WebApp, provider: Provider) -> None:
    forget_what_is_known(web)
    provider.metadata = {"padding": "x" * 2 * oidc.LONGEST_ANSWER}
    assert web.browser().get("/acceso/oidc").status_code == 503


def test_a_provider_that_does_not_answer_is_given_up(
    web: WebApp, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_what_is_known(web)
    monkeypatch.setattr(oidc, "SECONDS", 0.2)
    provider.wait = 60
    assert web.browser().get("/acceso/oidc").status_code == 503
    provider.hurry.set()


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": None},
    ],
    ids="-".join,
)
def test_a_description_that_leads_elsewhere_or_in_the_clear_is_not_followed(
    web: WebApp, provider: Provider, metadata: dict[str, object]
) -> None:
    forget_what_is_known(web)
    provider.metadata = metadata
    assert web.browser().get("/acceso/oidc").status_code == 503


@pytest.mark.parametrize(
    ("claims", "name", "found"),
    [
        ({"groups": ["a"]}, "groups", ["a"]),
        ({"realm": {"roles": ["a"]}}, "realm.roles", ["a"]),
        ({"https://x.example/roles": "a"}, "https://x.example/roles", "a"),
        ({"realm": "a"}, "realm.roles", None),
        ({}, "groups", None),
    ],
)
def test_a_claim_is_found_by_name_or_path(claims: dict[str, object], name: str, found: object) -> None:
    assert claim_of(claims, name) == found
