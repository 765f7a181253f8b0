"""The chat model over real HTTP: what it sends, what it makes of every way an endpoint can fail."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from core.errors import (
    ModelBusy,
    ModelContextTooSmall,
    ModelError,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
    ModelUnpaid,
    ModelUnreachable,
)
from models.strict_schema import strict_schema
from tests.contract.openai_helpers import (
    APIS,
    FORMAT,
    KEY,
    MESSAGES,
    MODEL,
    Endpoint,
    chat,
    everything,
    failure,
    script,
)
from tests.model_replies import Reply, as_json, echoes_key, empty, fails, says
from tests.model_server import ModelServer

SCHEMA = {
    "title": "Respuesta breve",
    "type": "object",
    "properties": {"answer": {"type": "string", "default": ""}},
}
SENT = {"chat": {"model", "messages"}, "responses": {"model", "input", "store"}}
OPTIONAL = {
    "chat": {"response_format", "stream_options", "temperature"},
    "responses": {"text", "temperature"},
}


def _other_content() -> dict[str, Any]:
    """A whole reply of either API whose text is no text."""
    content = [{"type": "output_text", "text": ["x"]}]
    return {
        "choices": [{"message": {"content": [{"type": "x"}]}}],
        "output": [{"type": "message", "content": content}],
    }


@pytest.fixture(params=APIS)
def server(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    with Endpoint(request.param) as running:
        yield running


async def test_a_call_keeps_the_prompt_the_text_the_tokens_and_the_model(server: Endpoint) -> None:
    script(server, says("Treinta días.", usage=(120, 9), details=(64, 5)))
    call = await chat(server).complete(MESSAGES)
    assert (call.output, call.prompt_tokens, call.completion_tokens) == ("Treinta días.", 120, 9)
    assert (call.cached_tokens, call.reasoning_tokens) == (64, 5)
    assert (call.role, call.model, call.attempts, call.error) == ("reader", MODEL, 1, "")
    assert call.messages == (("system", "Eres breve."), ("user", "PREGUNTA ÚNICA"))
    assert call.elapsed_ms > 0


async def test_a_reasoning_profile_sends_neither_temperature_nor_a_token_limit(server: Endpoint) -> None:
    await chat(server, reasoning=True).complete(MESSAGES)
    assert set(server.last().body) == SENT[server.api]


async def test_another_profile_sends_temperature_zero_and_no_token_limit(server: Endpoint) -> None:
    await chat(server, reasoning=False).complete(MESSAGES)
    assert server.last().body["temperature"] == 0
    assert set(server.last().body) == SENT[server.api] | {"temperature"}


@pytest.mark.parametrize("streaming", [False, True])
async def test_the_responses_api_is_told_to_store_nothing(streaming: bool) -> None:
    with Endpoint("responses") as server:
        await chat(server).complete(MESSAGES, on_delta=(lambda _: None) if streaming else None)
        assert server.last().body["store"] is False


async def test_a_schema_is_sent_as_strict_structured_output(server: Endpoint) -> None:
    script(server, as_json({"answer": "sí"}))
    await chat(server).complete(MESSAGES, schema=SCHEMA)
    sent = server.last().body[FORMAT[server.api]]
    form = sent["format"] if server.api == "responses" else sent | sent["json_schema"]
    assert (form["type"], form["name"], form["strict"]) == ("json_schema", "Respuesta_breve", True)
    assert form["schema"]["required"] == ["answer"]


async def test_a_schema_is_not_sent_where_structured_output_is_switched_off(server: Endpoint) -> None:
    await chat(server, structured=False).complete(MESSAGES, schema=SCHEMA)
    assert FORMAT[server.api] not in server.last().body


def test_a_strict_schema_requires_every_key_forbids_others_and_has_no_defaults() -> None:
    inner = {"type": "object", "properties": {"default": {"type": "integer", "default": 3}}}
    given = {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": inner},
            "one": {"$ref": "#/$defs/One", "description": "uno"},
        },
        "$defs": {"One": inner},
    }
    made = strict_schema(given)
    closed = {
        "type": "object",
        "properties": {"default": {"type": "integer"}},
        "additionalProperties": False,
        "required": ["default"],
    }
    assert made["properties"] == {
        "items": {"type": "array", "items": closed},
        "one": {"$ref": "#/$defs/One"},
    }
    assert made["required"] == ["items", "one"]
    assert made["$defs"] == {"One": closed}


async def test_a_stream_gives_its_pieces_in_order_and_its_usage(server: Endpoint) -> None:
    script(server, says("Uno dos  tres.", usage=(5, 4)))
    seen: list[str] = []
    call = await chat(server).complete(MESSAGES, on_delta=seen.append)
    assert seen == ["Uno", " dos", "  tres."]
    assert (call.output, call.prompt_tokens, call.completion_tokens) == ("Uno dos  tres.", 5, 4)
    if server.api == "chat":
        assert server.last().body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("key", ["format", "stream_options", "temperature"])
async def test_a_key_that_the_endpoint_lacks_is_left_out_and_remembered(server: Endpoint, key: str) -> None:
    if (key := FORMAT[server.api] if key == "format" else key) not in OPTIONAL[server.api]:
        pytest.skip("no key of this API")
    server.rejects = {key}
    model = chat(server, retries=0, reasoning=False)
    first = await model.complete(MESSAGES, schema=SCHEMA, on_delta=lambda _: None)
    second = await model.complete(MESSAGES, schema=SCHEMA, on_delta=lambda _: None)
    assert (first.attempts, second.attempts) == (2, 1)
    assert [key in request.body for request in server.requests] == [True, False, False]


async def test_an_endpoint_may_lack_every_optional_key(server: Endpoint) -> None:
    server.rejects = OPTIONAL[server.api]
    model = chat(server, retries=0, reasoning=False)
    call = await model.complete(MESSAGES, schema=SCHEMA, on_delta=lambda _: None)
    assert (call.attempts, call.output) == (1 + len(OPTIONAL[server.api]), "De acuerdo.")


async def test_a_key_is_not_given_up_for_a_request_that_fails_without_it_too(server: Endpoint) -> None:
    model = chat(server)
    script(server, fails(400, "bad schema"), fails(400, "bad messages"), says("{}"))
    await failure(model, schema=SCHEMA)
    await model.complete(MESSAGES, schema=SCHEMA)
    assert [FORMAT[server.api] in request.body for request in server.requests] == [True, False, True]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
@pytest.mark.parametrize("streaming", [False, True])
async def test_passing_failures_are_retried_and_counted(
    server: Endpoint, status: int, streaming: bool
) -> None:
    script(server, fails(status), fails(status), says("Ya."))
    call = await chat(server).complete(MESSAGES, on_delta=(lambda _: None) if streaming else None)
    assert (call.output, call.attempts, server.count()) == ("Ya.", 3, 3)


async def test_retries_are_bounded(server: Endpoint) -> None:
    script(server, fails(503))
    error = await failure(chat(server, retries=2))
    assert type(error) is ModelUnavailable
    assert server.count() == 3


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (400, "READER_MODEL"),
        (401, "READER_API_KEY"),
        (403, "READER_API_KEY"),
        (404, "READER_MODEL"),
        (422, "READER_BASE_URL"),
    ],
)
async def test_a_refused_request_is_not_repeated_and_says_what_to_check(
    server: Endpoint, status: int, hint: str
) -> None:
    script(server, fails(status))
    error = await failure(chat(server))
    assert isinstance(error, ModelRejected)
    assert server.count() == 1
    assert all(part in str(error) for part in ("«reader»", f"«{MODEL}»", str(status), hint))


@pytest.mark.parametrize(
    ("reply", "kind", "says_so"),
    [
        (fails(429, code="insufficient_quota"), ModelUnpaid, "saldo"),
        (fails(400, code="context_length_exceeded"), ModelContextTooSmall, "CONTEXT_TOKENS"),
        (fails(400, code="content_filter"), ModelRejected, "filtro"),
        (says("a medias", finish="content_filter"), ModelRejected, "filtró"),
        (empty("length"), ModelError, "límite de longitud"),
        (empty("stop"), ModelError, "vacía"),
        (says(" \n "), ModelError, "vacía"),
        (Reply(refusal="No puedo."), ModelError, "se negó"),
        (Reply(body="<html>Bienvenido</html>"), ModelError, "/v1"),
        (Reply(body={"choices": []}), ModelError, "/v1"),
        (Reply(body=_other_content()), ModelError, "/v1"),
        (fails(418), ModelError, "READER_BASE_URL"),
    ],
)
async def test_an_answer_that_cannot_be_used_is_named_and_not_asked_for_again(
    server: Endpoint, reply: Reply, kind: type[ModelError], says_so: str
) -> None:
    script(server, reply)
    error = await failure(chat(server))
    assert type(error) is kind
    assert says_so in str(error)
    assert server.count() == 1


@pytest.mark.parametrize(
    "reply", [empty("length"), Reply(refusal="No."), says("ya", finish="content_filter")]
)
async def test_a_stream_without_an_answer_is_an_error_too(server: Endpoint, reply: Reply) -> None:
    script(server, reply)
    await failure(chat(server), on_delta=lambda _: None)
    assert server.count() == 1


async def test_a_text_cut_for_its_length_is_returned_with_a_remark(server: Endpoint) -> None:
    script(server, says("Primero, que", finish="length"))
    call = await chat(server).complete(MESSAGES)
    assert call.output == "Primero, que"
    assert "longitud" in call.error


@pytest.mark.parametrize(
    "reply",
    [
        says("uno dos tres", cut_after=2),
        says("uno dos tres", stream_error_after=2),
        says("uno dos tres", malformed_after=2),
        says("uno dos", finish=None),
    ],
)
async def test_a_stream_that_breaks_after_some_text_is_not_started_again(
    server: Endpoint, reply: Reply
) -> None:
    script(server, reply)
    seen: list[str] = []
    error = await failure(chat(server), on_delta=seen.append)
    assert type(error) is ModelError
    assert seen == ["uno", " dos"]
    assert server.count() == 1
    assert KEY not in everything(error)


@pytest.mark.parametrize("bad", [says("hola", cut_after=0), says("hola", stream_error_after=0)])
async def test_a_stream_that_breaks_before_any_text_is_started_again(server: Endpoint, bad: Reply) -> None:
    script(server, bad, says("hola"))
    seen: list[str] = []
    call = await chat(server).complete(MESSAGES, on_delta=seen.append)
    assert (seen, call.attempts) == (["hola"], 2)


async def test_a_dropped_connection_is_retried(server: Endpoint) -> None:
    script(server, Reply(cut_after=0), says("Ya."))
    assert (await chat(server).complete(MESSAGES)).attempts == 2


async def test_a_server_that_is_not_there_is_named_with_the_address_to_check() -> None:
    with ModelServer() as gone:
        model = chat(gone, retries=1)
    error = await failure(model)
    assert type(error) is ModelUnreachable
    assert "READER_BASE_URL" in str(error)


async def test_an_address_without_its_scheme_is_a_model_error(server: Endpoint) -> None:
    error = await failure(chat(server, retries=0, base_url="127.0.0.1/v1"))
    assert "READER_BASE_URL" in str(error)


async def test_a_silent_endpoint_ends_in_a_timeout_and_a_closed_connection(server: Endpoint) -> None:
    script(server, says("tarde", wait=threading.Event()))
    error = await failure(chat(server), timeout=0.2)
    assert type(error) is ModelTimeout
    assert server.count() == 1
    assert await asyncio.to_thread(server.last().disconnected.wait, 5)


async def test_a_slow_drip_does_not_outlive_the_timeout(server: Endpoint) -> None:
    script(server, says("a " * 1000, drip=0.05))
    assert type(await failure(chat(server), on_delta=lambda _: None, timeout=0.3)) is ModelTimeout


async def test_a_wait_longer_than_the_time_left_is_not_begun(server: Endpoint) -> None:
    script(server, fails(429, retry_after="15"))
    error = await failure(chat(server), timeout=10)
    assert type(error) is ModelBusy
    assert "429" in str(error)
    assert server.count() == 1


async def test_the_wait_that_the_endpoint_asks_for_is_kept(server: Endpoint) -> None:
    script(server, fails(429, retry_after="0.3"), says("Ya."))
    await chat(server).complete(MESSAGES)
    first, second = server.requests
    assert second.at - first.at >= 0.3


@pytest.mark.parametrize(
    "header", ["Sat, 01 Jan 2000 00:00:00 GMT", "-5", "nan", "Mon, 99 Foo 99999 99:99:99 GMT", "pronto", ""]
)
async def test_a_past_or_senseless_retry_after_does_no_harm(server: Endpoint, header: str) -> None:
    script(server, fails(429, retry_after=header), says("Ya."))
    assert (await chat(server).complete(MESSAGES)).attempts == 2


async def test_a_retry_after_date_is_understood(server: Endpoint) -> None:
    script(server, fails(429, retry_after="Fri, 01 Jan 2100 00:00:00 GMT"))
    await failure(chat(server), timeout=10)
    assert server.count() == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 429, 500])
@pytest.mark.parametrize("streaming", [False, True])
async def test_a_key_or_prompt_that_the_endpoint_repeats_reaches_no_error(
    server: Endpoint, status: int, streaming: bool
) -> None:
    script(server, echoes_key(status))
    error = await failure(chat(server, retries=1), on_delta=(lambda _: None) if streaming else None)
    assert KEY not in everything(error)
    assert "PREGUNTA" not in everything(error)
    assert error.__cause__ is None
    assert error.__context__ is None


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(body=f"<html>{KEY}</html>"), "JSONDecodeError"),
        (Reply(body={"choices": KEY, "output": [KEY]}), ("AttributeError", "TypeError")),
        (Reply(body={"choices": [], "usage": {"prompt_tokens": KEY, "input_tokens": KEY}}), "ValueError"),
    ],
)
async def test_what_is_not_understood_is_logged_with_its_place_and_without_what_was_said(
    server: Endpoint, reply: Reply, kind: str | tuple[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    script(server, reply)
    await failure(chat(server))
    kind = kind if isinstance(kind, str) else kind[APIS.index(server.api)]
    assert f"NotUnderstood: {kind}\n" in f"{caplog.text}\n"
    assert "in _pieces" in caplog.text
    assert KEY not in caplog.text


async def test_a_bug_of_ours_leaves_its_place_in_the_log(
    server: Endpoint, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        return str(1 / 0)

    monkeypatch.setattr("models.openai_replies.Reading.spend", broken)
    script(server, says("hola"))
    await failure(chat(server))
    assert "in broken" in caplog.text and "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("reply", [fails(500), says("uno dos", cut_after=1), says("", finish="length")])
async def test_a_failure_that_is_told_in_full_is_not_logged_besides(
    server: Endpoint, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    script(server, reply)
    await failure(chat(server, retries=0), on_delta=lambda _: None)
    assert not [line for line in caplog.records if line.name.startswith("models.")]


async def test_a_timeout_hangs_from_no_other_error(server: Endpoint) -> None:
    script(server, says("tarde", wait=threading.Event()))
    error = await failure(chat(server), timeout=0.1)
    assert error.__context__ is None
