"""Agent mode: the model plans, calls the document tools and reads their results, within fixed limits.

The chunks that the tools showed become the context of the ordinary answer stage: an investigation chooses
the evidence, never the answer. Calls are functions where the endpoint has them, else XML in the model's own
replies, the only text parsed for calls; the tools defuse the text of documents.
"""

import asyncio
import json
import re
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from masking.masked import as_sent
from models.chat import ChatMessage, ChatModel, FunctionTool, ModelCall
from models.metering import tokens_sent, tokens_written
from rag.agent.opening_messages import LISTED, opening
from rag.agent.tool_findings import Found, fitted, shown
from rag.answers import calculations_used
from rag.answers.sufficiency import refusals
from rag.shared.asking import ask
from rag.shared.cited_answer import Verdict
from rag.shared.hits import SubQuery
from rag.shared.notices import Kind, Notice
from rag.shared.state import Event, Services, State
from rag.shared.trace import AgentCall, AgentRecord, AgentRound, Candidate
from rag.tools.calculation import NAME as CALCULATION
from rag.tools.function_calls import read_calls
from rag.tools.tool_calls import ToolCall, ToolFailure, ToolOutcome
from rag.tools.tool_contract import Toolbox, function_tools
from rag.tools.tool_texts import render
from rag.tools.xml_calls import parse

ROUND = "agent/"
MAX_FAILURES = 3
MAX_OUTPUT = 20_000

ENDED = {
    "rounds": "La investigación llegó a su máximo de rondas: se responde con lo encontrado.",
    "tokens": "La investigación agotó su presupuesto de tokens: se responde con lo encontrado.",
    "time": "La investigación agotó su tiempo: se responde con lo encontrado.",
    "failures": "Tres búsquedas seguidas fallaron y se dejó de buscar: se responde con lo encontrado.",
    "loop": "El modelo repetía las mismas búsquedas y se le detuvo: se responde con lo encontrado.",
    "model": "El modelo falló durante la investigación ({error}): se responde con lo encontrado.",
}
NO_MODEL = "no hay ningún modelo configurado"
FAILED = "el modelo no respondió ({error})"
TOO_SMALL = "el presupuesto de tokens no alcanza ni para empezar"
NOTHING = "la investigación no encontró ningún texto"
ORDINARY = "Modo investigación: {reason}; se ha seguido la consulta ordinaria."
AGAIN = "♻ Llamada repetida: este es el resultado que ya se dio. Otra repetición termina la investigación.\n"
NEXT = (
    "Ronda {number} de {rounds} hecha. Pida lo que falte con más llamadas, o escriba LISTO| y los ID de los "
    "fragmentos que sirven para contestar, separados por comas; puede hacer las dos cosas a la vez."
)
_DONE = re.compile(r"^[\s*`]*LISTO\b[\s*`.]*(?:\|(?P<chosen>[^\n]*))?$", re.M)


async def investigate(state: State, services: Services, toolbox: Toolbox) -> AgentRecord:
    """Fill `state.hits` with the chunks found; none, with a notice, when the ordinary stages must search.

    The verdict is PARTIAL when a limit or a failure ended the investigation, or when the question itself
    points outside the corpus.
    """
    if services.principal is None:
        return _noted(AgentRecord(ended="no_model"), ORDINARY.format(reason=NO_MODEL), state)
    work = _Investigation(services.principal, state, services, toolbox)
    ended = await work.run()
    state.hits = await asyncio.to_thread(work.found.hits, services.store, work.chosen)
    record = AgentRecord(
        ended=ended,
        rounds=tuple(work.rounds),
        tokens=work.spent,
        context=tuple(map(Candidate.of, state.hits)),
        calls=tuple(work.calls),
    )
    state.notices += calculations_used.notices(state)
    error = work.calls[-1].error.rstrip(".") if work.calls else ""
    if not state.hits:
        begun = NOTHING if work.rounds else FAILED.format(error=error) if work.calls else TOO_SMALL
        return _noted(record, ORDINARY.format(reason=begun), state)
    state.queries = [SubQuery(text=state.asked)]
    outside = refusals(state)
    state.verdict = Verdict.SUFFICIENT if ended == "done" and not outside else Verdict.PARTIAL
    state.notices += [Notice(Kind.LAW, one) for one in outside]
    if ended == "done":
        return record
    return _noted(record, ENDED[ended].format(error=error), state)


def _noted(record: AgentRecord, told: str, state: State) -> AgentRecord:
    state.notices.append(Notice(Kind.SEARCH, told))
    return record.model_copy(update={"fallback": told})


@dataclass
class _Investigation:
    """The rounds of one question.

    Attributes:
        seen: outcome of every call made, by `_key`.
        functions: the tools as functions of the model; without them, calls are XML.
        failures: failed calls in a row.
        warned: a round of repeated calls only has already been given the earlier results.
        chosen: ids of the chunks that the model says it needs; empty if it names none of those found.
    """

    model: ChatModel
    state: State
    services: Services
    toolbox: Toolbox
    found: Found = field(default_factory=Found)
    rounds: list[AgentRound] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    messages: list[ChatMessage] = field(default_factory=list)
    functions: tuple[FunctionTool, ...] = ()
    seen: dict[str, ToolOutcome] = field(default_factory=dict)
    chosen: frozenset[str] = frozenset()
    spent: int = 0
    failures: int = 0
    warned: bool = False
    deadline: float = 0.0

    async def run(self) -> str:
        """Run rounds until the model has enough or a limit is met; returns why (`AgentRecord.ended`)."""
        profile = self.services.profile
        self.deadline = time.monotonic() + profile.agent_seconds
        await self._open()
        for number in range(1, profile.agent_rounds + 1):
            if self._seconds() <= 0:
                return "time"
            if self.spent + tokens_sent(self.messages, self.functions) > profile.agent_tokens:
                return "tokens"
            name, clock = f"{ROUND}{number}", time.perf_counter()
            self.state.on_event(Event("stage_started", name))
            ended, note = await self._round(number, clock)
            self.state.on_event(
                Event("stage_finished", name, (time.perf_counter() - clock) * 1000, text=note)
            )
            if ended:
                return ended
        return "rounds"

    async def _open(self) -> None:
        self.functions = function_tools() if self.model.calls_functions else ()
        told = (self.state, self.services, self.toolbox.library, bool(self.functions))
        self.messages = await asyncio.to_thread(opening, *told)

    def _seconds(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    async def _round(self, number: int, clock: float) -> tuple[str, str]:
        """Run one reply and its calls; returns (reason to end or '', note for the reader)."""
        done, call = await self._ask()
        tokens = call.prompt_tokens + call.completion_tokens
        if done is not None and not tokens:
            tokens = tokens_sent(self.messages, self.functions) + tokens_written(call)
        self.spent += tokens
        if done is None:
            return ("time" if self._seconds() <= 0 else "model"), call.error
        wanted = read_calls(done.calls) if self.functions else parse(done.output)
        before = len(self.found)
        ended, pairs = await self._execute(wanted)
        profile = self.services.profile
        given = fitted([outcome for outcome, _ in pairs], profile.agent_result_chars)
        made = [
            await self._take(outcome, kept, repeated)
            for (outcome, repeated), (_, kept) in zip(pairs, given, strict=True)
        ]
        if (finished := _DONE.search(done.output)) is not None:
            ended = ended or "done"
            asked = {chunk_id for outcome, _ in pairs for chunk_id in outcome.asked_ids}
            await self._choose(finished["chosen"] or "", asked)
        results: list[ChatMessage] = []
        if given:
            told = NEXT.format(number=number, rounds=profile.agent_rounds)
            results = self._results(done, [outcome for outcome, _ in given], told)
            said = ChatMessage(role="assistant", content=done.output[:MAX_OUTPUT], items=done.items)
            self.messages += [said, *results]
        self.rounds.append(
            AgentRound(
                output=done.output,
                calls=tuple(made),
                results=self._as_sent(results),
                tokens=tokens,
                elapsed_ms=(time.perf_counter() - clock) * 1000,
            )
        )
        return ended, _note(len(made), len(self.found) - before)

    async def _choose(self, written: str, asked: Collection[str]) -> None:
        """Keep the chunks whose ids the model wrote, if any was found, and those its last calls named."""
        named: set[str] = set()
        for chunk_id in re.split(r"[\s,;]+", written.strip(" *`."))[:LISTED]:
            with suppress(ToolFailure):
                chunk = await asyncio.to_thread(self.toolbox.library.chunk, chunk_id, self.state.as_of)
                named |= {chunk.id} if chunk.id in self.found else set()
        if named:
            self.chosen = frozenset({*named, *(one for one in asked if one in self.found)})

    async def _ask(self) -> tuple[ModelCall | None, ModelCall]:
        """Ask for the next reply; again, for XML, when the endpoint turns out to have no functions.

        Only the first record holds its messages, and none the reply as the endpoint wants it back.
        """
        done, call = await ask(self.model, self.messages, self._seconds(), tools=self.functions)
        unsent: dict[str, Any] = {"items": ()} | ({"messages": ()} if self.calls else {})
        self.calls.append(call.model_copy(update=unsent))
        if done is None and self.functions and not self.rounds and not self.model.calls_functions:
            await self._open()
            return await self._ask()
        return done, call

    def _results(self, done: ModelCall, outcomes: list[ToolOutcome], told: str) -> list[ChatMessage]:
        """The messages that tell the outcomes of the calls in a reply, in order."""
        if not self.functions:
            text = render(outcomes, self.state.question, instructed=False)
            return [ChatMessage(role="user", content=f"{text}\n\n{told}")]
        # Each call wants its answer: the last outcome stands for the calls that were too many.
        last = len(outcomes) - 1
        answers = [
            ChatMessage(role="tool", content=outcomes[min(place, last)].text, call_id=call.id)
            for place, call in enumerate(done.calls)
        ]
        return [*answers, ChatMessage(role="user", content=told)]

    def _as_sent(self, results: list[ChatMessage]) -> str:
        """The results as the next round sends them."""
        sent = as_sent(self.model, results)[-len(results) :] if results else []
        return "\n\n".join(message.content for message in sent)

    async def _execute(self, wanted: list[ToolCall]) -> tuple[str, list[tuple[ToolOutcome, bool]]]:
        """Run the calls in order; returns (reason to end or '', (outcome, True if repeated) of each)."""
        if not wanted:
            return "done", []
        if all(_key(call) in self.seen for call in wanted):
            if self.warned:
                return "loop", []
            self.warned = True
        pairs: list[tuple[ToolOutcome, bool]] = []
        for call in wanted:
            if (earlier := self.seen.get(_key(call))) is not None:
                pairs.append((earlier.model_copy(update={"text": AGAIN + earlier.text}), True))
                continue
            try:
                async with asyncio.timeout(self._seconds()):
                    outcome = await self.toolbox.execute(
                        call, as_of=self.state.as_of, question=self.state.question
                    )
            except TimeoutError:
                return "time", pairs
            self.seen[_key(call)] = outcome
            pairs.append((outcome, False))
            self._count(outcome)
            if self.failures >= MAX_FAILURES:
                return "failures", pairs
        return "", pairs

    def _count(self, outcome: ToolOutcome) -> None:
        """Count a failure or end the row of them; a question for the data of a calculation does neither."""
        if not outcome.ok:
            self.failures += 1
        elif outcome.calculation or outcome.name != CALCULATION:
            self.failures = 0
        if outcome.calculation and outcome.calculation not in self.state.calculated:
            self.state.calculated.append(outcome.calculation)

    async def _take(self, outcome: ToolOutcome, kept: int, repeated: bool) -> AgentCall:
        """Add the chunks shown in the `kept` characters of a call; returns the call's trace record."""
        ids: tuple[str, ...] = ()
        if not repeated:
            ids = await asyncio.to_thread(shown, outcome, kept, self.toolbox.library, self.state.as_of)
            self.found.add(outcome.name, ids)
        return AgentCall(
            name=outcome.name,
            values=outcome.values,
            error=outcome.error,
            fallback=outcome.fallback,
            repeated=repeated,
            found=outcome.result.total_found if outcome.result else 0,
            chunk_ids=ids,
            elapsed_ms=0.0 if repeated else outcome.elapsed_ms,
        )


def _key(call: ToolCall) -> str:
    """Identity of a call, independent of the order of its parameters."""
    return json.dumps([call.name, call.problem, call.values], sort_keys=True, default=str)


def _note(calls: int, fragments: int) -> str:
    if not calls:
        return "sin más búsquedas"
    searches = "1 búsqueda" if calls == 1 else f"{calls} búsquedas"
    return f"{searches}, {fragments} {'pasaje nuevo' if fragments == 1 else 'pasajes nuevos'}"
