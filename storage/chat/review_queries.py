"""The queries of the review queue: the answers in it, their conditions, their order."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from domain.reviews import Feedback, QueueEntry, QueueFilter, QueueSort, ReviewVerdict, Vote
from rag.shared.messages import MessageState
from storage.chat.conversations import ASSISTANT
from storage.chat.message_words import having
from storage.tables.alerts import CitedArticleRow
from storage.tables.conversations import ConversationRow, MessageRow
from storage.tables.reviews import AssignmentRow, FeedbackRow, JudgmentRow, ReviewCaseRow

ASKED = aliased(MessageRow)


def _latest(column: ColumnElement[Any] | InstrumentedAttribute[Any]) -> ColumnElement[Any]:
    """Of the latest verdict on an answer."""
    query = select(column).where(JudgmentRow.message_id == MessageRow.id).order_by(JudgmentRow.id.desc())
    return query.limit(1).correlate(MessageRow).scalar_subquery()


VERDICT = _latest(case((JudgmentRow.withdrawn_at.is_(None), JudgmentRow.verdict)))
REVIEWABLE = (
    select(MessageRow.id)
    .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
    .where(MessageRow.role == ASSISTANT, ConversationRow.matter_id.is_(None))
)
REVIEWED = VERDICT.is_not(None)
IN_CASES = select(ReviewCaseRow.id).where(ReviewCaseRow.message_id == MessageRow.id).exists()
VOTE_ORDER = case((FeedbackRow.vote == Vote.DOWN.value, 0), (FeedbackRow.vote == Vote.UP.value, 2), else_=1)
ENTRY = (
    MessageRow.id,
    ConversationRow.owner,
    ASKED.text,
    MessageRow.created_at,
    MessageRow.confidence,
    MessageRow.refusal,
    MessageRow.matter,
    FeedbackRow,
    _latest(JudgmentRow.id),
    VERDICT,
    IN_CASES,
    AssignmentRow.person,
)
"""Columns of an entry: without the answer itself, which is many times as long as its question."""
ORDERS: dict[QueueSort, tuple[ColumnElement[Any], ...]] = {
    QueueSort.NEWEST: (MessageRow.id.desc(),),
    QueueSort.WORST: (VOTE_ORDER, func.coalesce(MessageRow.confidence, 0), MessageRow.id.desc()),
}


def answers(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Complete answers with their question, conversation, assignment and the owner's vote.

    Those of expedientes are open to the members of these alone, and in no queue.
    """
    return (
        query.select_from(MessageRow)
        .join(ASKED, ASKED.id == MessageRow.reply_to)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .outerjoin(
            FeedbackRow,
            and_(FeedbackRow.message_id == MessageRow.id, FeedbackRow.owner == ConversationRow.owner),
        )
        .outerjoin(AssignmentRow, AssignmentRow.message_id == MessageRow.id)
        .where(
            MessageRow.role == ASSISTANT,
            MessageRow.state == MessageState.COMPLETE.value,
            ConversationRow.matter_id.is_(None),
        )
    )


def conditions(session: Session, where: QueueFilter) -> list[ColumnElement[bool]]:
    """All conditions but those on the verdict."""
    found = having(session, where.search, ASKED.id, MessageRow.id) if where.search else []
    for column, value in (
        (FeedbackRow.vote, where.vote and where.vote.value),
        (MessageRow.matter, where.matter),
        (ConversationRow.owner, where.owner),
    ):
        if value is not None:
            found.append(column == value)
    if where.voted is not None:
        found.append(FeedbackRow.vote.is_not(None) if where.voted else FeedbackRow.vote.is_(None))
    if where.confidence is not None:
        low, high = where.confidence
        found += [MessageRow.refusal.is_(False), MessageRow.confidence >= low, MessageRow.confidence < high]
    if where.refusal is not None:
        found.append(MessageRow.refusal.is_(where.refusal))
    if where.since is not None:
        found.append(ASKED.created_at >= where.since)
    if where.before is not None:
        found.append(ASKED.created_at < where.before)
    if where.assigned is not None:
        nobody = AssignmentRow.person.is_(None)
        found.append(AssignmentRow.person == where.assigned if where.assigned else nobody)
    if where.norm is not None:
        of_norm = select(CitedArticleRow.message_id).where(CitedArticleRow.norm_id == where.norm)
        found.append(MessageRow.id.in_(of_norm))
    return found


def of_state(where: QueueFilter) -> list[ColumnElement[bool]]:
    """The conditions on the verdict."""
    found: list[ColumnElement[bool]] = []
    if where.reviewed is not None:
        found.append(REVIEWED if where.reviewed else ~REVIEWED)
    if where.verdict is not None:
        found.append(VERDICT.in_([where.verdict.value]))
    return found


def total(where: QueueFilter, counts: Mapping[ReviewVerdict | None, int]) -> int:
    """The answers that pass the conditions on the verdict too, of those counted by verdict."""
    return sum(
        count
        for verdict, count in counts.items()
        if where.verdict in (None, verdict) and where.reviewed in (None, verdict is not None)
    )


def entry_of(row: Row[*tuple[Any, ...]]) -> QueueEntry:
    """The entry of a row of `ENTRY`."""
    number, owner, question, at, confidence, refusal, matter, vote, judgment, verdict, in_cases, person = row
    return QueueEntry(
        message_id=number,
        owner=owner,
        question=question,
        asked_at=at,
        confidence=None if refusal else confidence,
        refusal=bool(refusal),
        matter=matter,
        feedback=vote and vote.as_value(Feedback),
        judgment=judgment or 0,
        verdict=None if verdict is None else ReviewVerdict(verdict),
        in_cases=in_cases,
        assigned=person or "",
    )
