"""Questions of one person that a program asks for them, as `service.contract.answers` has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from core.errors import ArticuladoError
from domain.accounts import LOCAL_USER, Identity, Permission
from domain.audit import AuditAction
from rag.run.runs import Run, RunRegistry, askable
from rag.shared.messages import MessageState
from service.contract.answers import NEW, AnswerDocument, AskRequest, answer_document
from service.members.own import Own, OwnConversations, OwnRuns
from service.oversight.audit import Trail

if TYPE_CHECKING:
    from service.program.assembly import App

STOPPED = "La respuesta se detuvo antes de terminar."


class Unanswered(ArticuladoError):
    """The answer failed or was stopped; the text says why."""


class Asking(Own):
    """Answers to questions."""

    permission = Permission.ASK

    def __init__(self, allow: Callable[[Permission], App], identity: Identity, trail: Trail) -> None:
        super().__init__(allow, identity, trail)
        self._conversations = OwnConversations(allow, identity, trail)
        self._runs = OwnRuns(allow, identity, trail)
        self._registry: RunRegistry | None = None

    def start(self, request: AskRequest) -> Run:
        """Begin to answer, at the length that the person has chosen for their answers.

        Raises:
            Forbidden: the person may not ask.
            InputError, QuotaExceeded, NotFound: see `RunRegistry.start`.
        """
        question, program = askable(request.question), self._program()
        self._registry = program.runs
        day, agent = request.as_of, request.agent
        length = program.database.preferences.read(self._identity.id).length
        conversation = request.conversation
        if conversation is None and self._identity.id == LOCAL_USER:
            self._trail.record(AuditAction.ASKED)
            return program.runs.start_unkept(LOCAL_USER, question, day, agent=agent, length=length)
        if conversation in (None, NEW):
            conversation = self._conversations.create(question).id
        run: Run = self._runs.start(conversation, question, day, agent=agent, length=length)
        return run

    def stop(self, run: Run) -> None:
        """Cancel an answer that `start` gave, whatever has become of the permission since."""
        if self._registry is not None:
            self._registry.stop(run.owner, run.message_id)

    def again(self, run: Run) -> Run:
        """A run that `start` gave, with its answer as it is kept by now. Raises NotFound: it is deleted."""
        if run.alive or not run.conversation_id:
            return run
        _, message = self._conversations.exchange(run.message_id)
        return replace(run, answer=message.answer, trace=self._conversations.trace(run.message_id))

    @staticmethod
    def document(run: Run) -> AnswerDocument:
        """The answer of a run that has ended. Raises Unanswered."""
        if run.state is MessageState.COMPLETE and run.answer and run.trace:
            return answer_document(run.answer, run.trace, run.conversation_id)
        stopped = run.state in (MessageState.STOPPED, MessageState.INTERRUPTED)
        raise Unanswered(STOPPED if stopped else run.text or STOPPED)
