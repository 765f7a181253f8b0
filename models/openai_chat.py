"""A chat model at any OpenAI-compatible endpoint: OpenAI, Azure, Ollama, vLLM.

A failed attempt becomes a `Fault` with our own message, and the error is raised outside the `except`
block: endpoints quote keys and prompts in their errors, so it has neither cause nor context.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Hashable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from core.errors import ModelTimeout
from models.chat import ChatMessage, FunctionTool, ModelCall
from models.endless_replies import Endless
from models.endpoint_faults import GOES_WITH, sentence
from models.openai_client import Clients, fault_of
from models.openai_completions import Completions
from models.openai_replies import Reading
from models.openai_responses import Responses
from models.retry import FIRST_WAIT, Backoff, Fault
from models.role import RoleSettings
from text.textnorm import encodable

TOOLS = "tools"
"""The key of a request without which it is another request; in a trace, the author of the functions."""


class OpenAIChat:
    """A chat model in one role, through the API that the role names. Any event loop and thread may call it.

    Raises:
        ConfigurationError: the role has neither a key nor a custom address.
    """

    def __init__(self, role: RoleSettings, retries: int, *, first_wait: float = FIRST_WAIT) -> None:
        self.role = role.role
        self.model = role.model
        self.endpoint: Hashable = (role.base_url, role.api_key, role.api_version)
        self._settings = role
        self._backoff = Backoff(retries, first_wait)
        self._clients = Clients(role)
        self._api = Responses() if role.api == "responses" else Completions()
        self._lacking: set[str] = set()
        self._has_tools: bool | None = None
        self._unopened = False

    @property
    def calls_functions(self) -> bool:
        return self._api.calls_functions and self._has_tools is not False

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[FunctionTool] = (),
        on_delta: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> ModelCall:
        """Ask the model; see `models.chat.ChatModel`.

        `attempts` counts every request. A text that the endpoint cut for its length is returned, and
        `error` says so. A failure after `on_delta` has been called is final: a second answer must not
        be appended to half of the first. Thinking is in neither; the first time that a reply ends it with a
        mark that nothing opened, `on_delta` has had it when the mark comes, and `output` alone is right.
        """
        started = time.perf_counter()
        reading = Reading(structured=schema is not None)
        wanted = schema if self._settings.structured else None
        request = self._api.request(self._settings, messages, wanted, tools, stream=on_delta is not None)
        request = {key: value for key, value in request.items() if key not in self._lacking}
        fault: Fault | None
        limit = asyncio.timeout(timeout)
        try:
            async with limit:
                fault = await self._ask(request, on_delta, reading, limit)
        except TimeoutError:
            if not limit.expired():
                raise
            text = "{who} no respondió a tiempo: repita la pregunta o use un modelo más rápido."
            fault = None if reading.whole else Fault(ModelTimeout, sentence(self._settings, text))
        if fault is not None:
            raise fault.kind(fault.text)
        return ModelCall(
            role=self.role,
            model=self.model,
            messages=tuple((message.role, encodable(message.content)) for message in messages)
            + (((TOOLS, json.dumps(request[TOOLS], ensure_ascii=False)),) if tools else ()),
            output=reading.text,
            calls=tuple(reading.calls),
            items=tuple(reading.items),
            prompt_tokens=reading.prompt_tokens,
            completion_tokens=reading.completion_tokens,
            cached_tokens=reading.cached_tokens,
            reasoning_tokens=reading.reasoning_tokens,
            attempts=reading.attempts,
            elapsed_ms=(time.perf_counter() - started) * 1000,
            error="El modelo llegó a su límite de longitud." if reading.finish == "length" else "",
        )

    async def _ask(
        self,
        request: dict[str, Any],
        on_delta: Callable[[str], None] | None,
        reading: Reading,
        limit: asyncio.Timeout,
    ) -> Fault | None:
        dropped: set[str] = set()
        spared = 0
        while True:
            reading.restart(unopened=self._unopened)
            fault = await self._attempt(request, on_delta, reading)
            if fault is None:
                self._lacking |= dropped
                self._unopened = reading.spoken.unopened
                if TOOLS in request:
                    self._has_tools = True
                return None
            if reading.shown:
                return reading.cut(self._settings) if fault.retryable else fault
            lacking = [key for key in fault.unsupported if key in request]
            if lacking == [TOOLS]:
                self._has_tools = bool(self._has_tools)
            elif lacking:
                left_out = {lacking[0], GOES_WITH.get(lacking[0], lacking[0])}
                request = {key: value for key, value in request.items() if key not in left_out}
                dropped |= left_out
                spared += 1
                continue
            end = limit.when()
            left = None if end is None else end - asyncio.get_running_loop().time()
            wait = self._backoff.wait(reading.attempts - spared, fault, left)
            if wait is None:
                return fault
            await asyncio.sleep(wait)

    async def _attempt(
        self,
        request: Mapping[str, Any],
        on_delta: Callable[[str], None] | None,
        reading: Reading,
    ) -> Fault | None:
        def show(text: str) -> None:
            if text and on_delta is not None:
                reading.shown = True
                on_delta(text)

        async with aclosing(self._pieces(request, reading)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Fault):
                    return None if reading.whole else piece
                reading.heard = True
                show(reading.spoken.hear(piece))
        show(reading.spoken.end())
        return reading.fault(self._settings)

    async def _pieces(
        self, request: Mapping[str, Any], reading: Reading
    ) -> AsyncGenerator[str | Fault, None]:
        """The text as it arrives; a failure is the last item, except for errors of `on_delta`."""
        endless = Endless()
        try:
            async with aclosing(self._clients.replies(self._api.path, request)) as replies:
                async for reply, streamed in replies:
                    piece = self._api.read(reply, reading, self._settings, streamed=streamed)
                    if piece:
                        yield piece
                    if streamed and isinstance(piece, str) and endless.hears(piece):
                        reading.endless = True
                        return
            return
        except Exception as error:
            fault = fault_of(error, self._settings)
        yield fault
