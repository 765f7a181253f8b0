"""Reader of the data files of this folder."""

import tomllib
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError

FOLDER = Path(__file__).parent


def read_lines(name: str) -> list[str]:
    """The lines of a data file of this folder.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    try:
        return (FOLDER / name).read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{name}: no se puede leer ({error}).") from error


def read_toml(name: str | Path) -> dict[str, Any]:
    """The tables of a data file, by its name in this folder or its whole path.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    file = FOLDER / name
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{file.name}: no se puede leer ({error}).") from error
