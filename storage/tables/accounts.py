"""The tables of accounts, login sessions and failed attempts."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.core import Base


class AccountRow(Base):
    """A person who may sign in; `familiar` are the last addresses that they signed in from."""

    __tablename__ = "accounts"
    __table_args__ = (Index(None, "username", unique=True), Index(None, "subject", unique=True))

    id: Mapped[str] = mapped_column(primary_key=True)
    username: Mapped[str]
    name: Mapped[str]
    roles: Mapped[tuple[str, ...]]
    active: Mapped[bool]
    subject: Mapped[str | None]
    password_hash: Mapped[str]
    must_change: Mapped[bool]
    change_by: Mapped[datetime | None]
    familiar: Mapped[tuple[str, ...]]
    created_at: Mapped[datetime]
    last_login: Mapped[datetime | None]


class LoginSessionRow(Base):
    """A session in one browser, by the hash of its token."""

    __tablename__ = "login_sessions"
    __table_args__ = (
        Index(None, "token_hash", unique=True),
        Index(None, "account_id"),
        {"info": {"backup": False}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[str]
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    created_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    address: Mapped[str]
    agent: Mapped[str]


class AttemptRow(Base):
    """One failed attempt under one key."""

    __tablename__ = "attempts"
    __table_args__ = (Index(None, "key", "at"), {"info": {"backup": False}})

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    at: Mapped[datetime]
