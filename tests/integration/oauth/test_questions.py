"""Forms of attack on the question to a person and on registration; a row each, to which anybody may add.

Every row changes one thing of what works (`test_tokens.py`), and says how it is refused.
"""

import json
from typing import Any

import pytest
from markupsafe import escape

from service.accounts import clients
from service.accounts.clients import Client
from tests.hostile import TABLE, invisible, live_html
from tests.oauth_program import BACK, SENT, Program, form_of
from tests.web_app import PASSWORD
from web import consent
from web.base import access
from web.guard import FOREIGN
from web.mcp import oauth

# The question to the person: nothing is asked, and nobody is led anywhere

ELSEWHERE, NO_PROOF = consent.ELSEWHERE, consent.NO_PROOF
QUESTIONS: dict[str, tuple[dict[str, str | None], str]] = {
    "another host": ({"redirect_uri": "https://evil.example/vuelta"}, ELSEWHERE),
    "a host that begins alike": (
        {"redirect_uri": "https://asistente.example.evil.example/vuelta"},
        ELSEWHERE,
    ),
    "a user before the host": ({"redirect_uri": "https://asistente.example@evil.example/vuelta"}, ELSEWHERE),
    "another path": ({"redirect_uri": f"{BACK}/mas"}, ELSEWHERE),
    "a query more": ({"redirect_uri": f"{BACK}?a=b"}, ELSEWHERE),
    "another port of https": ({"redirect_uri": "https://asistente.example:8443/vuelta"}, ELSEWHERE),
    "without TLS": ({"redirect_uri": BACK.replace("https", "http")}, ELSEWHERE),
    "this machine with another path": ({"redirect_uri": "http://127.0.0.1:4000/otra"}, ELSEWHERE),
    "this machine by another name": ({"redirect_uri": "http://localhost/vuelta"}, ELSEWHERE),
    "a script": ({"redirect_uri": "javascript:alert(1)"}, ELSEWHERE),
    "a document": ({"redirect_uri": "data:text/html,x"}, ELSEWHERE),
    "a scheme of a program": ({"redirect_uri": "cursor://vuelta"}, ELSEWHERE),
    "a line more": ({"redirect_uri": f"{BACK}\r\nset-cookie: a=b"}, ELSEWHERE),
    "a backslash": ({"redirect_uri": "https://asistente.example\\@evil.example/"}, ELSEWHERE),
    "nowhere": ({"redirect_uri": None}, ELSEWHERE),
    "PKCE in the clear": ({"code_challenge_method": "plain"}, NO_PROOF),
    "PKCE without its method": ({"code_challenge_method": None}, NO_PROOF),
    "no PKCE": ({"code_challenge": None}, NO_PROOF),
    "a short challenge": ({"code_challenge": "abc"}, NO_PROOF),
    "tokens at once": ({"response_type": "token"}, consent.NO_CODE),
    "an endless state": ({"state": "x" * 1001}, consent.NO_CODE),
    "an invented program": ({"client_id": "asistente"}, consent.UNKNOWN),
    "no program": ({"client_id": None}, consent.UNKNOWN),
    "another server": ({"resource": "https://evil.example/mcp"}, consent.NOT_HERE),
    "the API": ({"resource": "http://localhost:8501/api/v1"}, consent.NOT_HERE),
    "more than tools need": ({"scope": "cargar administrar"}, consent.NOTHING),
}


@pytest.mark.parametrize("row", QUESTIONS)
def test_a_wrong_question_is_not_asked_and_leads_nowhere(program: Program, row: str) -> None:
    changes, told = QUESTIONS[row]
    sent = {"csrf": form_of(program.page().text)["csrf"], "answer": "yes"} | program.asked(**changes)
    for reply in (program.page(**changes), program.browser.post(access.CONSENT, sent)):
        assert (reply.status_code, str(escape(told)) in reply.text) == (400, True), reply.text
        assert not {"location", "refresh"} & set(reply.headers) and "evil.example" not in reply.text
    assert program.granted() == []


def test_a_program_on_this_machine_takes_any_port(program: Program) -> None:
    there = "http://127.0.0.1:50123/vuelta"
    code = program.consented(redirect_uri=there)["code"]
    assert program.redeem(code, redirect_uri=there).status_code == 200


@pytest.mark.parametrize("scope", [None, "claudeai", "openid offline_access"])
def test_who_names_no_scope_of_ours_asks_for_what_tools_need(program: Program, scope: str | None) -> None:
    assert program.let_in(scope=scope)["scope"] == "leer preguntar"


FORGED: dict[str, dict[str, Any]] = {
    "no token": {"csrf": ""},
    "the token of another form": {"csrf": "0" * 64},
    "another site": {"origin": "https://evil.example"},
    "no origin": {"origin": ""},
}


@pytest.mark.parametrize("row", FORGED)
def test_no_other_page_consents_for_the_person(program: Program, row: str) -> None:
    fields = form_of(program.page().text) | {"answer": "yes"}
    forged = dict(FORGED[row])
    origin = forged.pop("origin", None)
    reply = program.browser.post(access.CONSENT, fields | forged, origin=origin)
    assert reply.status_code == 403 and "refresh" not in reply.headers
    assert (FOREIGN in reply.text) == (origin is not None)
    assert program.granted() == []


def test_who_says_no_lets_nobody_in(program: Program) -> None:
    assert program.consented("no") == {"error": "access_denied", "state": "estado", "iss": program.web.origin}
    assert program.granted() == []


def test_without_a_session_the_question_waits_for_the_sign_in(program: Program) -> None:
    program.browser = program.web.browser()
    asked = program.page()
    way = asked.headers["location"]
    assert way.startswith("/acceso?next=/authorize%3F")
    entrance = program.browser.get(way)
    # Else the window of a site that opened us counts as closed, and the site gives up.
    assert {one.headers["cross-origin-opener-policy"] for one in (asked, entrance)} == {"unsafe-none"}
    entered = program.browser.post(
        "/acceso", form_of(entrance.text) | {"username": "ana", "password": PASSWORD}
    )
    assert "«Asistente» quiere entrar" in program.browser.get(entered.headers["location"]).text


# Registration

ADDRESSES = [
    "javascript:alert(1)",
    "http://asistente.example/vuelta",
    "https://asistente.example/#vuelta",
    "https://ana@asistente.example/",
    "https://*.example/",
    "cursor://vuelta",
    "http://127.0.0.1.evil.example/",
    "http://[::2]/",
    "file:///etc/passwd",
]
REGISTRATIONS: dict[str, Any] = {
    **{address: {"redirect_uris": [address]} for address in ADDRESSES},
    "no address": {"redirect_uris": []},
    "eleven addresses": {"redirect_uris": [BACK] * (clients.MOST_ADDRESSES + 1)},
    "a long address": {"redirect_uris": [BACK + "a" * clients.LONGEST_ADDRESS]},
    "much in all": {"redirect_uris": [BACK + "a" * 200 + str(number) for number in range(9)]},
    "no code": {"grant_types": ["client_credentials"]},
    "no text for a name": {"client_name": ["x"]},
}


@pytest.mark.parametrize("row", REGISTRATIONS)
def test_what_cannot_be_registered_is_refused(program: Program, row: str) -> None:
    reply = program.register(**REGISTRATIONS[row])
    assert reply.status_code == 400
    assert reply.json()["error"] in {"invalid_redirect_uri", "invalid_client_metadata"}


def test_of_several_addresses_those_that_are_allowed_are_registered_and_no_other(program: Program) -> None:
    reply = program.register(redirect_uris=[*ADDRESSES, BACK]).json()
    assert reply["redirect_uris"] == [BACK]
    assert program.page(client_id=reply["client_id"]).status_code == 200
    for address in ADDRESSES:
        refused = program.page(client_id=reply["client_id"], redirect_uri=address)
        assert (refused.status_code, ELSEWHERE in refused.text) == (400, True)


def test_a_registration_stores_nothing_is_short_and_gives_no_secret(program: Program) -> None:
    reply = program.register(client_name="x" * 5000, token_endpoint_auth_method="client_secret_post").json()
    assert (reply["token_endpoint_auth_method"], "client_secret" in reply) == ("none", False)
    assert len(reply["client_name"]) == clients.LONGEST_NAME and len(reply["client_id"]) < 400
    assert reply["client_id"] != program.id
    assert program.register(client_name="x" * oauth.MOST_BYTES).status_code == 413
    for body in (b"{", b"[" * 15_000, b"\xff", b"null"):
        assert program.post(access.REGISTER, content=body, headers=SENT).status_code == 400


def test_an_id_that_was_written_by_hand_allows_no_more_than_one_that_was_given() -> None:
    forged = [
        Client(name=name, redirects=(to,)).new_id() for name, to in (("x", "javascript:1"), ("\u202ex", BACK))
    ]
    assert [Client.of(one) for one in [*forged, "", "=", "ñ" * 9000, "A" * 9000]] == [None] * 6


def test_a_name_is_data(program: Program) -> None:
    ours, drawn = live_html(program.page().text), 0
    for name, text in TABLE.items():
        reply = program.post(
            access.REGISTER, content=json.dumps({"client_name": text, "redirect_uris": [BACK]})
        )
        assert reply.status_code in {201, 400, 413}, name
        if reply.status_code == 201:
            page = program.page(client_id=reply.json()["client_id"]).text
            assert (live_html(page), invisible(page)) == (ours, []), name
            drawn += 1
    assert drawn > len(TABLE) / 2
