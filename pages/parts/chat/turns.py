"""The chat draws its pages one at a time.

Python runs one thread at a time: thirty pages drawn at once all finish at the end. Drawn in turn, half of
them finish in half that time, with fewer thread switches.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds before a page is drawn out of turn: one that waits for the database must not block the others."""

_turn = threading.RLock()


@contextmanager
def in_turn() -> Iterator[None]:
    """Hold the turn; a thread that already holds it does not wait."""
    taken = _turn.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if taken:
            _turn.release()
