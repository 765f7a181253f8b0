"""The chat model's connections over real HTTP: cancelling, sharing, event loops, Azure, keys."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from core.errors import ConfigurationError, ModelError
from models.chat import ChatMessage
from tests.contract.openai_helpers import APIS, MESSAGES, MODEL, Endpoint, chat, everything, script
from tests.model_replies import Reply, says
from tests.model_server import ModelServer


@pytest.fixture(params=APIS)
def server(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    with Endpoint(request.param) as running:
        yield running


async def test_cancelling_while_text_arrives_closes_the_connection(server: Endpoint) -> None:
    script(server, says("uno dos tres", hold=threading.Event(), hold_after=2))
    seen: list[str] = []
    two = asyncio.Event()

    def show(piece: str) -> None:
        seen.append(piece)
        if len(seen) == 2:
            two.set()

    task = asyncio.create_task(chat(server).complete(MESSAGES, on_delta=show))
    await two.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.last().disconnected.wait, 5)
    assert seen == ["uno", " dos"]


async def test_cancelling_before_the_first_byte_closes_the_connection(server: Endpoint) -> None:
    script(server, says("tarde", wait=threading.Event()))
    task = asyncio.create_task(chat(server).complete(MESSAGES))
    assert await asyncio.to_thread(server.wait_for, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(server.last().disconnected.wait, 5)


async def test_an_error_of_the_callback_is_the_callers_and_closes_the_connection(server: Endpoint) -> None:
    script(server, says("uno dos", hold=threading.Event(), hold_after=1))

    def broken(_: str) -> None:
        raise ValueError("of the caller")

    with pytest.raises(ValueError, match="of the caller"):
        await chat(server).complete(MESSAGES, on_delta=broken)
    assert await asyncio.to_thread(server.last().disconnected.wait, 5)


async def test_twenty_calls_at_once_keep_their_answers_apart(server: Endpoint) -> None:
    together = threading.Event()
    server.on_chat(lambda request: says(f"eco {request.prompt[-2:]}", wait=together))
    model = chat(server)

    def ask(number: int) -> Any:
        message = ChatMessage(role="user", content=f"pregunta {number:02}")
        return model.complete([message], on_delta=(lambda _: None) if number % 2 else None)

    calls = asyncio.gather(*(ask(number) for number in range(20)))
    assert await asyncio.to_thread(server.wait_for, 20)
    together.set()
    assert [call.output for call in await calls] == [f"eco {number:02}" for number in range(20)]
    assert server.peak == 20


async def test_a_connection_is_used_again(server: Endpoint) -> None:
    model = chat(server)
    for on_delta in (None, lambda _: None, None):
        await model.complete(MESSAGES, on_delta=on_delta)
    assert len({request.connection for request in server.requests}) == 1


def test_each_event_loop_gets_its_own_connections(server: Endpoint) -> None:
    model = chat(server)
    outputs = [asyncio.run(model.complete(MESSAGES)).output for _ in range(3)]
    assert outputs == ["De acuerdo."] * 3


def test_finished_event_loops_are_let_go(server: Endpoint) -> None:
    model = chat(server)
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def ask() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await model.complete(MESSAGES)

    for _ in range(3):
        asyncio.run(ask())
    gc.collect()
    assert [loop() is None for loop in loops] == [True, True, False]


def test_loops_in_several_threads_may_share_a_model(server: Endpoint) -> None:
    model = chat(server)
    outputs: list[str] = []

    def run() -> None:
        outputs.append(asyncio.run(model.complete(MESSAGES, on_delta=lambda _: None)).output)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outputs == ["De acuerdo."] * 8


async def test_azure_is_called_by_deployment_and_api_version(server: Endpoint) -> None:
    model = chat(server, base_url=server.root, api_version="2024-10-21")
    assert (await model.complete(MESSAGES, on_delta=lambda _: None)).output == "De acuerdo."
    request = server.last()
    paths = {"chat": f"/openai/deployments/{MODEL}/chat/completions", "responses": "/openai/responses"}
    assert (request.path, request.model) == (paths[server.api], MODEL)
    assert request.query == {"api-version": ["2024-10-21"]}
    assert request.headers["api-key"] == "***"


async def test_an_endpoint_of_ones_own_needs_no_key(server: Endpoint) -> None:
    assert (await chat(server, api_key=None).complete(MESSAGES)).output == "De acuerdo."
    assert server.last().headers["authorization"] == "***"


@pytest.mark.parametrize(
    "missing", [{"api_key": None, "base_url": None}, {"api_version": "v", "base_url": None}]
)
def test_a_role_that_cannot_be_called_is_a_configuration_error(
    server: Endpoint, missing: dict[str, Any]
) -> None:
    with pytest.raises(ConfigurationError, match="READER_BASE_URL"):
        chat(server, **missing)


async def test_text_that_utf8_cannot_carry_is_sent_without_it(server: Endpoint) -> None:
    await chat(server).complete([ChatMessage.model_construct(role="user", content="mal\ud800 leído")])
    assert server.last().prompt == "mal leído"


@pytest.mark.parametrize("key", ["sk-ñ-secreta", "sk-secreta\nX-Other: 1"])
def test_a_key_that_no_header_can_carry_is_a_configuration_error(server: Endpoint, key: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        chat(server, api_key=SecretStr(key))
    assert "secreta" not in everything(caught.value)


@pytest.mark.parametrize("status", [302, 307, 308])
async def test_a_redirection_is_not_followed(server: Endpoint, status: int) -> None:
    with ModelServer() as elsewhere:
        elsewhere.script(**{"": [says("desde otro sitio")]})
        moved = Reply(status=status, headers={"Location": f"{elsewhere.url}/chat/completions"})
        script(server, moved)
        with pytest.raises(ModelError):
            await chat(server).complete(MESSAGES)
        assert elsewhere.requests == []
