"""Stage 5b: adds to the hits the other parts of the best articles, and the chunks that the hits refer to.

(S0.40, X.8.) A long article is cut into parts, and the part that was found need not be the one that answers.
Of the references, only those nearest to the question by their words are worth their place, and the tables
that hold the amounts.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum

from law.chunks import Chunk, article_of
from rag.answers.companion_passages import sought
from rag.ranking.chunk_words import words_of
from rag.retrieval.question_vectors import rarities
from rag.shared.asking import excerpt, wanted
from rag.shared.hits import Hit
from rag.shared.state import Services, State
from rag.shared.trace import Candidate, ExpandRecord
from rag.stages.governing_law import beside, governing
from rag.stages.other_wordings import both_wordings
from text.segmentation import has_row
from text.textnorm import stems

WHOLE = 2
MOST_PARTS = 4
MOST_TABLES = 3
LOOKED_AT = 3
"""References whose passages are compared, for each that joins."""


async def expand(state: State, services: Services) -> ExpandRecord:
    """Add to `state.hits` the rest of its first articles, the chunks referred to at 0.8 of the score, and, of
    a question about then and now, the wordings of the other day.
    """
    parts = await asyncio.to_thread(_parts, state, services)
    state.hits = [one for hit in state.hits for one in (hit, *parts.get(hit.key, ()))]
    tied = await asyncio.to_thread(governing, state, services)
    tied += await asyncio.to_thread(_companions, state, services)
    state.hits += tied
    sources = {hit.chunk.id: hit for hit in state.hits}
    found = await asyncio.to_thread(services.store.referenced, list(sources), state.as_of)
    tabular = await asyncio.to_thread(_tables, found, state, services)
    have = sources.keys() | {hit.chunk.id for hit in tabular}
    via: dict[str, str] = {}
    for source in sources:
        for target in found.get(source, ()):
            if target not in have:
                via.setdefault(target, source)
    chunks = await asyncio.to_thread(_nearest, via, state, services)
    added = [*tabular, *(beside(sources[via[chunk.id]], chunk) for chunk in chunks)]
    state.hits = [*state.hits, *added]
    then = await both_wordings(state, services)
    every = [*(one for found in parts.values() for one in found), *tied, *added, *then]
    return ExpandRecord(
        refs_found=sum(len(targets) for targets in found.values()),
        added=tuple(map(Candidate.of, every)),
    )


def _companions(state: State, services: Services) -> list[Hit]:
    """Companions of the first articles, at 0.8 of their score, unless the hits have them."""
    have = {hit.key for hit in state.hits}
    return [
        beside(hit, chunk)
        for hit, one in sought(state.hits, state.asked)
        for chunk in services.store.find(one.norm, one.label, state.as_of)[:MOST_PARTS]
        if (chunk.collection, chunk.id) not in have
    ]


def _tables(found: Mapping[str, Sequence[str]], state: State, services: Services) -> list[Hit]:
    """Tables of their own norm that the first articles send to, whole, unless the hits have them.

    An amount stands in them under other words than those of the question.
    """
    have = {hit.key for hit in state.hits}
    articles = [*dict.fromkeys(hit.chunk.article for hit in state.hits)][:WHOLE]
    sent = {
        target: hit
        for hit in reversed(state.hits)
        for target in found.get(hit.chunk.id, ())
        if hit.chunk.article in articles and article_of(target)[0] == hit.chunk.norm_id
    }
    tables = [chunk for chunk in services.store.chunks(list(sent)) if has_row(chunk.text)]
    return [
        beside(sent[chunk.id], part)
        for chunk in tables[:MOST_TABLES]
        for part in _block(chunk, state, services)[:MOST_PARTS]
        if (part.collection, part.id) not in have
    ]


def _nearest(via: dict[str, str], state: State, services: Services) -> list[Chunk]:
    """The chunks referred to that are nearest to the question, within the caps; none without a word of it.

    The nearest passage of a chunk counts, and its heading: a long article has a word of every question.
    """
    if not via:
        return []
    near = wanted(state, services)
    rarity = rarities(sorted(near), state.as_of, services)

    def weight(stems_held: frozenset[str]) -> float:
        # Exact: the order of a set differs between processes, and so would that of chunks that weigh alike.
        return fsum(rarity[stem] for stem in rarity.keys() & stems_held)

    per_chunk, total = services.profile.refs_per_chunk, services.profile.refs_total
    chunks = services.store.chunks(list(via))
    chunks = [chunk for chunk in chunks if weight(_words(chunk))]
    chunks.sort(key=lambda chunk: -weight(_words(chunk)))
    first = chunks[: LOOKED_AT * total or None]
    first.sort(key=lambda chunk: -weight(words_of(chunk).heading | frozenset(stems(excerpt(chunk, near)))))
    kept: list[Chunk] = []
    taken: Counter[str] = Counter()
    for chunk in first:
        source = via[chunk.id]
        if not per_chunk or taken[source] < per_chunk:
            taken[source] += 1
            kept.append(chunk)
    return kept[: total or None]


def _words(chunk: Chunk) -> frozenset[str]:
    words = words_of(chunk)
    return words.heading | words.text


def _parts(state: State, services: Services) -> dict[tuple[str, str], list[Hit]]:
    """The other parts of the first articles and of those named, by the hit that they complete."""
    have = {hit.key for hit in state.hits}
    found: dict[tuple[str, str], list[Hit]] = {}
    articles: dict[tuple[str, str], Hit] = {}
    for hit in state.hits:
        articles.setdefault(hit.chunk.article, hit)
    for place, hit in enumerate(articles.values()):
        chunk = hit.chunk
        if chunk.parts == 1 or not chunk.label or (place >= WHOLE and hit.origin != "exact"):
            continue
        found[hit.key] = [
            hit.model_copy(update={"chunk": part, "origin": "part", "via": chunk.id})
            for part in _block(chunk, state, services)
            if (part.collection, part.id) not in have
        ][:MOST_PARTS]
    return found


def _block(chunk: Chunk, state: State, services: Services) -> list[Chunk]:
    """Every part of the block of a chunk, in order."""
    whole = services.store.find(chunk.norm_id, chunk.label, state.as_of)
    return [part for part in whole if part.block_id == chunk.block_id]
