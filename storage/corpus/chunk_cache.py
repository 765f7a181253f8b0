"""Cache of corpus reads: making a chunk from its row costs a hundred times a look-up."""

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from cachetools import LRUCache

KEPT = 8192

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RevisionCache(Generic[K, V]):
    """The last values of one revision of the corpus; another revision empties it. Any thread may use it."""

    def __init__(self, size: int = KEPT) -> None:
        self._lock = threading.Lock()
        self._revision = ""
        self._values: LRUCache[K, V] = LRUCache(size)

    def get(self, revision: str, keys: Iterable[K]) -> dict[K, V]:
        """Those of `keys` that are known of that revision."""
        with self._lock:
            if revision != self._revision:
                return {}
            return {key: self._values[key] for key in keys if key in self._values}

    def value(self, revision: str, key: K, read: Callable[[], V]) -> V:
        """The value of `key` in that revision, from `read` unless it is known."""
        known = self.get(revision, [key])
        if key not in known:
            known[key] = read()
            self.put(revision, known)
        return known[key]

    def put(self, revision: str, values: Mapping[K, V]) -> None:
        """Keep values as they are in that revision."""
        with self._lock:
            if revision != self._revision:
                self._revision = revision
                self._values.clear()
            self._values.update(values)
