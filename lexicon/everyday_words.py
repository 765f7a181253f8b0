"""Everyday vocabulary of the questions that the shipped norms answer (`lab.training.asked_words`)."""

from functools import lru_cache

from core.errors import ConfigurationError
from lexicon.data_files import FOLDER

FILE = FOLDER / "asked.txt"


def norms_asked(stem: str) -> int:
    """Number of the shipped norms whose questions use the stem.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    return _counts().get(stem, 0)


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    try:
        lines = FILE.read_text("utf-8").splitlines()
        return {stem: int(count) for stem, _, count in (line.partition(" ") for line in lines)}
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{FILE.name}: no se puede leer ({error}).") from error
