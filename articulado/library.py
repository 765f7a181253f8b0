"""The program in this process, asked as a client asks a running one."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Self

from fastapi import FastAPI

from articulado.clients.calls import Call, Json
from articulado.clients.client import AsyncClient, Client
from service.config import chosen
from service.program.assembly import App, build
from web.api import work
from web.api.application import api
from web.api.person import of_owner

DOOR = "python"
EMPTY_CORPUS = "El corpus está vacío: se carga el corpus de demostración (resúmenes no oficiales)."
WITHOUT_LAW = frozenset({"answers", "opinion", "reindex", "templates"})
"""Operations that need nothing of the corpus."""


class Articulado(Client):
    """The engine as a library: `Articulado(home).ask("…")`; closed with `with`.

    It holds the index of its home, which no other process may have open. An empty home gets the demo corpus.

    Raises (all methods): ArticuladoError and its kinds, whose text is one Spanish sentence.
    """

    repeats = False

    def __init__(self, home: Path | str | None = None, **settings: Any) -> None:
        """Wire the program on a home; None: that of the settings.

        Args:
            settings: any of `service.config.Settings`, before those of environment and `.env`.

        Raises:
            ConfigurationError, StorageError: a setting or the database cannot be used.
        """
        folder = {} if home is None else {"articulado_home": Path(home)}
        program = build(chosen(**folder, **settings))
        self._wire(program, DOOR, logging.getLogger(__name__).warning)
        self._closes = True

    @classmethod
    def over(cls, program: App, door: str, notice: Callable[[str], object] | None) -> Self:
        """One over a program that is wired already, and that it leaves open.

        Args:
            door: name of this way in, for the audit log.
            notice: told when the demo corpus is loaded; None: an empty corpus stays empty.
        """
        made = cls.__new__(cls)
        made._wire(program, door, notice)
        return made

    def _wire(self, program: App, door: str, notice: Callable[[str], object] | None) -> None:
        self.program = program
        self._notice = notice
        self._closes = False
        self._wait_for(AsyncClient.inside(of_owner(_api(), door, program)))

    def _send(self, call: Call) -> Json:
        program = self.program
        if self._notice is not None and call.name not in WITHOUT_LAW and not program.database.corpus.norms():
            self._notice(EMPTY_CORPUS)
            program.load_demo()
        if call.name == "news":
            program.database.news.match(datetime.now(UTC))  # which the background of a server does
        if call.name == "health":
            _ = program.services  # which opens the index
        return super()._send(call)

    def close(self) -> None:
        """Stop what is under way and, unless it was wired before, let go of index and database."""
        super().close()
        work.settle()
        if self._closes:
            self.program.close()


@cache
def _api() -> FastAPI:
    return api()
