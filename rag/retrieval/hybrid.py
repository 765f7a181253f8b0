"""Hybrid search of one sub-query: rankings by vectors and by words, fused in each collection.

Search aids (the questions that a provision answers, everyday keywords) have rankings of their own: the law's
own words of two provisions compare alike, with aids or without.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from index.points import IndexFilter, IndexQuery, ScoredId, SparseVector
from index.sparse import query_vector, reference_tokens
from law.chunks import Chunk, article_of
from law.norms import Reference
from models.chat import ModelCall
from rag.retrieval.fusion import RRF_K, by_document, merge_collections, rrf
from rag.retrieval.named_articles import exact_hits, with_exact
from rag.retrieval.question_vectors import embedded, toward_texts
from rag.retrieval.scope import Plan
from rag.shared.hits import Hit, SubQuery
from rag.shared.state import Services
from rag.shared.trace import Candidate, SubSearch

LEXICAL_ONLY = "Búsqueda solo léxica: no hay vectores para la pregunta ({reason})."
TOO_FEW = "faltan los vectores de {missing} de los {total} fragmentos en vigor"
NEEDED = 5
"""Hits for an article that the assessment misses."""
NO_WORDS = SparseVector(indices=(), values=())

Rankings = Mapping[str, Sequence[ScoredId]]
"""Ids found, best first, by 'dense', 'adapted', 'questions', 'sparse' and 'aids': those with a vector."""

AIDED = ("questions", "aids")
BY_MEANING = ("dense", "adapted", "questions")


async def embed(
    services: Services,
    texts: Sequence[str],
    as_of: date,
    mode: str = "hybrid",
    seconds: float | None = None,
    *,
    made: dict[str, tuple[float, ...]] | None = None,
) -> tuple[list[tuple[float, ...] | None], tuple[ModelCall, ...], str]:
    """(vectors of the queries in one request, its calls, reason); None for each if there are no vectors.

    Args:
        seconds: time limit; if None, `search_seconds` of the profile.
        made: vectors of queries, by text, that are not asked for again; the new ones are added.
    """
    if not texts or mode == "lexical":
        return [None] * len(texts), (), ""
    if services.embedder is None:
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason="sin modelo de vectores")
    gaps = await asyncio.to_thread(services.store.vector_gaps, as_of)
    if gaps.too_many:
        few = TOO_FEW.format(missing=gaps.missing, total=gaps.total)
        return [None] * len(texts), (), LEXICAL_ONLY.format(reason=few)
    limit = services.profile.search_seconds if seconds is None else seconds
    made = {} if made is None else made
    calls: tuple[ModelCall, ...] = ()
    if missing := [text for text in texts if text not in made]:
        vectors, calls, reason = await embedded(services.embedder, missing, limit)
        if vectors is None:
            return [None] * len(texts), (), LEXICAL_ONLY.format(reason=reason)
        made.update(zip(missing, vectors, strict=True))
    return [made[text] for text in texts], calls, ""


def worded(services: Services, query: SubQuery) -> tuple[SubQuery, Sequence[Reference], SparseVector]:
    """(the sub-query with its synonyms, the references that it makes, its sparse vector)."""
    query = query.model_copy(update={"lexical": (*query.lexical, *services.synonyms.expand(query.text))})
    mentioned = services.holdings().references(query.text)
    tokens = reference_tokens(mentioned)
    return query, mentioned, query_vector(query.text, extra_terms=query.lexical, tokens=tokens)


def rankings(
    services: Services,
    dense: tuple[float, ...] | None,
    sparse: SparseVector,
    scopes: Sequence[IndexFilter],
    limit: int,
    *,
    vectorless: frozenset[str] = frozenset(),
) -> list[Rankings]:
    """The rankings of each scope, `limit` long at most, from one batch of the index.

    Args:
        dense, sparse: None, or without terms, for no rankings of their kind.
        vectorless: ids of norms without all their vectors: those they have place none of their articles.
    """
    wanted: dict[str, IndexQuery] = {}
    if dense is not None:
        wanted["dense"] = IndexQuery(dense=dense, limit=limit)
        wanted["adapted"] = IndexQuery(dense=toward_texts(services, dense), limit=limit)
        wanted["questions"] = IndexQuery(questions=dense, limit=limit)
    if sparse.indices:
        wanted["sparse"] = IndexQuery(sparse=sparse, limit=limit)
        wanted["aids"] = IndexQuery(aids=sparse, limit=limit)
    asked = [one.model_copy(update={"where": where}) for where in scopes for one in wanted.values()]
    answers = iter(services.index.search(asked) if asked else ())
    return [{name: _seen(services, name, next(answers), vectorless) for name in wanted} for _ in scopes]


def vectorless(services: Services, vector: tuple[float, ...] | None, as_of: date) -> frozenset[str]:
    """Ids of the norms that a search by meaning leaves to their words, because it would see part of them."""
    return frozenset() if vector is None else services.store.vector_gaps(as_of).norms


def _seen(
    services: Services, name: str, ranking: list[ScoredId], vectorless: frozenset[str]
) -> list[ScoredId]:
    """A ranking without what it owes to aids that this run does not use, or to vectors half made."""
    left_out = [services.without_aids] if name in AIDED and services.without_aids else []
    left_out += [vectorless] if name in BY_MEANING and vectorless else []
    if not left_out:
        return ranking
    return [one for one in ranking if not any(article_of(one.id)[0] in norms for norms in left_out)]


class Found(NamedTuple):
    """A search of several sub-queries.

    Attributes:
        searches: record and hits of each, in order.
        calls: of the embedding model.
        fallback: why there were no vectors, in Spanish, or ''.
    """

    searches: list[tuple[SubSearch, list[Hit]]]
    calls: tuple[ModelCall, ...]
    fallback: str


class _Words(NamedTuple):
    """A sub-query by its words: with synonyms, its references, its vector and the rankings of each scope."""

    query: SubQuery
    mentioned: Sequence[Reference]
    sparse: SparseVector
    found: list[Rankings]


async def search_queries(
    services: Services,
    queries: Sequence[tuple[int | None, SubQuery]],
    planned: Plan,
    *,
    seconds: float | None = None,
    made: dict[str, tuple[float, ...]] | None = None,
) -> Found:
    """Each sub-query over the collections of the plan; explicit references («art. 48 ET») come first.

    The rankings by words are asked while the vectors are made.

    Args:
        queries: each with its number, from 0, which is set on its hits; None for the whole question.
        seconds, made: see `embed`.
    """
    texts = [query.text for _, query in queries]
    (vectors, calls, fallback), words = await asyncio.gather(
        embed(services, texts, planned.as_of, planned.mode, seconds, made=made),
        asyncio.gather(*(asyncio.to_thread(_by_words, services, query, planned) for _, query in queries)),
    )
    searches = (
        asyncio.to_thread(_search_one, services, number, one, vector, planned)
        for (number, _), one, vector in zip(queries, words, vectors, strict=True)
    )
    return Found(await asyncio.gather(*searches), calls, fallback)


def _by_words(services: Services, query: SubQuery, planned: Plan) -> _Words:
    query, mentioned, sparse = worded(services, query)
    if planned.mode == "semantic":
        sparse = NO_WORDS
    found = rankings(services, None, sparse, list(planned.where.values()), planned.cuts.prefetch)
    return _Words(query, mentioned, sparse, found)


def _search_one(
    services: Services, number: int | None, words: _Words, vector: tuple[float, ...] | None, planned: Plan
) -> tuple[SubSearch, list[Hit]]:
    clock = time.perf_counter()
    query, numbers = words.query, () if number is None else (number,)
    hits = _over_collections(services, vector, words.found, planned, numbers)
    widened = bool(planned.filters) and not hits
    if widened:
        planned = planned.widened(services)
        again = rankings(services, None, words.sparse, list(planned.where.values()), planned.cuts.prefetch)
        hits = _over_collections(services, vector, again, planned, numbers)
    exact = exact_hits(services, words.mentioned, planned.as_of)
    hits = with_exact(hits, [hit.model_copy(update={"sub_queries": numbers}) for hit in exact])
    record = SubSearch(
        query=query.text,
        raw=query.raw,
        lexical=query.lexical,
        references=tuple(reference.text for reference in words.mentioned if reference.label),
        widened=widened,
        elapsed_ms=(time.perf_counter() - clock) * 1000,
        hits=tuple(map(Candidate.of, hits[: services.profile.search_per_query])),
    )
    return record, hits


def _over_collections(
    services: Services,
    vector: tuple[float, ...] | None,
    by_words: Sequence[Rankings],
    planned: Plan,
    sub_queries: tuple[int, ...],
) -> list[Hit]:
    profile, cuts = services.profile, planned.cuts
    norms = vectorless(services, vector, planned.as_of)
    scopes = list(planned.where.values())
    by_meaning = rankings(services, vector, NO_WORDS, scopes, cuts.prefetch, vectorless=norms)
    found = [{**meaning, **words} for meaning, words in zip(by_meaning, by_words, strict=True)]
    fused = _fused(services, vector, found, norms, kept=cuts.per_collection, sub_queries=sub_queries)
    per_collection = dict(zip(planned.where, fused, strict=True))
    hits = merge_collections(per_collection, profile.collection_weights, cuts.per_query)
    if planned.by_document:
        hits = by_document(
            hits[: profile.hierarchical_chunks],
            profile.hierarchical_documents,
            profile.hierarchical_chunks_per_document,
        )
    return hits


def _fused(
    services: Services,
    vector: tuple[float, ...] | None,
    found: Sequence[Rankings],
    norms: frozenset[str],
    *,
    kept: int,
    sub_queries: tuple[int, ...] = (),
) -> list[list[Hit]]:
    """The `kept` best hits of each scope by RRF, from one read of the store; `norms` are `vectorless`."""
    fused = [_order(by_name, norms)[:kept] for by_name in found]
    ids = [chunk_id for one in fused for chunk_id, _ in one]
    chunks = {chunk.id: services.seen(chunk) for chunk in services.store.chunks(ids)} if ids else {}
    near = _nearest(services, vector, [chunk for chunk in chunks.values() if chunk.norm_id not in norms])
    return [
        _hits(order, by_name, chunks, near, norms=norms, sub_queries=sub_queries)
        for order, by_name in zip(fused, found, strict=True)
    ]


def _nearest(
    services: Services, vector: tuple[float, ...] | None, chunks: Sequence[Chunk]
) -> Mapping[str, float]:
    """Chunk id to the cosine of its nearest passage, of those whose passages have vectors."""
    if vector is None or services.embedder is None or services.passages is None:
        return {}
    return services.passages.nearest(services.embedder.name, vector, chunks)


def _order(by_name: Rankings, norms: frozenset[str]) -> list[tuple[str, float]]:
    """RRF; 1.0 is first in all the rankings that could hold the chunk: those by words for the `norms`."""
    best = len(by_name) / (RRF_K + 1)
    by_words = (len(by_name.keys() - set(BY_MEANING)) or len(by_name)) / (RRF_K + 1)
    fused = rrf([scored.id for scored in ranking] for ranking in by_name.values())
    if not norms:
        return [(key, score / best) for key, score in fused]
    scored = [(key, score / (by_words if article_of(key)[0] in norms else best)) for key, score in fused]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def _hits(
    fused: Sequence[tuple[str, float]],
    by_name: Rankings,
    chunks: Mapping[str, Chunk],
    near: Mapping[str, float],
    *,
    norms: frozenset[str],
    sub_queries: tuple[int, ...],
) -> list[Hit]:
    """The hits of a fused ranking with the score that each ranking gave them."""
    raw = {name: dict(ranking) for name, ranking in by_name.items()}
    return [
        Hit(
            chunk=chunks[chunk_id],
            score=score,
            fused=score,
            dense=raw.get("dense", {}).get(chunk_id),
            adapted=raw.get("adapted", {}).get(chunk_id),
            sparse=raw.get("sparse", {}).get(chunk_id),
            aids=raw.get("aids", {}).get(chunk_id),
            question=raw.get("questions", {}).get(chunk_id),
            passage=near.get(chunk_id),
            vectorless=chunks[chunk_id].norm_id in norms,
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
    seconds: float,
) -> tuple[list[Hit], tuple[ModelCall, ...], str]:
    """A hybrid search of NEEDED hits in some norms (all when empty): the second strategy of NEED (S0.54).

    Returns:
        (hits, calls, why the search had no vectors or ''; see `embed`).
    """
    (vector,), calls, fallback = await embed(services, [text], as_of, seconds=seconds)
    where = IndexFilter(
        as_of=as_of, norm_ids=norm_ids, collections=tuple(services.profile.collection_weights)
    )

    def search() -> list[Hit]:
        norms = vectorless(services, vector, as_of)
        found = rankings(services, vector, query_vector(text), [where], 2 * NEEDED, vectorless=norms)
        return _fused(services, vector, found, norms, kept=NEEDED)[0]

    return await asyncio.to_thread(search), calls, fallback
