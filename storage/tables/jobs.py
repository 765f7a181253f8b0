"""Database tables of loading: documents, background jobs, what these changed, and leases."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class DocumentRow(Base):
    """Source of a norm; `overrides` are corrections made by hand."""

    __tablename__ = "documents"
    __table_args__ = (Index(None, "content_hash"),)

    norm_id: Mapped[str] = mapped_column(ForeignKey("norms.id", ondelete="CASCADE"), primary_key=True)
    file_name: Mapped[str]
    content_hash: Mapped[str]
    format: Mapped[str]
    source: Mapped[str]
    bytes: Mapped[int]
    loaded_by: Mapped[str]
    loaded_at: Mapped[datetime]
    review: Mapped[str]
    overrides: Mapped[dict[str, str]]


class JobRow(Base):
    """A background job; `claim` names the worker that has it, `heartbeat_at` is its last sign of life."""

    __tablename__ = "jobs"
    __table_args__ = (Index(None, "state"), Index(None, "created_at"))

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    title: Mapped[str]
    state: Mapped[str]
    owner: Mapped[str]
    payload: Mapped[str]
    stage: Mapped[str] = mapped_column(default="")
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    message: Mapped[str] = mapped_column(default="")
    outcomes: Mapped[str] = mapped_column(default="[]")
    attempts: Mapped[int] = mapped_column(default=0)
    claim: Mapped[str] = mapped_column(default="")
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    heartbeat_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class JobChangeRow(Base):
    """A norm that a job has changed: what it was before, JSON deflated by zlib, and its hash afterwards.

    `before` is null when the job added it; `source` is the kept original of what it was before.
    """

    __tablename__ = "job_changes"
    __table_args__ = (Index(None, "norm_id"),)

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    norm_id: Mapped[str] = mapped_column(primary_key=True)
    source: Mapped[str]
    after: Mapped[str]
    before: Mapped[bytes | None]


class LeaseRow(Base):
    """Something that one process at a time may do, until a moment."""

    __tablename__ = "leases"
    __table_args__ = {"info": {"backup": False}}  # noqa: RUF012

    name: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[str]
    until: Mapped[datetime]
