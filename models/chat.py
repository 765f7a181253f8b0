"""Chat models: their messages, their calls and their protocol."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Protocol

from pydantic import Field

from core.values import Value


class Turn(Value):
    """One message of the history as the prompts see it: 'user' or 'assistant'."""

    role: str
    text: str


class ChatMessage(Value):
    """One message of a prompt: role 'system', 'user', 'assistant' or 'tool'.

    Attributes:
        call_id: of a tool's message, the `FunctionCall.id` that it answers.
        items: of an assistant's message, `ModelCall.items`: they go back to the endpoint as it wrote them.
    """

    role: str
    content: str
    call_id: str = ""
    items: tuple[Mapping[str, Any], ...] = ()


class FunctionTool(Value):
    """A function that a model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class FunctionCall(Value):
    """A function that the model asks to call; `arguments` is JSON as the model wrote it, maybe invalid."""

    id: str
    name: str
    arguments: str


class ModelCall(Value):
    """One request to a model: its messages, its output, and its cost in tokens and milliseconds.

    Attributes:
        calls: functions that the model asks to call, in order.
        items: the whole reply in the endpoint's own form, for an endpoint that wants it back with the
            results of `calls`; traces do without.
        cached_tokens: tokens of the prompt that the endpoint took from its cache.
        reasoning_tokens: tokens of the completion that are not in `output`.
        told: what a reader is told of `error` when the call failed; traces do without.
        masked: (kind, number) of personal data replaced by placeholders in `messages`; `output` and `calls`
            have the data, `items` the placeholders.
    """

    role: str = Field(description="reader | principal | embeddings")
    model: str
    messages: tuple[tuple[str, str], ...] = ()
    output: str = ""
    calls: tuple[FunctionCall, ...] = ()
    items: tuple[Mapping[str, Any], ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    attempts: int = 1
    elapsed_ms: float = 0.0
    error: str = ""
    told: str = Field(default="", exclude=True)
    masked: tuple[tuple[str, int], ...] = ()


class ChatModel(Protocol):
    """A chat model in one role (reader or principal); `endpoint` is address and key, and is never shown."""

    role: str
    model: str
    endpoint: Hashable

    @property
    def calls_functions(self) -> bool:
        """True if `complete` takes `tools`; False from the first time that the endpoint refuses them."""
        ...

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[FunctionTool] = (),
        on_delta: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> ModelCall:
        """Ask once (with the adapter's own retries) and return the call with its output.

        Args:
            schema: JSON schema of the output; used as structured output where the endpoint has it.
            tools: functions that the model may call instead of, or besides, writing text; only where
                `calls_functions`. Each call of the reply must be answered by a message of role 'tool'.
            on_delta: called with each piece of text as it arrives; with it, the reply is streamed.
            timeout: seconds for the whole call, retries included.

        Raises:
            ModelTimeout, ModelRejected, ModelError: see core.errors.

        Cancelling the awaiting task closes the connection at once.
        """
        ...
