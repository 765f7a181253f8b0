"""Meters of model calls: the cost of a piece of work, even of one that is stopped or fails.

A trace holds the calls of a run that ended; a stopped run has no trace, and its calls cost the same. So
each model reports its calls to the meter of the running task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from core.errors import ModelError, ModelTimeout
from core.values import Value
from models.chat import ChatMessage, ChatModel, FunctionTool, ModelCall
from text.token_count import count_tokens

EMBEDDINGS = "embeddings"
ENRICHMENT = "enrichment"
"""Role under which the calls that write search aids are counted, whichever model makes them."""


class Spent(Value):
    """Calls to one model in one role, `failures` of them without a result, and their tokens."""

    role: str
    model: str
    calls: int = 1
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


Spend = Callable[[str, Sequence[Spent]], object]
"""Called with an owner and the calls made for that owner."""
_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


class Meter:
    """Adds up calls by role and model."""

    def __init__(self) -> None:
        self._spent: dict[tuple[str, str], Spent] = {}

    @property
    def spent(self) -> list[Spent]:
        return list(self._spent.values())

    def take(self) -> list[Spent]:
        """Spending since the last call."""
        taken = self.spent
        self._spent.clear()
        return taken

    def add(self, one: Spent) -> None:
        before = self._spent.get((one.role, one.model))
        if before is not None:
            names = ("calls", "failures", "prompt_tokens", "completion_tokens")
            one = one.model_copy(update={n: getattr(one, n) + getattr(before, n) for n in names})
        self._spent[one.role, one.model] = one

    def add_embeddings(self, calls: Iterable[ModelCall]) -> None:
        """Add the tokens that the embedding calls among these report: embedders have no meter."""
        for call in calls:
            if call.role == EMBEDDINGS and call.prompt_tokens:
                self.add(Spent(role=call.role, model=call.model, prompt_tokens=call.prompt_tokens))


@contextmanager
def metered() -> Iterator[Meter]:
    """Meter of the calls made in this block and in the tasks started in it."""
    meter = Meter()
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


@contextmanager
def metering(owner: str, spend: Spend) -> Iterator[Callable[[], None]]:
    """Report the calls made in this block to `spend` at its end, also after an exception.

    Yields a function that reports those made so far: what a process has reported is counted if it is killed.
    """
    with metered() as meter:

        def report() -> None:
            spend(owner, meter.take())

        try:
            yield report
        finally:
            report()


def meter_here(meter: Meter) -> None:
    """Add the running task's calls from here on to the meter."""
    _meter.set(meter)


def enriching(owner: str, spend: Spend) -> AbstractContextManager[Callable[[], None]]:
    """`metering` of calls that write search aids, under their own role."""

    def relabelled(who: str, spent: Sequence[Spent]) -> None:
        if spent:
            spend(who, [one.model_copy(update={"role": ENRICHMENT}) for one in spent])

    return metering(owner, relabelled)


def nothing(_owner: str, _spent: Sequence[Spent]) -> None:
    """A `Spend` that keeps no account."""


class MeteredChat:
    """A chat model that reports each call to the running task's meter, if it has one."""

    def __init__(self, inner: ChatModel) -> None:
        self.inner = inner
        self.role = inner.role
        self.model = inner.model
        self.endpoint = inner.endpoint

    @property
    def calls_functions(self) -> bool:
        return self.inner.calls_functions

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[FunctionTool] = (),
        on_delta: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> ModelCall:
        """See `models.chat.ChatModel`.

        Endpoints bill the tokens of a call that was cut off without reporting them, and some endpoints never
        report any: then they are estimated (`text.token_count`).
        """
        heard: list[str] = []

        def listen(piece: str) -> None:
            heard.append(piece)
            if on_delta is not None:
                on_delta(piece)

        try:
            call = await self.inner.complete(
                messages, schema=schema, tools=tools, on_delta=listen if on_delta else None, timeout=timeout
            )
        except (asyncio.CancelledError, ModelTimeout):
            self._tell(tokens_sent(messages, tools), count_tokens("".join(heard)), failures=1)
            raise
        except ModelError:
            self._tell(0, count_tokens("".join(heard)), failures=1)
            raise
        if call.prompt_tokens or call.completion_tokens:
            self._tell(call.prompt_tokens, call.completion_tokens)
        else:
            self._tell(tokens_sent(messages, tools), tokens_written(call))
        return call

    def _tell(self, prompt_tokens: int, completion_tokens: int, failures: int = 0) -> None:
        if (meter := _meter.get()) is not None:
            meter.add(
                Spent(
                    role=self.role,
                    model=self.model,
                    failures=failures,
                    prompt_tokens=prompt_tokens,
                    completion_tokens=completion_tokens,
                )
            )


def tokens_sent(messages: Sequence[ChatMessage], tools: Sequence[FunctionTool] = ()) -> int:
    """An estimate of the tokens of a request.

    Of what an assistant wrote it counts text and calls; encrypted reasoning is no text.
    """
    called = (item.get("arguments", "") for message in messages for item in message.items)
    described = (f"{tool.name} {tool.description} {tool.parameters}" for tool in tools)
    texts = (*(message.content for message in messages), *map(str, called), *described)
    return sum(map(count_tokens, texts))


def tokens_written(call: ModelCall) -> int:
    """An estimate of the tokens of a reply."""
    return sum(map(count_tokens, (call.output, *(one.arguments for one in call.calls))))
