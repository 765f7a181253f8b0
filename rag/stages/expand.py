"""Stage 5b: adds to the hits the other parts of the best articles, and the chunks that the hits refer to.

(S0.40, X.8.) A long article is cut into parts, and the part that was found need not be the one that answers.
"""

import asyncio

from rag.stages.governing import governing
from rag.state import Services, State
from rag.trace import Candidate, ExpandRecord
from rag.types import Hit

INHERITED = 0.8
WHOLE = 2
MOST_PARTS = 4


async def expand(state: State, services: Services) -> ExpandRecord:
    """Add to `state.hits` the rest of its first articles, and the chunks referred to at 0.8 of the score."""
    parts = await asyncio.to_thread(_parts, state, services)
    state.hits = [one for hit in state.hits for one in (hit, *parts.get(hit.key, ()))]
    tied = await asyncio.to_thread(governing, state, services)
    state.hits += tied
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
        added=tuple(map(Candidate.of, [*(one for found in parts.values() for one in found), *tied, *added])),
    )


def _parts(state: State, services: Services) -> dict[tuple[str, str], list[Hit]]:
    """The other parts of the first articles, by the hit that they complete."""
    have = {hit.key for hit in state.hits}
    found: dict[tuple[str, str], list[Hit]] = {}
    articles: dict[tuple[str, str], Hit] = {}
    for hit in state.hits:
        articles.setdefault(hit.chunk.article, hit)
    for hit in [*articles.values()][:WHOLE]:
        chunk = hit.chunk
        if chunk.parts == 1 or not chunk.label:
            continue
        whole = services.store.find(chunk.norm_id, chunk.label, state.as_of)
        found[hit.key] = [
            hit.model_copy(update={"chunk": part, "origin": "part", "via": chunk.id})
            for part in whole
            if part.block_id == chunk.block_id and (part.collection, part.id) not in have
        ][:MOST_PARTS]
    return found
