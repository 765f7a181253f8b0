"""Text and faults of the attempts of one call, from either API."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rag.errors import ModelError, ModelRejected
from rag.providers.openai_client import sentence
from rag.providers.retry import Fault
from rag.providers.role import RoleSettings
from rag.trace import FunctionCall


@dataclass
class Reading:
    """Result of the attempts so far.

    Attributes:
        finish: 'stop' | 'length' | 'content_filter', or empty when a stream was cut.
        items: see `rag.trace.ModelCall`.
        asides: ids of what the endpoint writes besides its answer.
    """

    pieces: list[str] = field(default_factory=list)
    calls: list[FunctionCall] = field(default_factory=list)
    items: list[Mapping[str, Any]] = field(default_factory=list)
    asides: set[str] = field(default_factory=set)
    finish: str = ""
    refused: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    attempts: int = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def restart(self) -> None:
        self.pieces, self.calls, self.items, self.asides = [], [], [], set()
        self.finish, self.refused = "", False
        self.attempts += 1

    def spend(self, usage: Any, sent: str, written: str) -> None:
        """Record a usage object whose counts begin with the words `sent` and `written`, if there is one."""
        if not usage:
            return
        prompt, completion = f"{sent}_tokens", f"{written}_tokens"
        self.prompt_tokens = int(usage.get(prompt) or 0)
        self.completion_tokens = int(usage.get(completion) or 0)
        self.cached_tokens = int((usage.get(f"{prompt}_details") or {}).get("cached_tokens") or 0)
        self.reasoning_tokens = int((usage.get(f"{completion}_details") or {}).get("reasoning_tokens") or 0)

    def fault(self, role: RoleSettings) -> Fault | None:
        """The fault of a finished attempt without an answer, else None."""
        if self.finish == "content_filter":
            text = "{who} filtró la respuesta: formule la pregunta de otro modo."
            return Fault(ModelRejected, sentence(role, text))
        if not self.finish:
            return self.cut(role)
        if self.refused:
            return Fault(ModelError, sentence(role, "{who} se negó a responder: reformule la pregunta."))
        if self.text.strip() or self.calls:
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
