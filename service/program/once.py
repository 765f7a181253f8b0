"""A value made once, on first use, by any number of threads."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Makes its value when it is first asked for; other threads that ask meanwhile wait for that attempt.

    An error is raised to every thread that waited, and the next call tries again. `make` must not ask for
    the value itself: it would wait for ever.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._attempt: Future[T] | None = None

    def get(self) -> T:
        """The value. Raises as `make`."""
        with self._lock:
            first = self._attempt is None
            attempt = self._attempt = self._attempt or Future()
        if first:
            self._try(attempt)
        return attempt.result()

    @property
    def made(self) -> T | None:
        """The value if it is made, else None."""
        attempt = self._attempt
        return (
            attempt.result() if attempt is not None and attempt.done() and not attempt.exception() else None
        )

    def put(self, replacement: T | None) -> None:
        """Put another value in its place, or none so that the next call makes a new one."""
        attempt: Future[T] | None = None
        if replacement is not None:
            attempt = Future()
            attempt.set_result(replacement)
        with self._lock:
            self._attempt = attempt

    def _try(self, attempt: Future[T]) -> None:
        # Not under the lock: making the value may take minutes.
        try:
            attempt.set_result(self._make())
        except BaseException as error:
            with self._lock:
                if self._attempt is attempt:
                    self._attempt = None
            attempt.set_exception(error)
