"""Stores with their owner filled in: no caller can name another person's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from rag.evaluation.background import EvaluationRunner, Progress
from rag.evaluation.cases import Dataset
from rag.evaluation_types import CaseResult, Evaluation
from rag.ports import ConversationStore
from rag.review_ports import FeedbackStore, ReviewStore
from rag.reviews_types import (
    CorrectCitation,
    Feedback,
    Judgment,
    QueueFilter,
    QueuePage,
    QueueSort,
    ReviewCase,
    ReviewItem,
    ReviewVerdict,
    Vote,
)
from rag.runs import Run, RunRegistry
from rag.trace import Trace
from rag.types import Conversation, Message, Turn


class OwnConversations:
    """A person's own conversations; see `ConversationStore`."""

    def __init__(self, store: ConversationStore, owner: str) -> None:
        self._store = store
        self._owner = owner

    def create(self, title: str) -> Conversation:
        return self._store.create(self._owner, title)

    def conversations(self, limit: int = 50) -> list[Conversation]:
        return self._store.conversations(self._owner, limit)

    def rename(self, conversation_id: str, title: str) -> None:
        self._store.rename(self._owner, conversation_id, title)

    def delete(self, conversation_id: str) -> None:
        self._store.delete(self._owner, conversation_id)

    def messages(self, conversation_id: str, limit: int = 20, before: int | None = None) -> list[Message]:
        return self._store.messages(self._owner, conversation_id, limit, before)

    def history(self, conversation_id: str, before: int, limit: int) -> list[Turn]:
        return self._store.history(self._owner, conversation_id, before, limit)

    def trace(self, message_id: int) -> Trace | None:
        return self._store.trace(self._owner, message_id)


class OwnRuns:
    """A person's own answers in progress; see `RunRegistry`."""

    def __init__(self, registry: RunRegistry, owner: str) -> None:
        self._registry = registry
        self._owner = owner

    def start(
        self, conversation_id: str, question: str, as_of: date | None = None, *, agent: bool = False
    ) -> Run:
        return self._registry.start(self._owner, conversation_id, question, as_of, agent=agent)

    def stop(self, message_id: int) -> None:
        self._registry.stop(self._owner, message_id)

    def active(self, conversation_id: str) -> Run | None:
        return self._registry.active(self._owner, conversation_id)


class OwnVotes:
    """A person's votes on their own answers; see `FeedbackStore`."""

    def __init__(self, store: FeedbackStore, owner: str) -> None:
        self._store = store
        self._owner = owner

    def feedback(self, message_id: int) -> Feedback | None:
        return self._store.feedback(self._owner, message_id)

    def vote(self, message_id: int, vote: Vote, comment: str = "") -> Feedback:
        return self._store.vote(self._owner, message_id, vote, comment)

    def withdraw(self, message_id: int) -> None:
        self._store.withdraw(self._owner, message_id)


class OwnReviews:
    """The review queue as one reviewer sees it; see `ReviewStore`."""

    def __init__(self, store: ReviewStore, reviewer: str) -> None:
        self._store = store
        self._reviewer = reviewer

    def queue(
        self, where: QueueFilter, sort: QueueSort = QueueSort.NEWEST, offset: int = 0, limit: int = 50
    ) -> QueuePage:
        return self._store.queue(self._reviewer, where, sort, offset, limit)

    def matters(self) -> list[str]:
        return self._store.matters()

    def item(self, message_id: int, turns: int) -> ReviewItem:
        return self._store.item(self._reviewer, message_id, turns)

    def answer_trace(self, message_id: int) -> Trace | None:
        return self._store.answer_trace(self._reviewer, message_id)

    def judge(
        self,
        message_id: int,
        verdict: ReviewVerdict,
        *,
        citations: Sequence[CorrectCitation] = (),
        must_refuse: bool = False,
        notes: str = "",
    ) -> Judgment:
        return self._store.judge(
            self._reviewer, message_id, verdict, citations=citations, must_refuse=must_refuse, notes=notes
        )

    def cases(self) -> list[ReviewCase]:
        return self._store.cases()

    def save_case(self, message_id: int, case: ReviewCase) -> None:
        self._store.save_case(self._reviewer, message_id, case)

    def remove_case(self, case_id: str) -> None:
        self._store.remove_case(self._reviewer, case_id)


class OwnEvaluations:
    """Evaluations: every reviewer sees all of them, each is recorded as started by one."""

    def __init__(self, runner: EvaluationRunner, owner: str) -> None:
        self._runner = runner
        self._owner = owner

    @property
    def active(self) -> Progress | None:
        return self._runner.active

    def datasets(self) -> Mapping[str, Callable[[], Dataset]]:
        return self._runner.datasets()

    def start(self, dataset: Dataset) -> Progress:
        return self._runner.start(self._owner, dataset)

    def cancel(self, evaluation_id: str) -> None:
        self._runner.cancel(evaluation_id)

    def evaluations(self, limit: int = 50) -> list[Evaluation]:
        return self._runner.evaluations(limit)

    def evaluation(self, evaluation_id: str) -> Evaluation:
        return self._runner.store.evaluation(evaluation_id)

    def results(self, evaluation_id: str) -> list[CaseResult]:
        return self._runner.store.results(evaluation_id)

    def case_trace(self, evaluation_id: str, position: int) -> Trace | None:
        return self._runner.store.case_trace(evaluation_id, position)

    def remove(self, evaluation_id: str) -> None:
        self._runner.store.remove(evaluation_id)
