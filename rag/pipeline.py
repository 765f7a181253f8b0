"""The walk of a question: the stages in order, timed, bounded and recorded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from rag.errors import ArticuladoError
from rag.services import Event, OnEvent, Services, State
from rag.stages.answer import answer
from rag.stages.assess import assess
from rag.stages.decompose import decompose
from rag.stages.expand import expand
from rag.stages.rerank import rerank
from rag.stages.search import search, search_raw
from rag.stages.verify import verify_answer
from rag.trace import AnyRecord, Trace
from rag.types import Answer, Turn

Stage = Callable[[State, Services], Awaitable[AnyRecord]]

STAGES: tuple[tuple[str, Stage], ...] = (
    ("decompose", decompose),
    ("search", search),
    ("rerank", rerank),
    ("expand", expand),
    ("assess", assess),
    ("answer", answer),
    ("verify", verify_answer),
)
RETRIEVAL = 5


@dataclass(frozen=True)
class Outcome:
    """A finished run."""

    answer: Answer
    trace: Trace


class RunFailed(ArticuladoError):
    """A stage could not go on (index or database out of reach); `trace` holds what was done until then."""

    def __init__(self, error: ArticuladoError, trace: Trace) -> None:
        super().__init__(str(error))
        self.trace = trace


async def run(
    question: str,
    services: Services,
    *,
    as_of: date,
    history: Sequence[Turn] = (),
    on_event: OnEvent = lambda event: None,
) -> Outcome:
    """Answer a question from the norms in force on `as_of`.

    Model failures degrade stage by stage and are told in the trace; cancelling the awaiting task
    cancels whatever request is under way.

    Raises:
        RunFailed: the corpus itself cannot be read.
    """
    clock = time.perf_counter()
    state = _state(question, services, as_of, tuple(history), on_event)
    trace = Trace(
        question=question,
        as_of=as_of,
        started_at=datetime.now(UTC),
        mode=services.mode,
        settings=services.fingerprints(),
    )
    records: list[AnyRecord] = []
    try:
        await _walk(STAGES, state, services, records)
    except ArticuladoError as error:
        raise RunFailed(error, _closed(trace, records, clock, str(error))) from error
    if state.answer is None:
        raise RuntimeError("the verify stage left no answer")
    return Outcome(state.answer, _closed(trace, records, clock))


async def retrieve(question: str, services: Services, *, as_of: date) -> State:
    """The walk up to the assessment: what would be answered from, and whether it suffices.

    Raises:
        ArticuladoError: the corpus itself cannot be read.
    """
    state = _state(question, services, as_of, (), lambda event: None)
    await _walk(STAGES[:RETRIEVAL], state, services, [])
    return state


def _state(
    question: str, services: Services, as_of: date, history: tuple[Turn, ...], on_event: OnEvent
) -> State:
    return State(
        question=question,
        as_of=as_of,
        history=history,
        on_event=on_event,
        deadline=time.monotonic() + services.profile.run_budget_seconds,
    )


async def _walk(
    stages: Sequence[tuple[str, Stage]], state: State, services: Services, records: list[AnyRecord]
) -> None:
    """Run the stages, appending each one's record as it ends."""
    clock = time.perf_counter()
    state.raw_search = asyncio.ensure_future(search_raw(state.question, state.as_of, services))
    try:
        for name, stage in stages:
            state.on_event(Event("stage_started", name))
            started = time.perf_counter()
            record = await stage(state, services)
            elapsed = (time.perf_counter() - started) * 1000
            timing = {"started_ms": (started - clock) * 1000, "elapsed_ms": elapsed}
            records.append(record.model_copy(update=timing))
            state.on_event(Event("stage_finished", name, elapsed, record.fallback))
    finally:
        state.raw_search.cancel()


def _closed(trace: Trace, records: list[AnyRecord], clock: float, error: str = "") -> Trace:
    elapsed = (time.perf_counter() - clock) * 1000
    return trace.model_copy(update={"stages": tuple(records), "elapsed_ms": elapsed, "error": error})
