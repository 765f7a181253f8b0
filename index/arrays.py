"""Reader of the arrays of a data file."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import ConfigurationError

TRIES = 5


def arrays(path: Path) -> dict[str, NDArray[np.generic]]:
    """The arrays of an .npz file, by name.

    Raises:
        OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error: it is missing or damaged.
    """
    # On CPython 3.11 two threads that parse Python at a time, as numpy does for a header, may fail so
    # (python/cpython#106905).
    for _ in range(TRIES - 1):
        with suppress(SystemError):
            return _read(path)
    return _read(path)


UNREADABLE = (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error)
"""Errors of reading a missing or damaged file of arrays."""


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turns what a missing or damaged file of the program raises, read here, into one sentence.

    Raises:
        ConfigurationError: instead.
    """
    try:
        yield
    except UNREADABLE as error:
        raise ConfigurationError(f"{path.name}: no se puede leer; instale de nuevo la aplicación.") from error


def _read(path: Path) -> dict[str, NDArray[np.generic]]:
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}
