"""Files of a restore, which wait in a hidden folder of the home until the rows that name them are stored.

A restore that is killed leaves the old installation or the new one: before its transaction is committed the
home is as it was, and after it the next start puts what still waits into its place.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import ArticuladoError, InputError
from loading.ingestion.originals import holding
from storage.backup import empty
from storage.stores import Database

FOLDER = ".restoring"
UNPLACED = (
    "La copia está restaurada, pero no todos sus archivos están en su sitio ({why}): resuélvalo y abra el "
    "programa, que terminará de colocarlos."
)


@contextmanager
def coming(home: Path) -> Iterator[Path]:
    """An empty folder for the files; those in it take their places after the block, none after an error.

    Raises:
        StorageUnavailable: another process holds the files of this home.
        InputError: not every file could be put into its place.
    """
    folder = home / FOLDER
    with holding(home):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        _place(home)


def settled(database: Database, home: Path) -> Database:
    """Give a database back once a restore that was killed is ended; after an error it is closed.

    Files take their places if their rows were stored, else they go.

    Raises:
        StorageUnavailable: it is still under way, or the database does not answer.
        InputError: not every file could be put into its place.
    """
    try:
        if (home / FOLDER).is_dir():
            with holding(home):
                if empty(database.engines):
                    shutil.rmtree(home / FOLDER, ignore_errors=True)
                else:
                    _place(home)
    except ArticuladoError:
        database.close()
        raise
    return database


def _place(home: Path) -> None:
    folder = home / FOLDER
    try:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            place = home / file.relative_to(folder)
            for parent in reversed([one for one in place.parents if not one.exists()]):
                parent.mkdir(mode=0o700)
            file.replace(place)
        shutil.rmtree(folder)
    except OSError as error:
        raise InputError(UNPLACED.format(why=error.strerror)) from error
