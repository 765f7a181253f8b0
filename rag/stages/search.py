"""Stages 2-4: searches every sub-query in every collection by vectors, questions and words, and merges.

Per collection: the rankings of `rag.retrieval.hybrid`, each of `search_prefetch`, fused by RRF, cut to
`search_per_collection`; over collections: score × weight, cut to `search_per_query`; over sub-queries:
union without repetitions, cut to `search_merged` (S0.20-S0.24, X.1). Before the heuristic reranker the cuts
are wider (`Services.cuts`); the record shows the hits that the profile's cuts would keep.
`rag.retrieval.scope` plans collections, filters and mode, `rag.retrieval.hybrid` searches.
"""

from models.chat import ModelCall
from rag.retrieval.fusion import merge_queries
from rag.retrieval.hybrid import search_queries
from rag.retrieval.scope import plan
from rag.shared.hits import Hit, SubQuery
from rag.shared.notices import Kind, Notice
from rag.shared.state import Services, State
from rag.shared.trace import Candidate, SearchRecord, SubSearch

WIDENED = "No hay nada que cumpla lo que pide la pregunta ({filters}): se ha buscado en todo lo cargado."


async def search(state: State, services: Services) -> SearchRecord:
    """Fill `state.candidates` from `state.queries` and, if it was started, the search on the raw question."""
    planned = plan(services, state.as_of, state.understanding)
    pending = [pair for pair in enumerate(state.queries) if not (pair[1].raw and state.raw_search)]
    seconds = state.own_seconds(services.profile.search_seconds)
    searches, calls, fallback = await search_queries(
        services, pending, planned, seconds=seconds, made=state.vectors
    )
    results = dict(zip((number for number, _ in pending), searches, strict=True))
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
        state.notices.append(Notice(Kind.SEARCH, WIDENED.format(filters="; ".join(planned.filters))))
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
    """The search on the question as understood, run while decomposition is under way.

    Its hits have no sub-query number: decomposition tells whether the question is a sub-query.
    """
    query = SubQuery(text=state.asked, raw=True)
    planned = plan(services, state.as_of, state.understanding)
    seconds = state.own_seconds(services.profile.search_seconds)
    searches, calls, fallback = await search_queries(
        services, [(None, query)], planned, seconds=seconds, made=state.vectors
    )
    return *searches[0], calls, fallback


def _numbered(record: SubSearch, hits: list[Hit], number: int | None) -> tuple[SubSearch, list[Hit]]:
    """A search with its hits under the number of a sub-query; unchanged if None (the whole question)."""
    if number is None:
        return record, hits
    update = {"sub_queries": (number,)}
    shown = tuple(candidate.model_copy(update=update) for candidate in record.hits)
    return record.model_copy(update={"hits": shown}), [hit.model_copy(update=update) for hit in hits]
