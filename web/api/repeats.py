"""Requests repeated with one Idempotency-Key: the answer that is under way or was given, not another one."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import TTLCache

from core.errors import InputError
from rag.run.runs import Run

MOST_PEOPLE, MOST_KEPT, KEPT_SECONDS = 1_000, 100, 24 * 3600.0
OTHER = "Esa Idempotency-Key ya se usó con otra petición: use una nueva."


@dataclass
class _Kept:
    asked: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    run: Run | None = None


class Repeats:
    """The runs of a day by key, so many of each person, in this process; their oldest go first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._people: TTLCache[str, TTLCache[str, _Kept]] = TTLCache(MOST_PEOPLE, KEPT_SECONDS)

    def run(
        self, person: str, key: str, asked: str, start: Callable[[], Run], again: Callable[[Run], Run]
    ) -> Run:
        """The run of that key, started if there is none.

        Args:
            key: '' starts one that nothing repeats.
            asked: the request as text; the same key with another one is refused.
            again: gives the run of a repeated request as it is by now.

        Raises:
            InputError: the key belongs to another request. And what `again` raises, and `start`, which keeps
                nothing.
        """
        if not key:
            return start()
        with self._lock:
            own = self._people.get(person) or TTLCache(MOST_KEPT, KEPT_SECONDS)
            self._people[person] = own  # counts as the latest
            kept = own.setdefault(key, _Kept(asked))
        if kept.asked != asked:
            raise InputError(OTHER)
        with kept.lock:
            if kept.run is None:
                try:
                    kept.run = start()
                except BaseException:
                    with self._lock:
                        own.pop(key, None)
                    raise
                return kept.run
            return again(kept.run)
