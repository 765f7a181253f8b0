"""The embedder over real HTTP: sizes, order, batches, windows and failures."""

import asyncio
import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from core.errors import ConfigurationError, EmbedderUnavailable
from models import openai_client
from models.openai_embeddings import INPUT_CHARACTERS, REQUEST_CHARACTERS, OpenAIEmbedder
from models.vector_requests import batches, unit, windows
from tests.contract.openai_helpers import KEY, everything, role
from tests.model_replies import Reply, bag_of_words, echoes_key, fails, says
from tests.model_server import ModelServer

SIZE = 16


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(dimensions=SIZE) as running:
        yield running


def embedder(server: ModelServer, dimensions: int = SIZE, **changes: Any) -> OpenAIEmbedder:
    values = {"role": "embeddings", "model": "e5"} | changes
    return OpenAIEmbedder(role(server, **values), dimensions, 2, first_wait=0.001)


async def both_ways(made: OpenAIEmbedder, texts: list[str]) -> list[list[tuple[float, ...]]]:
    queries, _ = await made.embed_queries(texts)
    return [queries, await asyncio.to_thread(made.embed_passages, texts)]


async def failures(made: OpenAIEmbedder, texts: list[str]) -> list[EmbedderUnavailable]:
    with pytest.raises(EmbedderUnavailable) as queries:
        await made.embed_queries(texts)
    with pytest.raises(EmbedderUnavailable) as passages:
        made.embed_passages(texts)
    return [queries.value, passages.value]


@pytest.mark.parametrize("shuffled", [False, True])
async def test_vectors_are_unit_and_in_the_order_of_the_texts(server: ModelServer, shuffled: bool) -> None:
    server.shuffled = shuffled
    texts = ["vacaciones anuales", "despido objetivo", "jornada"]
    for vectors in await both_ways(embedder(server), texts):
        assert vectors == [pytest.approx(bag_of_words(text, SIZE)) for text in texts]
        assert all(math.isclose(math.hypot(*vector), 1.0) for vector in vectors)


async def test_a_call_says_what_it_cost(server: ModelServer) -> None:
    server.script(embeddings=[fails(503), Reply()])
    _, call = await embedder(server).embed_queries(["uno dos tres"])
    assert (call.role, call.model, call.prompt_tokens, call.attempts) == ("embeddings", "e5", 3, 2)
    assert call.messages == (("user", "uno dos tres"),)


async def test_no_texts_ask_for_nothing(server: ModelServer) -> None:
    assert await both_ways(embedder(server), []) == [[], []]
    assert server.count() == 0


@pytest.mark.parametrize(
    ("model", "sent"), [("text-embedding-3-small", 24), ("openai/text-embedding-3-large", 24), ("e5", None)]
)
async def test_dimensions_are_asked_only_of_models_that_can_choose(
    server: ModelServer, model: str, sent: int | None
) -> None:
    server.dimensions = 24
    await both_ways(embedder(server, 24, model=model), ["hola"])
    assert [request.body.get("dimensions") for request in server.requests] == [sent, sent]
    assert {request.body["encoding_format"] for request in server.requests} == {"float"}


async def test_vectors_of_another_size_name_the_setting_to_change(server: ModelServer) -> None:
    server.wrong_size = 12
    for error in await failures(embedder(server), ["hola"]):
        assert "EMBEDDINGS_DIMENSIONS=12" in str(error)
        assert str(SIZE) in str(error)


@pytest.mark.parametrize(
    "data",
    [
        [],
        [{"index": 0, "embedding": [1.0] * SIZE}],
        [{"index": 0, "embedding": [1.0] * SIZE}] * 2,
        [{"index": i, "embedding": [0.0] * SIZE} for i in range(2)],
        [{"index": i, "embedding": [math.nan] * SIZE} for i in range(2)],
        [{"index": i, "embedding": "AAAA"} for i in range(2)],
    ],
)
async def test_an_answer_without_one_good_vector_a_text_is_refused(
    server: ModelServer, data: list[Any]
) -> None:
    server.script(embeddings=[Reply(body={"object": "list", "data": data})])
    for error in await failures(embedder(server), ["uno", "dos"]):
        assert "«e5»" in str(error)


@pytest.mark.parametrize(
    "body", [{"data": None}, {"data": [{"index": 0, "embedding": [KEY]}]}, f"<p>{KEY}</p>"]
)
async def test_vectors_that_are_not_understood_are_logged_without_what_was_said(
    server: ModelServer, body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server.script(embeddings=[Reply(body=body)])
    await failures(embedder(server), ["uno"])
    assert caplog.text.count("NotUnderstood: ") == 2
    assert KEY not in caplog.text


async def test_passing_failures_are_retried(server: ModelServer) -> None:
    made = embedder(server)
    for status in (429, 500):
        server.script(
            embeddings=[fails(status), fails(status), Reply(), fails(status), fails(status), Reply()]
        )
        await both_ways(made, ["hola"])
    assert server.count() == 12


@pytest.mark.parametrize(("status", "requests"), [(401, 2), (404, 2), (500, 6)])
async def test_a_final_failure_says_what_to_do_and_keeps_the_key_to_itself(
    server: ModelServer, status: int, requests: int
) -> None:
    server.script(embeddings=[echoes_key(status)])
    for error in await failures(embedder(server), ["hola"]):
        assert str(status) in str(error)
        assert KEY not in everything(error)
        assert (error.__cause__, error.__context__) == (None, None)
    assert server.count() == requests


async def test_many_texts_go_in_batches_and_come_back_in_order(server: ModelServer) -> None:
    texts = [f"texto número {number}" for number in range(300)]
    for vectors in await both_ways(embedder(server), texts):
        assert vectors == [pytest.approx(bag_of_words(text, SIZE)) for text in texts]
    sizes = [len(request.body["input"]) for request in server.requests]
    assert sizes == [128, 128, 44] * 2


async def test_a_long_text_is_the_normalised_mean_of_its_windows(server: ModelServer) -> None:
    first, second = "a" * (INPUT_CHARACTERS - 1), "b" * 50
    for vectors in await both_ways(embedder(server), ["corto", f"{first} {second}", "otro"]):
        parts = zip(bag_of_words(first, SIZE), bag_of_words(second, SIZE), strict=True)
        assert vectors[1] == pytest.approx(unit([sum(pair) for pair in parts]))
        assert vectors[2] == pytest.approx(bag_of_words("otro", SIZE))


async def test_an_empty_text_is_refused_before_it_is_sent(server: ModelServer) -> None:
    with pytest.raises(ValueError, match="empty"):
        await embedder(server).embed_queries(["hola", " \n"])
    assert server.count() == 0


async def test_cancelling_a_query_closes_its_connection(server: ModelServer) -> None:
    server.script(embeddings=[says("", wait=threading.Event())])
    task = asyncio.create_task(embedder(server).embed_queries(["hola"]))
    assert await asyncio.to_thread(server.wait_for, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.last().disconnected.wait, 5)


async def test_azure_and_keyless_endpoints_give_vectors_too(server: ModelServer) -> None:
    azure = embedder(server, base_url=server.root, api_version="2024-10-21")
    await both_ways(azure, ["hola"])
    assert {request.path for request in server.requests} == {"/openai/deployments/e5/embeddings"}
    await both_ways(embedder(server, api_key=None), ["hola"])


def test_vectors_of_different_sizes_have_different_names(server: ModelServer) -> None:
    assert embedder(server, 16).name != embedder(server, 32).name


async def test_the_embedder_of_openai_itself_needs_only_a_key(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_client, "OPENAI_URL", server.url)
    made = embedder(server, base_url=None, api_key=SecretStr(KEY))
    vectors, _ = await made.embed_queries(["hola"])
    assert vectors == [pytest.approx(bag_of_words("hola", SIZE))]
    assert server.last().headers["authorization"] == "***"
    with pytest.raises(ConfigurationError, match="EMBEDDINGS_API_KEY"):
        embedder(server, base_url=None, api_key=None)


def test_windows_lose_no_word_and_respect_their_size() -> None:
    text = " ".join(f"palabra{number}" for number in range(500)) + " " + "x" * 300
    pieces = windows(text, 120)
    assert max(map(len, pieces)) <= 120
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    assert windows("", 10) == []


def test_batches_keep_the_order_and_both_limits() -> None:
    texts = ["a" * size for size in (90, 20, 5, 5, 5, 200, 1)]
    assert list(batches(texts, 3, 100)) == [texts[:1], texts[1:4], texts[4:5], texts[5:6], texts[6:]]
    assert INPUT_CHARACTERS < REQUEST_CHARACTERS
