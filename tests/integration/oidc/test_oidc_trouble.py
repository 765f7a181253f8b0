"""The way back from an identity provider: attackers, and a provider or network that misbehaves."""

import pytest

from tests.integration.oidc.conftest import NOT_CONFIRMED, begin, enter, finish, forget_what_is_known, refused
from tests.oidc_provider import Provider
from tests.web_app import WebApp
from web import oidc
from web.oidc import claim_of
from web.oidc_sign_in import Attempt

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
