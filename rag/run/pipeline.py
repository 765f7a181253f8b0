"""The pipeline of a question: runs the stages in order within a time limit, and times and records each."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from itertools import chain

from core.clock import today_in_spain
from core.errors import ArticuladoError
from masking.vault import one_run
from models.chat import Turn
from models.failed_endpoints import asked_once
from rag.agent.investigation import investigate
from rag.question.consultation import read_turn
from rag.shared.case_papers import Papers
from rag.shared.cited_answer import Answer, AnswerLength
from rag.shared.state import Event, OnEvent, Services, State
from rag.shared.trace import AnyRecord, Trace
from rag.stages.answer import answer
from rag.stages.assess import assess
from rag.stages.decompose import decompose
from rag.stages.expand import expand
from rag.stages.own_papers import search_papers
from rag.stages.past_days import tries_today
from rag.stages.rerank import rerank
from rag.stages.search import search, search_raw
from rag.stages.understand import understand
from rag.stages.verify import verify_answer
from rag.tools.tool_contract import Toolbox
from text.textnorm import visible

Stage = Callable[[State, Services], Awaitable[AnyRecord]]

STAGES: tuple[tuple[str, Stage], ...] = (
    ("understand", understand),
    ("decompose", decompose),
    ("search", search),
    ("rerank", rerank),
    ("expand", expand),
    ("assess", assess),
    ("answer", answer),
    ("verify", verify_answer),
)
SEARCH, RETRIEVAL = 2, 6
KEPT = 0.2
"""Share of a run's time that no model takes: it is enough for the answer without them, with meaning."""


@dataclass(frozen=True)
class RunOutcome:
    """A finished run."""

    answer: Answer
    trace: Trace


class RunFailed(ArticuladoError):
    """A stage failed (index or database out of reach); `trace` holds the stages that ended before it."""

    def __init__(self, error: ArticuladoError, trace: Trace) -> None:
        super().__init__(str(error))
        self.error = error
        self.trace = trace


async def run_stages(
    question: str,
    services: Services,
    *,
    as_of: date | None = None,
    today: date | None = None,
    history: Sequence[Turn] = (),
    background: str = "",
    on_event: OnEvent = lambda event: None,
    toolbox: Toolbox | None = None,
    papers: Papers | None = None,
    length: AnswerLength = AnswerLength.NORMAL,
) -> RunOutcome:
    """Answer a question from the norms in force on one day.

    Args:
        as_of: the day that the reader chose; if None, the day that the question names, else `today`.
        today: the current day; if None, the current day in Spain.
        background: the long text that the question was taken from: it tells the date, the place and the
            agreement that the question does not, and the facts of the case to a model.
        toolbox: with it, the model itself finds the evidence through the document tools. Without a model, or
            when it finds nothing, the ordinary stages do the search, and the notes of the answer say so.
        papers: documents of the person who asks, which the answer uses beside the law.
        length: how much the answer is to say.

    Model failures degrade stage by stage and are noted in the trace; cancelling the awaiting task
    cancels the model request under way.

    Raises:
        RunFailed: the corpus itself cannot be read.
    """
    state = _state(question, services, as_of, today, history=history, background=background)
    state.on_event, state.papers, state.length = on_event, papers, length
    stages = _stages(state)
    if toolbox is not None:
        state.deadline += services.profile.agent_seconds
        stages = _agent_stages(state, toolbox)
    trace = await _walk(stages, state, services)
    if state.answer is None:
        raise RuntimeError("the verify stage left no answer")
    return RunOutcome(state.answer, trace)


def _retrieval(state: State) -> Iterator[tuple[str, Stage]]:
    """From decomposition to assessment, and again from the search when nothing is found for a past day.

    A courtesy needs none of it.
    """
    if state.understanding.courtesy:
        return
    yield from STAGES[1:RETRIEVAL]
    if tries_today(state):
        yield from STAGES[SEARCH:RETRIEVAL]


def _stages(state: State) -> Iterator[tuple[str, Stage]]:
    yield STAGES[0]
    yield from _retrieval(state)
    yield from STAGES[RETRIEVAL:]


def _agent_stages(state: State, toolbox: Toolbox) -> Iterator[tuple[str, Stage]]:
    """The stages of an agent run; the search stages follow only if the investigation left no hits."""
    yield STAGES[0]
    if not state.understanding.courtesy:
        yield "agent", partial(investigate, toolbox=toolbox)
    if not state.hits:
        yield from _retrieval(state)
    yield from STAGES[RETRIEVAL:]


async def retrieve(
    question: str,
    services: Services,
    *,
    as_of: date | None = None,
    today: date | None = None,
    history: Sequence[Turn] = (),
    answered: bool = False,
) -> tuple[State, Trace]:
    """(state, trace) after the assessment: the hits that an answer would use, and the verdict on them.

    Args:
        answered: go on to the verified answer, in `state.answer`.

    Raises:
        RunFailed: the corpus itself cannot be read.
    """
    state = _state(question, services, as_of, today, history=history)
    stages = _stages(state) if answered else chain(STAGES[:1], _retrieval(state))
    return state, await _walk(stages, state, services)


def _state(
    question: str,
    services: Services,
    as_of: date | None,
    today: date | None,
    *,
    history: Sequence[Turn],
    background: str = "",
) -> State:
    today = today or today_in_spain()
    return State(
        question=visible(question),
        as_of=as_of or today,
        as_of_given=as_of is not None,
        today=today,
        history=tuple(map(read_turn, history)),
        background=visible(background),
        deadline=time.monotonic() + services.profile.run_budget_seconds,
        kept_seconds=services.profile.run_budget_seconds * KEPT,
    )


async def _walk(stages: Iterable[tuple[str, Stage]], state: State, services: Services) -> Trace:
    """The trace of the stages, run in order; see `RunFailed` for one that fails."""
    clock = time.perf_counter()
    trace = Trace(
        question=state.question,
        as_of=state.as_of,
        started_at=datetime.now(UTC),
        mode=services.mode,
        settings=services.fingerprints(),
    )
    records: list[AnyRecord] = []

    def closed(error: str = "") -> Trace:
        elapsed = (time.perf_counter() - clock) * 1000
        done = {"as_of": state.as_of, "stages": tuple(records), "elapsed_ms": elapsed, "error": error}
        return trace.model_copy(update=done)

    try:
        with (
            asked_once(),
            one_run([*(turn.text for turn in state.history), state.background, state.question]),
        ):
            services = await asyncio.to_thread(services.for_one_run)
            await _each(stages, state, services, records)
    except ArticuladoError as error:
        raise RunFailed(error, closed(str(error))) from error
    return closed()


async def _each(
    stages: Iterable[tuple[str, Stage]], state: State, services: Services, records: list[AnyRecord]
) -> None:
    """Run the stages, appending each one's record as it ends.

    With a reader model, the search on the raw question runs while the model decomposes it; it starts after
    `understand` because it needs the date. Without a model it is not run: decomposition takes no time, and
    the rules' queries say the same in better spelling.
    """
    clock = time.perf_counter()
    try:
        for name, stage in stages:
            if name == "decompose" and services.reader is not None:
                state.raw_search = asyncio.ensure_future(search_raw(state, services))
            if name == "search" and state.papers is not None and state.own_search is None:
                state.own_search = asyncio.ensure_future(search_papers(state, services))
            state.on_event(Event("stage_started", name))
            started = time.perf_counter()
            record = await stage(state, services)
            elapsed = (time.perf_counter() - started) * 1000
            timing = {"started_ms": (started - clock) * 1000, "elapsed_ms": elapsed}
            records.append(record.model_copy(update=timing))
            state.on_event(Event("stage_finished", name, elapsed, record.fallback))
    finally:
        for task in (state.raw_search, state.own_search):
            if task is not None:
                task.cancel()
