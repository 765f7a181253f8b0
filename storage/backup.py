"""Every table as lines of JSON and back, each way in one transaction, the same for SQLite and PostgreSQL.

What travels is what the columns hold, not what the models make of it (tables and columns are read from the
database itself): a row comes back letter by letter, and rows of an earlier revision can be filled in as well
(of the one before all migrations too: `storage.former`). A table of the models marked
`info={"backup": False}` stays out: what belongs to a running process or to the index, login sessions and API
tokens.
"""

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Column, Connection, MetaData, Table, func, insert, inspect, select, text, update

from core.errors import InputError
from storage import former
from storage.base.engine import MIGRATION_LOCK, Engines, translated
from storage.migrate import config, head, revision_of
from storage.tables.audit import AuditRow
from storage.tables.declarative import Base
from storage.tables.norms import NONE, ChunkRow, VectorRow

VECTORS = VectorRow.__tablename__
ROWS, BYTES = 500, 4 * 1024 * 1024
"""Limits of one insert, in rows and bytes of text: memory stays flat for rows of any size."""
FETCHED = 100
INVALID = "La copia no es válida: sus tablas no son las de esa versión del programa."
NOT_EMPTY = (
    "La base de datos no está vacía (tabla «{table}») y no se ha tocado: "
    "restaure sobre una base de datos y una carpeta nuevas."
)

Kind = type[Any]
NAMES: dict[Kind, str] = {
    str: "text",
    int: "integer",
    float: "float",
    bool: "boolean",
    date: "date",
    datetime: "time",
    bytes: "bytes",
}
WRITERS: dict[str, Callable[[Any], Any]] = {
    "date": lambda value: value.isoformat(),
    # SQLite has no time zones: what it holds is UTC.
    "time": lambda value: (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)).isoformat(),
    "bytes": lambda value: b64encode(value).decode("ascii"),
}
READERS: dict[str, Callable[[Any], Any]] = {
    "date": date.fromisoformat,
    "time": datetime.fromisoformat,
    "bytes": lambda value: b64decode(value, validate=True),
}


class Snapshot:
    """A snapshot of the database at one moment, unaffected by later writes.

    Attributes:
        tables: their names, each after those that it refers to.
        sequences: the highest number ever given in each table that numbers its rows.
        audit_head: 'number:hash' of the last entry of the audit log; empty when there is none.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.revision = revision_of(connection)
        self._tables = _tables(connection, {table.name for table in _marked()})
        self.tables = list(self._tables)
        self.sequences = {
            name: last for name, table in self._tables.items() if (last := _last_number(connection, table))
        }

        self.audit_head = self._audit_head()

    def lines(self, name: str) -> Iterator[bytes]:
        """The columns with their kinds, then a row a line, in the order of the primary key."""
        table = self._tables[name]
        columns = _columns(table)
        kinds = [_kind(column) for column in columns]
        writers = [WRITERS.get(kind) for kind in kinds]
        yield _line([[column.name, kind] for column, kind in zip(columns, kinds, strict=True)])
        query = select(*columns).order_by(*table.primary_key.columns)
        with self._connection.execute(query, execution_options={"yield_per": FETCHED}) as rows:
            for row in rows:
                values = zip(row, writers, strict=True)
                yield _line([write(v) if write and v is not None else v for v, write in values])

    def _audit_head(self) -> str:
        audit = self._tables.get(AuditRow.__tablename__)
        if audit is None:
            return ""
        last = select(audit.c.number, audit.c.hash).order_by(audit.c.number.desc()).limit(1)
        return "".join(f"{number}:{noted}" for number, noted in self._connection.execute(last))


@contextmanager
def snapshot(engines: Engines) -> Iterator[Snapshot]:
    """Read everything at one moment. Raises StorageError."""
    with translated(), engines.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            yield Snapshot(connection)


class Filling:
    """An empty database that is being filled; `tables` as in `Snapshot`.

    Attributes:
        skipped: rows of each table that were left out: see `storage.former`.
    """

    def __init__(self, connection: Connection, tables: Collection[str], *, is_former: bool) -> None:
        self._connection = connection
        self._is_former = is_former
        self._tables = _tables(connection, tables)
        self.tables = list(self._tables)
        self.skipped = Counter[str]()
        if set(tables) - set(self.tables) != (former.TABLES if is_former else set()):
            raise InputError(INVALID)

    def load(self, name: str, lines: Iterable[bytes]) -> int:
        """Put in what `Snapshot.lines` gave; how many rows.

        Raises:
            InputError: the lines are not rows of this table.
        """
        table = self._tables[name]
        source = iter(lines)
        try:
            columns = [(column, READERS.get(kind)) for column, kind in json.loads(next(source, b"[]"))]
            expected = {column.name for column in _columns(table)}
            if self._is_former:
                expected |= former.COLUMNS.get(name, frozenset())
            if {column for column, _ in columns} != expected:
                raise InputError(INVALID)
            count = 0
            for rows in _batches(source, columns):
                count += len(rows)
                if kept := self._kept(name, rows):
                    self._connection.execute(insert(table), kept)
            return count
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(INVALID) from error

    def _kept(self, table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if not self._is_former:
            return rows
        kept = [row for one in rows if (row := former.fitted(table, one)) is not None]
        self.skipped[table] += len(rows) - len(kept)
        return kept


@contextmanager
def filling(
    engines: Engines, revision: str, tables: Collection[str], sequences: Mapping[str, int]
) -> Iterator[Filling]:
    """Fill an empty database with rows of that revision and bring it to today's, all of it or nothing.

    Nothing of the index is known afterwards: every chunk is pending. Numbers go on after the highest ever
    given, so that none is given twice.

    Raises:
        InputError: the database is not empty, or these are no tables of that revision.
        StorageError: nothing was stored.
    """
    with engines.connection(MIGRATION_LOCK) as connection:
        _require_empty(connection)
        alembic = config(connection)
        is_former = revision == former.REVISION
        fitting = former.NEXT if is_former else revision
        if fitting != head():
            command.downgrade(alembic, fitting)
        yield Filling(connection, tables, is_former=is_former)
        command.upgrade(alembic, "head")
        for name, table in _tables(connection, sequences).items():
            _set_last_number(connection, table, sequences[name])
        forgotten: dict[str, Any] = {"index_state": NONE}
        if VECTORS not in tables:
            forgotten |= {"embedded_with": "", "passages_with": ""}
        connection.execute(update(ChunkRow).values(**forgotten))


def empty(engines: Engines) -> bool:
    """True if no row that a backup takes along is stored; waits for `filling`. Raises StorageError."""
    with engines.connection(MIGRATION_LOCK) as connection:
        return not _filled(connection)


def known(revision: str) -> bool:
    """True if a backup of that revision can be brought to today's."""
    if revision == former.REVISION:
        return True
    try:
        script = ScriptDirectory.from_config(config()).get_revision(revision)
    except CommandError:
        return False
    return script is not None and script.revision == revision


def database_files(engines: Engines) -> set[Path]:
    """The files of a SQLite database; none of a server's."""
    url = engines.engine.url
    if url.get_backend_name() != "sqlite":
        return set()
    return {Path(f"{url.database}{suffix}").resolve() for suffix in ("", "-wal", "-shm", "-journal")}


def _tables(connection: Connection, names: Collection[str]) -> dict[str, Table]:
    """Those of `names` that the database has, as it has them."""
    there = set(inspect(connection).get_table_names()) & set(names)
    metadata = MetaData()
    metadata.reflect(connection, only=sorted(there))
    return {table.name: table for table in metadata.sorted_tables if table.name in there}


def _columns(table: Table) -> list[Column[Any]]:
    """Those that rows are written with: not what the database makes of them by itself."""
    return [column for column in table.columns if column.computed is None]


def _require_empty(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        names = ", ".join(connection.dialect.identifier_preparer.format_table(table) for table in _marked())
        connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))
    if table := _filled(connection):
        raise InputError(NOT_EMPTY.format(table=table))


def _marked() -> list[Table]:
    return [table for table in Base.metadata.sorted_tables if table.info.get("backup", True)]


def _filled(connection: Connection) -> str:
    """The name of a table with a row; '' if there is none."""
    found = (t.name for t in _marked() if connection.execute(select(1).select_from(t).limit(1)).first())
    return next(found, "")


def _kind(column: Column[Any]) -> str:
    return NAMES[column.type.python_type]


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _batches(
    lines: Iterable[bytes], columns: list[tuple[str, Callable[[Any], Any] | None]]
) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    size = 0
    for line in lines:
        values = zip(columns, json.loads(line), strict=True)
        rows.append({name: read(v) if read and v is not None else v for (name, read), v in values})
        size += len(line)
        if len(rows) >= ROWS or size >= BYTES:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _numbered(table: Table) -> Column[Any] | None:
    """The column that the database numbers by itself, if there is one."""
    keys = list(table.primary_key.columns)
    return (
        keys[0] if len(keys) == 1 and keys[0].type.python_type is int and not keys[0].foreign_keys else None
    )


def _last_number(connection: Connection, table: Table) -> int:
    """The highest number ever given: a deleted row's is not given again."""
    column = _numbered(table)
    if column is None:
        return 0
    highest = connection.scalar(select(func.max(column))) or 0
    if connection.dialect.name == "sqlite":
        given = connection.scalar(
            text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": table.name}
        )
    else:
        sequence = _sequence(connection, table, column)
        given = sequence and connection.scalar(
            text(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")
        )
    return max(highest, given or 0)


def _set_last_number(connection: Connection, table: Table, number: int) -> None:
    column = _numbered(table)
    if column is None:
        return
    if connection.dialect.name == "sqlite":
        values = {"name": table.name, "number": number}
        made = str(connection.scalar(text("SELECT sql FROM sqlite_master WHERE name = :name"), values))
        if "AUTOINCREMENT" in made.upper():
            connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
            connection.execute(
                text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :number)"), values
            )
    elif sequence := _sequence(connection, table, column):
        connection.execute(
            text("SELECT setval(CAST(:sequence AS regclass), :number)"),
            {"sequence": sequence, "number": number},
        )


def _sequence(connection: Connection, table: Table, column: Column[Any]) -> str | None:
    """PostgreSQL's own name of the sequence behind a column, quoted as it must be."""
    found: str | None = connection.scalar(
        text("SELECT pg_get_serial_sequence(:table, :column)"),
        {"table": connection.dialect.identifier_preparer.format_table(table), "column": column.name},
    )
    return found
