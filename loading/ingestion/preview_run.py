"""A preview under way: read in a thread of its own, with its progress, until it is done or cancelled."""

import threading
from collections.abc import Callable

from core.progress import OnProgress
from loading.ingestion.load_request import Staged


class ReadingCancelled(Exception):
    """The preview was cancelled; nothing of it is left."""


class Reading:
    """One preview, read in the background from the moment this is made.

    Args:
        read: makes the preview and reports each file before it is read; what its report raises ends it.
        drop: discards a preview that was cancelled too late to be stopped.

    Attributes:
        progress: name of the file that is being read, files read, files in all.
    """

    def __init__(self, read: Callable[[OnProgress], Staged], drop: Callable[[Staged], None]) -> None:
        self._read, self._drop = read, drop
        self._lock = threading.Lock()
        self._done, self._cancelled = threading.Event(), False
        self._staged: Staged | None = None
        self._error: BaseException | None = None
        self.progress = ("", 0, 0)
        threading.Thread(target=self._run, daemon=True, name="preview").start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end; False if it has not come by then."""
        return self._done.wait(seconds)

    def result(self) -> Staged:
        """The preview, once it has ended.

        Raises:
            ReadingCancelled: it was cancelled.
            ArticuladoError: it failed, and nothing is left of it.
        """
        self._done.wait()
        if self._error is not None:
            raise self._error
        if self._staged is None:
            raise ReadingCancelled
        return self._staged

    def cancel(self) -> None:
        """End it: at once for the caller, and before its next file for the thread."""
        with self._lock:
            self._cancelled = True
            staged, self._staged = self._staged, None
        if staged is not None:
            self._drop(staged)

    def _run(self) -> None:
        try:
            staged = self._read(self._tell)
        except BaseException as error:
            self._error = error
        else:
            with self._lock:
                late = self._cancelled
                self._staged = None if late else staged
            if late:
                self._drop(staged)
        finally:
            self._done.set()

    def _tell(self, name: str, done: int, total: int) -> None:
        self.progress = (name, done, total)
        if self._cancelled:
            raise ReadingCancelled
