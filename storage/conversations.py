"""Conversations: a question is stored before any work on it, and no answer is ever overwritten."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import TypeVar
from uuid import uuid4

from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.orm import Session, aliased

from rag.errors import InputError, NotFound
from rag.trace import Trace, UnderstandRecord
from rag.types import Answer, Conversation, Message, MessageState, Turn
from storage.database import Engines
from storage.tables.columns import silent, to_json
from storage.tables.core import ConversationRow, MessageRow, TraceRow

USER, ASSISTANT = "user", "assistant"
OPEN_STATES = (MessageState.PENDING.value, MessageState.RUNNING.value)
NUL = "\\u0000"
"""As JSON writes it."""
TITLE_LENGTH = 80

V = TypeVar("V", bound=BaseModel)
log = logging.getLogger(__name__)


class SqlConversationStore:
    """The `ConversationStore` port over SQLite or PostgreSQL.

    Raises (all methods): StorageError; NotFound when the conversation or message does not exist
    or is another owner's (the two cannot be told apart from outside).
    """

    def __init__(
        self, engines: Engines, counted: Callable[[Session, str], None] = lambda session, owner: None
    ) -> None:
        """Wire it.

        Args:
            counted: told of each question's owner in the transaction that stores it; raises to refuse it.
        """
        self._db = engines
        self._counted = counted

    def create(self, owner: str, title: str = "") -> Conversation:
        """Start a conversation; without a title it takes that of its first question."""
        now = _now()
        row = ConversationRow(
            id=uuid4().hex, owner=owner, title=shortened(title), created_at=now, updated_at=now
        )
        with self._db.write() as session:
            session.add(row)
            session.commit()
            return to_conversation(row)

    def conversations(self, owner: str, limit: int = 50) -> list[Conversation]:
        """The owner's conversations, the one with the latest activity first."""
        query = (
            select(ConversationRow)
            .where(ConversationRow.owner == owner)
            .order_by(ConversationRow.updated_at.desc(), ConversationRow.id)
            .limit(limit)
        )
        with self._db.read() as session:
            return [to_conversation(row) for row in session.scalars(query)]

    def conversation(self, owner: str, conversation_id: str) -> Conversation:
        with self._db.read() as session:
            return to_conversation(_owned(session, owner, conversation_id))

    def rename(self, owner: str, conversation_id: str, title: str) -> None:
        """Change the title. Raises InputError when it is blank."""
        new = shortened(title)
        if not new:
            raise InputError("Escriba un título para la conversación.")
        with self._db.write() as session:
            _owned(session, owner, conversation_id).title = new
            session.commit()

    def delete(self, owner: str, conversation_id: str) -> None:
        """Delete the conversation with its messages and traces."""
        with self._db.write() as session:
            _owned(session, owner, conversation_id)
            session.execute(delete(ConversationRow).where(ConversationRow.id == conversation_id))
            session.commit()

    def messages(
        self, owner: str, conversation_id: str, limit: int = 20, before: int | None = None
    ) -> list[Message]:
        query = select(MessageRow).where(MessageRow.conversation_id == conversation_id)
        if before is not None:
            query = query.where(MessageRow.id < before)
        with self._db.read() as session:
            _owned(session, owner, conversation_id)
            rows = session.scalars(query.order_by(MessageRow.id.desc()).limit(limit)).all()
            return [to_message(row) for row in reversed(rows)]

    def ask(
        self, owner: str, conversation_id: str, question: str, as_of: date | None = None
    ) -> tuple[Message, Message]:
        """See the port. Raises InputError when the question is blank, QuotaExceeded when one too many."""
        if not question.strip():
            raise InputError("Escriba una pregunta.")
        with self._db.write() as session:
            conversation = _owned(session, owner, conversation_id)
            self._counted(session, owner)
            now = _now()
            conversation.updated_at = now
            conversation.title = conversation.title or shortened(question)
            common = {
                "conversation_id": conversation_id,
                "as_of": as_of,
                "created_at": now,
                "updated_at": now,
            }
            asked = MessageRow(
                role=USER, text=question, state=MessageState.COMPLETE, finished_at=now, **common
            )
            session.add(asked)
            session.flush()
            reply = MessageRow(
                role=ASSISTANT, text="", state=MessageState.PENDING, reply_to=asked.id, **common
            )
            session.add(reply)
            session.commit()
            return to_message(asked), to_message(reply)

    def checkpoint(self, message_id: int, text: str) -> None:
        """See the port. It is also the answer's sign of life for `recover`; no effect once it is over."""
        with self._db.write() as session:
            session.execute(
                update(MessageRow)
                .where(MessageRow.id == message_id, MessageRow.state.in_(OPEN_STATES))
                .values(text=text, state=MessageState.RUNNING.value, updated_at=_now())
            )
            session.commit()

    def finish(
        self, message_id: int, state: MessageState, text: str, answer: Answer | None, trace: Trace | None
    ) -> None:
        """End an answer, with its trace, in one transaction. Only the first call has any effect.

        An answer that `recover` took for dead is not finished: its author may still complete it.
        A message deleted meanwhile is ignored.

        Raises:
            ValueError: `state` is not an end state.
        """
        if state.value in OPEN_STATES:
            raise ValueError(f"an answer cannot finish as {state.value}")
        now = _now()
        with self._db.write() as session:
            conversation_id = session.scalar(
                update(MessageRow)
                .where(
                    MessageRow.id == message_id,
                    MessageRow.role == ASSISTANT,
                    MessageRow.finished_at.is_(None),
                )
                .values(
                    state=state.value,
                    text=text,
                    answer=None if answer is None else _body(answer),
                    confidence=None if answer is None else answer.confidence,
                    refusal=None if answer is None else answer.refusal,
                    matter=_matter(trace),
                    updated_at=now,
                    finished_at=now,
                )
                .returning(MessageRow.conversation_id)
            )
            if conversation_id is None:
                return
            if trace is not None:
                session.add(TraceRow(message_id=message_id, body=_body(trace)))
            session.execute(
                update(ConversationRow).where(ConversationRow.id == conversation_id).values(updated_at=now)
            )
            session.commit()

    def history(self, owner: str, conversation_id: str, before: int, limit: int) -> list[Turn]:
        """See the port. Only exchanges whose answer is complete, and of an answer its text alone."""
        with self._db.read() as session:
            _owned(session, owner, conversation_id)
            return turns_before(session, conversation_id, before, limit)

    def trace(self, owner: str, message_id: int) -> Trace | None:
        """The trace of an answer; None when it has none or another version of the program wrote it."""
        query = (
            select(MessageRow.id, TraceRow.body)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .outerjoin(TraceRow, TraceRow.message_id == MessageRow.id)
            .where(MessageRow.id == message_id, ConversationRow.owner == owner)
        )
        with self._db.read() as session:
            row = session.execute(query).one_or_none()
        if row is None:
            raise NotFound("No existe ese mensaje.")
        return parsed(Trace, row.body, message_id)

    def recover(self, older_than_seconds: float = 0) -> int:
        """See the port.

        Args:
            older_than_seconds: leave alone the answers that gave a sign of life (`ask`, `checkpoint`)
                within this time; needed when several processes share the database, each of which
                checkpoints its answers more often than that.
        """
        with self._db.write() as session:
            recovered = session.scalars(
                update(MessageRow)
                .where(
                    MessageRow.state.in_(OPEN_STATES),
                    silent(MessageRow.updated_at, _now(), older_than_seconds),
                )
                .values(state=MessageState.INTERRUPTED.value)
                .returning(MessageRow.id)
            ).all()
            session.commit()
            return len(recovered)


def turns_before(session: Session, conversation_id: str, before: int, limit: int) -> list[Turn]:
    """The last `limit` messages of completed exchanges before that id, oldest first."""
    reply = aliased(MessageRow)
    answered = (
        select(reply.id)
        .where(
            reply.reply_to == MessageRow.id,
            reply.state == MessageState.COMPLETE.value,
            reply.id < before,
        )
        .exists()
    )
    complete = and_(MessageRow.role == ASSISTANT, MessageRow.state == MessageState.COMPLETE.value)
    query = (
        select(MessageRow)
        .where(
            MessageRow.conversation_id == conversation_id,
            MessageRow.id < before,
            or_(complete, and_(MessageRow.role == USER, answered)),
        )
        .order_by(MessageRow.id.desc())
        .limit(limit)
    )
    return [_turn(to_message(row)) for row in reversed(session.scalars(query).all())]


def shortened(text: str, length: int = TITLE_LENGTH) -> str:
    """`text` on one line, cut to `length` characters at the end of a word when it has to be cut."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    head = line[: length + 1].rpartition(" ")[0] or line[:length]
    return head


def _owned(session: Session, owner: str, conversation_id: str) -> ConversationRow:
    row = session.get(ConversationRow, conversation_id)
    if row is None or row.owner != owner:
        raise NotFound("No existe esa conversación.")
    return row


def to_conversation(row: ConversationRow) -> Conversation:
    """The value of a row."""
    return Conversation(
        id=row.id, owner=row.owner, title=row.title, created_at=row.created_at, updated_at=row.updated_at
    )


def to_message(row: MessageRow) -> Message:
    """The value of a row, with its stored answer read back."""
    return Message(
        id=row.id,
        conversation_id=row.conversation_id,
        role=row.role,
        text=row.text,
        state=MessageState(row.state),
        created_at=row.created_at,
        answer=parsed(Answer, row.answer, row.id),
        as_of=row.as_of,
    )


def _turn(message: Message) -> Turn:
    return Turn(role=message.role, text=message.answer.answer if message.answer else message.text)


def _matter(trace: Trace | None) -> str:
    record = trace.stage("understand") if trace else None
    return record.understanding.matter.label if isinstance(record, UnderstandRecord) else ""


def _body(value: BaseModel) -> str:
    """As `model_dump_json`, which keeps the NUL and refuses the lone surrogates that a model may send."""
    try:
        body = value.model_dump_json()
    except PydanticSerializationError:
        body = NUL
    return to_json(value.model_dump(mode="json")) if NUL in body else body


def parsed(kind: type[V], body: str | None, message_id: int) -> V | None:
    """The stored value; the raw text stays in the table when this version cannot read it."""
    if body is None:
        return None
    try:
        return kind.model_validate_json(body)
    except ValidationError:
        log.warning("the %s of message %d was written by another version", kind.__name__, message_id)
        return None


def _now() -> datetime:
    return datetime.now(UTC)
