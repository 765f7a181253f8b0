"""Commands that are killed: backups, restores, and starts that bring an older database to today's tables.

Each runs once whole, which tells its steps; the moment of a kill is a share of them. What it leaves is
compared with what was there before and with what a command that nobody kills makes.
"""

import os
import shutil
import signal
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from alembic import command

from core.errors import ArticuladoError
from lab.harness import program
from service.backup.backup import restore, verify
from service.config import Settings
from storage.base.engine import MIGRATION_LOCK
from storage.migrate import config, head, revision_of
from storage.stores import open_database
from tests.backups import contents, files
from tests.processes import Forked

OLDEST = "0021"
BACKUP, RESTORE, MIGRATION = "backup", "restore", "migration"


@dataclass
class Commands:
    """Kills commands on copies of one installation.

    Attributes:
        new_database: makes the URL of an empty database for a home.
    """

    folder: Path
    settings: Mapping[str, Any]
    new_database: Callable[[Path], str]
    _steps: dict[str, int] = field(default_factory=dict)
    _made: int = 0

    def backup(self, home: Path, url: str, share: float) -> list[str]:
        """Kill a backup of a running installation; what is wrong afterwards."""
        copies = self._new()
        target = copies / "copia.zip"
        if BACKUP not in self._steps:
            self._run(BACKUP, 0, home, url, "backup", str(copies / "whole.zip"))
        self._run(BACKUP, share, home, url, "backup", str(target))
        wrong = []
        if target.exists():
            wrong += self._refused("the file that a killed backup left", lambda: verify(target))
        else:
            self._run("", 0, home, url, "backup", str(target))
            wrong += self._refused("the next backup", lambda: verify(target))
        shutil.rmtree(copies)
        return wrong

    def restore(self, archive: Path, share: float) -> list[str]:
        """Kill a restore, then start the program; what is wrong afterwards."""
        expected = self._whole(archive)
        if RESTORE not in self._steps:
            home, url = self._empty()
            self._run(RESTORE, 0, home, url, "restore", str(archive))
            shutil.rmtree(home)
        home, url = self._empty()
        self._run(RESTORE, share, home, url, "restore", str(archive))
        self._start(home, url)
        rows, there = contents(url), _lasting(home)
        if not any(rows.values()) and not there:
            self._run("", 0, home, url, "restore", str(archive))
            rows, there = contents(url), _lasting(home)
        shutil.rmtree(home)
        return _differences(expected, (rows, there))

    def migration(self, archive: Path, share: float) -> list[str]:
        """Kill the start of the program on an older database; what is wrong after the next start."""
        whole, url = self._older(archive)
        self._run("" if MIGRATION in self._steps else MIGRATION, 0, whole, url, "boe", "list")
        expected = contents(url), _lasting(whole)
        home, url = self._older(archive)
        self._run(MIGRATION, share, home, url, "boe", "list")
        self._start(home, url)
        found = contents(url), _lasting(home)
        with (
            closing(open_database(url)) as database,
            database.engines.connection(MIGRATION_LOCK) as connection,
        ):
            last = revision_of(connection) == head()
        shutil.rmtree(home)
        shutil.rmtree(whole)
        return _differences(expected, found) + ([] if last else ["the tables are not today's"])

    def _whole(self, archive: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Rows and files of a restore that nobody kills."""
        home, url = self._empty()
        with closing(open_database(url)) as database:
            restore(database.engines, home, archive)
        found = contents(url), _lasting(home)
        shutil.rmtree(home)
        return found

    def _older(self, archive: Path) -> tuple[Path, str]:
        """A restored home whose database has the oldest tables."""
        home, url = self._empty()
        with closing(open_database(url)) as database:
            restore(database.engines, home, archive)
            with database.engines.connection(MIGRATION_LOCK) as connection:
                command.downgrade(config(connection), OLDEST)
        return home, url

    def _start(self, home: Path, url: str) -> None:
        with program(home, **{**self.settings, "database_url": url}):
            pass

    def _run(self, kind: str, share: float, home: Path, url: str, *arguments: str) -> None:
        """Run a command to that share of its steps; if it is 0 whole, and note them as those of `kind`."""
        step = max(1, round(share * self._steps[kind])) if share else 0
        told = self.folder / "steps"
        cleared = dict.fromkeys(Settings.model_fields, "")
        chosen = {**cleared, **self.settings, "articulado_home": home, "database_url": url}
        environment = os.environ | {name.upper(): str(value) for name, value in chosen.items()}
        environment["WATCHED"] = f"{home}:{Path(arguments[-1]).parent}"
        errors = self.folder / "errors"
        running = ("-m", "lab.victim", str(told), str(step), "cli.py", *arguments)
        code = Forked(*running, env=environment, err=errors).wait()
        if code != (-signal.SIGKILL if step else 0):
            raise RuntimeError(f"{arguments}: {code} {errors.read_text('utf-8', 'replace')}")
        if kind and not step:
            self._steps[kind] = int(told.read_text())

    def _empty(self) -> tuple[Path, str]:
        home = self._new()
        url = self.new_database(home)
        open_database(url).close()
        return home, url

    def _new(self) -> Path:
        self._made += 1
        made = self.folder / f"made-{self._made}"
        made.mkdir(mode=0o700)
        return made

    @staticmethod
    def _refused(what: str, read: Callable[[], object]) -> list[str]:
        try:
            read()
        except ArticuladoError as error:
            return [f"{what}: {error}"]
        return []


def _lasting(home: Path) -> dict[str, bytes]:
    """The files of a home without the index, which is made again."""
    return {name: content for name, content in files(home).items() if not name.startswith("index")}


def _differences(expected: tuple[Any, Any], found: tuple[Any, Any]) -> list[str]:
    """Names of the tables and files that are not as they should be."""
    pairs = zip(expected, found, strict=True)
    return [name for one, other in pairs for name in {**one, **other} if one.get(name) != other.get(name)]
