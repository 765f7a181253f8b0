"""Database tables of evaluations."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class EvaluationRow(Base):
    """An evaluation; `updated_at` is the last sign of life, `finished_at` is set by `finish` alone."""

    __tablename__ = "evaluations"
    __table_args__ = (Index(None, "created_at"), Index(None, "state"))

    id: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str]
    dataset: Mapped[str]
    dataset_hash: Mapped[str]
    total: Mapped[int]
    done: Mapped[int]
    state: Mapped[str]
    error: Mapped[str]
    facts: Mapped[dict[str, str]]
    summary: Mapped[str | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


class EvaluationCaseRow(Base):
    """The result and the trace of one case of an evaluation."""

    __tablename__ = "evaluation_cases"

    evaluation_id: Mapped[str] = mapped_column(
        ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[str]


class EvaluationTraceRow(Base):
    """The trace of a case: JSON deflated by zlib, since a set has hundreds of them."""

    __tablename__ = "evaluation_traces"

    evaluation_id: Mapped[str] = mapped_column(
        ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    body: Mapped[bytes]
