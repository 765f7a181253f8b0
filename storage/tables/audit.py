"""The tables of the audit log and of what models were used for whom."""

from datetime import date, datetime

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class AuditRow(Base):
    """A link of the chain. `storage.tables.triggers` refuse its change, its deletion (but for a cut that the
    log itself tells of) and an insertion anywhere but at the end."""

    __tablename__ = "audit"
    __table_args__ = (Index(None, "actor", "number"), Index(None, "action", "number"), Index(None, "at"))

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    actor: Mapped[str]
    action: Mapped[str]
    target: Mapped[str]
    detail: Mapped[dict[str, str]]
    previous: Mapped[str]
    hash: Mapped[str]


class UsageRow(Base):
    """Use of one model by one person in one role on one day of Spain.

    Questions are counted under the role `QUESTIONS`, without a model.
    """

    __tablename__ = "usage"
    __table_args__ = (Index(None, "day"),)

    owner: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    role: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    questions: Mapped[int] = mapped_column(default=0)
    calls: Mapped[int] = mapped_column(default=0)
    failures: Mapped[int] = mapped_column(default=0)
    prompt_tokens: Mapped[int] = mapped_column(default=0)
    completion_tokens: Mapped[int] = mapped_column(default=0)
