"""The tables of feedback, reviews and certificates: what is kept about an answer."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class FeedbackRow(Base):
    """The vote of a conversation's owner on one of its answers."""

    __tablename__ = "feedback"

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    owner: Mapped[str] = mapped_column(primary_key=True)
    vote: Mapped[str]
    comment: Mapped[str]
    updated_at: Mapped[datetime]


class CertificateRow(Base):
    """The certificate of sources of an answer, as it was given out."""

    __tablename__ = "certificates"

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    content: Mapped[str]
    made_at: Mapped[datetime]


class JudgmentRow(Base):
    """A reviewer's verdict on an answer; the one with the highest id counts unless it was withdrawn.

    `wanted`: JSON of `rag.evaluation.reviewed_cases.Wanted`.
    """

    __tablename__ = "judgments"
    __table_args__ = (Index(None, "message_id", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"))
    reviewer: Mapped[str]
    verdict: Mapped[str]
    citations: Mapped[str]
    must_refuse: Mapped[bool]
    notes: Mapped[str]
    wanted: Mapped[str] = mapped_column(default="{}")
    created_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]


class AssignmentRow(Base):
    """The person who has an answer to review."""

    __tablename__ = "assignments"
    __table_args__ = (Index(None, "person"),)

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    person: Mapped[str]
    assigned_at: Mapped[datetime]


class ReviewViewRow(Base):
    """Views of answers by reviewers. No foreign key: they outlive the conversation."""

    __tablename__ = "review_views"
    __table_args__ = (
        Index(None, "reviewer", "message_id", "viewed_at"),
        Index(None, "message_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    reviewer: Mapped[str]
    message_id: Mapped[int | None]
    viewed_at: Mapped[datetime]


class ReviewCaseRow(Base):
    """An evaluation case made of an answer: a copy, which stays when the conversation is deleted."""

    __tablename__ = "review_cases"
    __table_args__ = (Index(None, "message_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    message_id: Mapped[int | None] = mapped_column(ForeignKey("messages.id", ondelete="SET NULL"))
    body: Mapped[str]
    made_by: Mapped[str]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
