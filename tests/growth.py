"""How a cost grows with what it is given, by processor time and with no limit in seconds."""

import time
from collections.abc import Callable

FACTOR = 8
LIMIT = 2 * FACTOR
"""A linear cost grows by FACTOR, a quadratic one by FACTOR squared."""
ROUNDS = 5


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Fail when `work(size)` takes more than LIMIT times as long as `work(size // FACTOR)`.

    The shortest times count: other processes only ever add to them. It is measured again before it fails.
    """
    small = large = float("inf")
    for _ in range(ROUNDS):
        small = min(small, _seconds(work, size // FACTOR), _seconds(work, size // FACTOR))
        large = min(large, _seconds(work, size))
        if large <= LIMIT * small:
            return
    raise AssertionError(f"{FACTOR} times the input took {large / small:.0f} times as long")


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.process_time()
    work(size)
    return time.process_time() - began
