"""Limits of the process that reads files; the system enforces them where it can.

macOS accepts the memory limit without enforcing it and Windows has none: there only the time is limited.
"""

import ctypes
import math
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import resource

NICENESS = 10
CPU_SLACK_SECONDS = 5
MOST_KEPT = 0.25
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_KILL = 9


@dataclass(frozen=True)
class Limits:
    """Limits of one file: seconds of wall clock, and MiB of address space of the process."""

    seconds: int = 30
    memory_mb: int = 1024

    def confine(self) -> None:
        """Limit the memory and priority of this process for good; on Linux it then dies with its parent."""
        if sys.platform == "win32":
            return
        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        size = self.memory_mb << 20
        # Refused where a lower limit is in force already, and by some versions of macOS.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        if sys.platform == "linux":
            call = ctypes.CDLL(None).prctl
            call(_DIE_WITH_PARENT, _KILL, 0, 0, 0)
            call(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)

    def allow_time(self, processor: int = 0) -> None:
        """Allow CPU time for one more task: a second safeguard, in case the parent is stopped.

        Args:
            processor: seconds, if they are less than those of the wall clock.
        """
        if sys.platform != "win32":
            until = math.ceil(time.process_time()) + (processor or self.seconds + CPU_SLACK_SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))

    def is_spent(self) -> bool:
        """True if the process still holds over a quarter of its limit: the next file could lack memory."""
        if sys.platform != "linux":
            return False
        # The peak that the system gives would also count the process that started this one.
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        return pages * resource.getpagesize() > MOST_KEPT * (self.memory_mb << 20)
