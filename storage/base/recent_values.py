"""A value read from the database a moment ago, for readers that ask many times a second."""

import time
from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

SECONDS = 0.2

P = ParamSpec("P")
V = TypeVar("V")


class Lately(Generic[P, V]):
    """A value, read again once it is `seconds` old, this process has written or something else is asked.

    Any thread may use it.

    What another process writes is seen that much later, at most.
    """

    def __init__(
        self,
        read: Callable[P, V],
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
        self._kept: tuple[object, object, float, V] | None = None

    def get(self, *asked: P.args, **named: P.kwargs) -> V:
        """The value of what is asked. Raises what `read` raises."""
        key = (asked, named)
        written, now, kept = self._last_write(), self._clock(), self._kept
        if kept and kept[0] is written and kept[1] == key and now - kept[2] < self._seconds:
            return kept[3]
        value = self._read(*asked, **named)
        self._kept = written, key, now, value
        return value
