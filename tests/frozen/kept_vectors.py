"""The local embedder with the vectors that were frozen: processors round them differently, seams must not."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.chat import ModelCall
from models.local_embedder import LocalEmbedder
from models.vector_requests import Vector, unit

FILE = Path(__file__).parent / "rows" / "vectors.npz"


class KeptVectors(LocalEmbedder):
    """A text that was frozen has the vector that it had then, any other one its own, both in 16 bits.

    Attributes:
        known: vectors by the hash of the kind and the words of their text; `used`, those asked for so far.
    """

    def __init__(self) -> None:
        super().__init__()
        self.known = _read()
        self.used: dict[str, np.ndarray] = {}

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[Vector], ModelCall]:
        lacking = [text for text in dict.fromkeys(texts) if _key("query", text) not in self.known]
        made, call = await super().embed_queries(lacking)
        self._keep("query", lacking, made)
        messages = tuple(("query", text) for text in texts)
        return self._vectors("query", texts), call.model_copy(update={"messages": messages})

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        lacking = [text for text in dict.fromkeys(texts) if _key("passage", text) not in self.known]
        self._keep("passage", lacking, super().embed_passages(lacking) if lacking else [])
        return self._vectors("passage", texts)

    def _keep(self, kind: str, texts: Sequence[str], vectors: Sequence[Vector]) -> None:
        for text, vector in zip(texts, vectors, strict=True):
            self.known[_key(kind, text)] = np.array(vector, np.float16)

    def _vectors(self, kind: str, texts: Sequence[str]) -> list[Vector]:
        keys = [_key(kind, text) for text in texts]
        self.used |= {key: self.known[key] for key in keys}
        return [unit(self.used[key].astype(float).tolist()) for key in keys]


def keep(embedder: object) -> None:
    """Freeze the vectors that an embedder was asked for; those of other seams stay."""
    if not isinstance(embedder, KeptVectors):
        raise TypeError("not a program of the seams")
    every = _read() | embedder.used
    keys = sorted(every)
    np.savez_compressed(FILE, keys=np.array(keys), vectors=np.array([every[key] for key in keys]))


def _read() -> dict[str, np.ndarray]:
    if not FILE.exists():
        return {}
    with np.load(FILE) as stored:
        return dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))


def _key(kind: str, text: str) -> str:
    return hashlib.sha256(f"{kind}: {text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
