"""Articulado from Python: `Client` and `AsyncClient` ask a running one, `Articulado` is one in this process.

All have the same methods and give the documents of `service.contract` as dictionaries (docs/python.md). Each
name is imported when it is first used: a client takes neither the program nor its libraries along.
"""

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from articulado.clients.client import AsyncClient, Client
    from articulado.clients.errors import ApiProblem, Unreachable
    from articulado.library import Articulado

__all__ = ["ApiProblem", "Articulado", "AsyncClient", "Client", "Unreachable"]

_HOMES = {
    "ApiProblem": "articulado.clients.errors",
    "Articulado": "articulado.library",
    "AsyncClient": "articulado.clients.client",
    "Client": "articulado.clients.client",
    "Unreachable": "articulado.clients.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    return resolve_name(f"{_HOMES[name]}:{name}")
