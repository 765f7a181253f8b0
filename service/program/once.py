"""The one value of a process: made on first use by whichever thread comes first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Makes its value when it is first asked for."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._value: T | None = None

    def get(self) -> T:
        with self._lock:
            if self._value is None:
                self._value = self._make()
            return self._value

    def put(self, replacement: T | None) -> None:
        """Put another value in its place, or none so that the next call makes a new one."""
        with self._lock:
            self._value = replacement
