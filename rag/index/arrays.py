"""Reader of the arrays of a data file."""

from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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


def _read(path: Path) -> dict[str, NDArray[np.generic]]:
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}
