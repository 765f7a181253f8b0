"""Alembic run from code: the user has no alembic.ini and runs no command."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from core.errors import StorageError
from storage.base.engine import MIGRATION_LOCK, Engines

ENVIRONMENT, MIGRATIONS = (
    str(Path(__file__).parent / name).replace("%", "%%") for name in ("alembic", "migrations")
)


def upgrade(engines: Engines, revision: str = "head") -> None:
    """Bring the database to `revision`; a second process waits and then finds nothing to do.

    Raises:
        StorageError: the database cannot be reached, or was written by a newer version.
    """
    try:
        with engines.connection(MIGRATION_LOCK) as connection:
            if revision != "head" or MigrationContext.configure(connection).get_current_heads() != _heads():
                command.upgrade(config(connection), revision)
    except CommandError as error:
        raise StorageError(
            "La base de datos es de otra versión del programa; actualice el programa o use otra base."
        ) from error


def downgrade(engines: Engines, revision: str) -> None:
    """Undo the migrations after `revision` ('base' drops every table with its data)."""
    with engines.connection(MIGRATION_LOCK) as connection:
        command.downgrade(config(connection), revision)


def config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, bound to an open, locked transaction if anything is to be run."""
    made = Config()
    made.set_main_option("script_location", ENVIRONMENT)
    made.set_main_option("version_locations", MIGRATIONS)
    made.set_main_option("path_separator", "newline")
    made.attributes["connection"] = connection
    return made


@cache
def _heads() -> tuple[str, ...]:
    """The last revisions, without reading every migration for each database that has them."""
    return tuple(ScriptDirectory.from_config(config()).get_heads())
