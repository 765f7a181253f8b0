"""The HTTP API: bad input, and what a token may not do."""

from pathlib import Path

import pytest

from domain.accounts import Role, Scope
from domain.audit import AuditAction
from rag.run.runs import Run
from tests.api_app import Api, api_over
from tests.homes import new_program
from tests.integration.api.conftest import VACATIONS, problem
from web.api import repeats
from web.api.application import api
from web.api.repeats import Repeats

# Bad input

BAD: list[tuple[str, str, dict[str, object], int, str]] = [
    ("GET", "/nada", {}, 404, "No existe esta dirección"),
    ("GET", "/ask", {}, 405, "no admite el método GET"),
    ("DELETE", "/norms/X-LTF", {}, 405, "no admite el método DELETE"),
    ("GET", "/search", {}, 422, "falta «query»"),
    ("GET", "/search", {"params": {"query": "x" * 2001}}, 422, "2000 caracteres como máximo"),
    ("GET", "/search", {"params": {"query": "x", "limit": "muchos"}}, 422, "limit debe ser un número entero"),
    ("GET", "/search", {"params": {"query": "x", "limit": 101}}, 422, "limit debe ser como máximo 100"),
    ("GET", "/search", {"params": {"query": "x", "mode": "rara"}}, 422, "mode debe ser uno de"),
    ("GET", "/search", {"params": {"query": "x", "as_of": "2024-02-30"}}, 422, "as_of debe ser una fecha"),
    ("GET", "/search", {"params": {"query": "x", "otra": "1"}}, 422, "sobra «otra»"),
    ("GET", "/search", {"params": {"query": "x", "mode": "semantic"}}, 503, "vectores"),
    ("GET", "/search?query=%00", {}, 400, "carácter nulo"),
    ("GET", "/search", {"params": {"query": "\u200b\u2060"}}, 422, "Escriba qué quiere buscar"),
    ("GET", "/norms/%00/articles/1", {}, 400, "carácter nulo"),
    ("GET", "/norms/X-LTF/articles/%00", {}, 400, "carácter nulo"),
    ("GET", "/norms", {"params": {"offset": -1}}, 422, "offset debe ser como mínimo 0"),
    ("GET", "/norms", {"params": {"limit": 501}}, 422, "limit debe ser como máximo 500"),
    ("GET", "/norms/NADA", {}, 404, "no está en el corpus"),
    ("GET", "/norms/X-LTF/articles/999", {}, 404, "compruebe el número"),
    ("GET", "/norms/X-LTF/articles/2", {"params": {"as_of": "1800-01-01"}}, 404, "no tiene redacción"),
    ("GET", "/norms/X-LTF/articles/2", {"params": {"as_of": "ayer"}}, 422, "as_of debe ser una fecha"),
    (
        "GET",
        "/diff",
        {"params": {"article": "art. 2 LTF", "from": "2024-01-01", "to": "2020-01-01"}},
        422,
        "anterior",
    ),
    ("POST", "/ask", {"json": {}}, 422, "falta «question»"),
    ("POST", "/ask", {"json": {"question": "a" * 20_001}}, 422, "el máximo es 20.000"),
    ("POST", "/ask", {"json": {"question": 7}}, 422, "question debe ser un texto"),
    ("POST", "/ask", {"json": {"question": "x", "otra": 1}}, 422, "sobra «otra»"),
    ("POST", "/ask", {"json": {"question": "x", "conversation": "de-otro"}}, 404, "conversación"),
    ("POST", "/ask", {"json": [1]}, 422, "un objeto JSON"),
    ("POST", "/ask", {"content": "{", "headers": {"content-type": "application/json"}}, 400, "objeto JSON"),
    (
        "POST",
        "/ask",
        {"content": "[" * 100_000, "headers": {"content-type": "application/json"}},
        400,
        "JSON",
    ),
    ("POST", "/ask", {"content": b"\xff\xfe", "headers": {"content-type": "application/json"}}, 400, "JSON"),
    ("POST", "/ask", {"data": {"question": "x"}}, 415, "Content-Type: application/json"),
    ("POST", "/ask", {"json": {"question": "x"}, "headers": {"idempotency-key": "a b"}}, 422, "dempotency"),
    (
        "POST",
        "/ask",
        {"json": {"question": "x"}, "headers": {"idempotency-key": "k" * 256}},
        422,
        "dempotency",
    ),
    ("POST", "/ask", {"json": {"question": "x" * 2_100_000}}, 413, "demasiado grande"),
    ("POST", "/verify", {"json": {"answer": "x", "citations": [{"quote": "x"}]}}, 422, "falta"),
    ("POST", "/citations", {"json": {"text": "x", "as_of": "ayer"}}, 422, "as_of"),
    ("POST", "/citations/word", {"json": {"name": "x.docx", "content": "á"}}, 422, "base64"),
    ("POST", "/citations/word", {"json": {"name": "x.docx", "content": "JVBERi0x"}}, 422, "x.docx"),
    ("POST", "/certificates/verify", {"json": {"text": "x"}}, 422, "falta «certificate»"),
    ("POST", "/certificates/verify", {"json": {"certificate": "x" * 5_000_001}}, 422, "certificate"),
    ("POST", "/evaluate", {"json": {"cases": [{"id": "x"}]}}, 422, "falta «cases.0.question»"),
]


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "said"), BAD, ids=[f"{row[0]} {row[1]} {row[4]}" for row in BAD]
)
def test_bad_input_gets_one_sentence_and_its_status(  # noqa: PLR0917
    one: Api, method: str, path: str, options: dict[str, object], status: int, said: str
) -> None:
    assert said in problem(one(method, path, **options), status)


def test_an_unforeseen_error_tells_nothing_of_the_inside(one: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: object) -> None:
        raise RuntimeError("/ruta/secreta")

    monkeypatch.setattr(type(one.program.database.corpus), "norms", broken)
    assert "/ruta/secreta" not in problem(one("GET", "/norms"), 500)


# Who may


@pytest.mark.parametrize(
    "header", ["", "Bearer ", "Bearer art_nada", "Basic eHg6eQ==", "Bearer " + "a" * 5000]
)
def test_without_a_live_token_nothing_is_said(many: Api, header: str) -> None:
    sent = {"authorization": header} if header else {}
    for path, operations in api().openapi()["paths"].items():
        for method in operations:
            reply = many.client.request(method, path, headers=sent)
            assert "token" in problem(reply, 401), path
            assert reply.headers["www-authenticate"] == "Bearer"


def test_a_token_ends_with_its_revocation_and_with_its_account(many: Api) -> None:
    who = many.person("luis")
    token = many.token(who, Scope.READ)
    assert many("GET", "/norms", token).status_code == 200
    accounts = many.program.accounts
    accounts.tokens.revoke(who, accounts.tokens.of(who.id)[0].id)
    problem(many("GET", "/norms", token), 401)
    other = many.token(who, Scope.READ)
    accounts.change(None, who.id, active=False)
    problem(many("GET", "/norms", other), 401)


def test_the_questions_of_a_token_are_kept_counted_and_limited_as_those_of_the_page(many: Api) -> None:
    who = many.person("rosa")
    token = many.token(who, Scope.ASK)
    kept = many("POST", "/ask", token, json={"question": VACATIONS}).json()["conversation"]
    assert [one.id for one in many.program.database.conversations.conversations(who.id)] == [kept]
    asked = many.program.audit.log.entries(actor=who.id, actions=[AuditAction.ASKED])
    assert [entry.detail.get("door") for entry in asked] == ["api"]
    for _ in range(2):
        assert many("POST", "/ask", token, json={"question": VACATIONS}).status_code == 200
    reply = many("POST", "/ask", token, json={"question": VACATIONS})
    problem(reply, 429)
    assert int(reply.headers["retry-after"]) > 0


def test_nobody_follows_or_repeats_the_question_of_another(many: Api) -> None:
    first, second = many.person("uno"), many.person("dos")
    mine, theirs = many.token(first, Scope.ASK), many.token(second, Scope.ASK)
    key = {"idempotency-key": "la-misma"}
    kept = many("POST", "/ask", mine, json={"question": VACATIONS}, headers=key).json()["conversation"]
    again = many("POST", "/ask", theirs, json={"question": VACATIONS}, headers=key).json()["conversation"]
    assert kept != again
    problem(many("POST", "/ask", theirs, json={"question": VACATIONS, "conversation": kept}), 404)


def test_a_key_gives_no_answer_that_is_deleted_or_no_longer_allowed(many: Api) -> None:
    who = many.person("clave")
    token, key = many.token(who, Scope.ASK), {"idempotency-key": "k"}
    asked = many("POST", "/ask", token, json={"question": VACATIONS}, headers=key).json()
    assert many("POST", "/ask", token, json={"question": VACATIONS}, headers=key).json() == asked
    reading = many.token(who, Scope.READ)
    problem(many("POST", "/ask", reading, json={"question": VACATIONS}, headers=key), 403)
    many.program.database.conversations.delete(who.id, asked["conversation"])
    problem(many("POST", "/ask", token, json={"question": VACATIONS}, headers=key), 404)


def test_the_keys_of_one_person_take_no_place_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "MOST_KEPT", 2)
    kept, runs = Repeats(), [Run(number, "", "", "") for number in range(9)]
    given = iter(runs)

    def ask(person: str, key: str) -> Run:
        return kept.run(person, key, "", lambda: next(given), lambda run: run)

    own = ask("ana", "k")
    for number in range(5):
        ask("luis", f"k-{number}")
    assert ask("ana", "k") is own
    assert ask("luis", "k-0") is runs[6], "their own oldest go first"


def test_too_many_requests_of_a_token_are_told_when_to_come_back(tmp_path: Path) -> None:
    program = new_program(tmp_path / "home", auth_mode="local")
    with api_over(program, per_minute=2) as limited:
        token, other = (
            limited.token(limited.person(name, Role.ADMIN), Scope.READ) for name in ("ana", "eva")
        )
        assert [limited("GET", "/norms", token).status_code for _ in range(2)] == [200, 200]
        reply = limited("GET", "/norms", token)
        assert "espere" in problem(reply, 429)
        assert 0 < int(reply.headers["retry-after"]) <= 60
        assert limited("GET", "/norms", other).status_code == 200
    program.close()
