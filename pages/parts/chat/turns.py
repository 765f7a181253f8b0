"""The chat's pages are drawn one after the other.

Python runs one thread at a time: thirty pages drawn at once are all ready when the last one is, and drawn in
turn half of them are ready in half of that time, with fewer hand-overs in between.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.0
"""Seconds after which a page is drawn anyway: one that waits for its database must not hold up the others."""

_turn = threading.RLock()


@contextmanager
def in_turn() -> Iterator[None]:
    """Within a turn of the same thread there is no wait."""
    taken = _turn.acquire(timeout=PATIENCE)
    try:
        yield
    finally:
        if taken:
            _turn.release()
