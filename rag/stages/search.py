"""Stages 2-4: each sub-query is searched in every collection, dense and sparse, and the results merged.

Per collection: dense and sparse rankings of `search_prefetch`, fused by RRF, cut to
`search_per_collection`; over collections: score × weight, cut to `search_per_query`; over sub-queries:
union without repetitions, cut to `search_merged` (S0.20-S0.24, X.1). Before the heuristic reranker the cuts
are wider (`Services.cuts`); the record shows what the profile's cuts would keep.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import date

from rag import references
from rag.errors import ArticuladoError
from rag.fusion import RRF_K, merge_collections, merge_queries, rrf
from rag.index_types import IndexFilter, IndexQuery, ScoredId
from rag.profile import Cuts
from rag.services import Services, State
from rag.trace import Candidate, ModelCall, SearchRecord, SubSearch
from rag.types import Chunk, Hit, Reference, SubQuery

EXACT_SCORE = 2.0
EXACT_PARTS = 6
MODES = ("hybrid", "lexical", "semantic")
LEXICAL_ONLY = "Búsqueda solo léxica: no hay vectores para la pregunta ({reason})."


async def search(state: State, services: Services) -> SearchRecord:
    """Fill `state.candidates` from `state.queries` and the search on the raw question."""
    place = {query.text: number for number, query in enumerate(state.queries)}
    pending = [query for query in state.queries if not (query.raw and state.raw_search)]
    vectors, calls, fallback = await embed(services, [query.text for query in pending])
    tasks = [
        search_one(services, query, vector, state.as_of, number=place[query.text], cuts=services.cuts)
        for query, vector in zip(pending, vectors, strict=True)
    ]
    results = list(await asyncio.gather(*tasks))
    if state.raw_search is not None:
        raw, raw_hits, raw_call, raw_fallback = await state.raw_search
        results.append((raw, raw_hits))
        calls, fallback = (*raw_call, *calls), fallback or raw_fallback
    for number, (_, hits) in enumerate(results[: len(pending)]):
        state.found[place[pending[number].text]] = [hit.key for hit in hits]
    state.candidates = merge_queries((hits for _, hits in results), services.cuts.merged)
    return SearchRecord(
        mode="hybrid" if not fallback else "lexical",
        searches=tuple(record for record, _ in results),
        merged=tuple(map(Candidate.of, state.candidates[: services.profile.search_merged])),
        calls=calls,
        fallback=fallback,
    )


async def search_raw(
    question: str, as_of: date, services: Services
) -> tuple[SubSearch, list[Hit], tuple[ModelCall, ...], str]:
    """The search on the question as it was asked: started while decomposition is still under way."""
    query = SubQuery(text=question, raw=True)
    vectors, calls, fallback = await embed(services, [question])
    record, hits = await search_one(services, query, vectors[0], as_of, cuts=services.cuts)
    return record, hits, calls, fallback


async def embed(
    services: Services, texts: Sequence[str]
) -> tuple[list[tuple[float, ...] | None], tuple[ModelCall, ...], str]:
    """Vectors of the queries in one request; None for each, with the reason, when there are none."""
    if not texts:
        return [], (), ""
    if services.embedder is None:
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason="sin modelo de vectores")
    try:
        async with asyncio.timeout(services.profile.search_seconds):
            vectors, call = await services.embedder.embed_queries(texts)
    except TimeoutError:
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason="se agotó el tiempo")
    except ArticuladoError as error:
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason=error)
    return list(vectors), (call,), ""


async def search_one(
    services: Services,
    query: SubQuery,
    vector: tuple[float, ...] | None,
    as_of: date,
    *,
    number: int = 0,
    mode: str = "hybrid",
    cuts: Cuts | None = None,
) -> tuple[SubSearch, list[Hit]]:
    """One sub-query over every collection; explicit references («art. 48 ET») come first.

    The cuts are the profile's where none are given.
    """
    return await asyncio.to_thread(
        _search_one,
        services,
        query,
        vector,
        as_of=as_of,
        number=number,
        mode=mode,
        cuts=cuts or services.profile.cuts,
    )


def _search_one(
    services: Services,
    query: SubQuery,
    vector: tuple[float, ...] | None,
    *,
    as_of: date,
    number: int,
    mode: str,
    cuts: Cuts,
) -> tuple[SubSearch, list[Hit]]:
    clock = time.perf_counter()
    profile = services.profile
    fired = services.synonyms.expand(query.text)
    lexical = (*query.lexical, *fired)
    mentioned = references.resolve(references.find(query.text), services.catalogue())
    found = _hybrid(
        services,
        query,
        vector,
        [IndexFilter(as_of=as_of, collections=(name,)) for name in profile.collection_weights],
        lexical=lexical,
        tokens=services.encoder.reference_tokens(mentioned),
        mode=mode,
        limits=(cuts.prefetch, cuts.per_collection),
    )
    per_collection = dict(zip(profile.collection_weights, found, strict=True))
    hits = merge_collections(per_collection, profile.collection_weights, cuts.per_query)
    hits = _with_exact(hits, exact_hits(services, mentioned, as_of))
    hits = [hit.model_copy(update={"sub_queries": (number,)}) for hit in hits]
    record = SubSearch(
        query=query.text,
        raw=query.raw,
        lexical=lexical,
        references=tuple(reference.text for reference in mentioned if reference.label),
        elapsed_ms=(time.perf_counter() - clock) * 1000,
        hits=tuple(map(Candidate.of, hits[: profile.search_per_query])),
    )
    return record, hits


def _hybrid(
    services: Services,
    query: SubQuery,
    vector: tuple[float, ...] | None,
    scopes: Sequence[IndexFilter],
    *,
    lexical: tuple[str, ...] = (),
    tokens: tuple[str, ...] = (),
    mode: str = "hybrid",
    limits: tuple[int, int],
) -> list[list[Hit]]:
    """The hits of each scope, best first, from one batch of the index and one read of the store."""
    prefetch, kept = limits
    wanted: dict[str, IndexQuery] = {}
    if vector is not None and mode != "lexical":
        wanted["dense"] = IndexQuery(dense=vector, limit=prefetch)
    sparse = services.encoder.query(query.text, extra_terms=lexical, tokens=tokens)
    if sparse.indices and mode != "semantic":
        wanted["sparse"] = IndexQuery(sparse=sparse, limit=prefetch)
    if not wanted:
        return [[] for _ in scopes]
    asked = [one.model_copy(update={"where": where}) for where in scopes for one in wanted.values()]
    answers = iter(services.index.search(asked))
    rankings = [{name: next(answers) for name in wanted} for _ in scopes]
    fused = [rrf([[scored.id for scored in r] for r in by_name.values()])[:kept] for by_name in rankings]
    chunks = {c.id: c for c in services.store.chunks([chunk_id for one in fused for chunk_id, _ in one])}
    return [_hits(order, by_name, chunks) for order, by_name in zip(fused, rankings, strict=True)]


def _hits(
    fused: Sequence[tuple[str, float]],
    rankings: Mapping[str, Sequence[ScoredId]],
    chunks: Mapping[str, Chunk],
) -> list[Hit]:
    """Scores are divided by the best possible, so that 1.0 is first in all rankings."""
    best = len(rankings) / (RRF_K + 1)
    raw = {name: {s.id: s.score for s in ranking} for name, ranking in rankings.items()}
    return [
        Hit(
            chunk=chunks[chunk_id],
            score=score / best,
            fused=score / best,
            dense=raw.get("dense", {}).get(chunk_id),
            sparse=raw.get("sparse", {}).get(chunk_id),
        )
        for chunk_id, score in fused
        if chunk_id in chunks
    ]


def exact_hits(services: Services, mentioned: Sequence[Reference], as_of: date) -> list[Hit]:
    """Chunks that the question names outright, in the order it names them."""
    hits: list[Hit] = []
    for reference in mentioned:
        if reference.norm_id is None or reference.label is None:
            continue
        parts = services.store.find(reference.norm_id, reference.label, as_of)[:EXACT_PARTS]
        parts.sort(key=lambda chunk: not covers(chunk.apartados, reference.apartado))
        for chunk in parts:
            score = EXACT_SCORE - len(hits) / 100
            hits.append(Hit(chunk=chunk, score=score, origin="exact"))
    return hits


def covers(apartados: str, wanted: str | None) -> bool:
    """Whether a part's apartado range ('1-3', '4') contains the apartado asked for ('4', '4.b')."""
    if not wanted:
        return True
    number = wanted.split(".")[0]
    first, _, last = apartados.partition("-")
    if not (number.isdigit() and first.isdigit() and (last or first).isdigit()):
        return number == first
    return int(first) <= int(number) <= int(last or first)


def _with_exact(hits: list[Hit], exact: list[Hit]) -> list[Hit]:
    """Exact hits in front; one that was also found by search keeps those scores."""
    found = {hit.key: hit for hit in hits}
    front = [
        hit.model_copy(update=found[hit.key].model_dump(include={"dense", "sparse", "fused"}))
        if hit.key in found
        else hit
        for hit in exact
    ]
    named = {hit.key for hit in exact}
    return front + [hit for hit in hits if hit.key not in named]


async def search_in_norm(
    services: Services, text: str, as_of: date, norm_ids: tuple[str, ...], *, prefetch: int, limit: int
) -> tuple[list[Hit], tuple[ModelCall, ...]]:
    """A hybrid search restricted to some norms (all when empty): the second strategy of NEED (S0.54)."""
    vectors, calls, _ = await embed(services, [text])
    where = IndexFilter(
        as_of=as_of, norm_ids=norm_ids, collections=tuple(services.profile.collection_weights)
    )
    query = SubQuery(text=text)
    found = await asyncio.to_thread(_hybrid, services, query, vectors[0], [where], limits=(prefetch, limit))
    return found[0], calls
