"""The HTTP API: the documents of the command line, streams and repetitions."""

import hashlib
import threading

import pytest
from openapi_spec_validator import validate

import rag.run.runs
from rag.shared.messages import MessageState
from service.opinions.keys import signing_key
from service.program.assembly import LOCAL_USER
from tests.api_app import Api, events
from tests.integration.api.conftest import TAXES, VACATIONS, problem
from tests.unit.test_certificate import made
from web.api import questions

STREAM = {"accept": "text/event-stream"}
STAGES = ["understand", "decompose", "search", "rerank", "expand", "assess", "answer", "verify"]


# What the routes give


def test_a_question_is_answered_with_verified_citations_and_kept_nowhere(one: Api) -> None:
    before = one.program.database.conversations.conversations(LOCAL_USER)
    document = one("POST", "/ask", json={"question": VACATIONS}).json()
    assert "treinta y un días naturales" in document["answer"]
    assert document["citations"][0]["verified"] is True
    assert document["citations"][0]["wording_sha256"]
    assert [stage["name"] for stage in document["trace"]["stages"]] == STAGES
    assert (document["conversation"], document["provenance"]["text"]) == ("", "extract")
    assert one.program.database.conversations.conversations(LOCAL_USER) == before


def test_a_question_of_a_conversation_is_kept_in_it(one: Api) -> None:
    first = one("POST", "/ask", json={"question": VACATIONS, "conversation": "new"}).json()["conversation"]
    again = one(
        "POST", "/ask", json={"question": "¿Y si son del sector marítimo?", "conversation": first}
    ).json()
    assert again["conversation"] == first
    kept = one.program.database.conversations.messages(LOCAL_USER, first)
    assert [message.text for message in kept][::2] == [VACATIONS, "¿Y si son del sector marítimo?"]
    assert kept[1].state is MessageState.COMPLETE


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


def test_an_evaluation_tells_its_progress_and_then_its_figures(one: Api) -> None:
    cases = [{"id": "v", "question": VACATIONS, "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}]}]
    plain = one("POST", "/evaluate", json={"cases": cases}).json()
    assert plain["metrics"]["hit@1"] == 1.0
    streamed = events(one("POST", "/evaluate", json={"cases": cases}, headers=STREAM).text)
    assert streamed[-1][0] == "result"
    assert streamed[-1][1]["metrics"]["hit@1"] == 1.0
    assert ("progress", {"phase": "evaluar", "done": 1, "total": 1}) in streamed


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
