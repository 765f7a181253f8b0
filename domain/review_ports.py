"""Stores of feedback and of the review queue, as Protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

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
from rag.evaluation.reviewed import CaseSource, CorrectCitation, ReviewCase
from rag.trace import Trace


class FeedbackStore(Protocol):
    """Votes of owners on their own answers; ownership is checked on every call.

    Raises (all methods): StorageError; NotFound when the answer does not exist or is another owner's.
    """

    def feedback(self, owner: str, message_id: int) -> Feedback | None: ...

    def vote(self, owner: str, message_id: int, vote: Vote, comment: str = "") -> Feedback:
        """Vote, or change the vote and its comment."""
        ...

    def withdraw(self, owner: str, message_id: int) -> None:
        """Remove the vote and its comment, if any."""
        ...


class ReviewStore(CaseSource, Protocol):
    """The review queue: the only way to the answers of every owner.

    The caller has established that `reviewer` may review. Each method that shows somebody's texts
    takes the reviewer and records who looked at what and when, once in a while, not at every redraw.

    Raises (all methods): StorageError; NotFound when the answer does not exist.
    """

    def queue(
        self,
        reviewer: str,
        where: QueueFilter,
        sort: QueueSort = QueueSort.NEWEST,
        offset: int = 0,
        limit: int = 50,
    ) -> QueuePage:
        """Complete answers of every owner."""
        ...

    def matters(self) -> list[str]:
        """The subjects of the answers in the queue, in Spanish, by alphabet; '' when some have none."""
        ...

    def item(self, reviewer: str, message_id: int, turns: int) -> ReviewItem:
        """One answer with at most `turns` messages of history."""
        ...

    def answer_trace(self, reviewer: str, message_id: int) -> Trace | None: ...

    def judge(
        self,
        reviewer: str,
        message_id: int,
        verdict: ReviewVerdict,
        *,
        citations: Sequence[CorrectCitation] = (),
        must_refuse: bool = False,
        notes: str = "",
    ) -> Judgment:
        """Add a verdict; earlier ones stay."""
        ...

    def save_case(self, reviewer: str, message_id: int, case: ReviewCase) -> None:
        """Keep the case of an answer, in place of an earlier one."""
        ...

    def remove_case(self, reviewer: str, case_id: str) -> None:
        """Raises NotFound when no such case exists."""
        ...
