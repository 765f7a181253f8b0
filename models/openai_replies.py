"""Text and faults of the attempts of one call, from either API."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import ModelError, ModelRejected
from models.chat import FunctionCall
from models.endless_replies import holds_object
from models.endpoint_faults import fault_within, sentence
from models.retry import Fault
from models.role import RoleSettings
from models.spoken_text import Spoken

THINKING = ("thinking", "reasoning", "reference")
"""Types of the parts of a content that are no text of the answer."""


@dataclass
class Reading:
    """Result of the attempts so far.

    Attributes:
        structured: an object is expected.
        spoken: the answer in the text so far.
        heard: a piece of text has come.
        shown: the caller has been given a piece of the answer.
        thought: the endpoint sent thinking apart from the text.
        endless: the text was ended here, since it did not end.
        finish: 'stop' | 'length' | 'content_filter' | 'error', or empty when a stream was cut.
        items: see `models.chat.ModelCall`.
        asides: ids of what the endpoint writes besides its answer.
    """

    structured: bool = False
    spoken: Spoken = field(default_factory=Spoken)
    heard: bool = False
    shown: bool = False
    thought: bool = False
    endless: bool = False
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
        return self.spoken.text

    @property
    def whole(self) -> bool:
        """True if the object that is expected is here, however the stream ends."""
        return self.structured and holds_object(self.text)

    def restart(self, *, unopened: bool) -> None:
        """Begin an attempt; see `Spoken` for `unopened`."""
        self.spoken = Spoken(unopened=unopened)
        self.calls, self.items, self.asides = [], [], set()
        self.finish, self.refused, self.heard, self.thought, self.endless = "", False, False, False, False
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

    def content(self, content: Any) -> str:
        """The text of a content: a string, nothing, or a list of parts, of which some may be thinking.

        Raises:
            TypeError: it is something else.
        """
        if isinstance(content, str) or not content:
            return content or ""
        texts: list[str] = []
        for part in content:
            if part["type"] in THINKING:
                self.thought = True
            elif part["type"] == "refusal":
                self.refused = True
            else:
                texts.append(part.get("text"))
        return "".join(texts)

    def fault(self, role: RoleSettings) -> Fault | None:
        """The fault of a finished attempt without an answer, else None."""
        if self.finish == "content_filter":
            text = "{who} filtró la respuesta: formule la pregunta de otro modo."
            return Fault(ModelRejected, sentence(role, text))
        if self.finish == "error":
            return fault_within(None, role)
        if (self.endless or not self.finish) and not self.whole:
            return self._runaway(role) if self.endless else self.cut(role)
        if self.refused:
            return Fault(ModelError, sentence(role, "{who} se negó a responder: reformule la pregunta."))
        return None if self.text.strip() or self.calls else self._nothing(role)

    def _runaway(self, role: RoleSettings) -> Fault:
        text = "{who} no dejaba de escribir y se le cortó: repita la pregunta o use otro modelo."
        return Fault(ModelError, sentence(role, text))

    def _nothing(self, role: RoleSettings) -> Fault:
        if self.thought or self.spoken.thought:
            text = (
                "{who} solo pensó y no llegó a escribir la respuesta: dele más margen de tokens en su "
                "servidor o redúzcale el razonamiento ({ROLE}_REASONING_EFFORT=low)."
            )
        elif self.finish == "length":
            text = (
                "{who} agotó su límite de longitud sin escribir nada: acorte la pregunta o use otro modelo."
            )
        else:
            text = "{who} devolvió una respuesta vacía: repita la pregunta o use otro modelo."
        return Fault(ModelError, sentence(role, text))

    def cut(self, role: RoleSettings) -> Fault:
        text = "La respuesta de {who} se cortó a medias: repita la pregunta."
        return Fault(ModelError, sentence(role, text), retryable=True)
