"""The chat draws its pages one at a time, and people take turns at it.

Python runs one thread at a time: thirty pages drawn at once all finish at the end. Drawn in turn, half of
them finish in half that time, and who has one page waits for one of whoever has forty.
"""

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
        with self._turns.turn(person, self._let_go) as mine:
            self._last = mine, time.monotonic()
            yield

    def _let_go(self, *_: object) -> None:
        """End the turn that is held for too long; who waits asks it."""
        last = self._last
        if last is not None and time.monotonic() - last[1] > PATIENCE:
            last[0].end()


in_turn = PageTurns(Turns(1, 1, MOST, MOST))
