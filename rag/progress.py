"""The listener of work that takes its time."""

from collections.abc import Callable

OnProgress = Callable[[str, int, int], None]
"""Told phase, steps done and steps in all, before each step and at the end; what it raises stops the work."""


def unheard(_phase: str, _done: int, _total: int) -> None:
    """The listener of work that nobody follows."""
