"""The engine of a command: the running program, one elsewhere, or the program in this process."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

from core.errors import ArticuladoError, ConfigurationError
from service.config import Settings, settings

if TYPE_CHECKING:
    from articulado.clients.client import Client
    from service.program import assembly

DOOR = "cli"
NO_FOLDER = "ARTICULADO_HOME no se puede usar como carpeta ({why}); elija otra."
ONLY_THERE = (
    "«{command}» no se puede pedir a otro servidor: ejecútelo en el equipo de {url},"
    " o quite ARTICULADO_URL para trabajar en este."
)


Engine: TypeAlias = "Client"
"""Object that operations are asked of: of the program elsewhere, or in this process (`Articulado`)."""


@contextmanager
def opened(options: argparse.Namespace) -> Iterator[Any]:
    """The engine of an operation, else the program; None for a command that needs nothing open.

    Operations that need no index have no `--direct`: they are done here, and take an empty corpus as it is.

    Raises:
        ConfigurationError, StorageError: it cannot be opened.
    """
    if getattr(options, "verify_only", False):
        yield None
        return
    chosen = settings()
    asks = hasattr(options, "direct")
    client = _client(chosen) if asks and not options.direct else None
    if client is not None:
        with client:
            yield client
        return
    if chosen.articulado_url and not asks:
        raise ConfigurationError(ONLY_THERE.format(command=options.command, url=chosen.articulado_url))
    from articulado.library import Articulado
    from commands.audit import attended

    with _program(chosen) as program:
        if asks or getattr(options, "operation", False):
            with Articulado.over(program, DOOR, _notice if asks else None) as engine:
                yield engine
            return
        with attended(program, options):
            yield program


def _client(chosen: Settings) -> "Client | None":
    """The client of a server elsewhere, else of the program that has the home's index open, else None.

    An index on a server is open to both: there a command works with its own settings, as it always did.
    """
    from articulado.clients.client import Client, key_of_home
    from articulado.clients.errors import Unreachable

    if chosen.articulado_url:
        token = chosen.articulado_token
        key = (
            token.get_secret_value() if token else key_of_home(chosen.articulado_url, chosen.articulado_home)
        )
        client = Client(chosen.articulado_url, key)
    elif chosen.qdrant_url:
        return None
    else:
        try:
            client = Client.of_home(chosen.articulado_home)
        except Unreachable:
            return None
    client.repeats = False
    return client


@contextmanager
def _program(chosen: Settings) -> Iterator["assembly.App"]:
    """The wired program, closed at the end; what fails then is only printed: the work is stored."""
    from service.program import assembly

    try:
        program = assembly.build(chosen)
    except OSError as error:
        raise ConfigurationError(NO_FOLDER.format(why=error.strerror)) from None
    try:
        yield program
    finally:
        try:
            program.close()
        except ArticuladoError as error:
            _notice(error)


def _notice(text: object) -> None:
    print(" ".join(str(text).split()), file=sys.stderr)
