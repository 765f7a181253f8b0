"""Personal data: read whole, erased, or dropped once it is old enough."""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from domain.alerts import AlertSettings, Watch
from domain.conversations import Conversation
from domain.matters import KeptDraft, KeptTerm, Matter, MatterDocument, PersonsMatter
from domain.preferences import Preferences
from domain.privacy import ErasureReport, PersonsConversation
from domain.reviews import Feedback
from domain.tokens import ApiToken
from domain.usage import ERASED, Usage
from storage.alerts.watches import SqlWatchStore
from storage.base.engine import Store, touched
from storage.base.membership import conversation_open_to, delete_matters
from storage.casework.document_tables import tables_of
from storage.casework.facts import facts_of
from storage.chat.branches import branches_of
from storage.chat.conversations import to_message
from storage.chat.message_words import forget_words
from storage.people.usage import add
from storage.tables.accounts import ApiTokenRow, PreferencesRow
from storage.tables.alerts import AddressCodeRow, AlertSettingsRow, DigestRow, NewsRow, WatchRow
from storage.tables.audit import UsageRow
from storage.tables.conversations import ConversationRow, MessageRow
from storage.tables.document_tables import DocumentTableRow
from storage.tables.evaluations import EvaluationRow
from storage.tables.jobs import DocumentRow, JobRow
from storage.tables.matters import (
    GivenFactRow,
    KeptDraftRow,
    KeptTermRow,
    MatterDocumentRow,
    MatterMemberRow,
    MatterRow,
)
from storage.tables.reviews import (
    AssignmentRow,
    CertificateRow,
    FeedbackRow,
    JudgmentRow,
    ReviewCaseRow,
    ReviewViewRow,
)


class SqlPrivacyStore(Store):
    """Personal data of people. Raises (all methods): StorageError."""

    def old_conversations(self, before: datetime) -> int:
        """Number of conversations whose last message is older than that moment."""
        return self._db.count(ConversationRow.updated_at < before, of=ConversationRow)

    def old_matters(self, before: datetime) -> int:
        """Number of expedientes in which nothing was done or asked since that moment."""
        return self._db.count(MatterRow.updated_at < before, of=MatterRow)

    def expire_matters(self, before: datetime) -> int:
        """Delete those expedientes with their documents and conversations; how many there were."""
        return self._drop(lambda session: delete_matters(session, MatterRow.updated_at < before))

    def expire(self, before: datetime) -> int:
        """Delete the conversations whose last message is older than that moment; how many there were.

        Messages, traces, votes and verdicts go with their conversation; a case that a reviewer made of an
        answer is a copy, and stays.
        """
        old = delete(ConversationRow).where(ConversationRow.updated_at < before)
        return self._drop(lambda session: touched(session, old))

    def _drop(self, delete_old: Callable[[Session], int]) -> int:
        with self._db.write() as session:
            gone = delete_old(session)
            if gone:
                forget_words(session)
        if gone:
            self._db.shrink_log()
        return gone

    def erase(self, owner: str) -> ErasureReport:
        """Delete what the person wrote and was answered; take their id off what stays. All of it or nothing.

        With it go votes on those answers and verdicts about them, who looked at them, API tokens and
        preferences; and the expedientes of which nobody else is a member: the others pass to whoever joined
        them first.
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
            session.execute(delete(PreferencesRow).where(PreferencesRow.owner == owner))
            session.execute(delete(AssignmentRow).where(AssignmentRow.person == owner))
            for row in (WatchRow, NewsRow, DigestRow, AlertSettingsRow, AddressCodeRow):
                session.execute(delete(row).where(row.owner == owner))
            _leave_matters(session, owner)
            for column in (
                ReviewViewRow.reviewer,
                JudgmentRow.reviewer,
                ReviewCaseRow.made_by,
                EvaluationRow.owner,
                JobRow.owner,
                DocumentRow.loaded_by,
                MatterDocumentRow.added_by,
                DocumentTableRow.run_by,
                KeptTermRow.added_by,
                KeptDraftRow.added_by,
                GivenFactRow.given_by,
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

    def preferences(self, owner: str) -> Preferences | None:
        """Preferences that they have chosen; None if they have chosen nothing."""
        with self._db.read() as session:
            row = session.get(PreferencesRow, owner)
            return row.as_value(Preferences) if row else None

    def watches(self, owner: str) -> list[Watch]:
        """Things that they watch, of those that are open to them."""
        return SqlWatchStore(self._db).watches(owner)

    def alert_settings(self, owner: str) -> AlertSettings:
        return SqlWatchStore(self._db).settings(owner)

    def certificates(self, owner: str) -> dict[int, str]:
        """The certificates given out of their answers, by the id of the message."""
        query = (
            select(CertificateRow)
            .join(MessageRow, MessageRow.id == CertificateRow.message_id)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .where(conversation_open_to(owner))
        )
        rows = self._db.scalars(query.order_by(CertificateRow.message_id))
        return {row.message_id: row.content for row in rows}

    def matters(self, owner: str) -> list[PersonsMatter]:
        """The expedientes that the person owns, the oldest first."""
        query = select(MatterRow).where(MatterRow.owner == owner)
        with self._db.read() as session:
            found = []
            for row in session.scalars(query.order_by(MatterRow.created_at, MatterRow.id)).all():
                held = select(MatterDocumentRow).where(MatterDocumentRow.matter_id == row.id)
                documents = session.scalars(held.order_by(MatterDocumentRow.number)).all()
                values = tuple(one.as_value(MatterDocument) for one in documents)
                kept = select(KeptTermRow).where(KeptTermRow.matter_id == row.id)
                terms = session.scalars(kept.order_by(KeptTermRow.day, KeptTermRow.id)).all()
                drafted = select(KeptDraftRow).where(KeptDraftRow.matter_id == row.id)
                drafts = session.scalars(drafted.order_by(KeptDraftRow.added_at, KeptDraftRow.id)).all()
                person = PersonsMatter(
                    matter=row.as_value(Matter),
                    documents=values,
                    tables=tables_of(session, row.id),
                    terms=tuple(one.as_value(KeptTerm, matter=row.name) for one in terms),
                    drafts=tuple(one.as_value(KeptDraft) for one in drafts),
                    facts=facts_of(session, row.id),
                )
                found.append(person)
            return found

    def conversations(self, owner: str) -> list[PersonsConversation]:
        """All of the person's that are open to them, the oldest first."""
        query = select(ConversationRow).where(conversation_open_to(owner))
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


def _leave_matters(session: Session, person: str) -> None:
    """Hand their expedientes over or delete them, and take the person out of all others."""
    session.execute(delete(MatterMemberRow).where(MatterMemberRow.account_id == person))
    for row in session.scalars(select(MatterRow).where(MatterRow.owner == person)).all():
        left = select(MatterMemberRow.account_id).where(MatterMemberRow.matter_id == row.id)
        earliest = left.order_by(MatterMemberRow.added_at, MatterMemberRow.account_id).limit(1)
        heir = session.scalar(earliest)
        if heir is None:
            delete_matters(session, MatterRow.id == row.id)
        else:
            row.owner = heir
    session.flush()
