"""Empty SQLite databases, copied from one that the migrations made once."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from storage import Database, open_database
from storage.database import Engines


def lay_tables(path: Path) -> str:
    """Write a SQLite file with every table and no rows; returns its URL."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(_migrated())
    return f"sqlite:///{path}"


def new_database(path: Path) -> Database:
    """An open, empty database in a new file."""
    return Database(Engines(lay_tables(path)))


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "migrated.db"
        open_database(f"sqlite:///{path}").close()
        return path.read_bytes()
