"""The meaning of passages beside that of a question: their vectors, kept or made, as features of each."""

import asyncio
from collections.abc import Sequence

import numpy as np

from models.chat import ModelCall
from rag.answers.passage_selection import Passage, with_meaning
from rag.retrieval.question_vectors import embedded, toward_passages
from rag.shared.state import Services

POOL = 10
"""Passages whose meaning is compared even if their vectors are to be made."""


async def by_meaning(
    query: str, ranked: Sequence[Passage], services: Services, seconds: float, most: int = POOL
) -> tuple[list[Passage], tuple[ModelCall, ...], str]:
    """The passages whose meaning is compared: the best `most` by words and all whose vectors are known.

    Args:
        ranked: the passages by words, best first.

    Returns:
        (the passages by words and meaning, its call, the Spanish reason if the embedder failed or took more
        than `seconds`, or ''). Without an embedder, or with fewer than two, the best of them by words.
    """
    first = list(ranked[:most])
    if services.embedder is None or len(ranked) < 2:
        return first, (), ""
    texts = [passage.meant for passage in ranked]
    first_texts = list(dict.fromkeys(texts[:most]))
    known = await asyncio.to_thread(_known, services, texts, first_texts)
    missing = [text for text in first_texts if text not in known]
    vectors, calls, reason = await embedded(services.embedder, [query, *missing], seconds)
    if vectors is None:
        return first, (), reason
    known |= zip(missing, vectors[1:], strict=True)
    pool = [passage for passage in ranked if passage.meant in known]
    asked = np.array([vectors[0], toward_passages(services, vectors[0])])
    plain, moved = (asked @ np.array([known[passage.meant] for passage in pool]).T).tolist()
    return with_meaning(pool, plain, moved), calls, ""


def _known(services: Services, texts: Sequence[str], first: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Vectors of the texts that are kept, and of the `first` also those of wordings no longer in force."""
    if services.embedder is None or services.passages is None:
        return {}
    name, passages = services.embedder.name, services.passages
    known = passages.get(name, texts)
    return known | passages.past(name, [text for text in first if text not in known])
