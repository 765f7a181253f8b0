"""Database tables of the corpus: norms with their wordings, their chunks and vectors.

Column names repeat the field names of law.norms, so that a row becomes a value as it is.
"""

from datetime import date

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base

NONE, SPARSE, DENSE = 0, 1, 2
"""States of a chunk in the index: nothing, its sparse half, or both."""


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
