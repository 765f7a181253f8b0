"""`search`: the fragments that a query finds."""

import asyncio
import time
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from core.clock import today_in_spain
from core.errors import EmbedderUnavailable, InputError
from core.values import Value
from rag.question.question_form import clean
from rag.retrieval.hybrid import search_queries
from rag.retrieval.scope import plan
from rag.shared.hits import Hit, SubQuery
from rag.shared.state import Services
from service.contract.articles import Since
from service.contract.program import Program
from text.textnorm import visible

MOST_HITS, LONGEST_QUERY = 100, 2_000
_OF_CHUNK = {"collection", "norm_id", "block_id", "law", "section", "text", "valid_from", "valid_to"}
_OF_CHUNK |= {"official", "url"}


class SearchRequest(Value):
    """A search; `as_of` None is the current day in Spain, `collection` None all of them."""

    query: Annotated[str, Field(max_length=LONGEST_QUERY)]
    mode: Literal["hybrid", "lexical", "semantic"] = "hybrid"
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10
    collection: str | None = None
    as_of: date | None = None


class FoundFragment(Value):
    """A hit; `dense` and `sparse` are its raw scores in those rankings, None where it is in neither."""

    rank: int
    score: float
    dense: float | None
    sparse: float | None
    chunk_id: str
    article: str
    collection: str
    norm_id: str
    block_id: str
    law: str
    section: str
    text: str
    valid_from: Since
    valid_to: date | None
    official: bool
    url: str


class SearchDocument(Value):
    """Hits, the best first; `notice`: why no vectors were used, or ''."""

    query: str
    as_of: date
    hits: tuple[FoundFragment, ...]
    elapsed_ms: float
    notice: str = ""


def search(program: Program, request: SearchRequest) -> SearchDocument:
    """The hits of a query, which gets the accents that it was typed without as a question does.

    Raises:
        InputError: the query is empty or the collection unknown.
        EmbedderUnavailable: only vectors are to be used, and there are none.
        IndexUnavailable: see `Program.services`.
    """
    shown = visible(request.query).strip()
    if not shown:
        raise InputError("Escriba qué quiere buscar.")
    if request.collection:
        program.settings.check_collection(request.collection)
    as_of, services = request.as_of or today_in_spain(), _limited(program.services, request)
    clock = time.perf_counter()
    hits, notice = asyncio.run(hits_of(services, clean(shown) or shown, as_of, request.mode))
    elapsed = (time.perf_counter() - clock) * 1000
    if notice and request.mode == "semantic":
        raise EmbedderUnavailable(f"La búsqueda solo por vectores los necesita. {notice}")
    # An article that the query names is looked up wherever it stands.
    hits = [hit for hit in hits if request.collection in (None, hit.chunk.collection)][: request.limit]
    return SearchDocument(
        query=request.query,
        as_of=as_of,
        hits=tuple(_fragment(rank, hit) for rank, hit in enumerate(hits, start=1)),
        elapsed_ms=round(elapsed, 1),
        notice=notice,
    )


async def hits_of(services: Services, query: str, as_of: date, mode: str) -> tuple[list[Hit], str]:
    """The hits of a query, the best first, and why it was searched without vectors, or ''."""
    planned = plan(services, as_of, mode=mode)
    found = await search_queries(services, [(None, SubQuery(text=query))], planned)
    (_, hits), *_ = found.searches
    return hits, found.fallback


def _limited(services: Services, request: SearchRequest) -> Services:
    """The services with a profile for that many hits of that collection."""
    profile = services.profile
    changes: dict[str, Any] = {
        "search_prefetch": max(request.limit, profile.search_prefetch),
        "search_per_collection": max(request.limit, profile.search_per_collection),
        "search_per_query": request.limit,
    }
    if request.collection:
        changes["collection_weights"] = {request.collection: profile.collection_weights[request.collection]}
    return replace(services, profile=profile.model_copy(update=changes))


def _fragment(rank: int, hit: Hit) -> FoundFragment:
    chunk = hit.chunk
    return FoundFragment(
        rank=rank,
        score=round(hit.score, 6),
        dense=hit.dense,
        sparse=hit.sparse,
        chunk_id=chunk.id,
        article=chunk.label,
        **chunk.model_dump(include=_OF_CHUNK),
    )
