"""Schema of a database: made whole where there is none, and brought on by the migrations that came since.

Alembic is run from code: the user has no alembic.ini and runs no command.
"""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from core.errors import StorageError
from storage import former
from storage.base.engine import MIGRATION_LOCK, Engines
from storage.tables.declarative import Base
from storage.tables.triggers import STATEMENTS

ENVIRONMENT, MIGRATIONS = (
    str(Path(__file__).parent / name).replace("%", "%%") for name in ("alembic", "migrations")
)
OTHER_VERSION = "La base de datos es de otra versión del programa; actualice el programa o use otra base."
FORMER_VERSION = (
    "La base de datos es de una versión anterior del programa y no se ha tocado: haga una copia con esa "
    "versión («python cli.py backup COPIA.zip») y restáurela con esta en una carpeta y una base de datos "
    "nuevas («python cli.py restore COPIA.zip»)."
)
NO_FTS5 = (
    "El SQLite de este Python no incluye FTS5, que la búsqueda en consultas necesita: "
    "use el Python de python.org o el de su sistema, o PostgreSQL (DATABASE_URL)."
)


def upgrade(engines: Engines) -> None:
    """Give the database today's schema; a second process waits and then finds nothing to do.

    Raises:
        StorageError: the database cannot be reached, or another version of the program wrote it.
    """
    try:
        with engines.connection(MIGRATION_LOCK) as connection:
            found = revision_of(connection)
            if found in former.REVISIONS:
                raise StorageError(FORMER_VERSION)
            if not found:
                _create(connection)
            elif found != head():
                command.upgrade(config(connection), "head")
    except CommandError as error:
        raise StorageError(OTHER_VERSION) from error


def revision_of(connection: Connection) -> str:
    """The revision of the database's schema; '' where there is none."""
    return MigrationContext.configure(connection).get_current_revision() or ""


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, bound to an open, locked transaction if anything is to be run."""
    made = Config()
    made.set_main_option("script_location", ENVIRONMENT)
    made.set_main_option("version_locations", MIGRATIONS)
    made.set_main_option("path_separator", "newline")
    made.attributes["connection"] = connection
    return made


@cache
def head() -> str:
    """The last revision, without reading every migration for each database that has it."""
    return ScriptDirectory.from_config(config()).get_current_head() or ""


def _create(connection: Connection) -> None:
    """Make every table as the models have it: no migration is run on what is new."""
    kind = connection.dialect.name
    if kind == "sqlite" and not connection.scalar(
        text("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")
    ):
        raise StorageError(NO_FTS5)
    Base.metadata.create_all(connection, checkfirst=False)
    for statement in STATEMENTS[kind]:
        # Without parameters, a driver leaves the signs in it alone.
        connection.exec_driver_sql(statement, execution_options={"no_parameters": True})
    command.stamp(config(connection), "head")
