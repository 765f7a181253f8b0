"""The HTTP API: the documents of the command line, their errors, streams and repetitions."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

import rag.runs
from bootstrap import LOCAL_USER
from domain.accounts import Role, Scope
from domain.audit import AuditAction
from rag.types import MessageState
from service.opinions.keys import signing_key
from tests.api_app import Api, api_over, events
from tests.conftest import DATA
from tests.homes import new_program
from tests.unit.test_certificate import made
from web.api import questions
from web.api.application import api

VACATIONS = "¿Cuántos días de vacaciones me corresponden al año?"
TAXES = "¿Cómo se calcula el impuesto de sociedades de una cooperativa?"
STREAM = {"accept": "text/event-stream"}
STAGES = ["understand", "decompose", "search", "rerank", "expand", "assess", "answer", "verify"]


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API of the personal mode."""
    program = new_program(tmp_path_factory.mktemp("api") / "home")
    program.ingest([DATA])
    with api_over(program) as made:
        yield made
    program.close()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The API where people have accounts."""
    program = new_program(
        tmp_path_factory.mktemp("api") / "many", auth_mode="local", quota_questions_per_day=3
    )
    program.ingest([DATA])
    with api_over(program) as made:
        made.person("jefa", Role.ADMIN)
        yield made
    program.close()


def problem(reply: Any, status: int) -> str:
    """The sentence of a problem."""
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json"), (
        reply.text
    )
    found = reply.json()
    assert found["status"] == status
    assert found["title"]
    assert "Traceback" not in reply.text
    assert len(found["detail"].splitlines()) == 1
    told: str = found["detail"]
    return told


# What the routes give


def test_a_search_gives_the_document_of_the_command_line(one: Api) -> None:
    found = one("GET", "/search", params={"query": "vacaciones anuales", "as_of": "2024-05-06", "limit": 2})
    assert found.status_code == 200
    document = found.json()
    assert (document["query"], document["as_of"]) == ("vacaciones anuales", "2024-05-06")
    assert [hit["rank"] for hit in document["hits"]] == [1, 2]
    assert (document["hits"][0]["norm_id"], document["hits"][0]["article"]) == ("X-LTF", "2")


def test_a_question_is_answered_with_verified_citations_and_kept_nowhere(one: Api) -> None:
    before = one.program.conversations.conversations(LOCAL_USER)
    document = one("POST", "/ask", json={"question": VACATIONS}).json()
    assert "treinta y un días naturales" in document["answer"]
    assert document["citations"][0]["verified"] is True
    assert document["citations"][0]["wording_sha256"]
    assert [stage["name"] for stage in document["trace"]["stages"]] == STAGES
    assert (document["conversation"], document["provenance"]["text"]) == ("", "extract")
    assert one.program.conversations.conversations(LOCAL_USER) == before


def test_a_question_of_a_conversation_is_kept_in_it(one: Api) -> None:
    first = one("POST", "/ask", json={"question": VACATIONS, "conversation": "new"}).json()["conversation"]
    again = one(
        "POST", "/ask", json={"question": "¿Y si son del sector marítimo?", "conversation": first}
    ).json()
    assert again["conversation"] == first
    kept = one.program.conversations.messages(LOCAL_USER, first)
    assert [message.text for message in kept][::2] == [VACATIONS, "¿Y si son del sector marítimo?"]
    assert kept[1].state is MessageState.COMPLETE


def test_what_the_corpus_cannot_answer_is_refused_and_not_an_error(one: Api) -> None:
    document = one("POST", "/ask", json={"question": TAXES}).json()
    assert (document["refusal"], document["citations"]) == (True, [])


def test_an_answer_can_be_verified_again_and_a_changed_quotation_is_found(one: Api) -> None:
    document = one("POST", "/ask", json={"question": VACATIONS}).json()
    assert one("POST", "/verify", json=document).json()["verified"] is True
    document["citations"][0]["quote"] = document["citations"][0]["quote"].replace("treinta", "cuarenta")
    found = one("POST", "/verify", json=document).json()
    assert (found["verified"], found["citations"][0]["outcome"]) == (False, "no consta")


def test_the_citations_of_a_brief_are_told_and_an_altered_one_is_found(one: Api) -> None:
    brief = "El art. 2 de la Ley 1/2019, que dice «las personas trabajadoras tendrán treinta y un días»."
    document = one("POST", "/citations", json={"text": brief, "as_of": "2024-05-06"}).json()
    assert document["as_of"] == "2024-05-06" and document["characters"] == len(brief)
    assert document["findings"]
    assert all(brief[found["start"] : found["end"]] == found["text"] for found in document["findings"])


def test_a_certificate_is_checked_with_the_text_that_names_it(one: Api) -> None:
    content = made(signing_key(one.program.home)).decode()
    seal = hashlib.sha256(content.encode()).hexdigest()
    document = one("POST", "/certificates/verify", json={"certificate": content, "text": f"x {seal}"}).json()
    assert (document["sound"], document["state"], document["named"]) == (True, "sound", True)
    assert document["sha256"] == seal
    altered = content.replace("sin modelo", "con modelo").replace("inventa una", "inventa otra")
    document = one("POST", "/certificates/verify", json={"certificate": altered}).json()
    assert (document["sound"], document["state"], document["named"]) == (False, "changed", None)


def test_an_article_has_the_wording_of_the_day_and_its_hash(one: Api) -> None:
    document = one("GET", "/norms/X-LTF/articles/2", params={"as_of": "2024-05-06"}).json()
    assert document["text"].startswith("Artículo 2. Vacaciones anuales.")
    assert (document["article"], document["valid_from"], document["as_of"]) == (
        "2",
        "2019-03-06",
        "2024-05-06",
    )
    assert len(document["wording_sha256"]) == 64
    by_name = one("GET", "/articles", params={"reference": "art. 2 LTF", "as_of": "2024-05-06"})
    assert by_name.json() == document


def test_an_article_that_has_not_changed_is_not_sent_again(one: Api) -> None:
    where = "/norms/X-LTF/articles/2"
    first = one("GET", where, params={"as_of": "2024-05-06"})
    tag = first.headers["etag"]
    again = one("GET", where, params={"as_of": "2024-05-06"}, headers={"if-none-match": f'"otra", W/{tag}'})
    assert (again.status_code, again.text, again.headers["etag"]) == (304, "", tag)
    other = one("GET", where, params={"as_of": "2018-05-06"}, headers={"if-none-match": tag})
    assert other.status_code != 304


def test_norms_come_in_pages(one: Api) -> None:
    whole = one("GET", "/norms").json()
    pages = [one("GET", "/norms", params={"offset": n, "limit": 1}).json() for n in range(whole["total"])]
    assert [page["norms"][0] for page in pages] == whole["norms"]
    assert one("GET", "/norms", params={"offset": whole["total"]}).json()["norms"] == []
    first = whole["norms"][0]
    assert one("GET", f"/norms/{first['norm_id']}").json() == first


def test_two_wordings_are_compared(one: Api) -> None:
    days = {"from": "2020-01-01", "to": "2024-05-06"}
    document = one("GET", "/diff", params={"article": "art. 2 LTF", **days}).json()
    assert (document["changed"], document["from"], document["to"]) == (
        *(False, document["to"]),
        {"valid_from": "2019-03-06", "valid_to": None, "amended_by": None},
    )
    first = one("GET", "/diff", params={"article": "art. 2 LTF"}).json()
    assert (first["changed"], first["from"], {run["kind"] for run in first["runs"]}) == (
        True,
        None,
        {"insert"},
    )


def test_the_document_tools_are_called_as_a_model_calls_them(one: Api) -> None:
    calls = "<tool_lexical_search><query>vacaciones anuales</query></tool_lexical_search>"
    document = one("POST", "/tool", json={"calls": calls}).json()
    assert [call["error"] for call in document["calls"]] == [""]
    assert "vacaciones" in document["text"]


def test_an_evaluation_tells_its_progress_and_then_its_figures(one: Api) -> None:
    cases = [{"id": "v", "question": VACATIONS, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]}]
    plain = one("POST", "/evaluate", json={"cases": cases}).json()
    assert plain["metrics"]["hit@1"] == 1.0
    streamed = events(one("POST", "/evaluate", json={"cases": cases}, headers=STREAM).text)
    assert streamed[-1][0] == "result"
    assert streamed[-1][1]["metrics"]["hit@1"] == 1.0
    assert ("progress", {"phase": "evaluar", "done": 1, "total": 1}) in streamed


def test_the_index_is_rebuilt_and_searched_again(one: Api) -> None:
    assert one("POST", "/reindex").json()["sparse"] == one.program.corpus.counts().chunks
    assert one("GET", "/search", params={"query": "vacaciones anuales"}).json()["hits"]


# Streams


def test_a_stream_has_each_stage_the_text_and_the_result(one: Api) -> None:
    reply = one("POST", "/ask", json={"question": VACATIONS}, headers=STREAM)
    assert reply.headers["content-type"].startswith("text/event-stream")
    found = events(reply.text)
    stages = [data for name, data in found if name == "stage"]
    assert [data["name"] for data in stages if data["state"] == "started"] == STAGES
    assert [data["name"] for data in stages if data["state"] == "finished"] == STAGES
    assert [name for name, _ in found][-1] == "result"
    assert found[-1][1]["citations"][0]["verified"] is True


def test_a_stream_that_fails_ends_with_a_problem(one: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secreto")

    monkeypatch.setattr(rag.runs, "consult", broken)
    found = events(one("POST", "/ask", json={"question": VACATIONS}, headers=STREAM).text)
    assert found[-1][0] == "problem"
    assert (found[-1][1]["status"], found[-1][1]["detail"]) == (502, rag.runs.INTERNAL_ERROR)
    assert "secreto" not in str(found)
    assert problem(one("POST", "/ask", json={"question": VACATIONS}), 502) == rag.runs.INTERNAL_ERROR


def test_a_question_repeated_with_its_key_is_answered_once(one: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_repeats", questions.Repeats())
    asked = {"question": VACATIONS, "conversation": "new"}
    replies = []

    def ask() -> None:
        replies.append(one("POST", "/ask", json=asked, headers={"idempotency-key": "k-1"}).json())

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(replies) == 4
    assert all(reply == replies[0] for reply in replies)
    assert len(one.program.conversations.messages(LOCAL_USER, replies[0]["conversation"])) == 2
    other = one("POST", "/ask", json={"question": TAXES}, headers={"idempotency-key": "k-1"})
    assert "Idempotency-Key" in problem(other, 422)


# Bad input

BAD: list[tuple[str, str, dict[str, object], int, str]] = [
    ("GET", "/nada", {}, 404, "No existe esta dirección"),
    ("GET", "/ask", {}, 405, "no admite el método GET"),
    ("DELETE", "/norms/X-LTF", {}, 405, "no admite el método DELETE"),
    ("GET", "/search", {}, 422, "falta «query»"),
    ("GET", "/search", {"params": {"query": "  "}}, 422, "Escriba qué quiere buscar"),
    ("GET", "/search", {"params": {"query": "x" * 2001}}, 422, "2000 caracteres como máximo"),
    ("GET", "/search", {"params": {"query": "x", "limit": "muchos"}}, 422, "limit debe ser un número entero"),
    ("GET", "/search", {"params": {"query": "x", "limit": 101}}, 422, "limit debe ser como máximo 100"),
    ("GET", "/search", {"params": {"query": "x", "mode": "rara"}}, 422, "mode debe ser uno de"),
    ("GET", "/search", {"params": {"query": "x", "as_of": "2024-02-30"}}, 422, "as_of debe ser una fecha"),
    ("GET", "/search", {"params": {"query": "x", "otra": "1"}}, 422, "sobra «otra»"),
    ("GET", "/search", {"params": {"query": "x", "collection": "nada"}}, 422, "No existe la colección"),
    ("GET", "/search", {"params": {"query": "x", "mode": "semantic"}}, 503, "vectores"),
    ("GET", "/norms", {"params": {"offset": -1}}, 422, "offset debe ser como mínimo 0"),
    ("GET", "/norms", {"params": {"limit": 501}}, 422, "limit debe ser como máximo 500"),
    ("GET", "/norms/NADA", {}, 404, "no está en el corpus"),
    ("GET", "/norms/X-LTF/articles/999", {}, 404, "compruebe el número"),
    ("GET", "/norms/X-LTF/articles/2", {"params": {"as_of": "1800-01-01"}}, 404, "no tiene redacción"),
    ("GET", "/norms/X-LTF/articles/2", {"params": {"as_of": "ayer"}}, 422, "as_of debe ser una fecha"),
    ("GET", "/articles", {"params": {"reference": "vacaciones"}}, 422, "no nombra un artículo"),
    (
        "GET",
        "/diff",
        {"params": {"article": "art. 2 LTF", "from": "2024-01-01", "to": "2020-01-01"}},
        422,
        "anterior",
    ),
    ("POST", "/ask", {"json": {}}, 422, "falta «question»"),
    ("POST", "/ask", {"json": {"question": "   "}}, 422, "Escriba una pregunta"),
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
    ("POST", "/tool", {"json": {"calls": "hola"}}, 422, "No hay ninguna llamada"),
    ("POST", "/verify", {"json": {"answer": "x", "citations": [{"quote": "x"}]}}, 422, "falta"),
    ("POST", "/citations", {"json": {"text": " \n"}}, 422, "No hay texto que comprobar"),
    ("POST", "/citations", {"json": {"text": "x", "as_of": "ayer"}}, 422, "as_of"),
    ("POST", "/certificates/verify", {"json": {"text": "x"}}, 422, "falta «certificate»"),
    ("POST", "/certificates/verify", {"json": {"certificate": "x" * 5_000_001}}, 422, "certificate"),
    ("POST", "/evaluate", {"json": {"cases": []}}, 422, "cases"),
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

    monkeypatch.setattr(type(one.program.corpus), "norms", broken)
    assert "/ruta/secreta" not in problem(one("GET", "/norms"), 500)


# Who may


def test_a_token_does_what_its_scopes_and_the_roles_of_its_owner_allow(many: Api) -> None:
    lawyer, admin = many.person("ana", Role.LAWYER), many.person("eva", Role.ADMIN, Role.REVIEWER)
    reads = many.token(lawyer, Scope.READ)
    asks = many.token(lawyer, Scope.ASK)
    loads = many.token(admin, Scope.LOAD)
    runs = many.token(admin, Scope.ADMIN)
    cases = {"cases": [{"id": "v", "question": VACATIONS, "relevant": []}]}
    table = {
        ("GET", "/health"): (200, 200, 200, 200),
        ("GET", "/norms"): (200, 200, 200, 200),
        ("GET", "/search?query=vacaciones"): (200, 200, 200, 200),
        ("POST", "/ask"): (403, 200, 403, 403),
        ("POST", "/evaluate"): (403, 403, 403, 200),
        ("POST", "/reindex"): (403, 403, 200, 403),
    }
    bodies = {"/ask": {"question": VACATIONS}, "/evaluate": cases}
    for (method, path), expected in table.items():
        body = {"json": bodies[path]} if path in bodies else {}
        seen = tuple(many(method, path, token, **body).status_code for token in (reads, asks, loads, runs))
        assert seen == expected, path


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
    assert [one.id for one in many.program.conversations.conversations(who.id)] == [kept]
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


# The OpenAPI document


def test_the_openapi_document_is_valid_and_describes_every_route(one: Api) -> None:
    document = one("GET", "/openapi.json").json()
    validate(document)
    assert len(document["paths"]) > 10
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
