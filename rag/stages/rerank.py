"""Stage 5: orders the candidates by usefulness and keeps the best, eight or twelve (S0.30-S0.33, X.11).

Strategies: none (as found), heuristic (a linear model, always available), and those of the reader model in
`rag.ranking.model_order`, which reorder the best of the heuristic and fall back to its order.
"""

import asyncio
from collections.abc import Iterable
from datetime import date

from lexicon.ties import overtaken
from models.chat import ChatModel
from rag.answers.after_the_law import behind_the_law
from rag.answers.ruling_parts import in_their_order
from rag.question.understanding import Filters
from rag.ranking.heuristic import heuristic_order
from rag.ranking.model_order import STRATEGIES, most_kept
from rag.ranking.ranking_features import Asked
from rag.retrieval.question_vectors import rarities
from rag.shared.hits import Hit
from rag.shared.state import Services, State
from rag.shared.trace import Candidate, RerankRecord
from text.textnorm import stems

MIN_TO_RERANK = 4
NOT_FAR = 0.3
"""Share of the best hit's score."""
REFERRING_PARTS = 30
NO_MODEL = "Heurística: el orden por modelo está configurado y no hay modelo."
NO_ORDER = "Heurística: el modelo no dio un orden ({reason})."


async def rerank(state: State, services: Services) -> RerankRecord:
    """Fill `state.ranked` with the candidates in order, as found if fewer than four, and `state.hits`."""
    strategy = services.rerank_strategy
    read = state.understanding
    if others := frozenset(read.agreements.others):
        state.candidates = [hit for hit in state.candidates if hit.chunk.norm_id not in others]
    if len(state.candidates) < MIN_TO_RERANK:
        strategy = "none"
    record = RerankRecord(strategy=strategy, candidates=len(state.candidates))
    kept = services.profile.rag_max_chunks_in_prompt
    if strategy == "none":
        state.ranked = list(state.candidates)
    else:
        ranked = await asyncio.to_thread(heuristic, state, services)
        state.ranked = behind_the_law(ranked, read)
        if strategy in STRATEGIES and services.reader is not None:
            record, kept = await _by_model(services.reader, state, services, record)
        elif strategy in STRATEGIES:
            record = record.model_copy(update={"strategy": "heuristic", "fallback": NO_MODEL})
    state.ranked = in_their_order(state.ranked, read.decided)
    state.ranked.sort(key=lambda hit: not _is_preferred(hit, read.filters))
    replaced = services.holdings().decisions.replaced
    # A model that puts a displaced provision first has a reason: something that happened before.
    chosen = {hit.key for hit in state.ranked[:kept]} if record.strategy in STRATEGIES else frozenset()
    state.ranked.sort(
        key=lambda hit: (
            hit.key not in chosen and (hit.chunk.norm_id in replaced or _displaced(hit, state.as_of))
        )
    )
    state.hits = state.ranked[:kept]
    return record.model_copy(update={"kept": tuple(map(Candidate.of, state.hits))})


def _is_preferred(hit: Hit, asked: Filters) -> bool:
    """True for a hit of a collection or norm that the question names, if it is not far behind the best."""
    named = hit.chunk.collection in asked.preferred or hit.chunk.norm_id in asked.preferred_norms
    return named and (hit.rerank or 0.0) >= NOT_FAR


def _displaced(hit: Hit, as_of: date) -> bool:
    """True for a provision that no longer applies at all, unless the question names it."""
    entry = overtaken(hit.chunk.norm_id, hit.chunk.block_id, as_of) if hit.origin != "exact" else None
    return entry is not None and entry.whole


async def _by_model(
    model: ChatModel, state: State, services: Services, record: RerankRecord
) -> tuple[RerankRecord, int]:
    """The record and the number of hits to keep; hits not chosen follow in the heuristic's order.

    The model is shown each article once, by its best part.
    """
    articles = {hit.chunk.article: hit for hit in reversed(state.ranked)}
    first = [hit for hit in state.ranked if articles[hit.chunk.article] is hit][
        : services.profile.search_merged
    ]
    order = await STRATEGIES[record.strategy](model, state, services, first)
    record = record.model_copy(
        update={"calls": order.calls, "candidates": len(first), "fallback": order.reason}
    )
    if order.reason and not order.scores:
        fallback = NO_ORDER.format(reason=order.reason)
        failed = record.model_copy(update={"strategy": "heuristic", "fallback": fallback})
        return failed, services.profile.rag_max_chunks_in_prompt
    best = [first[i].model_copy(update={"rerank": score}) for i, score in order.scores.items()]
    keys = {hit.key for hit in best}
    state.ranked = best + [hit for hit in state.ranked if hit.key not in keys]
    return record, min(len(best), most_kept(state, services))


def heuristic(state: State, services: Services) -> list[Hit]:
    """The candidates in the order of the linear model."""
    read = state.understanding
    texts = [state.asked, *(query.text for query in state.queries)]
    question = ranking_terms(texts, state.as_of, services, read.agreements.named)
    return order(question, state.candidates, state.as_of, services)


def ranking_terms(texts: Iterable[str], as_of: date, services: Services, named: Iterable[str] = ()) -> Asked:
    """The question, in one or several texts, with its synonyms, the rarity of its terms and its norms.

    Args:
        named: norms that it names otherwise than by a reference.
    """
    said = list(dict.fromkeys(texts))
    text = " ".join(said)
    mentioned = [one for part in said for one in services.holdings().references(part)]
    synonyms = services.synonyms.expand(text)
    terms = list(dict.fromkeys(stems(" ".join((text, *synonyms)))))
    return Asked.of(
        text,
        synonyms,
        rarity=rarities(terms, as_of, services),
        norms=[*named, *(reference.norm_id for reference in mentioned if reference.norm_id)],
        unseen=services.unseen,
    )


def order(question: Asked, candidates: list[Hit], as_of: date, services: Services) -> list[Hit]:
    """The candidates in the heuristic's order; references of the first REFERRING_PARTS count as support."""
    first = [hit.chunk.id for hit in candidates[:REFERRING_PARTS]]
    return heuristic_order(question, candidates, services.store.referenced(first, as_of))
