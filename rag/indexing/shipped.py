"""Vectors that travel with the program, so that what it ships need not be embedded on each machine.

One file a folder, `vectors.npz`: the embedding model, 64 bits of each text's `embedding_key` and its vector
in 8 bits a component, which moves a cosine by less than 0.005. Texts that somebody changed have other keys.
"""

import logging
import threading
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rag.index.arrays import arrays
from rag.ports import VectorCache

FILE = "vectors.npz"
KEY_DIGITS = 16
STEPS = 127

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _File:
    """Keys in ascending order, shape (n,), and their vectors, shape (n, d)."""

    model: str
    keys: np.ndarray
    vectors: np.ndarray

    def find(self, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """Unit vectors of those of `hashes` that the file has."""
        had, vectors = self.rows(hashes)
        return {hashes[int(one)]: tuple(map(float, vector)) for one, vector in zip(had, vectors, strict=True)}

    def rows(self, hashes: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """(places in `hashes` of those that the file has, shape (n,); their unit vectors, shape (n, d))."""
        if not len(self.keys) or not hashes:
            return np.array([], dtype=np.intp), np.zeros((0, 0), dtype=np.float32)
        wanted = np.array([_number(one) for one in hashes], dtype=np.uint64)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        had = np.flatnonzero(self.keys[places] == wanted)
        vectors = self.vectors[places[had]].astype(np.float32)
        return had, vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


_NOTHING = _File("", np.array([], dtype=np.uint64), np.array([], dtype=np.int8))


class ShippedVectors:
    """A `VectorCache` that also has the vectors of some folders; its own are in the cache behind it.

    A damaged file counts as missing: its vectors are computed again, which the log says.
    """

    def __init__(self, cache: VectorCache, folders: Sequence[Path]) -> None:
        self._cache = cache
        self._folders = folders
        self._lock = threading.Lock()
        self._files: list[_File] | None = None

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]:
        found = self._cache.get(model, hashes)
        for file in self._read():
            if file.model == model and (left := [one for one in hashes if one not in found]):
                found |= file.find(left)
        return found

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None:
        self._cache.put(model, vectors)

    def remove(self, hashes: Sequence[str]) -> int:
        """Delete those of the cache; what is shipped stays."""
        return self._cache.remove(hashes)

    def rows(self, model: str, hashes: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """(places, vectors) as of `_File.rows`, of the last folder; none of another model's."""
        file = self._read()[-1]
        return file.rows(hashes if file.model == model else ())

    def _read(self) -> list[_File]:
        with self._lock:
            if self._files is None:
                self._files = [_loaded(folder / FILE) for folder in self._folders]
            return self._files


def _loaded(path: Path) -> _File:
    try:
        stored = arrays(path)
        file = _File(str(stored["model"]), stored["keys"], stored["vectors"])
        if (
            file.keys.dtype != np.uint64
            or file.vectors.dtype != np.int8
            or len(file.keys) != len(file.vectors)
        ):
            raise ValueError("other content")
        return file
    except FileNotFoundError:
        return _NOTHING
    except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        logger.warning("%s is damaged (%s): its vectors are computed again", path, type(error).__name__)
        return _NOTHING


def save(folder: Path, model: str, vectors: Mapping[str, Sequence[float]]) -> Path:
    """Write the vectors of a folder, by `embedding_key`."""
    path = folder / FILE
    ordered = sorted(vectors)
    full = np.array([vectors[one] for one in ordered], dtype=np.float32)
    scale = STEPS / np.abs(full).max(axis=1, keepdims=True)
    np.savez_compressed(
        path,
        model=np.array(model),
        keys=np.array([_number(one) for one in ordered], dtype=np.uint64),
        vectors=np.round(full * scale).astype(np.int8),
    )
    return path


def _number(key: str) -> int:
    return int(key[:KEY_DIGITS], 16)
