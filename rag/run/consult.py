"""A consultation: the text of a person, answered question by question when it asks several.

A short text is one question, as the pipeline answers it. A long one (a client's e-mail) is split, by the
reader model or by rules, and each of its questions is a run of its own that knows the text it comes from.
"""

import asyncio
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from core.clock import today_in_spain
from masking.vault import one_run
from models.chat import Turn
from models.failed_endpoints import Failures, asked_once
from rag.answers.joined_answers import headed, joined
from rag.question.consultation import is_of_law, read_turn
from rag.run.pipeline import RunFailed, RunOutcome, run_stages
from rag.shared.asking import cut
from rag.shared.case_papers import Papers
from rag.shared.cited_answer import Answer, AnswerLength
from rag.shared.state import Event, OnEvent, Services
from rag.shared.trace import Trace
from rag.stages.split import SHOWN, reads_as_several, split_consultation
from rag.tools.tool_contract import Toolbox
from text.textnorm import visible

AT_ONCE = 3
"""Questions that a model answers at the same time; without one, a question uses every core."""
DOUBTFUL = 0.3
"""Confidence below which the answer to what has no word of law is not shown: it may be no question."""


async def consult(
    text: str,
    services: Services,
    *,
    as_of: date | None = None,
    today: date | None = None,
    history: Sequence[Turn] = (),
    on_event: OnEvent = lambda event: None,
    toolbox: Toolbox | None = None,
    papers: Papers | None = None,
    length: AnswerLength = AnswerLength.NORMAL,
) -> RunOutcome:
    """Answer a text; arguments and errors are those of `rag.run.pipeline.run_stages`."""
    text, today = visible(text), today or today_in_spain()
    history = [read_turn(turn) for turn in history]

    async def ask(question: str, before: Sequence[Turn], background: str, on_event: OnEvent) -> RunOutcome:
        return await run_stages(
            question,
            services,
            as_of=as_of,
            today=today,
            history=[*history, *before],
            background=background,
            on_event=on_event,
            toolbox=toolbox,
            papers=papers,
            length=length,
        )

    if not reads_as_several(text):
        return await ask(text, (), "", on_event)
    clock, started_at = time.perf_counter(), datetime.now(UTC)
    on_event(Event("stage_started", "split"))
    failed = Failures()
    with asked_once(failed), one_run([*(turn.text for turn in history), text]):
        questions, record = await split_consultation(text, services)
    record = record.model_copy(update={"elapsed_ms": (time.perf_counter() - clock) * 1000})
    on_event(Event("stage_finished", "split", record.elapsed_ms, record.fallback))
    if not questions:
        return await ask(text, (), "", on_event)
    told = _Told(record.questions, on_event)
    at_once = asyncio.Semaphore(AT_ONCE if services.reader else 1)

    async def answered(number: int) -> RunOutcome:
        one, before = questions[number], questions[max(0, number - 1) : number]
        async with at_once:
            started = told.begins(number)
            turns = [Turn(role="user", text=last.asked) for last in before]
            with asked_once(failed.of_part()):
                outcome = await ask(one.asked, turns, one.background, told.of(number))
            told.ends(number, started, outcome.answer.answer)
            return outcome

    outcomes = await _all(answered(number) for number in range(len(questions)))
    kept = [n for n, one in enumerate(outcomes) if is_of_law(questions[n].shown) or _answers(one.answer)]
    aside = [cut(one.shown, SHOWN) for n, one in enumerate(questions) if n not in kept]
    record = record.model_copy(update={"left_out": (*aside, *record.left_out)})
    answer = joined([questions[n].shown for n in kept], [outcomes[n].answer for n in kept], record.left_out)
    trace = Trace(
        question=text,
        as_of=answer.as_of or today,
        started_at=started_at,
        elapsed_ms=(time.perf_counter() - clock) * 1000,
        mode=services.mode,
        settings=services.fingerprints(),
        stages=(record,),
        parts=tuple(one.trace for one in outcomes),
    )
    return RunOutcome(answer, trace)


def _answers(answer: Answer) -> bool:
    return not answer.refusal and answer.confidence >= DOUBTFUL


async def _all(questions: Iterable[Coroutine[Any, Any, RunOutcome]]) -> list[RunOutcome]:
    """The outcomes, in order; the first failure cancels the rest. Raises RunFailed."""
    failed: tuple[BaseException, ...] = ()
    tasks: list[asyncio.Task[RunOutcome]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in questions]
    except* RunFailed as error:
        failed = error.exceptions
    if failed:
        raise failed[0]
    return [task.result() for task in tasks]


@dataclass
class _Told:
    """Progress of the questions as one: a stage for each, and the drafts one under another."""

    questions: Sequence[str]
    on_event: OnEvent
    drafts: dict[int, str] = field(default_factory=dict)

    def begins(self, number: int) -> float:
        self.on_event(Event("stage_started", f"question/{number + 1}"))
        return time.perf_counter()

    def of(self, number: int) -> OnEvent:
        """Receives the events of one question."""

        def hear(event: Event) -> None:
            if event.kind == "delta":
                self._draft(number, event.text)

        return hear

    def ends(self, number: int, started: float, text: str) -> None:
        self._draft(number, text)
        elapsed = (time.perf_counter() - started) * 1000
        self.on_event(Event("stage_finished", f"question/{number + 1}", elapsed))

    def _draft(self, number: int, text: str) -> None:
        self.drafts[number] = text
        shown = (headed(n, self.questions[n], self.drafts[n]) for n in sorted(self.drafts))
        self.on_event(Event("delta", "answer", text="\n\n".join(shown)))
