"""Vectors of the passages of chunks, embedded as a question is: the nearest tells what an article answers.

They are made after those of the texts, which search does not wait for, and kept in the same cache.
"""

import asyncio
import threading
from collections.abc import Sequence
from itertools import chain
from typing import Protocol

import numpy as np
from cachetools import LRUCache

from index.vector_index import VectorCache
from law.chunks import Chunk
from loading.indexing.index_sync import embedding_key
from models.embedder import Embedder
from rag.answers.passage_selection import meant
from rag.ranking.chunk_words import KEPT


class Vectors(Protocol):
    """The reading half of a `VectorCache`, which is what a file of vectors has."""

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]: ...


class Passages:
    """The `PassageVectors` port over vectors by key; any thread may call it.

    Those of the last `KEPT` chunks compared stay in memory in 16 bits: 3 KB a chunk of the local model.
    """

    def __init__(self, vectors: Vectors, past: Vectors | None = None) -> None:
        self._vectors = vectors
        self._past = past
        self._lock = threading.Lock()
        self._kept: LRUCache[tuple[str, str], tuple[Chunk, np.ndarray]] = LRUCache(KEPT)

    def get(self, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """See the port."""
        return _by_text(self._vectors, model, texts)

    def past(self, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """See the port."""
        return _by_text(self._past, model, texts) if self._past and texts else {}

    def nearest(self, model: str, vector: Sequence[float], chunks: Sequence[Chunk]) -> dict[str, float]:
        """See the port."""
        rows = {
            chunk.id: made for chunk, made in zip(chunks, self._of(model, chunks), strict=True) if len(made)
        }
        if not rows:
            return {}
        starts = np.cumsum([0, *map(len, rows.values())])[:-1]
        cosines = np.concatenate(list(rows.values())).astype(np.float32) @ np.array(vector, np.float32)
        return dict(zip(rows, np.maximum.reduceat(cosines, starts).tolist(), strict=True))

    def prepare(self, model: str, chunks: Sequence[Chunk]) -> None:
        """Read the vectors of these chunks, so that the first question about them does not wait."""
        self._of(model, chunks)

    def _of(self, model: str, chunks: Sequence[Chunk]) -> list[np.ndarray]:
        """The vectors of each chunk, shape (n, d): no rows if none is made yet."""
        with self._lock:
            kept = [(one, self._kept.get((model, one.id))) for one in chunks]
        rows = {one.id: had[1] for one, had in kept if had and (had[0] is one or had[0] == one)}
        keys = {one.id: passage_keys(one) for one in chunks if one.id not in rows}
        found = self._vectors.get(model, [*chain.from_iterable(keys.values())]) if keys else {}
        for name, own in keys.items():
            rows[name] = np.array([found[key] for key in own if key in found], dtype=np.float16)
        made = {(model, one.id): (one, rows[one.id]) for one in chunks if one.id in keys}
        with self._lock:
            self._kept.update({name: one for name, one in made.items() if len(one[1]) == len(keys[name[1]])})
        return [rows[one.id] for one in chunks]


def _by_text(vectors: Vectors, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
    keys = {passage_key(text): text for text in texts}
    return {keys[key]: vector for key, vector in vectors.get(model, list(keys)).items()}


def passage_key(text: str) -> str:
    """Key of a passage's vector: the model embeds a query otherwise than a text of the index."""
    return embedding_key(f"query: {text}")


def passage_keys(chunk: Chunk) -> tuple[str, ...]:
    """Keys of the passages of a chunk."""
    return tuple(dict.fromkeys(map(passage_key, meant(chunk))))


def add_passages(chunks: Sequence[Chunk], embedder: Embedder, cache: VectorCache) -> None:
    """Add to the cache the vectors of the passages of these chunks that it lacks.

    Raises:
        EmbedderUnavailable, StorageError.
    """
    texts = {passage_key(text): text for chunk in chunks for text in meant(chunk)}
    found = cache.get(embedder.name, list(texts))
    if missing := [key for key in texts if key not in found]:
        made, _ = asyncio.run(embedder.embed_queries([texts[key] for key in missing]))
        cache.put(embedder.name, dict(zip(missing, made, strict=True)))
