"""A value read from the database a moment ago, for readers that ask many times a second."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

SECONDS = 0.2

V = TypeVar("V")


class Lately(Generic[V]):
    """A value, read again once it is `seconds` old or this process has written. Any thread may use it.

    What another process writes is seen that much later, at most.
    """

    def __init__(
        self,
        read: Callable[[], V],
        last_write: Callable[[], object],
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Wire it.

        Args:
            last_write: of this process: another object after each one.
        """
        self._read = read
        self._last_write = last_write
        self._seconds = seconds
        self._clock = clock
        self._kept: tuple[object, float, V] | None = None

    def get(self) -> V:
        """The value. Raises what `read` raises."""
        written, now, kept = self._last_write(), self._clock(), self._kept
        if kept is not None and kept[0] is written and now - kept[1] < self._seconds:
            return kept[2]
        value = self._read()
        self._kept = written, now, value
        return value
