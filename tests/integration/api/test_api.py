"""The HTTP API: the documents of the command line, streams and repetitions."""

import threading

import pytest
from openapi_spec_validator import validate

import rag.run.runs
from service.program.assembly import LOCAL_USER
from tests.api_app import Api, events
from tests.integration.api.conftest import TAXES, VACATIONS, problem
from web.api import questions

STREAM = {"accept": "text/event-stream"}
STAGES = ["understand", "decompose", "search", "rerank", "expand", "assess", "answer", "verify"]


# What the routes give


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

    monkeypatch.setattr(rag.run.runs, "consult", broken)
    found = events(one("POST", "/ask", json={"question": VACATIONS}, headers=STREAM).text)
    assert found[-1][0] == "problem"
    assert (found[-1][1]["status"], found[-1][1]["detail"]) == (502, rag.run.runs.INTERNAL_ERROR)
    assert "secreto" not in str(found)
    assert problem(one("POST", "/ask", json={"question": VACATIONS}), 502) == rag.run.runs.INTERNAL_ERROR


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
    assert len(one.program.database.conversations.messages(LOCAL_USER, replies[0]["conversation"])) == 2
    other = one("POST", "/ask", json={"question": TAXES}, headers={"idempotency-key": "k-1"})
    assert "Idempotency-Key" in problem(other, 422)


# The OpenAPI document


def test_the_openapi_document_is_valid_and_describes_every_route(one: Api) -> None:
    document = one("GET", "/openapi.json").json()
    validate(document)
    assert len(document["paths"]) > 10
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
