"""Vectors of a question, and how rare its words are in the corpus."""

import asyncio
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from core.errors import ArticuladoError
from index import query_adapter
from index.points import IndexFilter, IndexQuery
from index.sparse import term_vector
from models.chat import ModelCall
from models.embedder import Embedder
from rag.shared.asking import TOO_LATE
from rag.shared.state import Services

RAREST = 12.0
HELD = 11.9


async def embedded(
    embedder: Embedder, texts: Sequence[str], seconds: float
) -> tuple[list[tuple[float, ...]] | None, tuple[ModelCall, ...], str]:
    """Vectors of queries; a failure, or more than `seconds`, gives none instead of an exception.

    Returns:
        (the vectors, or None; the call that made them; the Spanish reason when they are missing).
    """
    if seconds <= 0:
        return None, (), TOO_LATE
    try:
        async with asyncio.timeout(seconds):
            vectors, call = await embedder.embed_queries(texts)
    except TimeoutError:
        return None, (), TOO_LATE
    except ArticuladoError as error:
        return None, (), str(error)
    return vectors, (call,), ""


def toward_texts(services: Services, vector: tuple[float, ...]) -> tuple[float, ...]:
    """The vector of a query as it compares with those of texts; see `index.query_adapter`."""
    return _moved(services, vector, query_adapter.FILE)


def toward_passages(services: Services, vector: tuple[float, ...]) -> tuple[float, ...]:
    """The vector of a query as it compares with those of passages."""
    return _moved(services, vector, query_adapter.OF_PASSAGES)


def _moved(services: Services, vector: tuple[float, ...], file: Path) -> tuple[float, ...]:
    known = query_adapter.load_adapter(file)
    is_of_model = services.embedder is not None and services.embedder.name == known.model
    return known.adapted(vector, services.unseen) if is_of_model else vector


def rarities(terms: Sequence[str], as_of: date, services: Services) -> dict[str, float]:
    """Rarity of each stem in the corpus, about its IDF: the best score of a search for that stem alone.

    RAREST for a stem that no chunk holds; at most HELD, a little less, for one that a chunk does: the rarest
    words of a corpus are often the name of what a document is about.
    """
    where = IndexFilter(as_of=as_of, collections=tuple(services.profile.collection_weights))
    asked = [IndexQuery(sparse=term_vector(term), where=where, limit=1) for term in terms]
    found = services.index.search(asked) if asked else []
    return {
        term: min(HELD, ranking[0].score) if ranking else RAREST
        for term, ranking in zip(terms, found, strict=True)
    }
