"""Stores with their owner filled in: no caller can name another person's.

Each asks for its store at every call, which is when session and permission are checked: what a
page drawn an hour ago still holds is worth nothing once they are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from domain.audit import AuditAction
from domain.reviews import (
    Feedback,
    Judgment,
    QueueFilter,
    QueuePage,
    QueueSort,
    ReviewItem,
    ReviewVerdict,
    Vote,
)
from rag.evaluation.background import EvaluationRunner, Progress
from rag.evaluation.cases import Dataset
from rag.evaluation.reviewed import CorrectCitation, ReviewCase
from rag.evaluation.types import CaseResult, Evaluation
from rag.ports import ConversationStore
from rag.runs import Run, RunRegistry
from rag.trace import Trace
from rag.types import Conversation, Message, Turn
from service.oversight.audit import Trail
from storage.feedback import SqlFeedbackStore
from storage.reviews import SqlReviewStore


class OwnConversations:
    """A person's own conversations; see `ConversationStore`."""

    def __init__(self, store: Callable[[], ConversationStore], owner: str, trail: Trail) -> None:
        self._store = store
        self._owner = owner
        self._trail = trail

    def create(self, title: str) -> Conversation:
        return self._store().create(self._owner, title)

    def conversations(self, limit: int = 50) -> list[Conversation]:
        return self._store().conversations(self._owner, limit)

    def conversation(self, conversation_id: str) -> Conversation:
        return self._store().conversation(self._owner, conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        store = self._store()
        with self._trail.doing(AuditAction.CHANGED, conversation_id, what="title"):
            store.rename(self._owner, conversation_id, title)

    def delete(self, conversation_id: str) -> None:
        store = self._store()
        with self._trail.doing(AuditAction.DELETED, conversation_id, what="conversation"):
            store.delete(self._owner, conversation_id)

    def messages(self, conversation_id: str, limit: int = 20, before: int | None = None) -> list[Message]:
        return self._store().messages(self._owner, conversation_id, limit, before)

    def history(self, conversation_id: str, before: int, limit: int) -> list[Turn]:
        return self._store().history(self._owner, conversation_id, before, limit)

    def trace(self, message_id: int) -> Trace | None:
        return self._store().trace(self._owner, message_id)


class OwnRuns:
    """A person's own answers in progress; see `RunRegistry`."""

    def __init__(self, registry: Callable[[], RunRegistry], owner: str, trail: Trail) -> None:
        self._registry = registry
        self._owner = owner
        self._trail = trail

    def start(
        self, conversation_id: str, question: str, as_of: date | None = None, *, agent: bool = False
    ) -> Run:
        registry = self._registry()
        with self._trail.doing(AuditAction.ASKED, conversation_id, agent="yes" if agent else ""):
            return registry.start(self._owner, conversation_id, question, as_of, agent=agent)

    def stop(self, message_id: int) -> None:
        self._registry().stop(self._owner, message_id)

    def active(self, conversation_id: str) -> Run | None:
        return self._registry().active(self._owner, conversation_id)


class OwnVotes:
    """A person's votes on their own answers; see `SqlFeedbackStore`."""

    def __init__(self, store: Callable[[], SqlFeedbackStore], owner: str, trail: Trail) -> None:
        self._store = store
        self._owner = owner
        self._trail = trail

    def feedback(self, message_id: int) -> Feedback | None:
        return self._store().feedback(self._owner, message_id)

    def vote(self, message_id: int, vote: Vote, comment: str = "") -> Feedback:
        store = self._store()
        with self._trail.doing(AuditAction.VOTED, message_id, vote=vote.value):
            return store.vote(self._owner, message_id, vote, comment)

    def withdraw(self, message_id: int) -> None:
        store = self._store()
        with self._trail.doing(AuditAction.VOTED, message_id, vote="none"):
            store.withdraw(self._owner, message_id)


class OwnReviews:
    """The review queue as one reviewer sees it; see `SqlReviewStore`."""

    def __init__(self, store: Callable[[], SqlReviewStore], reviewer: str, trail: Trail) -> None:
        self._store = store
        self._reviewer = reviewer
        self._trail = trail

    def queue(
        self, where: QueueFilter, sort: QueueSort = QueueSort.NEWEST, offset: int = 0, limit: int = 50
    ) -> QueuePage:
        store = self._store()
        found = store.queue(self._reviewer, where, sort, offset, limit)
        self._trail.once(AuditAction.READ, "queue")
        return found

    def matters(self) -> list[str]:
        return self._store().matters()

    def item(self, message_id: int, turns: int) -> ReviewItem:
        store = self._store()
        found = store.item(self._reviewer, message_id, turns)
        self._trail.once(AuditAction.READ, message_id, what="answer")
        return found

    def answer_trace(self, message_id: int) -> Trace | None:
        store = self._store()
        found = store.answer_trace(self._reviewer, message_id)
        self._trail.once(AuditAction.READ, message_id, what="answer")
        return found

    def judge(
        self,
        message_id: int,
        verdict: ReviewVerdict,
        *,
        citations: Sequence[CorrectCitation] = (),
        must_refuse: bool = False,
        notes: str = "",
    ) -> Judgment:
        store = self._store()
        with self._trail.doing(AuditAction.JUDGED, message_id, verdict=verdict.value):
            return store.judge(
                self._reviewer, message_id, verdict, citations=citations, must_refuse=must_refuse, notes=notes
            )

    def cases(self) -> list[ReviewCase]:
        return self._store().cases()

    def save_case(self, message_id: int, case: ReviewCase) -> None:
        store = self._store()
        with self._trail.doing(AuditAction.CHANGED, message_id, what="case", case=case.id):
            store.save_case(self._reviewer, message_id, case)

    def remove_case(self, case_id: str) -> None:
        store = self._store()
        with self._trail.doing(AuditAction.DELETED, case_id, what="case"):
            store.remove_case(self._reviewer, case_id)


class OwnEvaluations:
    """Evaluations: every reviewer sees all of them, each is recorded as started by one."""

    def __init__(self, runner: Callable[[], EvaluationRunner], owner: str, trail: Trail) -> None:
        self._runner = runner
        self._owner = owner
        self._trail = trail

    @property
    def active(self) -> Progress | None:
        return self._runner().active

    def datasets(self) -> Mapping[str, Callable[[], Dataset]]:
        return self._runner().datasets()

    def start(self, dataset: Dataset) -> Progress:
        runner = self._runner()
        with self._trail.doing(AuditAction.EVALUATED, dataset.name, cases=len(dataset.cases)):
            return runner.start(self._owner, dataset)

    def cancel(self, evaluation_id: str) -> None:
        runner = self._runner()
        with self._trail.doing(AuditAction.CHANGED, evaluation_id, what="cancelled"):
            runner.cancel(evaluation_id)

    def evaluations(self, limit: int = 50) -> list[Evaluation]:
        return self._runner().evaluations(limit)

    def evaluation(self, evaluation_id: str) -> Evaluation:
        return self._runner().store.evaluation(evaluation_id)

    def results(self, evaluation_id: str) -> list[CaseResult]:
        return self._runner().store.results(evaluation_id)

    def case_trace(self, evaluation_id: str, position: int) -> Trace | None:
        return self._runner().store.case_trace(evaluation_id, position)

    def remove(self, evaluation_id: str) -> None:
        runner = self._runner()
        with self._trail.doing(AuditAction.DELETED, evaluation_id, what="evaluation"):
            runner.store.remove(evaluation_id)
