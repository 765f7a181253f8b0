"""Database tables of conversations: their messages, and the traces of answers."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column, validates

from storage.tables.declarative import Base
from text.textnorm import words


def searchable(title: str) -> str:
    """The folded words of a title between spaces, so that a search finds their beginnings."""
    return " ".join(("", *words(title), ""))


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
