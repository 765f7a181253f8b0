"""Chunks that were read lately: building one from its row costs a hundred times what looking it up does."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from rag.types import Chunk

KEPT = 8192


class ChunkCache:
    """The last chunks of one revision of the corpus; another revision empties it. Any thread may use it."""

    def __init__(self, size: int = KEPT) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._revision = ""
        self._chunks: OrderedDict[str, Chunk] = OrderedDict()

    def get(self, revision: str, ids: Sequence[str]) -> dict[str, Chunk]:
        """Those of `ids` that are known of that revision."""
        with self._lock:
            if revision != self._revision:
                return {}
            found = {chunk_id: self._chunks[chunk_id] for chunk_id in ids if chunk_id in self._chunks}
            for chunk_id in found:
                self._chunks.move_to_end(chunk_id)
            return found

    def put(self, revision: str, chunks: Iterable[Chunk]) -> None:
        """Keep chunks as they are in that revision."""
        with self._lock:
            if revision != self._revision:
                self._revision = revision
                self._chunks.clear()
            for chunk in chunks:
                self._chunks[chunk.id] = chunk
            while len(self._chunks) > self._size:
                self._chunks.popitem(last=False)
