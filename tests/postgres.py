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

from storage.base.engine import Engines
from storage.stores import Database, open_database
from tests.databases import lay_tables

SETTINGS = (
    "-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c full_page_writes=off"
    " -c autovacuum=off "
)
SHAPE = """
SELECT sum(xmin::text::bigint) FROM (
    SELECT xmin FROM pg_attribute UNION ALL SELECT xmin FROM pg_index UNION ALL SELECT xmin FROM pg_proc
    UNION ALL SELECT xmin FROM pg_constraint UNION ALL SELECT xmin FROM pg_trigger
) AS told
"""
"""Another number after any change of tables, functions or triggers, none after one of rows."""
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"
ENDED = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
RESTARTED = """
SELECT setval(format('%I', sequencename)::regclass, start_value, false)
FROM pg_sequences WHERE last_value IS NOT NULL
"""


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
        self._free: list[str] = []
        self._lent: dict[str, tuple[psycopg.Connection, int]] = {}
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

    def lend(self) -> str:
        """An empty database with every table, which `take_back` keeps for the next: a new one costs more."""
        if self._free:
            return self._free.pop()
        url = self.create(tables=True)
        connection = psycopg.connect(url, autocommit=True)
        self._lent[url] = connection, _number(connection, SHAPE)
        return url

    def take_back(self, url: str) -> None:
        """Empty it, whoever has it open; one whose tables are not as they were is dropped."""
        connection, shape = self._lent[url]
        connection.execute(ENDED)
        if _number(connection, SHAPE) == shape:
            _empty(connection)
            self._free.append(url)
        else:
            self.drop(url)

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


def _number(connection: psycopg.Connection, query: str) -> int:
    [(number,)] = connection.execute(query.encode()).fetchall()
    return int(number)


def _empty(connection: psycopg.Connection) -> None:
    looks = [
        f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for (name,) in connection.execute(TABLES)
    ]
    used = [name for (name,) in connection.execute(" UNION ALL ".join(looks).encode())]
    # A replica may empty the audit log too, and takes the tables in any order.
    deleted = "".join(f'DELETE FROM "{name}";' for name in used)
    connection.execute(f"SET session_replication_role = replica; {deleted} {RESTARTED}".encode())


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
    url = server.lend() if tables else server.create()
    yield url
    (server.take_back if tables else server.drop)(url)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An open database of each kind, with its tables and no rows."""
    opened = Database(Engines(database_url))
    yield opened
    opened.close()
