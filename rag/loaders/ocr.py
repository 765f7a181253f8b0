"""Reads pictures of text with the `tesseract` command, if it is installed with Spanish."""

import shutil
import subprocess

from rag.loaders.encoding import clean

COMMAND = "tesseract"
LANGUAGE = "spa"
SECONDS = 120


def available() -> bool:
    """True if the command is installed with Spanish."""
    if shutil.which(COMMAND) is None:
        return False
    try:
        listed = subprocess.run([COMMAND, "--list-langs"], capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return LANGUAGE in (listed.stdout + listed.stderr).decode("utf-8", "replace").split()


def read(picture: bytes) -> str:
    """The text of a picture (PNM or PNG bytes); empty when it cannot be read."""
    command = [COMMAND, "stdin", "stdout", "-l", LANGUAGE]
    try:
        done = subprocess.run(command, input=picture, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return clean(done.stdout.decode("utf-8", "replace")).strip() if done.returncode == 0 else ""
