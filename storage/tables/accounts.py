"""The tables of accounts, preferences, login sessions, API tokens and failed attempts."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.declarative import Base


class AccountRow(Base):
    """A person who may sign in; `familiar` are the last addresses that they signed in from, `told` the number
    of the last entry of the audit log that they have taken notice of."""

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
    told: Mapped[int] = mapped_column(default=0)


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


class ApiTokenRow(Base):
    """A token of a person's program, by the hash of its secret: `domain.tokens.ApiToken` and `Grant`."""

    __tablename__ = "api_tokens"
    __table_args__ = (
        Index(None, "token_hash", unique=True),
        Index(None, "family", unique=True),
        Index(None, "account_id"),
        {"info": {"backup": False}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[str]
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    name: Mapped[str]
    scopes: Mapped[tuple[str, ...]]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    seen_at: Mapped[datetime | None]
    resource: Mapped[str] = mapped_column(default="")
    redirect: Mapped[str] = mapped_column(default="")
    client: Mapped[str] = mapped_column(default="")
    family: Mapped[str | None]
    next_hash: Mapped[str] = mapped_column(default="")
    challenge: Mapped[str] = mapped_column(default="")
    until: Mapped[datetime | None]


class DeviceRow(Base):
    """A browser that an account has signed in from with its password, by the hash of its cookie."""

    __tablename__ = "known_devices"
    __table_args__ = (Index(None, "account_id"), {"info": {"backup": False}})

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    seen_at: Mapped[datetime]


class PreferencesRow(Base):
    """Choices of a person for themselves: the fields of `domain.preferences.Preferences`.

    The one person of the personal mode has no account, so `owner` is no foreign key.
    """

    __tablename__ = "preferences"

    owner: Mapped[str] = mapped_column(primary_key=True)
    theme: Mapped[str]
    length: Mapped[str]
    day: Mapped[str]
    fixed_day: Mapped[date | None]
    shortcuts: Mapped[bool]
    notice: Mapped[str]
    toured: Mapped[bool]
    detail: Mapped[bool] = mapped_column(default=False)


class AttemptRow(Base):
    """One failed attempt under one key."""

    __tablename__ = "attempts"
    __table_args__ = (Index(None, "key", "at"), Index(None, "at"), {"info": {"backup": False}})

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    at: Mapped[datetime]
