"""Work that a program does again and again in a thread of its own."""

import logging
import threading
from collections.abc import Callable

from core.errors import ArticuladoError

logger = logging.getLogger(__name__)


class Periodic:
    """A thread that does its work at once, whenever it is wanted, and after each pause.

    What fails is logged and tried again after the next pause. Every method may be called from any thread.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[], object],
        pause: Callable[[], float],
        *,
        stop_seconds: float | None = None,
    ) -> None:
        """Wire it; nothing starts.

        Args:
            name: of the thread and in the log.
            work: one pass; a long one looks at `ending` now and then.
            pause: gives the seconds from the end of a pass to the next; called after each.
            stop_seconds: the longest that `stop` waits for the pass under way; None: as long as it takes.
        """
        self._name = name
        self._work = work
        self._pause = pause
        self._stop_seconds = stop_seconds
        self._wanted = threading.Event()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def ending(self) -> bool:
        """True from the call of `stop` until its thread is gone."""
        return self._ending.is_set()

    def start(self) -> None:
        """Start the thread; a second start does nothing."""
        if self._thread is None or not self._thread.is_alive():
            self._ending.clear()
            self._thread = threading.Thread(target=self._keep, name=self._name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread after the pass under way; one that takes too long is left behind and ends then."""
        self._ending.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(self._stop_seconds)
            if self._thread.is_alive():
                return
            self._thread = None
        self._ending.clear()

    def soon(self) -> bool:
        """Have the thread make a pass now; False if there is none, and nobody does."""
        self._wanted.set()
        return self._thread is not None

    def _keep(self) -> None:
        while not self._ending.is_set():
            self._wanted.clear()
            try:
                self._work()
            except ArticuladoError:
                logger.exception("%s: a pass failed; trying again", self._name)
            except Exception:
                logger.exception("%s: an error of the program", self._name)
            self._wanted.wait(self._pause())
