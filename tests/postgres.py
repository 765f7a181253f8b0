"""A throw-away PostgreSQL on 127.0.0.1, and the fixtures that run a test on both databases:
`database_url` (empty) and `database` (open, with its tables).

A test module asks for it with `pytest_plugins = ("tests.postgres",)`.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from storage import Database, open_database
from storage.database import Engines
from tests.databases import lay_tables

SETTINGS = "-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c full_page_writes=off "


def binaries() -> Path | None:
    """The folder of the server's programs: the newest of Debian's, or the one on the PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    return Path(found).parent if found else None


def _programs_or_skip() -> Path:
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root and there is no runuser")
    return programs


class Postgres:
    """A server in a temporary folder, started by the constructor and gone after `stop`."""

    def __init__(self, programs: Path, *, durable: bool = False) -> None:
        """Start it; what it acknowledges outlives a `halt` only when it is `durable`."""
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="articulado-pg-"))
        # The server refuses to run as root.
        self._user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._user:
            shutil.chown(self._folder, "postgres")
        data = str(self._folder / "data")
        self._port = _free_port()
        self._template = ""
        self._options = f"-p {self._port} {SETTINGS} -c synchronous_commit={'on' if durable else 'off'}"
        try:
            self._run(
                "initdb", "-D", data, "-U", "app", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"
            )
            self.resume()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def create(self, *, tables: bool = False) -> str:
        """A new database, empty or with every table and no rows; returns its URL."""
        return self._create(self._migrated() if tables else "template0")

    def drop(self, url: str) -> None:
        """Delete a database, whoever has it open."""
        self._tell(f'DROP DATABASE "{url.rpartition("/")[2]}" WITH (FORCE)')

    def _migrated(self) -> str:
        """The database that the ones with tables are copied from."""
        if not self._template:
            url = self._create("template0")
            open_database(url).close()
            self._template = url.rpartition("/")[2]
        return self._template

    def _create(self, template: str) -> str:
        name = f"test_{uuid4().hex}"
        self._tell(f'CREATE DATABASE "{name}" TEMPLATE "{template}"', " STRATEGY FILE_COPY")
        return self._url(name)

    def _tell(self, command: str, since_15: str = "") -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            newer = connection.info.server_version >= 150_000
            connection.execute((command + since_15 * newer).encode())

    def _url(self, database: str) -> str:
        return f"postgresql://app@127.0.0.1:{self._port}/{database}"

    def halt(self) -> None:
        """End it as a power cut does, its data left for `resume`."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop")

    def resume(self) -> None:
        """Start it on its port and wait until it takes connections."""
        log = str(self._folder / "log")
        place = ("-D", str(self._folder / "data"), "-l", log)
        self._run("pg_ctl", *place, "-w", "-t", "60", "-o", self._options, "start")

    def restart(self) -> None:
        self.halt()
        self.resume()

    def stop(self) -> None:
        """End it and delete its data."""
        try:
            self.halt()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._user, str(self._programs / program), *arguments]
        # A file, not a pipe: the server inherits it and a pipe would never close.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                command,
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
                cwd="/",
                timeout=120,
                check=False,
            )
            if done.returncode:
                output.seek(0)
                raise RuntimeError(f"{program}: {output.read().decode(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for the whole session; skips when PostgreSQL is not installed."""
    server = Postgres(_programs_or_skip())
    yield server
    server.stop()


@pytest.fixture(scope="module")
def postgres_that_falls() -> Iterator[Postgres]:
    """A durable server of the module's own, to `halt`, `resume` and `restart`."""
    server = Postgres(_programs_or_skip(), durable=True)
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database: the test runs once on each kind.

    It has every table already where the test asks for `database` too.
    """
    tables = "database" in request.fixturenames
    path = tmp_path / "articulado.db"
    if request.param == "sqlite":
        yield lay_tables(path) if tables else f"sqlite:///{path}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    url = server.create(tables=tables)
    yield url
    server.drop(url)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An open database of each kind, with its tables and no rows."""
    opened = Database(Engines(database_url))
    yield opened
    opened.close()
