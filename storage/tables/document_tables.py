"""Database tables of the review tables: documents of an expediente by questions."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class DocumentTableRow(Base):
    """A review table; the program `runner`, which fills it, gave its last sign of life at `beat_at`."""

    __tablename__ = "document_tables"
    __table_args__ = (Index(None, "matter_id"), Index(None, "state"))

    id: Mapped[str] = mapped_column(primary_key=True)
    matter_id: Mapped[str] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"))
    name: Mapped[str]
    questions: Mapped[tuple[str, ...]]
    documents: Mapped[dict[str, str]]
    state: Mapped[str]
    run_by: Mapped[str]
    remark: Mapped[str]
    runner: Mapped[str]
    beat_at: Mapped[datetime | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class DocumentTableCellRow(Base):
    """A cell. Its document may be gone: what was quoted stays, as in an answer."""

    __tablename__ = "document_table_cells"

    table_id: Mapped[str] = mapped_column(
        ForeignKey("document_tables.id", ondelete="CASCADE"), primary_key=True
    )
    document_id: Mapped[str] = mapped_column(primary_key=True)
    question: Mapped[str] = mapped_column(primary_key=True)
    state: Mapped[str]
    answer: Mapped[str]
    quote: Mapped[str]
    fragment: Mapped[int]
    page: Mapped[int | None]
    rival: Mapped[str]
    mode: Mapped[str]
    remark: Mapped[str]
    content_hash: Mapped[str]
    filled_at: Mapped[datetime]
