"""Files that are written whole or not at all."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

DRAFT = re.compile(r"\.[0-9a-f]{32}")
"""Name of what is being written, which stays behind when the process is killed."""


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A stream whose contents take the path's place after the block; after an error it stays as it was.

    Only the owner of the process can read the file. Raises OSError.
    """
    draft = path.with_name(f".{uuid4().hex}")
    try:
        with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    finally:
        with suppress(OSError):
            draft.unlink()
