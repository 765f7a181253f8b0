"""Requests to the scripted model server and its replies; see model_server.py."""

import hashlib
import json
import math
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reply:
    """Reply of the server, and its misbehaviour.

    `wait`, `hold` and `drip` are seconds, or an Event that the test sets: before the status line,
    after `hold_after` deltas, and before each delta. `cut_after` drops the connection after so many
    deltas; `malformed_after` sends an event that is not JSON. `body` replaces the whole body, `events` all
    that a stream sends: JSON values, or texts as they are. `details` are the cached and the reasoning tokens
    of `usage`. The rest exists in the Responses API only: `failed` is the code of a failed response, `calls`
    are (function, its arguments, as JSON if they are no text), `reasoning` is its encrypted content (none if
    empty), `aside` a message that is no answer.
    """

    text: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    events: tuple[Any, ...] = ()
    finish: str | None = "stop"
    refusal: str | None = None
    usage: tuple[int, int] | None = (11, 7)
    pieces: tuple[str, ...] | None = None
    wait: threading.Event | float | None = None
    hold: threading.Event | float | None = None
    hold_after: int = 1
    drip: float = 0.0
    cut_after: int | None = None
    malformed_after: int | None = None
    stream_error_after: int | None = None
    echo_key: bool = False
    details: tuple[int, int] = (0, 0)
    failed: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    reasoning: str | None = None
    aside: str = ""

    @property
    def deltas(self) -> list[str]:
        return list(self.pieces) if self.pieces is not None else re.findall(r"\s*\S+\s*$|\s*\S+", self.text)


Scripted = Reply | str | Mapping[str, Any] | list[Any] | Callable[["Request"], Any]


def says(text: str, **options: Any) -> Reply:
    return Reply(text=text, **options)


def as_json(value: Any, before: str = "", after: str = "", **options: Any) -> Reply:
    """JSON as the text of the reply; `before` and `after` put prose or fences around it."""
    return Reply(text=before + json.dumps(value, ensure_ascii=False) + after, **options)


def empty(finish: str = "length") -> Reply:
    return Reply(text="", finish=finish)


def fails(status: int, message: str = "it failed", *, retry_after: str | None = "0", **error: Any) -> Reply:
    """An error as OpenAI writes it; `error` adds `code`, `param`… `retry_after` is 0 to keep tests quick."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Reply(status=status, headers=headers, body={"error": {"message": message, **error}})


def echoes_key(status: int = 401) -> Reply:
    """An error whose body repeats the key it was sent, as real endpoints do."""
    return Reply(status=status, headers={"Retry-After": "0"}, echo_key=True)


@dataclass
class Request:
    """One request as it arrived; key values are replaced by `***`."""

    path: str
    query: dict[str, list[str]]
    body: dict[str, Any]
    headers: dict[str, str]
    at: float
    connection: int
    stage: str = ""
    disconnected: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of either API: those of Responses without calls and reasoning."""
        sent = self.body.get("messages") or self.body.get("input", [])
        items = (m for m in sent if isinstance(m, dict))
        told = ({"role": "tool", "content": m["output"]} if "output" in m else m for m in items)
        return [m for m in told if isinstance(m.get("content"), str)]

    @property
    def system(self) -> str:
        return "\n".join(m["content"] for m in self.messages if m["role"] == "system")

    @property
    def prompt(self) -> str:
        return "\n".join(m["content"] for m in self.messages)


def bag_of_words(text: str, dimensions: int) -> list[float]:
    """A deterministic unit vector: texts that share words are close."""
    vector = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()) or [text]:
        digest = hashlib.blake2b(word.encode(errors="replace"), digest_size=8).digest()
        vector[int.from_bytes(digest[:7], "big") % dimensions] += 1.0 if digest[7] & 1 else -1.0
    norm = math.sqrt(sum(value * value for value in vector))
    return [value / norm for value in vector] if norm else [1.0] + [0.0] * (dimensions - 1)


def completion(request: Request, reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": request.model,
        "choices": [choice],
    }
    return {**body, "usage": usage_body(reply)} if reply.usage else body


def usage_body(reply: Reply) -> dict[str, Any]:
    sent, written = reply.usage or (0, 0)
    return {
        "prompt_tokens": sent,
        "prompt_tokens_details": {"cached_tokens": reply.details[0]},
        "completion_tokens": written,
        "completion_tokens_details": {"reasoning_tokens": reply.details[1]},
        "total_tokens": sent + written,
    }
