"""Votes on answers and verdicts of reviewers: frozen values, no I/O."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from core.values import Value
from models.chat import Turn
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase, Wanted
from rag.shared.messages import Message

MAX_COMMENT = 1000
MAX_NOTES = 4000
MAX_CONDITIONS, MAX_CONDITION = 20, 300
"""Facts or forbidden statements of a verdict, and characters of one."""


class Vote(StrEnum):
    """Vote and comment of the person who asked."""

    UP = "up"
    DOWN = "down"


class Feedback(Value):
    """The vote of an owner on one answer, with an optional comment."""

    vote: Vote
    comment: str = ""
    updated_at: datetime


class ReviewVerdict(StrEnum):
    """Verdict of a reviewer; the last three name the stage at fault."""

    CORRECT = "correct"
    INCOMPLETE = "incomplete"
    WRONG = "wrong"
    RETRIEVAL_MISS = "retrieval_miss"
    SYNTHESIS_ERROR = "synthesis_error"
    CITATION_ERROR = "citation_error"


class Judgment(Value):
    """A reviewer's verdict on an answer; of several, the latest stands unless it was withdrawn.

    Attributes:
        citations: the articles that answer; empty when the verdict needs none.
        must_refuse: the corpus cannot answer that question: it had to be, or was, refused.
    """

    reviewer: str
    verdict: ReviewVerdict
    citations: tuple[CorrectCitation, ...] = ()
    must_refuse: bool = False
    notes: str = ""
    wanted: Wanted = Wanted()
    id: int = 0
    created_at: datetime
    withdrawn_at: datetime | None = None


class QueueFilter(Value):
    """Filter of the review queue; None (or an empty set of bounds) = any.

    Attributes:
        voted: False = those without a vote.
        confidence: (from, below) for answers; refusals have no confidence and are left out.
        matter: the subject as the question was understood, in Spanish; '' = none was recognised.
        since, before: moments between which the question was asked, the second one excluded.
        search: words of the question or the answer, each as the beginning of one.
        owner: who asked. norm: id of a norm that the answer cites or names.
        assigned: to whom; '' = to nobody.
        verdict: the one that stands; it, like `reviewed`, leaves `QueuePage.counts` as they are.
    """

    vote: Vote | None = None
    voted: bool | None = None
    confidence: tuple[float, float] | None = None
    refusal: bool | None = None
    matter: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    reviewed: bool | None = None
    search: str = ""
    owner: str | None = None
    norm: str | None = None
    assigned: str | None = None
    verdict: ReviewVerdict | None = None


class QueueSort(StrEnum):
    """NEWEST first; or WORST: negative votes first and positive ones last, each from the least confidence."""

    NEWEST = "newest"
    WORST = "worst"


class QueueEntry(Value):
    """One answer in the queue.

    Attributes:
        judgment: id of the latest verdict, withdrawn or not; 0 without any.
        verdict: the one that counts, None when nobody has reviewed it.
        assigned: id of the person who has it to review, or ''.
    """

    message_id: int
    owner: str
    question: str
    asked_at: datetime
    confidence: float | None = None
    refusal: bool = False
    matter: str = ""
    feedback: Feedback | None = None
    judgment: int = 0
    verdict: ReviewVerdict | None = None
    in_cases: bool = False
    assigned: str = ""


class QueuePage(Value):
    """Some entries of the queue, how many there are in all, and by verdict; None: not reviewed."""

    entries: tuple[QueueEntry, ...] = ()
    total: int = 0
    counts: Mapping[ReviewVerdict | None, int] = Field(default_factory=dict)


class ReviewView(Value):
    """That a reviewer looked at an answer, or at the queue (`message_id` None), and when."""

    reviewer: str
    message_id: int | None
    viewed_at: datetime


class ReviewItem(Value):
    """An answer with everything that a reviewer needs to judge it.

    Attributes:
        history: the turns that the answer read, oldest first.
        judgments, views: the latest first.
    """

    owner: str
    question: Message
    answer: Message
    history: tuple[Turn, ...] = ()
    feedback: Feedback | None = None
    judgments: tuple[Judgment, ...] = ()
    views: tuple[ReviewView, ...] = ()
    case: ReviewCase | None = None
    assigned: str = ""

    @property
    def standing(self) -> Judgment | None:
        """The verdict that counts."""
        last = self.judgments[0] if self.judgments else None
        return None if last is None or last.withdrawn_at else last
