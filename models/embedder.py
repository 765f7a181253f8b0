"""Protocol of what turns texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from models.chat import ModelCall


class Embedder(Protocol):
    """Texts to unit vectors; queries and passages may use different prefixes."""

    name: str
    dimensions: int

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]: ...

    def embed_passages(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Vectors of `texts`, in order; long texts are the normalised mean of their windows.

        Raises:
            EmbedderUnavailable: the model cannot run here or its endpoint failed.
        """
        ...
