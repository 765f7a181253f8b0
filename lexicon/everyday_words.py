"""Everyday vocabulary of the questions that the shipped norms answer (`lab.training.asked_words`)."""

from functools import lru_cache

from lexicon.data_files import FOLDER, read_lines

FILE = FOLDER / "asked.txt"


def norms_asked(stem: str) -> int:
    """Number of the shipped norms whose questions use the stem.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    return _counts().get(stem, 0)


@lru_cache(maxsize=1)
def _counts() -> dict[str, int]:
    return {stem: int(count) for stem, count in map(str.split, read_lines(FILE.name))}
