"""The tables. Column names repeat the field names of law.norms, so that a row becomes a value as it is."""

from datetime import date, datetime
from typing import Any, TypeVar

from pydantic import BaseModel
from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, LargeBinary, MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, validates

from storage.tables.columns import CleanText, StringMap, StringTuple, UtcDateTime
from text.textnorm import words

V = TypeVar("V", bound=BaseModel)

NONE, SPARSE, DENSE = 0, 1, 2
"""States of a chunk in the index: nothing, its sparse half, or both."""


class Base(DeclarativeBase):
    """A table goes into backups unless it is marked `info={"backup": False}` (`storage.backup`)."""

    metadata = MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        str: CleanText,
        datetime: UtcDateTime,
        tuple[str, ...]: StringTuple,
        dict[str, str]: StringMap,
        bytes: LargeBinary,
    }

    def as_value(self, kind: type[V], **read: Any) -> V:
        """The value with this row's fields; `read` are those that a column does not hold as they are."""
        names = kind.model_fields.keys() - read.keys()
        return kind(**{name: getattr(self, name) for name in names}, **read)


def searchable(title: str) -> str:
    """The folded words of a title between spaces, so that a search finds their beginnings."""
    return " ".join(("", *words(title), ""))


class NormRow(Base):
    """A norm: the fields of `law.norms.Norm`."""

    __tablename__ = "norms"

    id: Mapped[str] = mapped_column(primary_key=True)
    collection: Mapped[str]
    title: Mapped[str]
    law: Mapped[str]
    alias: Mapped[str]
    aliases: Mapped[tuple[str, ...]]
    rank: Mapped[str]
    number: Mapped[str]
    department: Mapped[str]
    territory: Mapped[str]
    published: Mapped[date | None]
    valid_from: Mapped[date | None]
    repealed_on: Mapped[date | None]
    status: Mapped[str]
    url: Mapped[str]
    official: Mapped[bool]
    extra: Mapped[dict[str, str]]


class BlockRow(Base):
    """A block of a norm, without its wordings."""

    __tablename__ = "blocks"

    norm_id: Mapped[str] = mapped_column(ForeignKey("norms.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    label: Mapped[str]
    title: Mapped[str]
    path: Mapped[tuple[str, ...]]
    position: Mapped[int]
    attributes: Mapped[dict[str, str]]


class BlockVersionRow(Base):
    """A wording of a block with its validity."""

    __tablename__ = "block_versions"
    __table_args__ = (
        ForeignKeyConstraint(["norm_id", "block_id"], ["blocks.norm_id", "blocks.id"], ondelete="CASCADE"),
    )

    norm_id: Mapped[str] = mapped_column(primary_key=True)
    block_id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    valid_from: Mapped[date]
    valid_to: Mapped[date | None]
    published: Mapped[date | None]
    amended_by: Mapped[str | None]
    text: Mapped[str]
    notes: Mapped[tuple[str, ...]]


class ChunkRow(Base):
    """A chunk, and its state in the index."""

    __tablename__ = "chunks"
    __table_args__ = (
        ForeignKeyConstraint(["norm_id", "block_id"], ["blocks.norm_id", "blocks.id"], ondelete="CASCADE"),
        Index(None, "norm_id", "label"),
        Index(None, "norm_id", "block_id"),
        Index(None, "index_state", "embedded_with"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    collection: Mapped[str]
    norm_id: Mapped[str]
    block_id: Mapped[str]
    kind: Mapped[str]
    label: Mapped[str]
    law: Mapped[str]
    alias: Mapped[str]
    rank: Mapped[str]
    chapter: Mapped[str]
    section: Mapped[str]
    text: Mapped[str]
    position: Mapped[int]
    part: Mapped[int]
    parts: Mapped[int]
    apartados: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]
    valid_from: Mapped[date]
    valid_to: Mapped[date | None]
    territory: Mapped[str]
    section_type: Mapped[str]
    official: Mapped[bool]
    url: Mapped[str]
    page: Mapped[int | None]
    summary: Mapped[str]
    keywords: Mapped[tuple[str, ...]]
    questions: Mapped[tuple[str, ...]]
    flags: Mapped[tuple[str, ...]]
    content_hash: Mapped[str]
    index_state: Mapped[int] = mapped_column(default=NONE)
    embedded_with: Mapped[str] = mapped_column(default="")
    passages_with: Mapped[str] = mapped_column(default="")


class CrossReferenceRow(Base):
    """A reference of a chunk, by norm and label rather than chunk id: amendments never leave it dangling."""

    __tablename__ = "cross_references"

    chunk_id: Mapped[str] = mapped_column(ForeignKey("chunks.id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    norm_id: Mapped[str | None]
    label: Mapped[str | None]
    apartado: Mapped[str | None]
    text: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]


class TombstoneRow(Base):
    """A chunk deleted here whose index entry may still exist."""

    __tablename__ = "index_tombstones"
    __table_args__ = {"info": {"backup": False}}  # noqa: RUF012

    chunk_id: Mapped[str] = mapped_column(primary_key=True)


class VectorRow(Base):
    """An embedding by content: little-endian float32, four bytes a dimension."""

    __tablename__ = "vectors"

    model: Mapped[str] = mapped_column(primary_key=True)
    hash: Mapped[str] = mapped_column(primary_key=True)
    vector: Mapped[bytes]


class MetaRow(Base):
    """A value of the database as a whole, such as the revision of the corpus."""

    __tablename__ = "meta"

    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class ConversationRow(Base):
    """A conversation of one owner; `title_words` follows the title: its folded words between spaces.

    `shown` is the id of the last question of the branch that is shown; None: the newest question.
    With a `matter_id` it is open to its owner only while they are a member of that expediente, and deleted
    with it (`storage.base.membership.delete_matters`), without a foreign key.
    """

    __tablename__ = "conversations"
    __table_args__ = (
        Index(None, "matter_id"),
        Index(None, "owner", "updated_at"),
        Index(None, "owner", "archived", "pinned", "updated_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str]
    title: Mapped[str]
    title_words: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    pinned: Mapped[bool] = mapped_column(default=False)
    archived: Mapped[bool] = mapped_column(default=False)
    shown: Mapped[int | None]
    matter_id: Mapped[str | None]

    @validates("title")
    def _fold(self, _name: str, title: str) -> str:
        self.title_words = searchable(title)
        return title


class MessageRow(Base):
    """A question, or the answer that replies to it.

    `updated_at` is the last heartbeat of the process that writes the answer; `finished_at` is set by
    `finish` alone, so that an answer presumed dead can still be completed by its living author.
    `follows` of a question is the id of the one before it in its branch, 0 for none; None: see
    `branches`. It is no foreign key: deleting a long conversation would cascade a level a question.
    `confidence`, `refusal` and `matter` repeat what answer and trace say, for the review queue to filter.
    The database itself keeps the words of `text` for searches (`storage.chat.message_words`).
    """

    __tablename__ = "messages"
    __table_args__ = (
        Index(None, "conversation_id", "id"),
        Index(None, "state"),
        Index(None, "reply_to"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    reply_to: Mapped[int | None] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"))
    role: Mapped[str]
    text: Mapped[str]
    state: Mapped[str]
    answer: Mapped[str | None]
    confidence: Mapped[float | None]
    refusal: Mapped[bool | None]
    matter: Mapped[str] = mapped_column(default="")
    as_of: Mapped[date | None]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    follows: Mapped[int | None]


class TraceRow(Base):
    """The trace of an answer, compressed JSON."""

    __tablename__ = "traces"

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    body: Mapped[str]


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
