"""Repeats a change of a norm when another writer saved first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rag.errors import ChangedMeanwhile

ATTEMPTS = 5

T = TypeVar("T")


def retried(change: Callable[[], T]) -> T:
    """The result of `change`, which reads a norm and writes it; it runs five times at most.

    Raises:
        ChangedMeanwhile: another writer saved first each time.
    """
    for _ in range(ATTEMPTS - 1):
        try:
            return change()
        except ChangedMeanwhile:
            continue
    return change()
