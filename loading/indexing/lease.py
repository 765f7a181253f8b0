"""One sync of the index at a time: in this process by a lock, between processes by a lease in the database.

An embedded index needs no lease: only one process can have it open.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import uuid4

from core.errors import IndexUnavailable
from loading.records.job_store import JobStore

NAME = "index"
LEASE_SECONDS = 60.0
RENEW_SECONDS = 15.0
LOOK_SECONDS = 0.5
BUSY = "El índice se está actualizando en otro proceso: vuelva a intentarlo dentro de un momento."


@dataclass(eq=False)
class SyncGuard:
    """Holds the right to change the index.

    Attributes:
        jobs: the store of the lease; None when no other process can reach the index.
    """

    jobs: JobStore | None = None

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._holder = uuid4().hex
        self._renewed = 0.0

    @contextmanager
    def hold(self, wait: float) -> Iterator[Callable[[], None]]:
        """Run the body alone; it must call the yielded function now and then to renew the lease.

        Args:
            wait: seconds to wait for the current holder.

        Raises:
            IndexUnavailable: another holder has it; from the renewing call: the lease was lost.
        """
        end = time.monotonic() + wait
        if not self._lock.acquire(timeout=wait):
            raise IndexUnavailable(BUSY)
        try:
            while not self._take():
                if time.monotonic() >= end:
                    raise IndexUnavailable(BUSY)
                time.sleep(LOOK_SECONDS)
            try:
                yield self._renew
            finally:
                if self.jobs is not None:
                    self.jobs.end_lease(NAME, self._holder)
        finally:
            self._lock.release()

    def _take(self) -> bool:
        self._renewed = time.monotonic()
        return self.jobs is None or self.jobs.lease(NAME, self._holder, LEASE_SECONDS)

    def _renew(self) -> None:
        if time.monotonic() - self._renewed > RENEW_SECONDS and not self._take():
            raise IndexUnavailable(BUSY)
