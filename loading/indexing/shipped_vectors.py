"""Vectors that travel with the program, so that what it ships need not be embedded on each machine.

A file has the embedding model, 64 bits of each text's key and its vector, in 8 bits a component (a cosine
moves by less than 0.005) or in 16 (0.0001). Texts that somebody changed have other keys.
"""

import logging
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from index.arrays import UNREADABLE, arrays
from index.vector_index import VectorCache

FILE, PASSAGES, PAST = "vectors.npz", "passages.npz", "past.npz"
"""Files of a folder: texts of the index, passages in force, passages of earlier wordings."""
KEY_DIGITS = 16
STEPS = 127

logger = logging.getLogger(__name__)


class VectorFile:
    """One file, read when it is first needed; any thread may call it.

    A damaged file counts as missing: its vectors are computed again, which the log says.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._content: _Content | None = None

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """Unit vectors of those of `hashes` that the file has of a model, by hash."""
        had, vectors = self.rows(model, hashes)
        return {hashes[int(one)]: tuple(vector) for one, vector in zip(had, vectors.tolist(), strict=True)}

    def rows(self, model: str, hashes: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Places in `hashes` of those it has of a model, shape (n,), and their unit vectors, shape (n, d)."""
        content = self._read()
        if content.model != model or not len(content.keys) or not hashes:
            return np.array([], dtype=np.intp), np.zeros((0, 0), dtype=np.float32)
        wanted = np.array([_number(one) for one in hashes], dtype=np.uint64)
        places = np.minimum(np.searchsorted(content.keys, wanted), len(content.keys) - 1)
        had = np.flatnonzero(content.keys[places] == wanted)
        vectors = content.vectors[places[had]].astype(np.float32)
        return had, vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def _read(self) -> "_Content":
        with self._lock:
            if self._content is None:
                try:
                    self._content = _loaded(self._path)
                except FileNotFoundError:
                    self._content = _NOTHING
            return self._content


class ShippedVectors:
    """A `VectorCache` that also has the vectors of some files; its own are in the cache behind it."""

    def __init__(self, cache: VectorCache, files: Sequence[VectorFile]) -> None:
        self._cache = cache
        self._files = files

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        found = self._cache.get(model, hashes)
        for file in self._files:
            if left := [one for one in hashes if one not in found]:
                found |= file.get(model, left)
        return found

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        self._cache.put(model, vectors)

    def remove(self, hashes: Sequence[str]) -> int:
        """Delete those of the cache; what is shipped stays."""
        return self._cache.remove(hashes)


class _Content(NamedTuple):
    """Keys in ascending order, shape (n,), and their vectors, shape (n, d)."""

    model: str
    keys: np.ndarray
    vectors: np.ndarray


_NOTHING = _Content("", np.array([], dtype=np.uint64), np.array([], dtype=np.int8))


@lru_cache(maxsize=8)
def _loaded(path: Path) -> _Content:
    """The content of a file, read once a process; a missing one is looked for again."""
    try:
        stored = arrays(path)
        content = _Content(str(stored["model"]), stored["keys"], stored["vectors"])
        if (
            content.keys.dtype != np.uint64
            or content.vectors.dtype not in (np.int8, np.float16)
            or len(content.keys) != len(content.vectors)
        ):
            raise ValueError("other content")
        return content
    except FileNotFoundError:  # not a damaged one
        raise
    except UNREADABLE as error:
        logger.warning("%s is damaged (%s): its vectors are computed again", path, type(error).__name__)
        return _NOTHING


def save_vectors(
    path: Path, model: str, vectors: Mapping[str, Sequence[float]], *, fine: bool = False
) -> Path:
    """Write the vectors of a file, by their keys; returns its path.

    Args:
        fine: 16 bits a component instead of 8: a cosine moves by less than 0.0001.
    """
    ordered = sorted(vectors)
    full = np.array([vectors[one] for one in ordered], dtype=np.float32)
    scale = STEPS / np.abs(full).max(axis=1, keepdims=True)
    kept = full.astype(np.float16) if fine else np.round(full * scale).astype(np.int8)
    np.savez_compressed(
        path,
        model=np.array(model),
        keys=np.array([_number(one) for one in ordered], dtype=np.uint64),
        vectors=kept,
    )
    return path


def _number(key: str) -> int:
    return int(key[:KEY_DIGITS], 16)
