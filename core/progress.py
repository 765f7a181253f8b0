"""The listener of work that takes its time, and the time that is left of it."""

import math
from collections import deque
from collections.abc import Callable

OnProgress = Callable[[str, int, int], None]
"""Told phase, steps done and steps in all, before each step and at the end; what it raises stops the work."""

SHORTEST, LONGEST = 15.0, 60.0
"""Seconds of work that a pace is taken from; more than the longest for fewer steps than FEWEST."""
FEWEST = 5
STEADY = 1.5
"""How many times faster one half of them may be than the other."""


def unheard(_phase: str, _done: int, _total: int) -> None:
    """The listener of work that nobody follows."""


class Pace:
    """Time left of work at its pace of the last minute. Fewer steps done than before begin other work."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, now: float, done: float, total: int) -> str:
        """'quedan unos 4 min', or nothing while the pace is not known or not steady.

        Args:
            now: seconds of any clock that only goes forward.
        """
        seen = self._seen
        if seen and done < seen[-1][1]:
            seen.clear()
        seen.append((now, done))
        while now - seen[0][0] > LONGEST and len(seen) > FEWEST:
            seen.popleft()
        (start, first), (middle, half) = seen[0], seen[len(seen) // 2]
        if done >= total or len(seen) < FEWEST or now - start < SHORTEST or not start < middle < now:
            return ""
        early, late = (half - first) / (middle - start), (done - half) / (now - middle)
        if not 0 < max(early, late) <= min(early, late) * STEADY:
            return ""
        return _told((total - done) * (now - start) / (done - first))


def _told(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    if minutes < 2:
        return "queda menos de 1 min"
    return f"quedan unos {minutes} min" if minutes <= 90 else f"quedan unas {round(minutes / 60)} h"
