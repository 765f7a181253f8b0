"""The suite's temporary files in memory: most of the time that it takes on a disk is waiting for the disk."""

import os
import re
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 * 2**30
"""Bytes that must be free: several times what the suite has at once, since a full memory kills processes."""


def use_memory() -> None:
    """Make MEMORY the folder of temporary files of this process and its children, unless TMPDIR is set."""
    if not os.environ.get("TMPDIR") and has_room(MEMORY, Path("/proc/meminfo")):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def has_room(folder: Path, meminfo: Path, room: int = ROOM) -> bool:
    """True if one may write to `folder` and both it and the machine have that many bytes left."""
    try:
        free = shutil.disk_usage(folder).free
        available = re.search(r"MemAvailable: +(\d+) kB", meminfo.read_text("utf-8"))
    except OSError:
        return False
    enough = available is not None and int(available[1]) * 1024 >= room
    return enough and free >= room and os.access(folder, os.W_OK)
