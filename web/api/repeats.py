"""Requests repeated with one Idempotency-Key: the answer that is under way or was given, not another one."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import TTLCache

from core.errors import InputError
from rag.run.runs import Run

MOST_KEPT, KEPT_SECONDS = 200, 24 * 3600.0
OTHER = "Esa Idempotency-Key ya se usó con otra petición: use una nueva."


@dataclass
class _Kept:
    asked: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    run: Run | None = None


class Repeats:
    """The runs of a day by person and key, in this process; the oldest go first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: TTLCache[tuple[str, str], _Kept] = TTLCache(MOST_KEPT, KEPT_SECONDS)

    def run(self, person: str, key: str, asked: str, start: Callable[[], Run]) -> Run:
        """The run of that key, started if there is none.

        Args:
            key: '' starts one that nothing repeats.
            asked: the request as text; the same key with another one is refused.

        Raises:
            InputError: the key belongs to another request. And what `start` raises, which keeps nothing.
        """
        if not key:
            return start()
        with self._lock:
            kept = self._kept.setdefault((person, key), _Kept(asked))
        if kept.asked != asked:
            raise InputError(OTHER)
        with kept.lock:
            if kept.run is None:
                try:
                    kept.run = start()
                except BaseException:
                    with self._lock:
                        self._kept.pop((person, key), None)
                    raise
            return kept.run
