"""Vectors that travel with a folder of documents, so that its first search needs no embedding."""

import zipfile
import zlib
from pathlib import Path

import numpy as np

from rag.errors import InputError
from rag.ports import VectorCache

FILE = "embeddings.npz"


def preload(folder: Path, model: str, cache: VectorCache) -> int:
    """Put the vectors of `folder` for that model into the cache; returns their number (0 without any).

    Raises:
        InputError: the file is damaged.
    """
    path = folder / FILE
    if not path.exists():
        return 0
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["model"]) != model:
                return 0
            hashes, vectors = stored["hashes"], stored["vectors"].astype(np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = vectors / np.where(norms == 0, 1, norms)
        found = {str(h): tuple(map(float, v)) for h, v in zip(hashes, unit, strict=True)}
    except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path}: el archivo está dañado; bórrelo y cargue la carpeta otra vez.") from error
    cache.put(model, found)
    return len(found)


def save(folder: Path, model: str, vectors: dict[str, tuple[float, ...]]) -> Path:
    """Write the vectors of a folder in half precision; the loss does not affect cosine rankings."""
    path = folder / FILE
    ordered = sorted(vectors)
    np.savez_compressed(
        path,
        model=np.array(model),
        hashes=np.array(ordered),
        vectors=np.array([vectors[h] for h in ordered], dtype=np.float16),
    )
    return path
