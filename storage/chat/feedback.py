"""Votes of people on the answers that they got: one each, which they may change or take back."""

from datetime import UTC, datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from core.errors import InputError
from domain.reviews import MAX_COMMENT, Feedback, Vote
from rag.shared.messages import MessageState
from storage.base.engine import Store, only
from storage.base.membership import conversation_open_to
from storage.chat.conversations import ASSISTANT
from storage.tables.conversations import ConversationRow, MessageRow
from storage.tables.reviews import FeedbackRow
from text.textnorm import visible


class SqlFeedbackStore(Store):
    """Votes of owners on their own answers; ownership is checked on every call.

    Raises (all methods): StorageError; NotFound when the answer does not exist or is another owner's
    (the two cannot be told apart from outside).
    """

    def feedback(self, owner: str, message_id: int) -> Feedback | None:
        with self._db.read() as session:
            lock_own_answer(session, owner, message_id)
            row = session.get(FeedbackRow, (message_id, owner))
            return row.as_value(Feedback) if row else None

    def votes(self, owner: str, conversation_id: str) -> dict[int, Feedback]:
        """The owner's votes by the answer; none of a conversation that is not open to them."""
        query = (
            select(FeedbackRow)
            .join(MessageRow, MessageRow.id == FeedbackRow.message_id)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .where(
                ConversationRow.id == conversation_id, FeedbackRow.owner == owner, conversation_open_to(owner)
            )
        )
        with self._db.read() as session:
            return {row.message_id: row.as_value(Feedback) for row in session.scalars(query)}

    def vote(self, owner: str, message_id: int, vote: Vote, comment: str = "") -> Feedback:
        """Vote, or change the vote and its comment. Raises InputError when the comment is too long."""
        comment = visible(comment).strip()
        if len(comment) > MAX_COMMENT:
            raise InputError(f"El comentario supera los {MAX_COMMENT} caracteres: abrévielo.")
        row = FeedbackRow(
            message_id=message_id, owner=owner, vote=vote.value, comment=comment, updated_at=datetime.now(UTC)
        )
        with self._db.write() as session:
            lock_own_answer(session, owner, message_id)
            return session.merge(row).as_value(Feedback)

    def withdraw(self, owner: str, message_id: int) -> None:
        """Remove the vote and its comment, if any."""
        with self._db.write() as session:
            lock_own_answer(session, owner, message_id)
            session.execute(
                delete(FeedbackRow).where(FeedbackRow.message_id == message_id, FeedbackRow.owner == owner)
            )


def lock_own_answer(session: Session, owner: str, message_id: int) -> None:
    """The row is locked where the database can: two at once must not both insert what it may have once.

    Raises:
        NotFound: the answer does not exist or is another owner's.
    """
    query = (
        select(MessageRow.id)
        .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        .where(
            MessageRow.id == message_id,
            MessageRow.role == ASSISTANT,
            MessageRow.state == MessageState.COMPLETE.value,
            conversation_open_to(owner),
        )
        .with_for_update(of=MessageRow)
    )
    only(session, query, "No existe esa respuesta.")
