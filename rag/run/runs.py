"""Answers in progress: owned by the process, not by a page, so that a refresh loses nothing.

One asyncio loop in its own thread runs every answer; cancelling a task closes its model connection at
once. The question and a pending answer are stored before work starts, and the growing answer is
checkpointed, so that a dead process leaves an interrupted answer and never loses one.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from datetime import date
from functools import partial
from itertools import count

from core.clock import today_in_spain
from core.errors import ArticuladoError, IndexUnavailable, InputError
from core.processor import PROCESSOR
from core.turns import Place, Turns
from models.chat import Turn
from models.metering import meter_here
from rag.run.consult import consult
from rag.run.conversation_store import ConversationStore
from rag.run.pipeline import RunFailed, RunOutcome
from rag.run.run_state import Run, StageProgress
from rag.run.safekeeping import store
from rag.shared.case_papers import Papers
from rag.shared.cited_answer import Answer, AnswerLength
from rag.shared.messages import MessageState
from rag.shared.state import Services
from rag.shared.trace import Trace
from rag.tools.tool_contract import Toolbox
from text.textnorm import visible

__all__ = ["Run", "RunRegistry", "StageProgress"]

logger = logging.getLogger(__name__)

CHECKPOINT_SECONDS = 2.0
STALE_SECONDS = 7.0
SIGN_THREADS, END_THREADS = 2, 4
MANY = Turns(1_000, 1_000, 1_000, 1_000)
MAX_QUESTION = 20_000
"""Characters of a question, or of a text with several."""
TOO_LONG = (
    "Su texto tiene {length:,} caracteres y el máximo es {most:,}: abrévielo o divídalo en varias consultas."
)
RESTARTING = "Articulado se está reiniciando: repita la pregunta dentro de un minuto."
INTERNAL_ERROR = "La respuesta no se pudo completar por un error interno. Vuelva a intentarlo."

SEARCH_DOWN = (
    "La búsqueda no está disponible en este momento, así que no se ha podido responder. Su pregunta está"
    " guardada: vuelva a hacerla dentro de un momento. Para quien administra la aplicación: {reason}"
)


def askable(text: str) -> str:
    """The text as it is asked. Raises InputError: it is empty or too long."""
    text = visible(text).strip()
    if not text:
        raise InputError("Escriba una pregunta.")
    if len(text) > MAX_QUESTION:
        raise InputError(TOO_LONG.format(length=len(text), most=MAX_QUESTION).replace(",", "."))
    return text


class RunRegistry:
    """Starts, follows and stops answers. Every method may be called from any thread."""

    def __init__(
        self,
        services: Callable[[], Services],
        conversations: ConversationStore,
        toolbox: Callable[[], Toolbox],
        *,
        history_messages: int,
        on_finished: Sequence[Callable[[Run, Trace | None], None]] = (),
        papers: Callable[[str, str], Papers | None] = lambda _owner, _conversation: None,
        turns: Turns = MANY,
    ) -> None:
        """Start the loop's thread and the search for interrupted answers.

        Args:
            on_finished: called after each answer, stored or not, complete or not; their exceptions are
                logged and change nothing.
            papers: the documents that a question of an owner's conversation may use, or None.
            turns: that each answer waits for.
        """
        self._services = services
        self._on_finished = on_finished
        self._conversations = conversations
        self._toolbox = toolbox
        self._history_messages = history_messages
        self._papers = papers
        self._turns = turns
        self._lock = threading.Lock()
        self._no_start = threading.Condition(self._lock)
        self._starting: set[str] = set()
        self._runs: dict[int, Run] = {}
        self._unkept = count(1)
        self._closed = False
        self._draining = False
        self._ending = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="answers")
        self._thread.start()
        # Not asyncio's own threads: slow searches and waiting for the index may take all of those.
        self._signs = ThreadPoolExecutor(SIGN_THREADS, "answers-alive")
        self._ends = ThreadPoolExecutor(END_THREADS, "answers-end")
        asyncio.run_coroutine_threadsafe(self._recover(), self._loop)

    def start(
        self,
        owner: str,
        conversation_id: str,
        question: str,
        as_of: date | None = None,
        *,
        agent: bool = False,
        replaces: int | None = None,
        length: AnswerLength = AnswerLength.NORMAL,
    ) -> Run:
        """Store the question, then start answering it.

        Args:
            agent: the model itself searches for it.
            replaces: id of a question of the conversation: this is another version of it, which is kept.
            length: how much the answer is to say.

        Raises:
            InputError: the question is empty or too long, an answer of this conversation is under way, the
                program is restarting, or the owner has used up the day's quota (QuotaExceeded).
            TooManyWaiting: too many questions of the owner wait.
            NotFound: the conversation is not this owner's, or has no such question.
        """
        question = askable(question)
        with self._lock:
            if self._draining:
                raise InputError(RESTARTING)
            under_way = (run.conversation_id for run in self._runs.values())
            if conversation_id in self._starting or conversation_id in under_way:
                raise InputError("Espere a que termine la respuesta en curso o deténgala.")
            self._starting.add(conversation_id)
        # Without the lock: every page that follows an answer needs it, and the database may be slow.
        try:
            turn, begun = self._turn(owner)
            try:
                asked, pending = self._conversations.ask(owner, conversation_id, question, as_of, replaces)
            except BaseException:
                turn.end()
                raise
            current = Run(pending.id, conversation_id, owner, question, agent, length, turn=turn)
            with self._lock:
                self._runs[pending.id] = current
                asyncio.run_coroutine_threadsafe(self._answer(current, asked.id, as_of, begun), self._loop)
        finally:
            with self._lock:
                self._starting.remove(conversation_id)
                self._no_start.notify_all()
        return current

    def start_unkept(
        self,
        owner: str,
        question: str,
        as_of: date | None = None,
        *,
        agent: bool = False,
        length: AnswerLength = AnswerLength.NORMAL,
    ) -> Run:
        """Start to answer a question that is stored nowhere; only the returned run has the answer.

        Raises:
            InputError: the question is empty or too long, or the program is restarting.
            TooManyWaiting: too many questions of the owner wait.
        """
        question = askable(question)
        with self._lock:
            if self._draining:
                raise InputError(RESTARTING)
            turn, begun = self._turn(owner)
            current = Run(-next(self._unkept), "", owner, question, agent, length, turn=turn)
            self._runs[current.message_id] = current
            asyncio.run_coroutine_threadsafe(self._answer(current, 0, as_of, begun), self._loop)
        return current

    def _turn(self, owner: str) -> tuple[Place, asyncio.Event]:
        """A turn, and what is set when it comes."""
        begun = asyncio.Event()
        return self._turns.take(owner, partial(self._loop.call_soon_threadsafe, begun.set)), begun

    def stop(self, owner: str, message_id: int) -> None:
        """Cancel the answer; its text so far stays, marked as stopped."""
        with self._lock:
            current = self._runs.get(message_id)
        if current is not None and current.owner == owner:
            self._loop.call_soon_threadsafe(_cancel, current)

    def active(self, owner: str, conversation_id: str) -> Run | None:
        """The answer under way in that conversation, if any."""
        with self._lock:
            own = (run for run in self._runs.values() if run.owner == owner)
            return next((run for run in own if run.conversation_id == conversation_id), None)

    def of(self, owner: str) -> list[Run]:
        """The answers under way of that owner that are kept in a conversation."""
        with self._lock:
            return [run for run in self._runs.values() if run.owner == owner and run.conversation_id]

    @property
    def under_way(self) -> int:
        with self._lock:
            return len(self._runs)

    def drain(self, seconds: float) -> int:
        """Refuse new questions and wait for the answers under way; returns how many did not end in time."""
        with self._lock:
            self._draining = True
            entries = self._started(seconds)
        return _not_ended(entries, seconds)

    def close(self, seconds: float = 5.0) -> None:
        """Cancel the answers under way, store them as interrupted and stop the loop."""
        with self._lock:
            if self._closed:
                return
            self._closed = self._draining = True
            entries = self._started(seconds)
        self._loop.call_soon_threadsafe(self._ending.set)
        for current in entries:
            current.state = MessageState.INTERRUPTED
            self._loop.call_soon_threadsafe(_cancel, current)
        _not_ended(entries, seconds)
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result(seconds)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(seconds)
        # Work already begun goes on; closing does not wait for an unreachable database.
        self._signs.shutdown(wait=False)
        self._ends.shutdown(wait=False)

    def _started(self, seconds: float) -> list[Run]:
        """The answers under way, once every question being stored has started. Call it with the lock."""
        self._no_start.wait_for(lambda: not self._starting, seconds)
        return list(self._runs.values())

    async def _answer(self, current: Run, question_id: int, as_of: date | None, begun: asyncio.Event) -> None:
        meter_here(current.meter)
        logger.info("answer %s begins", current.message_id, extra={"answer": current.message_id})
        checkpoints = asyncio.ensure_future(self._checkpoint(current)) if current.conversation_id else None
        outcome: RunOutcome | None = None
        trace: Trace | None = None
        state, text = MessageState.FAILED, INTERNAL_ERROR
        current.task = asyncio.current_task()
        try:
            if current.cancelled:
                raise asyncio.CancelledError
            await begun.wait()
            # In a thread, and in one: the index may take minutes to get ready, and each change of threads
            # beside pages that are being drawn takes a hundredth of a second.
            history, papers, services = await asyncio.to_thread(self._begin, current, question_id)
            toolbox = await asyncio.to_thread(self._toolbox) if current.agent else None
            async with AsyncExitStack() as held:
                if services.mode != "model":
                    await held.enter_async_context(PROCESSOR.awaited(current.owner))
                outcome = await consult(
                    current.question,
                    services,
                    as_of=as_of,
                    today=today_in_spain(),
                    history=history,
                    on_event=current.on_event,
                    toolbox=toolbox,
                    papers=papers,
                    length=current.length,
                )
            state, text, trace = MessageState.COMPLETE, outcome.answer.answer, outcome.trace
            current.answer, current.trace = outcome.answer, outcome.trace
        except asyncio.CancelledError:
            interrupted = current.state is MessageState.INTERRUPTED
            state = MessageState.INTERRUPTED if interrupted else MessageState.STOPPED
            text = current.text
        except RunFailed as error:
            text, trace = _told(error.error), error.trace
        except ArticuladoError as error:
            text = _told(error)
        except Exception:
            logger.exception("answer %s failed", current.message_id)
        finally:
            current.task = None
            if checkpoints is not None:
                checkpoints.cancel()
            await self._finish(current, state, text, outcome.answer if outcome else None, trace)

    async def _finish(
        self, current: Run, state: MessageState, text: str, answer: Answer | None, trace: Trace | None
    ) -> None:
        """Store the end of an answer. If that fails, `_recover` later marks the answer as interrupted."""
        write = partial(self._conversations.finish, current.message_id, state, text, answer, trace)
        ended = MessageState.FAILED
        try:
            if current.conversation_id:
                await store(write, f"answer {current.message_id}", self._ending, self._ends)
            ended, current.text = state, text
        except Exception:
            logger.exception("answer %s could not be stored", current.message_id)
        finally:
            current.state = ended
            _tell_end(current, trace)
            # In a thread: it waits for the lock, and `on_finished` for the database.
            self._loop.run_in_executor(self._ends, self._let_go, current, trace)

    def _let_go(self, current: Run, trace: Trace | None) -> None:
        with self._lock:
            self._runs.pop(current.message_id, None)
        if current.turn is not None:
            current.turn.end()
        for tell in self._on_finished:
            try:
                tell(current, trace)
            except Exception:
                logger.exception("after answer %s", current.message_id)
        current.begun.set()
        current.done.set()
        current.changed()

    def _begin(self, current: Run, question_id: int) -> tuple[list[Turn], Papers | None, Services]:
        """The earlier turns and the documents of its conversation, and the open index."""
        place = current.owner, current.conversation_id
        told = (*place, question_id, self._history_messages)
        history = self._conversations.history(*told) if current.conversation_id else []
        return history, self._papers(*place), self._services()

    async def _checkpoint(self, current: Run) -> None:
        """Store the growing text every few seconds; each write is the sign of life that `_recover` checks."""
        while True:
            await asyncio.sleep(CHECKPOINT_SECONDS)
            try:
                await self._loop.run_in_executor(
                    self._signs, self._conversations.checkpoint, current.message_id, current.text
                )
            except ArticuladoError:
                logger.warning("checkpoint of answer %s failed; trying again", current.message_id)

    async def _recover(self) -> None:
        """Mark as interrupted, every few seconds, the answers of any process without a sign of life."""
        while True:
            try:
                found = await self._loop.run_in_executor(
                    self._signs, self._conversations.recover, STALE_SECONDS
                )
                if found:
                    logger.warning("%d answers whose process is gone are told as interrupted", found)
            except ArticuladoError:
                logger.warning("interrupted answers could not be looked for; trying again")
            await asyncio.sleep(STALE_SECONDS)


def _cancel(current: Run) -> None:
    """Cancel an answer; runs in the loop's thread. A task that has not begun checks `cancelled` itself."""
    current.cancelled = True
    if current.task is not None:
        current.task.cancel()


def _not_ended(entries: Sequence[Run], seconds: float) -> int:
    """Wait up to `seconds` for the answers to end; returns how many did not."""
    deadline = time.monotonic() + seconds
    return sum(not run.done.wait(max(0.0, deadline - time.monotonic())) for run in entries)


async def _cancel_all() -> None:
    """Cancel every other task of this loop: asyncio complains on stderr about tasks pending at exit."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _tell_end(current: Run, trace: Trace | None) -> None:
    """Log the end of an answer, without any text of the question or the answer."""
    facts = {
        "answer": current.message_id,
        "state": current.state.value,
        "seconds": round(time.monotonic() - current.started, 2),
        "mode": trace.mode if trace else "unknown",
    }
    logger.info("answer %(answer)s ends: %(state)s after %(seconds)s s, mode %(mode)s", facts, extra=facts)


def _told(error: ArticuladoError) -> str:
    """The Spanish text shown in place of an answer that failed."""
    return SEARCH_DOWN.format(reason=error) if isinstance(error, IndexUnavailable) else str(error)
