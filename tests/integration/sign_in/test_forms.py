"""Forms of the sign-in: tokens, origins, addresses to go to, hostile fields and bodies."""

from urllib.parse import urlencode

import pytest
from markupsafe import escape

from tests.hostile import TEXTS, live_html
from tests.integration.sign_in.conftest import FORMS, ORIGIN, OTHER, cookies_set, is_in
from tests.web_app import HTML, PASSWORD, Browser, WebApp
from web.base.access import local_page
from web.forms import BODY_LIMIT

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


def test_the_cookie_of_a_form_goes_to_that_form_alone(ana: Browser) -> None:
    (cookie,) = [line for line in cookies_set(ana.get("/salir")) if "_form" in line]
    assert {"httponly", "secure", "samesite=strict", "path=/salir"} <= set(cookie.split("; "))


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


@pytest.mark.parametrize("names", [("username", "next", "unknown"), ("password",), ("csrf",)])
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
