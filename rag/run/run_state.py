"""State of an answer under way, written by its run and read by a page."""

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from core.turns import Place
from models.metering import Meter
from rag.shared.cited_answer import Answer, AnswerLength
from rag.shared.messages import MessageState
from rag.shared.state import Event
from rag.shared.trace import Trace


@dataclass
class StageProgress:
    """One line of the live view."""

    name: str
    elapsed_ms: float | None = None
    note: str = ""


@dataclass
class Run:
    """An answer in progress, which a page may poll from another thread.

    Attributes:
        begun: set at the first stage, or at the end without one.
        started: seconds of `time.monotonic`.
        task: the task to cancel, from the loop's thread only; None before its first step and while the
            answer is being stored.
        conversation_id: '' if it is kept nowhere; its `message_id` is negative then.
        turn: its place among the answers; None where they need none.
        answer, trace: of a complete answer.
    """

    message_id: int
    conversation_id: str
    owner: str
    question: str
    agent: bool = False
    length: AnswerLength = AnswerLength.NORMAL
    state: MessageState = MessageState.RUNNING
    stages: list[StageProgress] = field(default_factory=list)
    text: str = ""
    begun: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    meter: Meter = field(default_factory=Meter)
    started: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None
    cancelled: bool = False
    answer: Answer | None = None
    trace: Trace | None = None
    turn: Place | None = None
    _listeners: list[Callable[[], None]] = field(default_factory=list)

    def listen(self, listener: Callable[[], None]) -> None:
        """Have `listener` called after each change, from any thread; it must neither wait nor raise."""
        self._listeners.append(listener)

    def changed(self) -> None:
        """Tell the listeners."""
        for listener in self._listeners:
            listener()

    @property
    def ahead(self) -> int:
        """Number of answers that begin before this one."""
        return self.turn.ahead if self.turn else 0

    @property
    def alive(self) -> bool:
        return not self.done.is_set()

    def on_event(self, event: Event) -> None:
        if event.kind == "stage_started":
            self.stages.append(StageProgress(event.stage))
            self.begun.set()
        elif event.kind == "stage_finished":
            line = next((s for s in self.stages if s.name == event.stage and s.elapsed_ms is None), None)
            if line is not None:
                line.elapsed_ms, line.note = event.elapsed_ms, event.text
        else:
            self.text = event.text
        self.changed()
