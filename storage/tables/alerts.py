"""The tables of alerts: what changed in the law, what cites it, who watches it and who has been told."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class LawEventRow(Base):
    """An event of the law: the fields of `law.events.LawEvent`, and from which moment it counts.

    It is written in the transaction of the change itself. `since` is when it was found or, of one that takes
    effect later, the beginning of that day in Spain; since `matched_at` whom it touches has a `NewsRow`.
    `job_id` is the load that brought it, '' of a change by hand: an undone load takes its events along.
    """

    __tablename__ = "law_events"
    __table_args__ = (
        Index(None, "norm_id", "block_id"),
        Index(None, "matched_at", "since"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    norm_id: Mapped[str]
    law: Mapped[str]
    fate: Mapped[str]
    day: Mapped[date]
    on: Mapped[date | None]
    block_id: Mapped[str]
    cited: Mapped[str]
    label: Mapped[str]
    title: Mapped[str]
    before: Mapped[date | None]
    after: Mapped[date | None]
    amended_by: Mapped[str | None]
    since: Mapped[datetime]
    matched_at: Mapped[datetime | None]
    job_id: Mapped[str] = mapped_column(default="")


class CitedArticleRow(Base):
    """A wording that a complete answer cites or names, once each; kept with the answer."""

    __tablename__ = "cited_articles"
    __table_args__ = (Index(None, "norm_id", "block_id"),)

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True)
    norm_id: Mapped[str]
    block_id: Mapped[str]
    valid_from: Mapped[date | None]


class DocumentReferenceRow(Base):
    """An article that a document of an expediente refers to."""

    __tablename__ = "document_references"
    __table_args__ = (Index(None, "norm_id", "label"),)

    document_id: Mapped[str] = mapped_column(
        ForeignKey("matter_documents.id", ondelete="CASCADE"), primary_key=True
    )
    norm_id: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(primary_key=True)


class WatchRow(Base):
    """A watch: the fields of `domain.alerts.Watch`; `target` names its object, once an owner and kind."""

    __tablename__ = "watches"
    __table_args__ = (
        Index("uq_watches_owner_kind_target", "owner", "kind", "target", unique=True),
        Index(None, "norm_id"),
        Index(None, "matter_id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    owner: Mapped[str]
    kind: Mapped[str]
    target: Mapped[str]
    norm_id: Mapped[str]
    label: Mapped[str]
    matter_id: Mapped[str | None] = mapped_column(ForeignKey("matters.id", ondelete="CASCADE"))
    name: Mapped[str]
    paused: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime]


class NewsRow(Base):
    """An event that touches a person: when they read it, and when it left for them by mail."""

    __tablename__ = "news"
    __table_args__ = (Index(None, "event_id"),)

    owner: Mapped[str] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("law_events.id", ondelete="CASCADE"), primary_key=True)
    read_at: Mapped[datetime | None]
    mailed_at: Mapped[datetime | None]


class DigestRow(Base):
    """The one digest of a person and a day, sent or still to be tried."""

    __tablename__ = "digests"

    owner: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    state: Mapped[str]
    attempts: Mapped[int]
    next_at: Mapped[datetime]
    problem: Mapped[str]


class AlertSettingsRow(Base):
    """How a person wants to be told besides the page, and since when the address is known to be theirs."""

    __tablename__ = "alert_settings"

    owner: Mapped[str] = mapped_column(primary_key=True)
    email: Mapped[str]
    by_mail: Mapped[bool]
    confirmed_at: Mapped[datetime | None]


class AddressCodeRow(Base):
    """The code that was sent last to a person's address: the SHA-256 of it, '' once it is used or void.

    `tries` are wrong ones; `sent` counts the codes since `since`.
    """

    __tablename__ = "address_codes"
    __table_args__ = {"info": {"backup": False}}  # noqa: RUF012

    owner: Mapped[str] = mapped_column(primary_key=True)
    code_hash: Mapped[str]
    expires_at: Mapped[datetime]
    tries: Mapped[int]
    sent: Mapped[int]
    since: Mapped[datetime]
