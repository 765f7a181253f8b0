"""Empty SQLite databases, copied from one that the migrations made once."""

import os
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from storage.base.engine import Engines
from storage.migrate import upgrade
from storage.stores import Database


def lay_tables(path: Path) -> str:
    """Write a SQLite file with every table and no rows; returns its URL."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(_migrated())
    return f"sqlite:///{path}"


def new_database(path: Path) -> Database:
    """An open, empty database in a new file."""
    return Database(Engines(lay_tables(path)))


def lay_new_tables(path: Path) -> None:
    """Write the same where nothing is, as one who opens it first would: whole, and once."""
    if path.exists() or not path.parent.is_dir():
        return
    with TemporaryDirectory(dir=path.parent) as folder, suppress(FileExistsError):
        whole = Path(folder) / path.name
        whole.write_bytes(_migrated())
        os.link(whole, path)


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "migrated.db"
        with closing(Engines(f"sqlite:///{path}")) as engines:
            upgrade(engines)
        return path.read_bytes()
