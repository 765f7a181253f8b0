"""Signing in and out over HTTPS behind a proxy, and attempts to get in otherwise."""

import hmac
import logging
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from markupsafe import escape
from starlette.websockets import WebSocketDisconnect

from domain.accounts import Role
from rag.errors import StorageError
from tests.hostile import TEXTS, live_html
from tests.web_app import HTML, PASSWORD, Browser, WebApp, web_app
from web.access import local_page
from web.forms import BODY_LIMIT
from web.html import Field

ORIGIN = "https://articulado.example"
PROXY = "10.0.0.7"
OTHER = "otra frase bien larga 9"
WRONG = "Usuario o contraseña incorrectos."
FORMS = ("/salir", "/cuenta/clave")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebApp]:
    settings = {"public_url": ORIGIN, "trusted_proxies": PROXY}
    folder = tmp_path_factory.mktemp("sign-in")
    with web_app(folder, ORIGIN, "0.0.0.0", (PROXY, 4000), **settings) as made:
        made.add("jefa", Role.ADMIN)
        made.add("ana")
        made.add("berta")
        yield made


@pytest.fixture(autouse=True)
def nobody_is_throttled(web: WebApp) -> None:
    web.forget_failures()


@pytest.fixture
def ana(web: WebApp) -> Browser:
    return web.signed_in("ana")


def is_in(browser: Browser) -> bool:
    return bool(browser.get("/sesion", headers={"accept": "*/*"}).status_code == 200)


def cookies_set(reply: object) -> list[str]:
    return [line.lower() for line in reply.headers.get_list("set-cookie")]  # type: ignore[attr-defined]


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


def test_after_another_password_no_browser_is_known_but_the_one_it_was_changed_in(web: WebApp) -> None:
    web.add("fina")
    here, elsewhere = web.signed_in("fina"), web.signed_in("fina")
    before = here.jar[DEVICE, "/"]
    here.submit("/cuenta/clave", current=PASSWORD, new=OTHER, again=OTHER)
    assert here.jar[DEVICE, "/"] != before
    assert guessed(web, "fina", web.browser())[-1] == 429
    assert elsewhere.sign_in("fina", OTHER).status_code == 429
    here.submit("/salir")
    assert here.sign_in("fina", OTHER).status_code == 303


@pytest.mark.parametrize("name", [DEVICE, "articulado_equipo"])
def test_an_invented_device_is_none(web: WebApp, name: str) -> None:
    assert guessed(web, "ana", web.browser())[-1] == 429
    for token in ("", "x", "A" * 5000, "0" * 43, "..%2f..", "' OR 1=1 --"):
        browser = web.browser()
        browser.jar[name, "/"] = token
        assert browser.sign_in("ana").status_code == 429, token


def test_no_cookie_at_all_goes_over_plain_http(web: WebApp, ana: Browser) -> None:
    """Also those of Streamlit, which does not know of the proxy before it."""
    streamlit = ana.get("/_stcore/health").headers.get_list("set-cookie")
    assert any(line.startswith("_streamlit_xsrf") for line in streamlit)
    for line in [*streamlit, *ana.get("/salir").headers.get_list("set-cookie")]:
        assert "secure" in line.lower().split("; "), line


def test_every_reply_over_https_asks_for_https_from_then_on(web: WebApp, ana: Browser) -> None:
    for path in ("/", "/acceso", "/no-existe", "/_stcore/health", "/acceso.css"):
        assert "max-age=31536000" in ana.get(path).headers["strict-transport-security"]


@pytest.mark.parametrize("path", ["/acceso", *FORMS, "/inicio"])
def test_our_own_pages_run_no_script_and_send_their_origin(web: WebApp, ana: Browser, path: str) -> None:
    headers = ana.get(path).headers
    assert "script-src" not in headers["content-security-policy"]
    assert "'unsafe-inline'" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("username", "password"), [("ana", "mala"), ("nadie", PASSWORD), ("", ""), ("ana", ""), ("", PASSWORD)]
)
def test_a_refusal_is_the_same_for_every_name(web: WebApp, username: str, password: str) -> None:
    browser = web.browser()
    reply = browser.sign_in(username, password)
    assert reply.status_code == 401
    assert f'role="alert">{WRONG}' in reply.text
    assert browser.token == ""


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
    for n in range(31):
        browser = web.browser()
        token = browser.csrf("/acceso")
        forwarded = {"x-forwarded-for": f"1.1.1.{n}, 8.8.4.4"}
        fields = {"csrf": token, "username": f"nadie{n}", "password": "mala"}
        reply = browser.post("/acceso", fields, **forwarded)
    assert reply.status_code == 429
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


def closing_code(socket: object) -> int:
    with pytest.raises(WebSocketDisconnect) as closed:
        while True:
            socket.receive_bytes()  # type: ignore[attr-defined]
    return closed.value.code


# --- CSRF


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("token", ["", "0" * 64, "ñ", "x" * 5000])
def test_a_form_without_its_own_token_does_nothing(web: WebApp, ana: Browser, path: str, token: str) -> None:
    ana.get(path)
    fields = {"csrf": token, "current": PASSWORD, "new": OTHER, "again": OTHER}
    reply = ana.post(path, fields)
    assert reply.status_code == 403
    assert "había caducado" in reply.text
    assert is_in(ana)


def test_the_token_of_another_form_browser_or_session_does_nothing(web: WebApp, ana: Browser) -> None:
    berta, again = web.signed_in("berta"), web.signed_in("ana")
    change = {"current": PASSWORD, "new": OTHER, "again": OTHER}
    ana.csrf("/cuenta/clave")
    for token in (ana.csrf("/salir"), berta.csrf("/cuenta/clave"), again.csrf("/cuenta/clave")):
        assert ana.post("/cuenta/clave", {"csrf": token, **change}).status_code == 403
    assert web.browser().sign_in("ana").status_code == 303


def test_the_token_of_one_form_does_not_fit_another_even_with_its_cookie(ana: Browser) -> None:
    token = ana.csrf("/salir")
    ana.jar["__Secure-articulado_form", "/cuenta/clave"] = ana.jar["__Secure-articulado_form", "/salir"]
    change = {"current": PASSWORD, "new": OTHER, "again": OTHER}
    assert ana.post("/cuenta/clave", {"csrf": token, **change}).status_code == 403


def test_a_token_planted_with_its_cookie_is_of_no_use_for_another_session(web: WebApp, ana: Browser) -> None:
    """Even if another host could write our form cookie, its own token would not fit the victim's session."""
    attacker = web.signed_in("berta")
    token = attacker.csrf("/salir")
    ana.jar["__Secure-articulado_form", "/salir"] = attacker.jar["__Secure-articulado_form", "/salir"]
    assert ana.post("/salir", {"csrf": token}).status_code == 403
    assert is_in(ana)


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    "origin",
    ["", "null", "https://evil.example", "http://articulado.example", "https://articulado.example:8443"],
)
def test_a_form_from_elsewhere_does_nothing(ana: Browser, path: str, origin: str) -> None:
    fields = {"csrf": ana.csrf(path), "current": PASSWORD, "new": OTHER, "again": OTHER}
    reply = ana.post(path, fields, origin=origin)
    assert reply.status_code == 403
    assert "no procede de la página" in reply.text
    assert is_in(ana)


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://articulado.example"])
def test_a_websocket_from_elsewhere_is_refused(web: WebApp, ana: Browser, origin: str | None) -> None:
    with pytest.raises(WebSocketDisconnect) as closed, ana.websocket(origin=origin or ""):
        pass
    assert closed.value.code == 1008


def test_the_cookie_of_a_form_goes_to_that_form_alone(ana: Browser) -> None:
    (cookie,) = [line for line in cookies_set(ana.get("/salir")) if "_form" in line]
    assert {"httponly", "secure", "samesite=strict", "path=/salir"} <= set(cookie.split("; "))


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


def test_a_password_that_somebody_else_chose_has_to_be_changed_first(web: WebApp) -> None:
    web.add("eva", must_change=True)
    eva = web.browser()
    assert eva.sign_in("eva", next="/normativa").headers["location"] == "/cuenta/clave"
    for path in ("/", "/normativa"):
        assert eva.get(path).headers["location"] == "/cuenta/clave"
    assert eva.get("/_stcore/host-config", headers={"accept": "*/*"}).status_code == 403
    assert eva.submit("/cuenta/clave", current=PASSWORD, new=OTHER, again=OTHER).headers["location"] == "/"
    assert eva.get("/").status_code == 200


# --- Form fields


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\r\nset-cookie: a=b",
        "/%0d%0aset-cookie:a=b",
        "/normativa\nx",
        "/normativa\x00",
        "/normativa#x",
        "/normativa/../../evil",
        "/normativa?x=ñ",
        '/normativa?x="><script>',
        "/@evil.example",
        "/.evil.example",
        "/salir",
        "/acceso",
        "/media/x",
        "/normativa?" + "x" * 3000,
        "normativa",
        " /normativa",
        "",
    ],
)
def test_the_sign_in_never_leads_out_of_the_program(web: WebApp, address: str) -> None:
    assert local_page(address) == "/"
    assert web.browser().sign_in("ana", next=address).headers["location"] == "/"


@pytest.mark.parametrize("address", ["/", "/normativa", "/review?x=1&y=a%20b", "/?conversation=7f"])
def test_our_own_pages_are_led_to(address: str) -> None:
    assert local_page(address) == address


MORE = (
    "ana\x00",
    "ana\r\nSet-Cookie: x=y",
    "ａｎａ",
    "аna",
    "ana\u200b",
    "ANA\u0130",
    '{"$ne": null}',
    "*)(uid=*)",
    "local",
)


@pytest.mark.parametrize("names", [("username",), ("password",), ("next", "unknown"), ("csrf",)])
def test_hostile_text_in_any_field_is_refused_without_a_trace(web: WebApp, names: tuple[str, ...]) -> None:
    browser = web.browser()
    token, ours = browser.csrf("/acceso"), live_html(browser.get("/acceso").text)
    wrong = []
    for text in (*TEXTS, *MORE):
        web.forget_failures()
        fields = {"csrf": token, "username": "ana", "password": "mala"} | dict.fromkeys(names, text)
        body = urlencode(fields, errors="surrogatepass")
        reply = browser.post("/acceso", body, **{"content-type": "application/x-www-form-urlencoded"})
        expected = (413,) if len(body) > BODY_LIMIT else (403,) if names == ("csrf",) else (401,)
        leaked = "password" in names and len(text) > 9 and (text in reply.text or escape(text) in reply.text)
        alive = live_html(reply.text) != ours
        if (
            reply.status_code not in expected
            or alive
            or leaked
            or browser.token
            or "x=y" in str(reply.headers)
        ):
            wrong.append((text[:50], reply.status_code, live_html(reply.text)))
    assert wrong == []


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"x" * (BODY_LIMIT + 1), "application/x-www-form-urlencoded", 413),
        (b"csrf=" + b"a" * 5_000_000, "application/x-www-form-urlencoded", 413),
        (b"&".join([b"a=b"] * 30), "application/x-www-form-urlencoded", 400),
        (b"\xff\xfe\x00", "application/x-www-form-urlencoded", 400),
        (b'{"username": "ana"}', "application/json", 415),
        (b"csrf=x", "text/plain", 415),
        (b"csrf=x", "multipart/form-data; boundary=x", 415),
        (b"csrf=x", "", 415),
        (b"", "application/x-www-form-urlencoded", 403),
        (b"csrf=%FF%FE&username=%C3%28", "application/x-www-form-urlencoded", 403),
    ],
    ids=["long", "huge", "many", "binary", "json", "plain", "multipart", "no type", "empty", "bad utf-8"],
)
def test_bodies_that_no_form_sends_are_refused(web: WebApp, body: bytes, kind: str, status: int) -> None:
    browser = web.browser()
    browser.get("/acceso")
    headers = {**HTML, "origin": ORIGIN, **({"content-type": kind} if kind else {})}
    assert browser.ask("POST", "/acceso", headers=headers, content=body).status_code == status


def test_the_first_of_two_fields_with_one_name_counts(web: WebApp) -> None:
    browser = web.browser()
    fields = {"csrf": browser.csrf("/acceso"), "username": ["nadie", "ana"], "password": [PASSWORD, PASSWORD]}
    assert browser.post("/acceso", fields).status_code == 401


@pytest.mark.parametrize("token", ["", "x", "A" * 5000, "ñandú", "a;b", '"', "%00", "../..", "0" * 43, "😀"])
def test_a_made_up_session_cookie_has_no_account(web: WebApp, token: str) -> None:
    headers = {b"cookie": f"__Host-articulado={token}".encode(), b"accept": b"*/*"}
    assert web.client.get("/sesion", headers=headers).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", "articulado.example.evil.example", "articulado.example:1", "localhost", ""]
)
def test_another_host_name_gets_neither_page_nor_link(web: WebApp, ana: Browser, host: str) -> None:
    for path in ("/acceso", "/", "/acceso.css"):
        reply = ana.get(path, headers={**HTML, "host": host})
        assert reply.status_code == 403
        assert "evil" not in reply.text


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
        monkeypatch.setattr(web.program.engines, method, gone)
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
