"""Stage 5: the candidates are put in order of use and cut to eight (S0.30-S0.33, X.11).

Strategies: none (as found), heuristic (rules, always available), listwise (one call of the reader
model over all candidates). A model strategy that fails falls back to the heuristic.
"""

from __future__ import annotations

import asyncio
from datetime import date

from rag import references
from rag.contract import extract_array
from rag.ports import ChatMessage, ChatModel
from rag.services import Services, State
from rag.stages.common import ask, cut, rarities
from rag.stages.features import Asked
from rag.stages.heuristic import heuristic_order
from rag.textnorm import stems
from rag.trace import Candidate, RerankRecord
from rag.types import Hit

MIN_TO_RERANK = 4
EXCERPT = 300
REFERRING_PARTS = 30


async def rerank(state: State, services: Services) -> RerankRecord:
    """Fill `state.ranked` with the candidates in order and `state.hits` with the best of them."""
    limit = services.profile.rag_max_chunks_in_prompt
    strategy = services.rerank_strategy
    record = RerankRecord(strategy=strategy, candidates=len(state.candidates))
    chosen = limit
    if strategy == "none" or len(state.candidates) < MIN_TO_RERANK:
        state.ranked = state.candidates
    elif strategy == "listwise" and services.reader is not None:
        record, chosen = await _listwise(services.reader, state, services, record)
    else:
        if strategy == "listwise":
            fallback = "Heurística: el orden por modelo está configurado y no hay modelo."
            record = record.model_copy(update={"strategy": "heuristic", "fallback": fallback})
        state.ranked = await asyncio.to_thread(_heuristic, state, services)
    state.hits = state.ranked[: min(limit, chosen)]
    return record.model_copy(update={"kept": tuple(map(Candidate.of, state.hits))})


async def _listwise(
    model: ChatModel, state: State, services: Services, record: RerankRecord
) -> tuple[RerankRecord, int]:
    """Returns (record, how many the model chose); what it left out follows in the order found."""
    limit = services.profile.rag_max_chunks_in_prompt
    messages = [
        ChatMessage(role="system", content=services.prompts.render("rerank", limit=str(limit))),
        ChatMessage(role="user", content=listing(state.question, state.candidates)),
    ]
    done, call = await ask(model, messages, state.seconds_left(services.profile.rerank_seconds))
    order = parse_order(done.output, len(state.candidates)) if done else []
    if order:
        size = len(state.candidates)
        best = [
            state.candidates[i].model_copy(update={"rerank": 1.0 - place / size})
            for place, i in enumerate(order)
        ]
        state.ranked = best + [hit for i, hit in enumerate(state.candidates) if i not in set(order)]
        return record.model_copy(update={"calls": (call,)}), len(best)
    reason = call.error if done is None else "su salida no era una lista de índices"
    state.ranked = _heuristic(state, services)
    fallback = f"Heurística: el modelo no dio un orden ({reason})."
    update = {"calls": (call,), "strategy": "heuristic", "fallback": fallback}
    return record.model_copy(update=update), limit


def _heuristic(state: State, services: Services) -> list[Hit]:
    question = asked(
        " ".join(dict.fromkeys([state.question, *(q.text for q in state.queries)])), state.as_of, services
    )
    return order(question, state.candidates, state.as_of, services)


def asked(text: str, as_of: date, services: Services) -> Asked:
    """The question with what the corpus and the data files know of its words."""
    synonyms = services.synonyms.expand(text)
    terms = list(dict.fromkeys(stems(" ".join((text, *synonyms)))))
    mentioned = references.resolve(references.find(text), services.catalogue())
    return Asked.of(
        text,
        synonyms,
        rarity=rarities(terms, as_of, services),
        norms=[reference.norm_id for reference in mentioned if reference.norm_id],
    )


def order(question: Asked, candidates: list[Hit], as_of: date, services: Services) -> list[Hit]:
    """The candidates in the order of the heuristic; the best of the search tell what they refer to."""
    first = [hit.chunk.id for hit in candidates[:REFERRING_PARTS]]
    return heuristic_order(question, candidates, services.store.referenced(first, as_of))


def listing(question: str, candidates: list[Hit]) -> str:
    """The user prompt: the original question and each candidate in one line (S0.32)."""
    lines = [
        f"[{i}] ({hit.chunk.collection}) {_section(hit)}: {cut(hit.chunk.text, EXCERPT)}"
        for i, hit in enumerate(candidates)
    ]
    return f"Pregunta: {question}\n\nFragmentos:\n" + "\n\n".join(lines)


def _section(hit: Hit) -> str:
    return f"{hit.chunk.section.rstrip('.')} ({hit.chunk.alias or hit.chunk.law})"


def parse_order(output: str, size: int) -> list[int]:
    """Indices of a model's output: in range, each once, in its order; empty when there is none."""
    values = extract_array(output) or []
    indices = [v for v in values if isinstance(v, int) and not isinstance(v, bool) and 0 <= v < size]
    return list(dict.fromkeys(indices))
