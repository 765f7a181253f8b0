"""The scripted model server itself: what other tests rely on."""

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.model_replies import as_json, bag_of_words, fails, says
from tests.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def post(server: ModelServer, system: str = "", model: str = "m", **body: Any) -> str:
    """The text of the reply; urllib raises on an error status."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": "hola"}]
    data = json.dumps({"model": model, "messages": messages, **body}).encode()
    headers = {"Authorization": "Bearer sk-secreta", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{server.url}/chat/completions", data, headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return str(json.loads(response.read())["choices"][0]["message"]["content"])


def test_a_stage_is_known_by_its_marker_and_else_by_its_model(server: ModelServer) -> None:
    server.markers = {"rerank": "ordene", "answer": "responda"}
    server.script(rerank=[[2, 0]], answer=[{"answer": "sí"}], m=["por modelo"])
    assert post(server, "Por favor, ordene esto") == "[2, 0]"
    assert json.loads(post(server, "Por favor, responda")) == {"answer": "sí"}
    assert post(server) == "por modelo"
    assert post(server, model="otro") == "De acuerdo."
    assert (server.count("rerank"), server.count()) == (1, 4)


def test_the_rule_for_stages_can_be_replaced(server: ModelServer) -> None:
    server.classify = lambda request: request.body["metadata"]
    server.script(assess=["SUFFICIENT"])
    assert post(server, metadata="assess") == "SUFFICIENT"


def test_replies_come_in_order_and_the_last_one_repeats(server: ModelServer) -> None:
    server.script(m=["uno", lambda request: says(request.model), "tres"])
    assert [post(server) for _ in range(4)] == ["uno", "m", "tres", "tres"]


def test_a_brain_answers_what_has_no_script(server: ModelServer) -> None:
    server.on_chat(lambda request: {"system": request.system})
    server.script(m=["guion"])
    assert post(server) == "guion"
    assert json.loads(post(server, "hola", model="otro")) == {"system": "hola"}


def test_json_may_come_wrapped_in_prose(server: ModelServer) -> None:
    server.script(m=[as_json([1, 9, 9], before="Claro:\n```json\n", after="\n```")])
    assert post(server) == "Claro:\n```json\n[1, 9, 9]\n```"


def test_a_recorded_request_holds_no_key(server: ModelServer) -> None:
    post(server)
    assert "secreta" not in repr(server.last())
    assert server.last().headers["authorization"] == "***"


def test_an_error_carries_its_status_code_and_wait(server: ModelServer) -> None:
    server.script(m=[fails(429, code="rate_limit_exceeded", retry_after="3")])
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server)
    assert (caught.value.code, caught.value.headers["Retry-After"]) == (429, "3")
    assert json.loads(caught.value.read())["error"]["code"] == "rate_limit_exceeded"


def test_texts_that_share_words_are_close() -> None:
    def cosine(one: str, other: str) -> float:
        pairs = zip(bag_of_words(one, 256), bag_of_words(other, 256), strict=True)
        return sum(left * right for left, right in pairs)

    assert cosine("vacaciones anuales", "vacaciones anuales") == pytest.approx(1.0)
    assert cosine("vacaciones anuales", "vacaciones del año") > cosine("vacaciones anuales", "despido")


def test_closing_does_not_wait_for_a_request_that_hangs() -> None:
    with ModelServer() as server:
        server.script(m=[says("tarde", wait=threading.Event())])

        def ask() -> None:
            with pytest.raises(OSError):
                post(server)

        client = threading.Thread(target=ask)
        client.start()
        assert server.wait_for(1)
        started = time.monotonic()
    client.join(5)
    assert not client.is_alive()
    assert time.monotonic() - started < 5
