"""The decorator that makes a row of the table of operations of a method that declares its parameters."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast

from articulado.clients.calls import Call, Command, Kind, Operation, Tool

Reply = TypeVar("Reply")
Reply_co = TypeVar("Reply_co", covariant=True)
P = ParamSpec("P")


class Sender(ABC, Generic[Reply_co]):
    """A client; see `Operations`."""

    repeats = True

    @abstractmethod
    def _send(self, call: Call) -> Reply_co: ...


class Method(Protocol[P]):
    """A method of a client as type checkers see it: it replies as its client does."""

    def __get__(self, client: Sender[Reply], owner: Any = None) -> Callable[P, Reply]: ...


def operation(
    address: str,
    door: str,
    says: str,
    *,
    tag: str = "normativa",
    reply: Kind = "document",
    id: str = "",
    names: Mapping[str, str] | None = None,
    whole: str = "",
    tool: Tool | None = None,
    command: Command | None = None,
) -> Callable[[Callable[Concatenate[Any, P], None]], Method[P]]:
    """Put a row into the table; the method that declares its parameters becomes the one that asks for it."""

    def row(declared: Callable[Concatenate[Any, P], None]) -> Method[P]:
        name, signature = declared.__name__, inspect.signature(declared)
        method, path = address.split()
        in_api = method, path, door, says, tag, reply, id or name, names or {}, whole
        made = Operation(name, *in_api, tool, command)

        @wraps(declared)
        def asked(self: Sender[Any], /, *args: P.args, **more: P.kwargs) -> Any:
            bound = signature.bind(self, *args, **more)
            bound.apply_defaults()
            _, *given = bound.arguments.items()
            return self._send(made.call(dict(given), repeats=self.repeats))

        asked.__dict__["row"] = made
        return cast(Method[P], asked)

    return row
