"""Stage 5b: the chunks that the chosen ones refer to join the context (S0.40, X.8)."""

from __future__ import annotations

import asyncio

from rag.services import Services, State
from rag.trace import Candidate, ExpandRecord
from rag.types import Hit

INHERITED = 0.8


async def expand(state: State, services: Services) -> ExpandRecord:
    """Append referenced chunks to `state.hits`, each with 0.8 of the score of the one that names it."""
    sources = {hit.chunk.id: hit for hit in state.hits}
    found = await asyncio.to_thread(services.store.referenced, list(sources), state.as_of)
    per_chunk, total = services.profile.refs_per_chunk, services.profile.refs_total
    via: dict[str, str] = {}
    for source in sources:
        targets = [t for t in found.get(source, ()) if t not in sources and t not in via]
        for target in targets[: per_chunk or None]:
            via[target] = source
    wanted = list(via)[: total or None]
    chunks = await asyncio.to_thread(services.store.chunks, wanted)
    added = [
        Hit(
            chunk=chunk,
            score=sources[via[chunk.id]].score * INHERITED,
            origin="reference",
            via=via[chunk.id],
            sub_queries=sources[via[chunk.id]].sub_queries,
        )
        for chunk in chunks
    ]
    state.hits = [*state.hits, *added]
    return ExpandRecord(
        refs_found=sum(len(targets) for targets in found.values()),
        added=tuple(map(Candidate.of, added)),
    )
