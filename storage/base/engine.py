"""The engine and its transactions, the same for SQLite and PostgreSQL.

SQLite runs in WAL mode; a transaction that may write starts with BEGIN IMMEDIATE, because one that
reads first and writes later fails at once, regardless of its timeout, when another wrote in between.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Engine,
    Executable,
    Row,
    Select,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from tenacity import retry, retry_if_exception, stop_after_delay, wait_random

from core.errors import ConfigurationError, NotFound, StorageError, StorageUnavailable

TIMEOUT = 30
"""Seconds to wait for another writer (SQLite) or for the server (PostgreSQL)."""

CORPUS_LOCK, MIGRATION_LOCK, JOBS_LOCK, ACCOUNTS_LOCK = 7_301_001, 7_301_002, 7_301_003, 7_301_004
ALERTS_LOCK = 7_301_005
"""PostgreSQL advisory locks: one writer at a time, as SQLite has by itself."""

V = TypeVar("V")
Columns = TypeVarTuple("Columns")

AWAY = (
    "La base de datos no está disponible: vuelva a intentarlo dentro de un momento. Para quien administra la"
    " aplicación: compruebe DATABASE_URL, los permisos y el espacio en disco."
)


DAMAGED = (
    "La base de datos está dañada. Para quien administra la aplicación: ciérrela, restaure la última copia de"
    " seguridad en otra carpeta, vacía y puesta en ARTICULADO_HOME («python cli.py restore COPIA.zip»), y"
    " ejecute «python cli.py reindex»."
)


@contextmanager
def translated() -> Iterator[None]:
    """Turn SQLAlchemy's exceptions into StorageError or, when a later attempt may work, StorageUnavailable.

    Values never reach the message.
    """
    try:
        yield
    except SQLAlchemyError as error:
        if isinstance(error, DBAPIError) and _damaged(error.orig):
            raise StorageError(DAMAGED) from error
        if isinstance(error, (OperationalError, PoolTimeout)):
            raise StorageUnavailable(AWAY) from error
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            raise StorageUnavailable(AWAY) from error
        raise StorageError(
            "La base de datos rechazó la operación y no se guardó nada; pruebe «python cli.py doctor»."
        ) from error


def _damaged(error: BaseException | None) -> bool:
    """True if SQLite finds its file malformed or no database, or holds a text that is none."""
    if not isinstance(error, sqlite3.Error):
        return False
    # The low byte is the code, the others are its details; errors of Python's driver have none.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    damage = code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
    return damage or str(error).startswith("Could not decode to UTF-8")


class Engines:
    """One engine a process and the two kinds of session that the stores use.

    Attributes:
        last_corpus_write: a new object after each transaction under CORPUS_LOCK.
    """

    def __init__(self, url: str) -> None:
        """Raises ConfigurationError when the URL names no SQLite file and no PostgreSQL database."""
        self.engine = _engine(_normalised(url))
        self._immediate = self.engine.execution_options(sqlite_begin="BEGIN IMMEDIATE")
        self.last_corpus_write = object()

    @contextmanager
    def read(self) -> Iterator[Session]:
        with translated(), Session(self.engine) as session:
            yield session

    @contextmanager
    def write(self, lock: int | None = None) -> Iterator[Session]:
        """A session for one transaction: committed when the body ends, rolled back when it raises.

        Args:
            lock: an advisory lock held until the end (PostgreSQL; SQLite has one writer anyway).
        """
        try:
            with translated(), Session(self._immediate, expire_on_commit=False) as session:
                if lock is not None:
                    hold(session.connection(), lock)
                yield session
                session.commit()
        finally:
            if lock == CORPUS_LOCK:
                self.last_corpus_write = object()

    @contextmanager
    def connection(self, lock: int) -> Iterator[Connection]:
        """A locked transaction without a session, for migrations; committed when the body succeeds."""
        with translated(), self._immediate.begin() as connection:
            hold(connection, lock)
            yield connection

    def rows(self, query: Select[*Columns]) -> Sequence[Row[*Columns]]:
        """All rows of a query, read in a session of its own."""
        with self.read() as session:
            return session.execute(query).all()

    def scalars(self, query: Select[V]) -> Sequence[V]:
        """The first column of all rows of a query, read in a session of its own."""
        with self.read() as session:
            return session.scalars(query).all()

    def count(self, *where: ColumnElement[bool], of: type[Any]) -> int:
        """Number of rows of a table that meet the conditions."""
        with self.read() as session:
            return session.scalar(select(func.count()).select_from(of).where(*where)) or 0

    def run(self, statement: Executable, lock: int | None = None) -> int:
        """Run one UPDATE or DELETE in a transaction of its own; the number of rows that it touched."""
        with self.write(lock) as session:
            return touched(session, statement)

    def alive(self) -> bool:
        """True, or StorageError when the database does not answer."""
        with translated(), self.engine.connect() as connection:
            return connection.scalar(select(1)) == 1

    def shrink_log(self) -> None:
        """Empty SQLite's log, which keeps deleted data, unless somebody is reading it."""
        if self.engine.dialect.name == "sqlite":
            with translated(), self.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA busy_timeout=1000")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.exec_driver_sql(f"PRAGMA busy_timeout={TIMEOUT * 1000}")

    def close(self) -> None:
        self.engine.dispose()


class Store:
    """Base of the stores over SQLite or PostgreSQL."""

    def __init__(self, engines: Engines) -> None:
        self._db = engines


def required(session: Session, kind: type[V], key: object, missing: str, *, lock: bool = False) -> V:
    """The row with that primary key, locked until the end if asked. Raises NotFound with `missing`."""
    row = session.get(kind, key, with_for_update=lock or None)
    if row is None:
        raise NotFound(missing)
    return row


def only(session: Session, query: Select[V], missing: str, *, lock: bool = False) -> V:
    """The row of a query, locked until the end if asked. Raises NotFound with `missing`."""
    row = session.scalar(query.with_for_update() if lock else query)
    if row is None:
        raise NotFound(missing)
    return row


def touched(session: Session, statement: Executable) -> int:
    """Run an UPDATE or DELETE; the number of rows that it touched."""
    return cast("CursorResult[Any]", session.execute(statement)).rowcount


def hold(connection: Connection, lock: int) -> None:
    """Take a lock of PostgreSQL until the transaction ends; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(lock)))


def _normalised(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise ConfigurationError("DATABASE_URL no es una dirección de base de datos válida.") from error
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        if parsed.database in {None, "", ":memory:"}:
            raise ConfigurationError("DATABASE_URL debe nombrar un archivo: sqlite:////ruta/articulado.db")
        return parsed
    if backend in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    raise ConfigurationError("DATABASE_URL debe empezar por sqlite:/// o por postgresql://")


def _engine(url: URL) -> Engine:
    options: dict[str, Any] = {"hide_parameters": True, "pool_size": 8, "max_overflow": 24}
    sqlite = url.get_backend_name() == "sqlite"
    if sqlite:
        try:
            Path(str(url.database)).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                "No se puede crear la carpeta de la base de datos; revise permisos."
            ) from error
        options["connect_args"] = {"timeout": TIMEOUT, "check_same_thread": False}
    else:
        # A host that vanishes without a word is noticed in half a minute, not in hours.
        alive = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
        patience = {"connect_timeout": TIMEOUT, "tcp_user_timeout": TIMEOUT * 1000}
        options |= {"pool_pre_ping": True, "connect_args": {**patience, **alive}}
    try:
        engine = create_engine(url, **options)
    except (NoSuchModuleError, ImportError) as error:
        raise ConfigurationError("Falta el controlador de la base de datos de DATABASE_URL.") from error
    if sqlite:
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not open transactions of its own
    # What is deleted is overwritten: a document that was taken out must not stay in the file.
    _write_ahead(connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


# Changing the mode locks the whole file, and SQLite calls no busy handler for it: two processes that
# open a new file together would fail at once. When the mode is WAL already, no lock is taken.
@retry(
    retry=retry_if_exception(lambda error: getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY),
    stop=stop_after_delay(TIMEOUT),
    wait=wait_random(0, 0.05),
    reraise=True,
)
def _write_ahead(connection: Any) -> None:
    connection.execute("PRAGMA journal_mode=WAL")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("sqlite_begin", "BEGIN"))
