"""Replies as servers really send them, over real HTTP: the answer, or an error that says what happened."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.openai_helpers import KEY, MESSAGES, MODEL, Endpoint, chat, everything, failure, script
from tests.contract.openai_odd_replies import ANSWER, EVERY, HALF, ROWS, STREAM, THOUGHT, Row, letters
from tests.model_replies import says

SCHEMA = {"title": "Respuesta", "type": "object", "properties": {"answer": {"type": "string"}}}


@pytest.fixture
def endpoint(mode: str) -> Iterator[Endpoint]:
    with Endpoint(mode.removesuffix(" stream")) as running:
        yield running


@pytest.mark.parametrize(
    ("row", "mode"),
    [pytest.param(row, mode, id=f"{row.name}, {mode}") for row in ROWS for mode in row.modes],
)
async def test_a_reply_is_its_answer_alone_or_an_error_that_says_what_happened(
    endpoint: Endpoint, row: Row, mode: str
) -> None:
    script(endpoint, *row.replies)
    seen: list[str] = []
    model = chat(endpoint, effort="low")
    options: dict[str, Any] = {"schema": SCHEMA, "on_delta": seen.append if "stream" in mode else None}
    if row.error is None:
        call = await model.complete(MESSAGES, **options)
        assert (call.output, "".join(seen) or call.output) == (ANSWER, ANSWER)
        assert bool(seen) == ("stream" in mode)
    else:
        error = await failure(model, **options)
        assert type(error) is row.error
        assert row.told in str(error) and f"«{MODEL}»" in str(error)
        assert " de el " not in str(error)
        assert KEY not in everything(error)
        assert "BORRADOR" not in everything(error) + "".join(seen)
    assert endpoint.count() == row.requests
    assert not [key for key in row.lacks if key in endpoint.last().body]
    if row.lacks:
        assert (await model.complete(MESSAGES, **options)).attempts == 1


ENDLESS: list[tuple[str, tuple[str, ...], str]] = [
    ("the object, then blanks (vllm#17393)", (ANSWER, *[" \n"] * 400), ANSWER),
    ("the object, then prose that repeats", (ANSWER, *["Fin de la respuesta. "] * 40), ANSWER),
    ("blanks within the object", (HALF, *["\n", "  "] * 400), ""),
    ("a word for ever", (HALF, *[" vacaciones"] * 80), ""),
    ("a word for ever in thinking", ("<think>", *[" espera,"] * 80), ""),
    (
        "numbers that never end",
        (HALF, *(" ".join(map(str, range(n, n + 1000))) for n in range(0, 99_000, 1000))),
        "",
    ),
]


@pytest.mark.parametrize("mode", STREAM)
@pytest.mark.parametrize(
    ("pieces", "output"), [case[1:] for case in ENDLESS], ids=[case[0] for case in ENDLESS]
)
async def test_a_stream_without_end_is_ended_and_its_whole_object_kept(
    endpoint: Endpoint, mode: str, pieces: tuple[str, ...], output: str
) -> None:
    script(endpoint, says("", pieces=pieces, hold=threading.Event(), hold_after=len(pieces)))
    options: dict[str, Any] = {"schema": SCHEMA, "on_delta": lambda _: None, "timeout": 30}
    if output:
        assert (await chat(endpoint).complete(MESSAGES, **options)).output.startswith(output)
    else:
        assert "no dejaba de escribir" in str(await failure(chat(endpoint), **options))
    assert await asyncio.to_thread(endpoint.last().disconnected.wait, 5)
    assert endpoint.count() == 1


@pytest.mark.parametrize("mode", STREAM)
@pytest.mark.parametrize("text", [f"{THOUGHT}</think>{ANSWER}", f"analysis{THOUGHT}assistantfinal{ANSWER}"])
async def test_thinking_that_nothing_opened_is_shown_at_most_once(
    endpoint: Endpoint, mode: str, text: str
) -> None:
    script(endpoint, letters(text), letters(text), letters(ANSWER))
    model = chat(endpoint)
    shown: list[str] = []
    for _ in range(4):
        seen: list[str] = []
        assert (await model.complete(MESSAGES, schema=SCHEMA, on_delta=seen.append)).output == ANSWER
        shown.append("".join(seen))
    assert shown[0].endswith(ANSWER) and "BORRADOR" in shown[0]
    assert shown[1:] == [ANSWER] * 3


@pytest.mark.parametrize("mode", EVERY)
async def test_the_reasoning_effort_is_sent_where_it_is_set_and_only_there(
    endpoint: Endpoint, mode: str
) -> None:
    for effort in (None, "minimal"):
        await chat(endpoint, effort=effort).complete(MESSAGES)
    first, second = (request.body for request in endpoint.requests)
    assert not {"reasoning", "reasoning_effort"} & set(first)
    assert second.get("reasoning_effort", second.get("reasoning")) == (
        "minimal" if endpoint.api == "chat" else {"effort": "minimal"}
    )
