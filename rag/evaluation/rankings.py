"""Rankings behind a question's retrieval, which show why an article was found or not.

No chat model is used: sub-queries come from the rules, so the same question gives the same rankings. Ranks
are of articles, each at the place of its best part.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.profile import RerankStrategy, SearchStrategy
from core.values import Value
from law.chunks import ArticleKey, Chunk, article_of
from models.chat import Turn
from rag.retrieval import hybrid
from rag.retrieval.scope import plan
from rag.run.pipeline import retrieve
from rag.shared.state import Services, State
from rag.shared.trace import Candidate, RerankRecord, SearchRecord, Trace

DEPTH = 300
SHOWN = 20
INDEXED = ("dense", "adapted", "questions", "sparse", "aids")
RANKINGS = (*INDEXED, "fused", "reranked")


class Options(Value):
    """Settings of a run that the inspector may change."""

    search: SearchStrategy = "auto"
    rerank: RerankStrategy = "heuristic"


@dataclass(frozen=True)
class Place:
    """An article in a ranking: its best part, and that part's score there."""

    chunk_id: str
    score: float

    @property
    def article(self) -> ArticleKey:
        return article_of(self.chunk_id)


@dataclass(frozen=True)
class Inspection:
    """A question's retrieval with the rankings behind it.

    Attributes:
        rankings: name of `RANKINGS` to articles, best first; those of the index go `DEPTH` chunks deep in
            each collection and sub-query, 'fused' and 'reranked' hold every candidate.
        chunks: chunks of the first `SHOWN` places of each ranking, by id.
    """

    question: str
    options: Options
    state: State
    trace: Trace
    rankings: Mapping[str, tuple[Place, ...]]
    chunks: Mapping[str, Chunk]

    @property
    def as_of(self) -> date:
        return self.state.as_of

    @property
    def filters(self) -> tuple[str, ...]:
        """Conditions of the question that narrowed the search, in Spanish."""
        record = self.trace.stage("search")
        return record.filters if isinstance(record, SearchRecord) else ()

    @property
    def kept(self) -> tuple[ArticleKey, ...]:
        """The articles of the fragments that the reranker kept, best first."""
        return tuple(dict.fromkeys(article_of(one.chunk_id) for one in _kept(self.trace)))

    def rank(self, ranking: str, article: ArticleKey) -> int | None:
        """Place of the article in the ranking, from 1; None if it is not there."""
        places = self.rankings[ranking]
        return next((n for n, place in enumerate(places, 1) if place.article == article), None)


@dataclass(frozen=True)
class Change:
    """Rank (from 1) of a fragment before and after; None if dropped."""

    name: str
    chunk_id: str
    before: int | None
    after: int | None


async def retrace(
    question: str,
    services: Services,
    options: Options,
    *,
    as_of: date | None = None,
    today: date | None = None,
    history: Sequence[Turn] = (),
) -> tuple[State, Trace]:
    """(state, trace) of the pipeline up to the assessment, with other settings and without a model.

    Raises:
        RunFailed: the corpus itself cannot be read.
    """
    chosen = _under(services, options)
    return await retrieve(question, chosen, as_of=as_of, today=today, history=history)


async def inspect(
    question: str,
    services: Services,
    options: Options,
    *,
    as_of: date | None = None,
    today: date | None = None,
) -> Inspection:
    """A question's retrieval without a model, with each ranking behind it.

    Raises:
        RunFailed, IndexUnavailable, StorageError: the corpus itself cannot be read.
    """
    state, trace = await retrace(question, services, options, as_of=as_of, today=today)
    rankings = await _of_index(_under(services, options), state, trace)
    rankings["fused"] = _articles((hit.chunk.id, hit.score) for hit in state.candidates)
    rankings["reranked"] = _articles((hit.chunk.id, hit.rerank or hit.score) for hit in state.ranked)
    wanted = dict.fromkeys(place.chunk_id for places in rankings.values() for place in places[:SHOWN])
    chunks = await asyncio.to_thread(services.store.chunks, list(wanted))
    return Inspection(question, options, state, trace, rankings, {chunk.id: chunk for chunk in chunks})


def changes(before: Trace, after: Trace) -> tuple[Change, ...]:
    """Places of the fragments kept by either run: the second run's in its order, then the ones it lost."""
    old, new = _kept(before), _kept(after)
    places = [{one.chunk_id: n for n, one in enumerate(kept, 1)} for kept in (old, new)]
    return tuple(
        Change(one.name, key, places[0].get(key), places[1].get(key))
        for key, one in {one.chunk_id: one for one in (*new, *old)}.items()
    )


def _under(services: Services, options: Options) -> Services:
    update = {"rag_search_strategy": options.search, "rag_rerank_strategy": options.rerank}
    profile = services.profile.model_copy(update=update)
    return replace(services, profile=profile, reader=None, principal=None)


async def _of_index(services: Services, state: State, trace: Trace) -> dict[str, tuple[Place, ...]]:
    """The rankings of the index over every sub-query and collection, by the best score of each chunk."""
    planned = plan(services, state.as_of, state.understanding)
    record = trace.stage("search")
    searches = record.searches if isinstance(record, SearchRecord) else ()
    if searches and all(one.widened for one in searches):
        planned = planned.widened(services)
    scopes = list(planned.where.values())
    texts = [query.text for query in state.queries]
    vectors, _, _ = await hybrid.embed(services, texts, planned.as_of, planned.mode)
    best: dict[str, dict[str, float]] = {name: {} for name in INDEXED}
    for query, vector in zip(state.queries, vectors, strict=True):
        _, _, sparse = hybrid.worded(services, query)
        norms = hybrid.vectorless(services, vector, planned.as_of)
        found = await asyncio.to_thread(
            hybrid.rankings, services, vector, sparse, scopes, DEPTH, vectorless=norms
        )
        for by_name in found:
            for name, ranking in by_name.items():
                for one in ranking:
                    best[name][one.id] = max(one.score, best[name].get(one.id, one.score))
    return {
        name: _articles(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))
        for name, scores in best.items()
    }


def _articles(scored: Iterable[tuple[str, float]]) -> tuple[Place, ...]:
    """The first part of each article, in order."""
    first: dict[ArticleKey, Place] = {}
    for chunk_id, score in scored:
        first.setdefault(article_of(chunk_id), Place(chunk_id, score))
    return tuple(first.values())


def _kept(trace: Trace) -> tuple[Candidate, ...]:
    record = trace.stage("rerank")
    return record.kept if isinstance(record, RerankRecord) else ()
