"""Rows of the table of operations: what each is called at the doors, and the request that a client sends."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal
from urllib.parse import quote

from core.progress import OnProgress

Json = dict[str, Any]
Day = date | str | None
"""A day, or its text as 2019-03-01."""
OnEvent = Callable[[str, Json], Awaitable[None] | None]
"""Told the name and data of an event; what it gives is awaited by `AsyncClient` alone."""
Kind = Literal["document", "article", "file", "answer", "work", "health"]

PLACE = re.compile(r"\{(\w+)\}")
DRAFT_SECONDS = 150.0
"""Longest silence while a model drafts: it is given ninety, and may be asked twice."""


@dataclass(frozen=True)
class Tool:
    """An operation as an assistant reads of it; `name`: that of the operation, if ''."""

    title: str
    description: str
    name: str = ""


@dataclass(frozen=True)
class Command:
    """An operation in the command line: its help, and what each argument is called there and means."""

    says: str
    words: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Operation:
    """A row.

    Attributes:
        name: of the method of a client.
        method, path: in the API, with its own parameters in braces.
        door: path of attributes from a member to the method that does it.
        says: what it gives, in the OpenAPI document; `tag` and `id` group and name it there.
        reply: an `article` may be unchanged, a `file` may come as it is, `answer` and `work` as events.
        names: parameters that have another name in the API.
        whole: the parameter that is the body, not a part of it.
    """

    name: str
    method: str
    path: str
    door: str
    says: str
    tag: str
    reply: Kind
    id: str
    names: Mapping[str, str]
    whole: str
    tool: Tool | None
    command: Command | None

    def call(self, given: Json, *, repeats: bool) -> Call:
        """The request with these arguments, by the name of the parameter."""
        told = {name: given.pop(name, None) for name in ("on_event", "key", "tell")}
        values = {self.names.get(name, name): _encodable(value) for name, value in given.items()}
        path = PLACE.sub(lambda place: quote(values.pop(place[1]), safe=""), self.path)
        body = values.get(self.whole, values) if self.method == "POST" and values else None
        on_event, key = None, ""
        if self.reply == "answer":
            on_event, key = told["on_event"] or _unheard, told["key"] or (uuid.uuid4().hex if repeats else "")
        elif self.reply == "work":
            on_event = _told(told["tell"])
        seconds = DRAFT_SECONDS if values.get("draft") else None
        params = {} if body is not None else values
        return Call(self.name, self.method, path, params, body, on_event, key, seconds)


@dataclass(frozen=True)
class Call:
    """One request.

    Attributes:
        name: of the operation.
        on_event: called with each event of an answer that is streamed; None: it comes as one document.
        key: Idempotency-Key; with one, the request is sent again when the connection was cut.
        seconds: longest silence of the server; None: that of the client.
    """

    name: str
    method: str
    path: str
    params: Mapping[str, Any]
    body: Mapping[str, Any] | None
    on_event: OnEvent | None
    key: str
    seconds: float | None

    @property
    def request(self) -> Json:
        """Arguments of `httpx.Client.stream`; what is None is left out."""
        headers = {"Accept": "text/event-stream" if self.on_event else "application/json"}
        if self.key:
            headers["Idempotency-Key"] = self.key
        made: Json = {"method": self.method, "url": self.path, "params": _given(self.params)}
        if self.body is not None:
            headers["Content-Type"] = "application/json"
            made["content"] = json.dumps(_given(self.body), default=str)
        if self.seconds is not None:
            made["timeout"] = self.seconds
        return made | {"headers": headers}


def _given(values: Mapping[str, Any]) -> Json:
    return {name: value for name, value in values.items() if value is not None}


def _encodable(value: Any) -> Any:
    """Undecodable bytes of a console's argument become '?'."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _unheard(_name: str, _data: Json) -> None:
    """A listener that ignores all; with one the answer is streamed, so that silence means a cut."""


def _told(tell: OnProgress | None) -> OnEvent:
    def progress(name: str, data: Json) -> None:
        if tell is not None and name == "progress":
            tell(data["phase"], data["done"], data["total"])

    return progress
