"""Sessions of a browser: fixation, replay, signing out, another password."""

import hmac
from datetime import timedelta

import pytest
from starlette.websockets import WebSocketDisconnect

from tests.integration.sign_in.conftest import OTHER, closing_code, is_in
from tests.web_app import PASSWORD, Browser, WebApp

# --- Fixation, replay, sign-out


def test_a_session_that_was_planted_before_the_sign_in_is_worth_nothing_after_it(web: WebApp) -> None:
    attacker, victim = web.signed_in("berta"), web.browser()
    victim.jar["__Host-articulado", "/"] = "planted-by-an-attacker"
    assert victim.sign_in("ana").status_code == 303
    assert victim.token not in ("planted-by-an-attacker", attacker.token)


def test_signing_in_again_closes_the_session_that_the_browser_had(web: WebApp, ana: Browser) -> None:
    """A browser with a session is not shown the form, so this one computes its token as the server does."""
    old = web.browser()
    old.jar.update(ana.jar)
    key = "5" * 64
    ana.jar["__Secure-articulado_form", "/acceso"] = key
    token = hmac.new(key.encode(), f"/acceso\n{ana.token}".encode(), "sha256").hexdigest()
    reply = ana.post("/acceso", {"csrf": token, "username": "berta", "password": PASSWORD})
    assert reply.status_code == 303
    assert is_in(ana)
    assert not is_in(old)


def test_the_form_of_a_tab_that_was_open_before_the_sign_in_is_stale(web: WebApp) -> None:
    browser = web.browser()
    token = browser.csrf("/acceso")
    browser.sign_in("ana")
    first = browser.token
    fields = {"csrf": token, "username": "berta", "password": PASSWORD}
    assert browser.post("/acceso", fields).status_code == 403
    assert browser.token == first


def test_a_cookie_without_the_host_prefix_is_not_believed_over_https(web: WebApp, ana: Browser) -> None:
    tossed = web.browser()
    tossed.jar["articulado", "/"] = ana.token
    assert not is_in(tossed)


def test_after_signing_out_the_old_cookie_opens_nothing(web: WebApp, ana: Browser) -> None:
    thief = web.browser()
    thief.jar.update(ana.jar)
    reply = ana.submit("/salir")
    assert (reply.status_code, reply.headers["location"]) == (303, "/acceso?salida=1")
    assert reply.headers["clear-site-data"] == '"cache", "storage"'
    assert ana.token == ""
    assert not is_in(thief)
    assert "Ha salido" in ana.get("/acceso?salida=1").text
    with thief.websocket() as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_bytes()
    assert closed.value.code == 4401


def test_signing_out_needs_the_form_and_not_just_an_address(ana: Browser) -> None:
    assert ana.get("/salir").status_code == 200
    assert is_in(ana)


def test_signing_out_in_one_tab_closes_the_pages_of_the_others_at_once(web: WebApp, ana: Browser) -> None:
    other = web.signed_in("berta")
    with ana.websocket() as tab, ana.websocket() as second, other.websocket() as unconcerned:
        ana.submit("/salir")
        assert closing_code(tab) == closing_code(second) == 4401
        unconcerned.send_bytes(b"")
        assert is_in(other)


@pytest.mark.parametrize("how", ["revoked elsewhere", "inactive", "expired", "idle"])
def test_an_open_page_is_closed_soon_after_its_session_ends(web: WebApp, how: str) -> None:
    account = web.add(f"carla {how}".replace(" ", "."))
    browser = web.signed_in(f"carla {how}".replace(" ", "."))
    try:
        with browser.websocket() as tab:
            if how == "revoked elsewhere":
                web.accounts.revoke_all(None, account)
            elif how == "inactive":
                web.accounts.change(None, account, active=False)
            else:
                web.clock.moved = timedelta(hours=13 if how == "expired" else 2.1)
            assert closing_code(tab) == 4401
    finally:
        web.clock.moved = timedelta()


def test_an_open_page_alone_does_not_keep_a_session_alive(web: WebApp, ana: Browser) -> None:
    who = web.accounts.sessions.identify(ana.token)
    assert who is not None
    before = web.accounts.sessions.of(who.id)
    web.clock.moved = timedelta(minutes=30)
    try:
        with ana.websocket() as tab:
            seen = web.accounts.sessions.of(who.id)  # opening the page counts
            web.clock.moved = timedelta(minutes=60)
            web.client.portal.call(web.watch.look)  # type: ignore[union-attr]
            assert web.accounts.sessions.of(who.id) == seen != before
            assert tab
    finally:
        web.clock.moved = timedelta()


# --- Passwords


def test_another_password_ends_every_session_but_this_one(web: WebApp) -> None:
    web.add("dora")
    here, elsewhere = web.signed_in("dora"), web.signed_in("dora")
    old = web.browser()
    old.jar.update(here.jar)
    with elsewhere.websocket() as tab:
        reply = here.submit("/cuenta/clave", current=PASSWORD, new=OTHER, again=OTHER)
        assert (reply.status_code, reply.headers["location"]) == (303, "/")
        assert closing_code(tab) == 4401
    assert is_in(here)
    assert not is_in(elsewhere)
    assert not is_in(old)
    assert web.browser().sign_in("dora").status_code == 401
    assert web.browser().sign_in("dora", OTHER).status_code == 303


@pytest.mark.parametrize(
    ("current", "new", "again", "said"),
    [
        ("mala", OTHER, OTHER, "actual no es correcta"),
        (PASSWORD, OTHER, OTHER + "x", "no coinciden"),
        (PASSWORD, "corta", "corta", "12"),
        (PASSWORD, PASSWORD, PASSWORD, "distinta"),
        (PASSWORD, "x" * 2000, "x" * 2000, "1024"),
        (PASSWORD, "", "", "12"),
    ],
)
def test_a_bad_change_of_password_says_why(
    ana: Browser, current: str, new: str, again: str, said: str
) -> None:
    reply = ana.submit("/cuenta/clave", current=current, new=new, again=again)
    assert reply.status_code == (401 if current == "mala" else 422)
    assert said in reply.text.split('role="alert">')[1].split("</p>")[0].replace("1.024", "1024")
    assert is_in(ana)
