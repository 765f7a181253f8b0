"""Personal data: read whole, erased, or dropped once it is old enough."""

from datetime import datetime

from sqlalchemy import delete, func, select, update

from domain.conversations import Conversation
from domain.privacy import ErasureReport, PersonsConversation
from domain.reviews import Feedback
from domain.tokens import ApiToken
from domain.usage import ERASED, Usage
from storage.branches import branches_of
from storage.conversations import to_message
from storage.database import Store, touched
from storage.message_words import forget_words
from storage.people.usage import add
from storage.tables.accounts import ApiTokenRow
from storage.tables.audit import UsageRow
from storage.tables.core import ConversationRow, DocumentRow, EvaluationRow, JobRow, MessageRow
from storage.tables.reviews import FeedbackRow, JudgmentRow, ReviewCaseRow, ReviewViewRow


class SqlPrivacyStore(Store):
    """Personal data of people. Raises (all methods): StorageError."""

    def old_conversations(self, before: datetime) -> int:
        """Number of conversations whose last message is older than that moment."""
        return self._db.count(ConversationRow.updated_at < before, of=ConversationRow)

    def expire(self, before: datetime) -> int:
        """Delete the conversations whose last message is older than that moment; how many there were.

        Messages, traces, votes and verdicts go with their conversation; a case that a reviewer made of an
        answer is a copy, and stays.
        """
        with self._db.write() as session:
            gone = touched(session, delete(ConversationRow).where(ConversationRow.updated_at < before))
            if gone:
                forget_words(session)
        if gone:
            self._db.shrink_log()
        return gone

    def erase(self, owner: str) -> ErasureReport:
        """Delete what the person wrote and was answered; take their id off what stays. All of it or nothing.

        With it go votes on those answers and verdicts about them, who looked at them, and API tokens.
        """
        own = select(MessageRow.id).join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
        own = own.where(ConversationRow.owner == owner)
        with self._db.write() as session:
            conversations = session.scalar(
                select(func.count(ConversationRow.id)).where(ConversationRow.owner == owner)
            )
            cases = session.scalar(
                select(func.count(ReviewCaseRow.id)).where(ReviewCaseRow.message_id.in_(own))
            )
            session.execute(delete(ReviewViewRow).where(ReviewViewRow.message_id.in_(own)))
            session.execute(delete(FeedbackRow).where(FeedbackRow.owner == owner))
            session.execute(delete(ConversationRow).where(ConversationRow.owner == owner))
            forget_words(session)
            session.execute(delete(ApiTokenRow).where(ApiTokenRow.account_id == owner))
            for column in (
                ReviewViewRow.reviewer,
                JudgmentRow.reviewer,
                ReviewCaseRow.made_by,
                EvaluationRow.owner,
                JobRow.owner,
                DocumentRow.loaded_by,
            ):
                # SQLAlchemy's types allow for a column of an alias, which cannot be updated.
                erasure = update(column.class_)  # pyright: ignore[reportArgumentType]
                session.execute(erasure.where(column == owner).values({column: ERASED}))
            used = [
                row.as_value(Usage)
                for row in session.scalars(select(UsageRow).where(UsageRow.owner == owner))
            ]
            session.execute(delete(UsageRow).where(UsageRow.owner == owner))
            for usage in used:
                add(session, usage.model_copy(update={"owner": ERASED}))
        self._db.shrink_log()
        return ErasureReport(conversations=conversations or 0, cases_left=cases or 0)

    def tokens(self, owner: str) -> list[ApiToken]:
        """Their API tokens, expired ones that are still kept too, the oldest first."""
        query = select(ApiTokenRow).where(ApiTokenRow.account_id == owner)
        rows = self._db.scalars(query.order_by(ApiTokenRow.created_at, ApiTokenRow.id))
        return [row.as_value(ApiToken) for row in rows]

    def conversations(self, owner: str) -> list[PersonsConversation]:
        """All of the person's, the oldest first."""
        query = select(ConversationRow).where(ConversationRow.owner == owner)
        with self._db.read() as session:
            found = []
            for row in session.scalars(query.order_by(ConversationRow.created_at, ConversationRow.id)).all():
                of_this = select(MessageRow).where(MessageRow.conversation_id == row.id)
                branches = branches_of(session, row)
                messages = [
                    to_message(one, branches.versions(one.id))
                    for one in session.scalars(of_this.order_by(MessageRow.id))
                ]
                ids = [message.id for message in messages]
                given = select(FeedbackRow).where(FeedbackRow.owner == owner, FeedbackRow.message_id.in_(ids))
                votes: dict[int, Feedback] = {
                    one.message_id: one.as_value(Feedback) for one in session.scalars(given)
                }
                found.append(
                    PersonsConversation(
                        conversation=row.as_value(Conversation), messages=tuple(messages), votes=votes
                    )
                )
            return found
