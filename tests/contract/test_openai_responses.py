"""Particulars of the Responses API over real HTTP: functions, reasoning, failures within a reply."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import ModelError, ModelRejected, ModelUnpaid
from models.chat import ChatMessage, FunctionCall, FunctionTool, ModelCall
from tests.contract.openai_helpers import MESSAGES, Endpoint, chat, failure, script
from tests.model_replies import Reply, fails, says

SEARCH = FunctionTool(
    name="buscar",
    description="Busca.",
    parameters={"type": "object", "properties": {"texto": {"type": "string", "default": ""}}},
)
CALLED = (("buscar", {"texto": "vacaciones"}), ("buscar", {"texto": "despido"}))


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with Endpoint("responses") as running:
        yield running


def answered(call: ModelCall) -> list[ChatMessage]:
    """The conversation after a call whose functions have all found something."""
    outputs = [ChatMessage(role="tool", content=f"de {one.id}", call_id=one.id) for one in call.calls]
    return [*MESSAGES, ChatMessage(role="assistant", content=call.output, items=call.items), *outputs]


async def test_functions_go_with_strict_schemas_and_their_calls_come_back_in_order(server: Endpoint) -> None:
    script(server, Reply(calls=CALLED))
    call = await chat(server).complete(MESSAGES, tools=[SEARCH])
    assert [(one.id, one.name, one.arguments) for one in call.calls] == [
        ("call_1", "buscar", '{"texto": "vacaciones"}'),
        ("call_2", "buscar", '{"texto": "despido"}'),
    ]
    assert call.output == ""
    (sent,) = server.last().body["tools"]
    assert (sent["type"], sent["name"], sent["description"]) == ("function", "buscar", "Busca.")
    assert sent["strict"] is True
    assert sent["parameters"]["required"] == ["texto"]
    assert sent["parameters"]["additionalProperties"] is False
    assert call.messages[-1][0] == "tools" and "buscar" in call.messages[-1][1]


async def test_text_beside_calls_is_the_output(server: Endpoint) -> None:
    script(server, Reply(text="Busco.", calls=CALLED[:1]))
    call = await chat(server).complete(MESSAGES, tools=[SEARCH], on_delta=(seen := []).append)
    assert (call.output, seen, len(call.calls)) == ("Busco.", ["Busco."], 1)


async def test_reasoning_goes_back_encrypted_with_the_calls_and_their_results(server: Endpoint) -> None:
    script(server, Reply(calls=CALLED, reasoning="gAAA"), says("Ya."))
    model = chat(server)
    call = await model.complete(MESSAGES, tools=[SEARCH])
    await model.complete(answered(call), tools=[SEARCH])
    first, second = (request.body for request in server.requests)
    assert first["include"] == second["include"] == ["reasoning.encrypted_content"]
    assert second["input"][:2] == first["input"]
    reasoning, *calls = second["input"][2:5]
    assert reasoning == {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
    assert [(item["type"], item["id"], item["call_id"]) for item in calls] == [
        ("function_call", "fc_1", "call_1"),
        ("function_call", "fc_2", "call_2"),
    ]
    assert second["input"][5:] == [
        {"type": "function_call_output", "call_id": "call_1", "output": "de call_1"},
        {"type": "function_call_output", "call_id": "call_2", "output": "de call_2"},
    ]


async def test_reasoning_that_is_stored_nowhere_does_not_go_back_nor_what_points_to_it(
    server: Endpoint,
) -> None:
    script(server, Reply(calls=CALLED, reasoning=""), says("Ya."))
    model = chat(server)
    await model.complete(answered(await model.complete(MESSAGES, tools=[SEARCH])), tools=[SEARCH])
    items = server.last().body["input"][2:]
    assert [item["type"] for item in items] == ["function_call"] * 2 + ["function_call_output"] * 2
    assert not any("id" in item for item in items)


async def test_an_endpoint_without_encrypted_reasoning_is_asked_without_it(server: Endpoint) -> None:
    script(server, fails(400, "Encrypted content is not supported with this model."), Reply(calls=CALLED))
    model = chat(server, retries=0)
    assert (await model.complete(MESSAGES, tools=[SEARCH])).attempts == 2
    assert (await model.complete(MESSAGES, tools=[SEARCH])).attempts == 1
    assert ["include" in request.body for request in server.requests] == [True, False, False]
    assert model.calls_functions


async def test_a_model_that_does_not_reason_is_not_asked_for_its_reasoning(server: Endpoint) -> None:
    await chat(server, reasoning=False).complete(MESSAGES, tools=[SEARCH])
    assert "include" not in server.last().body


async def test_an_endpoint_that_refuses_functions_is_known_to_have_none(server: Endpoint) -> None:
    server.rejects = {"tools"}
    model = chat(server, retries=0)
    assert model.calls_functions
    assert isinstance(await failure(model, tools=[SEARCH]), ModelRejected)
    assert (server.count(), model.calls_functions) == (1, False)
    assert (await model.complete(MESSAGES)).output == "De acuerdo."


async def test_a_later_refusal_does_not_take_the_functions_from_an_endpoint_that_has_them(
    server: Endpoint,
) -> None:
    script(server, Reply(calls=CALLED), fails(400, "No tool output found for function call call_1."))
    model = chat(server)
    await model.complete(MESSAGES, tools=[SEARCH])
    await failure(model, tools=[SEARCH])
    assert model.calls_functions


async def test_chat_completions_call_no_functions() -> None:
    with Endpoint("chat") as server:
        assert not chat(server).calls_functions


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("code", "kind", "says_so", "requests"),
    [
        ("server_error", ModelError, "falló a mitad", 3),
        ("rate_limit_exceeded", ModelError, "falló a mitad", 3),
        ("invalid_prompt", ModelRejected, "filtro", 1),
        ("insufficient_quota", ModelUnpaid, "saldo", 1),
    ],
)
async def test_a_response_that_failed_is_told_and_asked_for_again_only_where_that_may_help(
    server: Endpoint, code: str, kind: type[ModelError], says_so: str, requests: int, *, streaming: bool
) -> None:
    script(server, Reply(failed=code))
    error = await failure(chat(server), on_delta=(lambda _: None) if streaming else None)
    assert (type(error), server.count()) == (kind, requests)
    assert says_so in str(error)


async def test_a_failed_response_may_be_followed_by_a_good_one(server: Endpoint) -> None:
    script(server, Reply(failed="server_error"), says("Ya."))
    call = await chat(server).complete(MESSAGES, on_delta=(seen := []).append)
    assert (call.output, seen, call.attempts) == ("Ya.", ["Ya."], 2)


async def test_text_that_came_in_no_piece_is_read_at_the_end(server: Endpoint) -> None:
    script(server, says("entera", pieces=()))
    call = await chat(server).complete(MESSAGES, on_delta=(seen := []).append)
    assert (call.output, seen) == ("entera", ["entera"])


@pytest.mark.parametrize("streaming", [False, True])
async def test_what_the_model_says_besides_its_answer_is_no_part_of_it(
    server: Endpoint, *, streaming: bool
) -> None:
    script(server, says("{}", aside="Voy a mirarlo."))
    call = await chat(server).complete(MESSAGES, on_delta=(lambda _: None) if streaming else None)
    assert call.output == "{}"


@pytest.mark.parametrize("finish", ["length", "steered"])
async def test_a_call_that_was_cut_is_not_made(server: Endpoint, finish: str) -> None:
    script(server, Reply(text="Busco", calls=CALLED, finish=finish))
    try:
        call: Any = await chat(server, retries=0).complete(MESSAGES, tools=[SEARCH])
    except ModelError as error:
        assert "a medias" in str(error) and finish == "steered"
    else:
        assert (call.calls, call.output) == ((), "Busco")
        assert "longitud" in call.error


async def test_a_call_whose_arguments_are_no_text_is_not_understood(server: Endpoint) -> None:
    item = {"type": "function_call", "call_id": "c", "name": "n", "arguments": {}}
    script(server, Reply(body={"status": "completed", "output": [item]}))
    assert "/v1" in str(await failure(chat(server), tools=[SEARCH]))


def test_a_function_call_of_a_trace_is_read_again() -> None:
    call = FunctionCall(id="1", name="n", arguments="{}")
    record = ModelCall(role="reader", model="m", calls=(call,))
    assert ModelCall.model_validate_json(record.model_dump_json()) == record
