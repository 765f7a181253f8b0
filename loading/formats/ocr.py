"""Reads pictures of text with the `tesseract` command, if it is installed with Spanish."""

import shutil
import subprocess
from typing import NamedTuple

from loading.formats.encoding import clean

COMMAND = "tesseract"
LANGUAGE = "spa"
SECONDS, WAITED = 120, 20
"""Most that a picture may take: when it is taken in, and when its page is to be shown."""
_CELLS = 12
"""Of a TSV's row: level, page, block, paragraph, line, word, left, top, width, height, confidence, text."""


class Word(NamedTuple):
    """A word with its box: left, upper, right and lower edge in pixels."""

    text: str
    box: tuple[float, float, float, float]


def available() -> bool:
    """True if the command is installed with Spanish."""
    if shutil.which(COMMAND) is None:
        return False
    try:
        listed = subprocess.run([COMMAND, "--list-langs"], capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return LANGUAGE in (listed.stdout + listed.stderr).decode("utf-8", "replace").split()


def recognise(picture: bytes) -> str:
    """The text of a picture (PNM or PNG bytes); empty when it cannot be read."""
    return clean(_told(picture)).strip()


def words(picture: bytes) -> list[list[Word]]:
    """The words of each line of a picture; none when it cannot be read while somebody waits for it.

    Of a file of several pictures, the first one's.
    """
    lines: dict[tuple[str, ...], list[Word]] = {}
    for row in _told(picture, "tsv", seconds=WAITED).splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != _CELLS or cells[1] != "1" or not cells[-1].strip():
            continue
        left, top, width, height = map(int, cells[6:10])
        box = left, top, left + width, top + height
        lines.setdefault(tuple(cells[1:5]), []).append(Word(clean(cells[-1]), box))
    return list(lines.values())


def _told(picture: bytes, *output: str, seconds: int = SECONDS) -> str:
    command = [COMMAND, "stdin", "stdout", "-l", LANGUAGE, *output]
    try:
        done = subprocess.run(command, input=picture, capture_output=True, timeout=seconds, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
