"""Signing in over HTTPS behind a proxy, attempts to get in otherwise, and trouble on the way."""

import logging

import pytest
from starlette.websockets import WebSocketDisconnect

from core.errors import StorageError
from tests.integration.sign_in.conftest import FORMS, cookies_set
from tests.web_app import HTML, PASSWORD, Browser, WebApp
from web.html import Field

# --- Signing in


def test_the_way_in_leads_back_to_the_page_that_was_asked_for(web: WebApp) -> None:
    browser = web.browser()
    asked = browser.get("/normativa?norm=BOE-A-1&x=%C3%B1")
    assert asked.headers["location"] == "/acceso?next=/normativa%3Fnorm%3DBOE-A-1%26x%3D%25C3%25B1"
    form = browser.get(asked.headers["location"]).text
    assert 'value="/normativa?norm=BOE-A-1&amp;x=%C3%B1"' in form
    reply = browser.sign_in("ana", next="/normativa?norm=BOE-A-1")
    assert (reply.status_code, reply.headers["location"]) == (303, "/normativa?norm=BOE-A-1")
    assert browser.get("/normativa").status_code == 200
    assert browser.get("/acceso?next=/normativa").headers["location"] == "/normativa"


def test_the_form_can_be_used_by_everybody(web: WebApp) -> None:
    page = web.browser().get("/acceso").text
    assert '<html lang="es">' in page
    assert '<label for="username">' in page
    assert 'autocomplete="username"' in page
    assert 'autocomplete="current-password"' in page
    assert "<script" not in page
    assert 'role="alert"' not in page


def test_the_cookie_is_out_of_reach_of_scripts_other_hosts_and_plain_http(web: WebApp) -> None:
    reply = web.browser().sign_in("ana")
    (cookie,) = [line for line in cookies_set(reply) if line.startswith("__host-articulado=")]
    assert {"httponly", "secure", "samesite=lax", "path=/"} <= set(cookie.split("; "))
    assert "domain" not in cookie


DEVICE = "__Host-articulado_equipo"


def guessed(web: WebApp, username: str, browser: Browser) -> list[int]:
    """The replies to six wrong passwords from a browser."""
    return [browser.sign_in(username, f"mala {number}").status_code for number in range(6)]


def test_a_browser_that_has_signed_in_stays_known_and_waits_for_no_other(web: WebApp, ana: Browser) -> None:
    (cookie,) = [line for line in cookies_set(web.browser().sign_in("ana")) if "_equipo" in line]
    assert {"httponly", "secure", "samesite=lax", "path=/", "max-age=15552000"} <= set(cookie.split("; "))
    assert cookie.startswith(DEVICE.lower()) and "domain" not in cookie
    known = ana.jar[DEVICE, "/"]
    ana.submit("/salir")
    assert ana.jar[DEVICE, "/"] == known
    assert guessed(web, "ana", web.browser())[-1] == 429
    assert ana.sign_in("ana").status_code == 303
    assert ana.jar[DEVICE, "/"] == known
    other = web.browser()
    other.jar[DEVICE, "/"] = known
    assert other.sign_in("berta").status_code == 303
    assert other.jar[DEVICE, "/"] != known


def test_no_cookie_at_all_goes_over_plain_http(web: WebApp, ana: Browser) -> None:
    """Also those of Streamlit, which does not know of the proxy before it."""
    streamlit = ana.get("/_stcore/health").headers.get_list("set-cookie")
    assert any(line.startswith("_streamlit_xsrf") for line in streamlit)
    for line in [*streamlit, *ana.get("/salir").headers.get_list("set-cookie")]:
        assert "secure" in line.lower().split("; "), line


@pytest.mark.parametrize("path", ["/acceso", *FORMS, "/inicio"])
def test_our_own_pages_run_no_script_and_send_their_origin(web: WebApp, ana: Browser, path: str) -> None:
    headers = ana.get(path).headers
    assert "script-src" not in headers["content-security-policy"]
    assert "'unsafe-inline'" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_a_password_is_never_shown_again_nor_logged(web: WebApp, caplog: pytest.LogCaptureFixture) -> None:
    secret = "esto-es-una-clave-secreta"
    with caplog.at_level(logging.DEBUG):
        reply = web.browser().sign_in("ana", secret)
        stale = web.browser().post("/acceso", {"csrf": "x", "username": "ana", "password": secret})
    assert secret not in reply.text + stale.text
    assert secret not in caplog.text
    assert 'value="ana"' in stale.text


def test_no_password_field_is_ever_filled_in() -> None:
    assert "secreto" not in Field("p", "Clave", "off", "secreto", password=True).html(focus=False)


def test_too_many_attempts_are_slowed_down_with_the_time_to_wait(web: WebApp) -> None:
    browser = web.browser()
    for _ in range(5):
        assert browser.sign_in("berta", "mala").status_code == 401
    reply = browser.sign_in("berta")
    assert reply.status_code == 429
    assert 0 < int(reply.headers["retry-after"]) <= 61
    assert "Demasiados intentos" in reply.text


def test_the_address_that_counts_is_the_one_the_proxy_saw(web: WebApp) -> None:
    """The address that the proxy appends to X-Forwarded-For counts, not one written by the client."""
    answered = []
    for n in range(31):
        browser = web.browser()
        token = browser.csrf("/acceso")
        forwarded = {"x-forwarded-for": f"1.1.1.{n}, 8.8.4.4"}
        fields = {"csrf": token, "username": f"nadie{n}", "password": "mala"}
        answered.append(browser.post("/acceso", fields, **forwarded).status_code)
    assert answered[-1] == 429
    other = web.browser()
    fields = {"csrf": other.csrf("/acceso"), "username": "nadie", "password": "mala"}
    assert other.post("/acceso", fields, **{"x-forwarded-for": "8.8.4.5"}).status_code == 401


def test_the_session_records_where_it_was_opened(web: WebApp) -> None:
    browser = web.browser()
    fields = {"csrf": browser.csrf("/acceso"), "username": "ana", "password": PASSWORD}
    browser.post(
        "/acceso", fields, **{"x-forwarded-for": "203.0.113.9", "user-agent": "Firefox\x7f" + "x" * 900}
    )
    who = web.accounts.sessions.identify(browser.token)
    assert who is not None
    (session,) = [s for s in web.accounts.sessions.of(who.id) if s.id == who.session]
    assert session.address == "203.0.113.9"
    assert len(session.agent) <= 200


def test_monitoring_may_ask_by_the_address_of_the_service(web: WebApp) -> None:
    for path in ("/_stcore/health", "/salud/vivo", "/salud/listo"):
        assert web.browser().get(path, headers={"host": "10.0.0.3:8501"}).status_code == 200


def test_the_name_that_a_proxy_forwards_is_not_believed(web: WebApp) -> None:
    forged = {**HTML, "x-forwarded-host": "evil.example", "forwarded": "host=evil.example"}
    assert "evil" not in str(web.browser().get("/", headers=forged).headers)


# --- Trouble


def test_an_unforeseen_error_has_the_headers_too_and_says_nothing(
    web: WebApp, ana: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret details")

    monkeypatch.setattr(web.accounts.sessions, "identify", broken)
    reply = ana.get("/")
    assert reply.status_code == 500
    assert "secret" not in reply.text
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert reply.headers["x-frame-options"] == "DENY"


def test_a_database_that_is_gone_lets_nobody_in_and_says_so(
    web: WebApp, ana: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = ana.csrf("/salir")
    fresh = web.browser()
    form = {"csrf": fresh.csrf("/acceso"), "username": "ana", "password": PASSWORD}

    def gone(*_: object, **__: object) -> None:
        raise StorageError("postgresql://user:secret@host is gone")

    for method in ("read", "write"):
        monkeypatch.setattr(web.program.database.engines, method, gone)
    replies = [ana.get("/"), fresh.post("/acceso", form), ana.post("/salir", {"csrf": token})]
    assert [reply.status_code for reply in replies] == [503, 503, 503]
    assert not any("secret" in reply.text for reply in replies)
    with ana.websocket() as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_bytes()
    assert closed.value.code == 1013


def test_the_setup_page_is_gone_once_there_is_an_account(web: WebApp) -> None:
    browser = web.browser()
    assert browser.get("/inicio").headers["location"] == "/acceso"
    assert browser.post("/inicio", {"csrf": "x"}).headers["location"] == "/acceso"


def test_each_page_has_one_heading_one_main_part_and_a_label_for_each_input(
    web: WebApp, ana: Browser
) -> None:
    for browser, path, fields in [
        (web.browser(), "/acceso", 2),
        (ana, "/salir", 0),
        (ana, "/cuenta/clave", 3),
    ]:
        page = browser.get(path).text
        assert page.count("<h1>") == 1
        assert page.count("<main>") == 1
        assert (page.count("<label for="), page.count("<input id=")) == (fields, fields), path
        assert ("autofocus" in page) == (path != "/salir"), path
