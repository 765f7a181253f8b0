"""The chat draws its pages one at a time, and people take turns at it.

Python runs one thread at a time: thirty pages drawn at once all finish at the end. Drawn in turn, half of
them finish in half that time, and who has one page waits for one of whoever has forty.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from core.turns import Place, Turns

PATIENCE = 1.0
"""Seconds that a page is drawn before others no longer wait for it: it may wait for the database."""
MOST = 100_000


class PageTurns:
    """Turns at drawing, for any thread, of which none may take a second one inside its own."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._last: tuple[Place, float] | None = None

    @contextmanager
    def __call__(self, person: str) -> Iterator[None]:
        """Wait for a turn of a person, and hold it for the block."""
        begun = threading.Event()
        mine = self._turns.take(person, begun.set)
        try:
            while not begun.wait(PATIENCE):
                if self._last is not None and time.monotonic() - self._last[1] > PATIENCE:
                    self._last[0].end()
            self._last = mine, time.monotonic()
            yield
        finally:
            mine.end()


in_turn = PageTurns(Turns(1, 1, MOST, MOST))
