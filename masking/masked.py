"""Models and embedders that send placeholders instead of personal data, and restore the data in replies."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from masking.vault import Masked, Restorer, Vault, current
from models.chat import ChatMessage, ChatModel, FunctionTool, ModelCall
from models.embedder import Embedder

HINT = (
    "Los datos personales están sustituidos por marcas entre corchetes, como las que acaban en «_1]»: "
    "trátelas como los datos que son y, si los menciona o los cita, copie la marca exacta, con sus corchetes."
)


class MaskedChat:
    """A chat model that never receives personal data; see `models.chat.ChatModel`.

    What the endpoint itself wrote (`ChatMessage.items`) goes back to it as it came: it knows nothing else.
    The call that it returns has the messages as sent, the output with the data restored, and the number of
    values of each kind that were masked.

    Args:
        names: names to mask wherever they occur.
    """

    def __init__(self, inner: ChatModel, names: tuple[str, ...] = ()) -> None:
        self.role = inner.role
        self.model = inner.model
        self.endpoint = inner.endpoint
        self.inner = inner
        self.names = names

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
        sent, masked = self._mask(messages)
        restorer = Restorer(masked, on_delta) if on_delta else None
        call = await self.inner.complete(sent, schema=schema, tools=tools, on_delta=restorer, timeout=timeout)
        if restorer:
            restorer.end()
        calls = tuple(
            one.model_copy(update={"arguments": _restored(one.arguments, masked)}) for one in call.calls
        )
        restored = {"output": masked.restore(call.output), "calls": calls, "masked": masked.counts}
        return call.model_copy(update=restored)

    def sent(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        """The messages as the endpoint gets them."""
        return self._mask(messages)[0]

    def _mask(self, messages: Sequence[ChatMessage]) -> tuple[list[ChatMessage], Masked]:
        masked = current().mask([message.content for message in messages], self.names)
        sent = [
            message.model_copy(update={"content": text})
            for message, text in zip(messages, masked.texts, strict=True)
        ]
        if not masked.values:
            return sent, masked
        at = next((i for i, message in enumerate(sent) if message.role == "system"), None)
        if at is None:
            return [ChatMessage(role="system", content=HINT), *sent], masked
        hinted = f"{sent[at].content}\n\n{HINT}"
        return [*sent[:at], ChatMessage(role="system", content=hinted), *sent[at + 1 :]], masked


def _restored(arguments: str, masked: Masked) -> str:
    """The arguments of a function with the data restored, each text within the JSON by itself."""

    def each(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: each(part) for key, part in value.items()}
        if isinstance(value, list):
            return [each(part) for part in value]
        return masked.restore(value) if isinstance(value, str) else value

    try:
        return json.dumps(each(json.loads(arguments)), ensure_ascii=False)
    except ValueError:
        return masked.restore(arguments)


def as_sent(model: ChatModel, messages: Sequence[ChatMessage]) -> Sequence[ChatMessage]:
    """The messages as the model's endpoint gets them; a trace must show only these."""
    return model.sent(messages) if isinstance(model, MaskedChat) else messages


class MaskedEmbedder:
    """An embedder whose endpoint never receives personal data; see `models.embedder.Embedder`.

    Each passage is masked on its own: its vector is cached, and must not depend on the rest of its batch.

    Args:
        names: names to mask wherever they occur.
    """

    def __init__(self, inner: Embedder, names: tuple[str, ...] = ()) -> None:
        self.name = inner.name
        self.dimensions = inner.dimensions
        self.inner = inner
        self.names = names

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]:
        masked = current().mask(texts, self.names)
        vectors, call = await self.inner.embed_queries(masked.texts)
        return vectors, call.model_copy(update={"masked": masked.counts})

    def embed_passages(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        return self.inner.embed_passages([Vault().mask([text], self.names).texts[0] for text in texts])
