"""A chat model at any OpenAI-compatible endpoint: OpenAI, Azure, Ollama, vLLM.

A failed attempt becomes a `Fault` with our own message, and the error is raised outside the `except`
block: endpoints quote keys and prompts in their errors, so it has neither cause nor context.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from rag.errors import ModelError, ModelRejected, ModelTimeout
from rag.ports import ChatMessage
from rag.providers.openai_client import Clients, fault_of, sentence
from rag.providers.retry import FIRST_WAIT, Backoff, Fault
from rag.providers.role import RoleSettings
from rag.text.textnorm import encodable
from rag.trace import ModelCall


class OpenAIChat:
    """A chat model in one role, through Chat Completions. Any event loop and thread may call it.

    Raises:
        ConfigurationError: the role has neither a key nor a custom address.
    """

    def __init__(self, role: RoleSettings, retries: int, *, first_wait: float = FIRST_WAIT) -> None:
        self.role = role.role
        self.model = role.model
        self._settings = role
        self._backoff = Backoff(retries, first_wait)
        self._clients = Clients(role)
        self._lacking: set[str] = set()

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        on_delta: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> ModelCall:
        """Ask the model; see `rag.ports.ChatModel`.

        `attempts` counts every request. A text that the endpoint cut for its length is returned, and
        `error` says so. A failure after `on_delta` has been called is final: a second answer must not
        be appended to half of the first.
        """
        started = time.perf_counter()
        reading = _Reading()
        fault: Fault | None
        limit = asyncio.timeout(timeout)
        try:
            async with limit:
                fault = await self._ask(self._request(messages, schema, on_delta), on_delta, reading, limit)
        except TimeoutError:
            if not limit.expired():
                raise
            text = "{who} no respondió a tiempo: repita la pregunta o use un modelo más rápido."
            fault = Fault(ModelTimeout, sentence(self._settings, text))
        if fault is not None:
            raise fault.kind(fault.text)
        return ModelCall(
            role=self.role,
            model=self.model,
            messages=tuple((message.role, encodable(message.content)) for message in messages),
            output=reading.text,
            prompt_tokens=reading.prompt_tokens,
            completion_tokens=reading.completion_tokens,
            attempts=reading.attempts,
            elapsed_ms=(time.perf_counter() - started) * 1000,
            error="El modelo llegó a su límite de longitud." if reading.finish == "length" else "",
        )

    def _request(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None, on_delta: object
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": encodable(m.content)} for m in messages],
        }
        if not self._settings.reasoning:
            request["temperature"] = 0
        if schema is not None and self._settings.structured:
            name = re.sub(r"[^A-Za-z0-9_-]", "_", str(schema.get("title", "")))[:64] or "output"
            described = {"name": name, "strict": True, "schema": strict_schema(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": described}
        if on_delta is not None:
            request |= {"stream": True, "stream_options": {"include_usage": True}}
        return {key: value for key, value in request.items() if key not in self._lacking}

    async def _ask(
        self,
        request: dict[str, Any],
        on_delta: Callable[[str], None] | None,
        reading: _Reading,
        limit: asyncio.Timeout,
    ) -> Fault | None:
        dropped: set[str] = set()
        while True:
            reading.restart()
            fault = await self._attempt(request, on_delta, reading)
            if fault is None:
                self._lacking |= dropped
                return None
            if lacking := [key for key in fault.unsupported if key in request]:
                dropped.add(lacking[0])
                del request[lacking[0]]
                continue
            if reading.pieces:
                return reading.cut(self._settings) if fault.retryable else fault
            end = limit.when()
            left = None if end is None else end - asyncio.get_running_loop().time()
            wait = self._backoff.wait(reading.attempts - len(dropped), fault, left)
            if wait is None:
                return fault
            await asyncio.sleep(wait)

    async def _attempt(
        self, request: Mapping[str, Any], on_delta: Callable[[str], None] | None, reading: _Reading
    ) -> Fault | None:
        async with aclosing(self._pieces(request, reading)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Fault):
                    return piece
                reading.pieces.append(piece)
                if on_delta is not None:
                    on_delta(piece)
        return reading.fault(self._settings)

    async def _pieces(
        self, request: Mapping[str, Any], reading: _Reading
    ) -> AsyncGenerator[str | Fault, None]:
        """The text as it arrives; a failure is the last item, except for errors of `on_delta`."""
        streamed = "stream" in request
        try:
            async with aclosing(self._clients.completion(request)) as replies:
                async for reply in replies:
                    if piece := reading.read(reply, "delta" if streamed else "message"):
                        yield piece
            if not streamed:
                reading.finish = reading.finish or "stop"
            return
        except Exception as error:
            fault = fault_of(error, self._settings)
        yield fault


@dataclass
class _Reading:
    """Result of the attempts so far; `finish` stays empty when a stream was cut."""

    pieces: list[str] = field(default_factory=list)
    finish: str = ""
    refused: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def restart(self) -> None:
        self.pieces, self.finish, self.refused = [], "", False
        self.attempts += 1

    def read(self, reply: Any, part: str) -> str:
        """Record a completion ("message") or one of its chunks ("delta", maybe empty); returns its text.

        A reply of another shape raises AttributeError, TypeError, KeyError or the like.
        """
        if usage := reply.get("usage"):
            self.prompt_tokens = int(usage.get("prompt_tokens") or 0)
            self.completion_tokens = int(usage.get("completion_tokens") or 0)
        choices = reply["choices"] if part == "message" else reply.get("choices") or [{}]
        choice = choices[0]
        said = choice.get(part) or {}
        self.finish = choice.get("finish_reason") or self.finish
        self.refused = self.refused or bool(said.get("refusal"))
        text = said.get("content") or ""
        if not isinstance(text, str):
            raise TypeError("the content is not text")
        return text

    def fault(self, role: RoleSettings) -> Fault | None:
        """The fault of a finished attempt without an answer, else None."""
        if self.finish == "content_filter":
            text = "{who} filtró la respuesta: formule la pregunta de otro modo."
            return Fault(ModelRejected, sentence(role, text))
        if not self.finish:
            return self.cut(role)
        if self.refused:
            return Fault(ModelError, sentence(role, "{who} se negó a responder: reformule la pregunta."))
        if self.text.strip():
            return None
        if self.finish == "length":
            text = (
                "{who} agotó su límite de longitud sin escribir nada: acorte la pregunta o use otro modelo."
            )
            return Fault(ModelError, sentence(role, text))
        text = "{who} devolvió una respuesta vacía: repita la pregunta o use otro modelo."
        return Fault(ModelError, sentence(role, text))

    def cut(self, role: RoleSettings) -> Fault:
        text = "La respuesta de {who} se cortó a medias: repita la pregunta."
        return Fault(ModelError, sentence(role, text), retryable=True)


def strict_schema(node: Any) -> Any:
    """A JSON schema as strict structured output wants it: no extra keys, every key required, no defaults.

    Rules: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
    """
    if isinstance(node, list):
        return [strict_schema(item) for item in node]
    if not isinstance(node, Mapping):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            made[key] = {name: strict_schema(part) for name, part in value.items()}
        elif key != "default":
            made[key] = strict_schema(value)
    if "properties" in made:
        made |= {"additionalProperties": False, "required": list(made["properties"])}
    return made
