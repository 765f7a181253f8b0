"""The tables of expedientes. What is in them is in no table of the corpus."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class MatterRow(Base):
    """An expediente; `updated_at` follows its documents, notes and conversations."""

    __tablename__ = "matters"
    __table_args__ = (Index(None, "owner"), Index(None, "updated_at"))

    id: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str]
    name: Mapped[str]
    reference: Mapped[str]
    notes: Mapped[str]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class MatterMemberRow(Base):
    """A person to whom an expediente is open; its owner has a row too, so that one condition tells."""

    __tablename__ = "matter_members"
    __table_args__ = (Index(None, "account_id"),)

    matter_id: Mapped[str] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(primary_key=True)
    added_at: Mapped[datetime]


class MatterDocumentRow(Base):
    """A document; `indexed_with`: what the index holds of it, nothing, its words or a model's vectors.

    `referenced_with` names the norms that were known when its references were looked for; '' = not yet.
    """

    __tablename__ = "matter_documents"
    __table_args__ = (Index(None, "matter_id"), Index(None, "conversation_id"), Index(None, "state"))

    id: Mapped[str] = mapped_column(primary_key=True)
    matter_id: Mapped[str | None] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"))
    conversation_id: Mapped[str | None] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    number: Mapped[int]
    name: Mapped[str]
    content_hash: Mapped[str]
    bytes: Mapped[int]
    pages: Mapped[int]
    state: Mapped[str]
    problem: Mapped[str]
    indexed_with: Mapped[str] = mapped_column(default="")
    referenced_with: Mapped[str] = mapped_column(default="")
    added_by: Mapped[str]
    added_at: Mapped[datetime]


class KeptTermRow(Base):
    """A term that was counted and is kept."""

    __tablename__ = "kept_terms"
    __table_args__ = (Index(None, "matter_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    matter_id: Mapped[str] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"))
    title: Mapped[str]
    day: Mapped[date]
    told: Mapped[str]
    added_by: Mapped[str]
    added_at: Mapped[datetime]


class KeptDraftRow(Base):
    """The values of a writ's form, as texts."""

    __tablename__ = "kept_drafts"
    __table_args__ = (Index(None, "matter_id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    matter_id: Mapped[str] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"))
    template: Mapped[str]
    told: Mapped[dict[str, str]]
    added_by: Mapped[str]
    added_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class GivenFactRow(Base):
    """A fact of the case that a person gave; it counts before those that papers tell."""

    __tablename__ = "given_facts"

    matter_id: Mapped[str] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]
    unit: Mapped[str]
    given_by: Mapped[str]
    given_at: Mapped[datetime]


class MatterFragmentRow(Base):
    """A fragment of a document."""

    __tablename__ = "matter_fragments"

    document_id: Mapped[str] = mapped_column(
        ForeignKey("matter_documents.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    page: Mapped[int | None]
    text: Mapped[str]
