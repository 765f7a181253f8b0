"""Orders given by the reader model: listwise, pointwise and judge (S0.30-S0.33, S2.20, S3.50, X.11).

Each takes the candidates in the heuristic's order and returns a score, 0 to 1, for those it ranked. If the
model fails or its output is unusable, the order is empty, with the reason, and the stage keeps the order of
the heuristic.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from models.chat import ChatMessage, ChatModel, ModelCall
from rag.shared.answer_contract import DraftError, extract_array, extract_object
from rag.shared.asking import EXCERPT, NAME, ask, day_told, excerpt, listed, question_told, wanted
from rag.shared.hits import Hit
from rag.shared.state import Services, State

# Characters per fragment in the pointwise prompt (one fragment) and in the judge's (ten).
LONG_EXCERPT = 1200
JUDGED = 10
AT_ONCE = 5
TOP_MARK = 10.0
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class Order:
    """A model's order of the candidates.

    Attributes:
        scores: index of a candidate to its score, best first; empty when the model gave no order or, without
            a reason, found that none helps.
        calls: every call made, failed ones too.
        reason: Spanish; why the order is missing, or which part is not the model's; '' otherwise.
    """

    scores: dict[int, float]
    calls: tuple[ModelCall, ...]
    reason: str = ""


Strategy = Callable[[ChatModel, State, Services, Sequence[Hit]], Awaitable[Order]]


async def listwise(model: ChatModel, state: State, services: Services, hits: Sequence[Hit]) -> Order:
    """One call over all candidates; the model returns indices, without the candidates that do not help."""
    day, limit = day_told(state, services), str(most_kept(state, services))
    system = services.prompts.render("rerank", limit=limit, day=day)
    seconds = state.seconds_left(services.profile.rerank_seconds)
    user = listing(question_told(state, services), hits, EXCERPT, wanted(state, services))
    done, call = await _ask(model, seconds, system, user)
    order = parse_order(done.output, len(hits)) if done else None
    reason = _failed(done, call, "su salida no era una lista de índices") if order is None else ""
    return Order({i: 1.0 - place / len(hits) for place, i in enumerate(order or ())}, (call,), reason)


def most_kept(state: State, services: Services) -> int:
    """Number of hits that a model's order keeps: half as many again for a question of several matters."""
    most = services.profile.rag_max_chunks_in_prompt
    return most + most // 2 if len(state.queries) > 1 else most


async def judge_candidates(model: ChatModel, state: State, services: Services, hits: Sequence[Hit]) -> Order:
    """One call over the ten best candidates; the model marks each from 0 to 10."""
    first = hits[:JUDGED]
    system = services.prompts.render("judge", day=day_told(state, services))
    seconds = state.seconds_left(services.profile.rerank_seconds)
    user = listing(question_told(state, services), first, LONG_EXCERPT, wanted(state, services))
    done, call = await _ask(model, seconds, system, user)
    marks = parse_marks(done.output, len(first)) if done else {}
    reason = _failed(done, call, "su salida no traía notas") if not marks else ""
    return Order(_best_first({i: mark / TOP_MARK for i, mark in marks.items()}), (call,), reason)


async def pointwise(model: ChatModel, state: State, services: Services, hits: Sequence[Hit]) -> Order:
    """One call for each of the ten best candidates, five at a time.

    A missing mark is replaced by the heuristic's; if all are missing the order is empty. The calls share the
    stage's time.
    """
    system = services.prompts.render("pointwise", day=day_told(state, services))
    near = wanted(state, services)
    gate = asyncio.Semaphore(AT_ONCE)
    end = time.monotonic() + state.seconds_left(services.profile.rerank_seconds)

    async def mark(hit: Hit) -> tuple[float | None, ModelCall]:
        async with gate:
            fragment = f"Fragmento ({_section(hit)}): {excerpt(hit.chunk, near, LONG_EXCERPT, opening=0)}"
            user = f"{question_told(state, services)}\n\n{fragment}"
            done, call = await _ask(model, end - time.monotonic(), system, user)
        return (parse_mark(done.output) if done else None), call

    first = hits[:JUDGED]
    marks = await asyncio.gather(*map(mark, first))
    calls = tuple(call for _, call in marks)
    without = sum(value is None for value, _ in marks)
    if without == len(first):
        return Order(
            {}, calls, next((call.error for call in calls if call.error), "ninguna nota era un número")
        )
    scores = {
        i: (hit.rerank or 0.0) if value is None else value / TOP_MARK
        for i, (hit, (value, _)) in enumerate(zip(first, marks, strict=True))
    }
    reason = f"{without} de {len(first)} notas son de la heurística: el modelo no las dio." if without else ""
    return Order(_best_first(scores), calls, reason)


async def _ask(
    model: ChatModel, seconds: float, system: str, user: str
) -> tuple[ModelCall | None, ModelCall]:
    messages = [ChatMessage(role="system", content=system), ChatMessage(role="user", content=user)]
    return await ask(model, messages, seconds)


def _failed(done: ModelCall | None, call: ModelCall, otherwise: str) -> str:
    return call.error if done is None else otherwise


def _best_first(scores: dict[int, float]) -> dict[int, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def listing(question: str, hits: Sequence[Hit], limit: int, wanted: frozenset[str]) -> str:
    """The user prompt: the question as asked and, a line each, the nearest passage of a candidate (S0.32)."""
    lines = [
        f"[{i}] ({hit.chunk.collection}) {_section(hit)}: {excerpt(hit.chunk, wanted, limit, opening=0)}"
        for i, hit in enumerate(hits)
    ]
    return f"{question}\n\nFragmentos:\n" + "\n\n".join(lines)


def _section(hit: Hit) -> str:
    section, law = listed(hit.chunk.section, NAME), listed(hit.chunk.alias or hit.chunk.law, NAME)
    since = f"; vigente {hit.chunk.in_force}" if hit.chunk.in_force else ""
    return f"{section.rstrip('.')} ({law}{since})"


def parse_order(output: str, size: int) -> list[int] | None:
    """Indices of a model's output, in range, each once, in its order; None unless it is a JSON list of them.

    An empty list is one: no candidate helps.
    """
    values = extract_array(output)
    order = list(dict.fromkeys(v for v in values or () if _is_index(v, size)))
    return order if order or values == [] else None


def parse_marks(output: str, size: int) -> dict[int, float]:
    """A judge's marks, `{"scores": [{"index": 0, "score": 8}]}`: index to mark; the first counts."""
    try:
        rows = extract_object(output).get("scores")
    except DraftError:
        return {}
    marks: dict[int, float] = {}
    for row in rows if isinstance(rows, list) else ():
        index, score = (row.get("index"), row.get("score")) if isinstance(row, dict) else (None, None)
        if _is_index(index, size) and _is_mark(score):
            marks.setdefault(index, score)
    return marks


def _is_index(value: object, size: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < size


def _is_mark(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= TOP_MARK


def parse_mark(output: str) -> float | None:
    """The first number of a reply when it lies between 0 and 10; None otherwise."""
    found = _NUMBER.search(output)
    value = float(found[0].replace(",", ".")) if found else -1.0
    return value if 0 <= value <= TOP_MARK else None


STRATEGIES: dict[str, Strategy] = {"listwise": listwise, "pointwise": pointwise, "judge": judge_candidates}
