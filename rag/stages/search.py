"""Stages 2-4: searches every sub-query in every collection by vectors, questions and words, and merges.

Per collection: dense, question and sparse rankings of `search_prefetch`, fused by RRF, cut to
`search_per_collection`; over collections: score × weight, cut to `search_per_query`; over sub-queries:
union without repetitions, cut to `search_merged` (S0.20-S0.24, X.1). Before the heuristic reranker the cuts
are wider (`Services.cuts`); the record shows the hits that the profile's cuts would keep.
`rag.retrieval.scope` plans collections, filters and mode.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import date

from rag.index.types import IndexFilter, IndexQuery, ScoredId
from rag.law import references
from rag.retrieval.exact import exact_hits, with_exact
from rag.retrieval.fusion import RRF_K, by_document, merge_collections, merge_queries, rrf
from rag.retrieval.scope import Plan, plan
from rag.running.fallback import embedded
from rag.state import Services, State
from rag.trace import Candidate, ModelCall, SearchRecord, SubSearch
from rag.types import Chunk, Hit, SubQuery

MODES = ("hybrid", "lexical", "semantic")
WIDENED = "No hay nada que cumpla lo que pide la pregunta ({filters}): se ha buscado en todo el corpus."
LEXICAL_ONLY = "Búsqueda solo léxica: no hay vectores para la pregunta ({reason})."


async def search(state: State, services: Services) -> SearchRecord:
    """Fill `state.candidates` from `state.queries` and, if it was started, the search on the raw question."""
    planned = plan(services, state.as_of, state.understanding)
    pending = [pair for pair in enumerate(state.queries) if not (pair[1].raw and state.raw_search)]
    texts = [query.text for _, query in pending]
    seconds = state.seconds_left(services.profile.search_seconds)
    vectors, calls, fallback = await embed(services, texts, planned.mode, seconds)
    tasks = [
        search_one(services, query, vector, planned, number=number)
        for (number, query), vector in zip(pending, vectors, strict=True)
    ]
    results = dict(zip((number for number, _ in pending), await asyncio.gather(*tasks), strict=True))
    if state.raw_search is not None:
        raw, raw_hits, raw_call, raw_fallback = await state.raw_search
        asked = next((number for number, query in enumerate(state.queries) if query.raw), None)
        results[len(state.queries) if asked is None else asked] = _numbered(raw, raw_hits, asked)
        calls, fallback = (*raw_call, *calls), fallback or raw_fallback
    state.found = {
        number: [hit.key for hit in hits]
        for number, (_, hits) in results.items()
        if number < len(state.queries)
    }
    if planned.filters and any(record.widened for record, _ in results.values()):
        state.remarks.append(WIDENED.format(filters="; ".join(planned.filters)))
    state.candidates = merge_queries((hits for _, hits in results.values()), services.cuts.merged)
    return SearchRecord(
        mode="lexical" if fallback else planned.mode,
        strategy="hierarchical" if planned.by_document else "flat",
        filters=planned.filters,
        searches=tuple(results[number][0] for number in sorted(results)),
        merged=tuple(map(Candidate.of, state.candidates[: services.profile.search_merged])),
        calls=calls,
        fallback=fallback,
    )


async def search_raw(
    state: State, services: Services
) -> tuple[SubSearch, list[Hit], tuple[ModelCall, ...], str]:
    """The search on the question as asked, run while decomposition is under way.

    Its hits have no sub-query number: decomposition tells whether the question is a sub-query.
    """
    query = SubQuery(text=state.question, raw=True)
    planned = plan(services, state.as_of, state.understanding)
    seconds = state.seconds_left(services.profile.search_seconds)
    vectors, calls, fallback = await embed(services, [query.text], planned.mode, seconds)
    record, hits = await search_one(services, query, vectors[0], planned)
    return record, hits, calls, fallback


def _numbered(record: SubSearch, hits: list[Hit], number: int | None) -> tuple[SubSearch, list[Hit]]:
    """A search with its hits under the number of a sub-query; unchanged if None (the whole question)."""
    if number is None:
        return record, hits
    update = {"sub_queries": (number,)}
    shown = tuple(candidate.model_copy(update=update) for candidate in record.hits)
    return record.model_copy(update={"hits": shown}), [hit.model_copy(update=update) for hit in hits]


async def embed(
    services: Services, texts: Sequence[str], mode: str = "hybrid", seconds: float | None = None
) -> tuple[list[tuple[float, ...] | None], tuple[ModelCall, ...], str]:
    """(vectors of the queries in one request, its calls, reason); None for each if there are no vectors.

    Args:
        seconds: time limit; if None, `search_seconds` of the profile.
    """
    if not texts or mode == "lexical":
        return [None] * len(texts), (), ""
    if services.embedder is None:
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason="sin modelo de vectores")
    limit = services.profile.search_seconds if seconds is None else seconds
    vectors, calls, reason = await embedded(services.embedder, texts, limit)
    if vectors is None:
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason=reason)
    return list(vectors), calls, ""


async def search_one(
    services: Services,
    query: SubQuery,
    vector: tuple[float, ...] | None,
    planned: Plan,
    *,
    number: int | None = None,
) -> tuple[SubSearch, list[Hit]]:
    """One sub-query over the collections of the plan; explicit references («art. 48 ET») come first.

    Args:
        number: number of the sub-query, from 0, set on its hits; None for the whole question.
    """
    return await asyncio.to_thread(_search_one, services, query, vector, planned, number)


def _search_one(
    services: Services, query: SubQuery, vector: tuple[float, ...] | None, planned: Plan, number: int | None
) -> tuple[SubSearch, list[Hit]]:
    clock = time.perf_counter()
    lexical = (*query.lexical, *services.synonyms.expand(query.text))
    query = query.model_copy(update={"lexical": lexical})
    mentioned = references.resolve(references.find(query.text), services.catalogue())
    tokens = services.encoder.reference_tokens(mentioned)
    numbers = () if number is None else (number,)
    hits = _over_collections(services, query, vector, planned, tokens=tokens, sub_queries=numbers)
    widened = bool(planned.filters) and not hits
    if widened:
        hits = _over_collections(
            services, query, vector, planned.widened(services), tokens=tokens, sub_queries=numbers
        )
    exact = exact_hits(services, mentioned, planned.as_of)
    hits = with_exact(hits, [hit.model_copy(update={"sub_queries": numbers}) for hit in exact])
    record = SubSearch(
        query=query.text,
        raw=query.raw,
        lexical=lexical,
        references=tuple(reference.text for reference in mentioned if reference.label),
        widened=widened,
        elapsed_ms=(time.perf_counter() - clock) * 1000,
        hits=tuple(map(Candidate.of, hits[: services.profile.search_per_query])),
    )
    return record, hits


def _over_collections(
    services: Services,
    query: SubQuery,
    vector: tuple[float, ...] | None,
    planned: Plan,
    *,
    tokens: tuple[str, ...],
    sub_queries: tuple[int, ...],
) -> list[Hit]:
    found = _hybrid(
        services,
        query,
        vector,
        list(planned.where.values()),
        tokens=tokens,
        mode=planned.mode,
        limits=(planned.cuts.prefetch, planned.cuts.per_collection),
        sub_queries=sub_queries,
    )
    per_collection = dict(zip(planned.where, found, strict=True))
    hits = merge_collections(per_collection, services.profile.collection_weights, planned.cuts.per_query)
    if planned.by_document:
        profile = services.profile
        hits = by_document(
            hits[: profile.hierarchical_chunks],
            profile.hierarchical_documents,
            profile.hierarchical_chunks_per_document,
        )
    return hits


def _hybrid(
    services: Services,
    query: SubQuery,
    vector: tuple[float, ...] | None,
    scopes: Sequence[IndexFilter],
    *,
    tokens: tuple[str, ...] = (),
    mode: str = "hybrid",
    limits: tuple[int, int],
    sub_queries: tuple[int, ...] = (),
) -> list[list[Hit]]:
    """The hits of each scope, best first, from one batch of the index and one read of the store."""
    prefetch, kept = limits
    wanted: dict[str, IndexQuery] = {}
    if vector is not None and mode != "lexical":
        wanted["dense"] = IndexQuery(dense=vector, limit=prefetch)
        wanted["questions"] = IndexQuery(questions=vector, limit=prefetch)
    sparse = services.encoder.query(query.text, extra_terms=query.lexical, tokens=tokens)
    if sparse.indices and mode != "semantic":
        wanted["sparse"] = IndexQuery(sparse=sparse, limit=prefetch)
    if not wanted:
        return [[] for _ in scopes]
    asked = [one.model_copy(update={"where": where}) for where in scopes for one in wanted.values()]
    answers = iter(services.index.search(asked))
    rankings = [{name: next(answers) for name in wanted} for _ in scopes]
    fused = [rrf([[scored.id for scored in r] for r in by_name.values()])[:kept] for by_name in rankings]
    chunks = {c.id: c for c in services.store.chunks([chunk_id for one in fused for chunk_id, _ in one])}
    return [
        _hits(order, by_name, chunks, sub_queries) for order, by_name in zip(fused, rankings, strict=True)
    ]


def _hits(
    fused: Sequence[tuple[str, float]],
    rankings: Mapping[str, Sequence[ScoredId]],
    chunks: Mapping[str, Chunk],
    sub_queries: tuple[int, ...],
) -> list[Hit]:
    """The hits of a fused ranking; scores are divided by the best possible: 1.0 is first in all rankings."""
    best = len(rankings) / (RRF_K + 1)
    raw = {name: {s.id: s.score for s in ranking} for name, ranking in rankings.items()}
    return [
        Hit(
            chunk=chunks[chunk_id],
            score=score / best,
            fused=score / best,
            dense=raw.get("dense", {}).get(chunk_id),
            sparse=raw.get("sparse", {}).get(chunk_id),
            question=raw.get("questions", {}).get(chunk_id),
            sub_queries=sub_queries,
        )
        for chunk_id, score in fused
        if chunk_id in chunks
    ]


async def search_in_norm(
    services: Services,
    text: str,
    as_of: date,
    norm_ids: tuple[str, ...],
    *,
    prefetch: int,
    limit: int,
    seconds: float,
) -> tuple[list[Hit], tuple[ModelCall, ...], str]:
    """A hybrid search restricted to some norms (all when empty): the second strategy of NEED (S0.54).

    Returns:
        (hits, calls, why the search had no vectors or ''; see `embed`).
    """
    vectors, calls, fallback = await embed(services, [text], seconds=seconds)
    where = IndexFilter(
        as_of=as_of, norm_ids=norm_ids, collections=tuple(services.profile.collection_weights)
    )
    query = SubQuery(text=text)
    found = await asyncio.to_thread(_hybrid, services, query, vectors[0], [where], limits=(prefetch, limit))
    return found[0], calls, fallback
