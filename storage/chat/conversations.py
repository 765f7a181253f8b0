"""Conversations: a question is stored before any work on it, and no answer is ever overwritten."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from uuid import uuid4

from sqlalchemy import ColumnElement, Select, and_, delete, or_, select, update
from sqlalchemy.orm import Session, aliased

from core.errors import InputError, NotFound
from domain.conversations import Conversation, FoundConversation
from models.chat import Turn
from rag.shared.cited_answer import Answer
from rag.shared.messages import Message, MessageState
from rag.shared.trace import Trace, UnderstandRecord
from storage.base.engine import Engines, Store
from storage.base.membership import conversation_open_to, open_conversation, open_matter
from storage.chat.branches import USER, Branches, branches_of
from storage.chat.cited import keep_cited
from storage.chat.message_words import forget_words, search
from storage.tables.columns import from_json, silent, to_json
from storage.tables.conversations import ConversationRow, MessageRow, TraceRow

ASSISTANT = "assistant"
OPEN_STATES = (MessageState.PENDING.value, MessageState.RUNNING.value)
TITLE_LENGTH = 80


class SqlConversationStore(Store):
    """Conversations by owner; ownership is checked on every call. Has the port `ConversationStore`.

    Raises (all methods): StorageError; NotFound when the conversation or message does not exist
    or is another owner's (the two cannot be told apart from outside).
    """

    def __init__(
        self, engines: Engines, counted: Callable[[Session, str], None] = lambda session, owner: None
    ) -> None:
        """Wire it.

        Args:
            counted: called with the owner of each question in its transaction; raises to refuse the question.
        """
        super().__init__(engines)
        self._counted = counted

    def create(self, owner: str, title: str = "", matter_id: str | None = None) -> Conversation:
        """Start a conversation, in an expediente if one is named; without a title its question gives it.

        Raises:
            NotFound: the owner is no member of the expediente.
        """
        now = datetime.now(UTC)
        row = ConversationRow(
            id=uuid4().hex,
            owner=owner,
            title=shortened(title),
            matter_id=matter_id,
            created_at=now,
            updated_at=now,
        )
        with self._db.write() as session:
            if matter_id is not None:
                open_matter(session, owner, matter_id, lock=True).updated_at = now
            session.add(row)
        return row.as_value(Conversation)

    def conversations(self, owner: str, limit: int = 50) -> list[Conversation]:
        """The owner's conversations, the one with the latest activity first."""
        query = _latest(limit).where(conversation_open_to(owner))
        return [row.as_value(Conversation) for row in self._db.scalars(query)]

    def in_matter(self, owner: str, matter_id: str, limit: int = 50) -> list[Conversation]:
        """The owner's conversations in an expediente, the one with the latest activity first."""
        query = _latest(limit).where(ConversationRow.owner == owner, ConversationRow.matter_id == matter_id)
        with self._db.read() as session:
            open_matter(session, owner, matter_id)
            return [row.as_value(Conversation) for row in session.scalars(query)]

    def listed(self, owner: str, limit: int = 50, *, archived: bool = False) -> list[Conversation]:
        """Those that are archived, or those that are not: the pinned ones first, each part as above."""
        query = _latest(limit, ConversationRow.pinned.desc())
        query = query.where(conversation_open_to(owner), ConversationRow.archived == archived)
        return [row.as_value(Conversation) for row in self._db.scalars(query)]

    def count(self, owner: str, *, archived: bool = False) -> int:
        """The number of those."""
        where = conversation_open_to(owner), ConversationRow.archived == archived
        return self._db.count(*where, of=ConversationRow)

    def count_in_matter(self, owner: str, matter_id: str) -> int:
        """The number of the owner's conversations in an expediente."""
        where = conversation_open_to(owner), ConversationRow.matter_id == matter_id
        return self._db.count(*where, of=ConversationRow)

    def search(self, owner: str, query: str, limit: int = 20) -> list[FoundConversation]:
        """The owner's conversations with every word of `query` in title or texts, the latest activity first.

        A word is found at the beginning of longer ones too, without regard to accents and capitals. Only the
        first words of a long query count; a query without words finds nothing.
        """
        with self._db.read() as session:
            return search(session, owner, query, limit)

    def conversation(self, owner: str, conversation_id: str) -> Conversation:
        with self._db.read() as session:
            return open_conversation(session, owner, conversation_id).as_value(Conversation)

    def rename(self, owner: str, conversation_id: str, title: str) -> None:
        """Change the title. Raises InputError when it is blank."""
        new = shortened(title)
        if not new:
            raise InputError("Escriba un título para la conversación.")
        with self._db.write() as session:
            open_conversation(session, owner, conversation_id).title = new

    def pin(self, owner: str, conversation_id: str, pinned: bool) -> None:
        with self._db.write() as session:
            open_conversation(session, owner, conversation_id).pinned = pinned

    def archive(self, owner: str, conversation_id: str, archived: bool) -> None:
        """Take it out of the list, or put it back. What is archived is not pinned any more."""
        with self._db.write() as session:
            row = open_conversation(session, owner, conversation_id)
            row.archived, row.pinned = archived, row.pinned and not archived

    def delete(self, owner: str, conversation_id: str) -> None:
        """Delete the conversation with its messages and traces, and their words."""
        with self._db.write() as session:
            open_conversation(session, owner, conversation_id)
            session.execute(delete(ConversationRow).where(ConversationRow.id == conversation_id))
            forget_words(session)

    def messages(
        self, owner: str, conversation_id: str, limit: int = 20, before: int | None = None
    ) -> list[Message]:
        """The last `limit` messages (older than `before`) of the branch that is shown, oldest first."""
        with self._db.read() as session:
            branches = branches_of(session, open_conversation(session, owner, conversation_id))
            older = [one for one in branches.shown() if before is None or one < before]
            query = select(MessageRow).where(_with_answers(older[-limit:]))
            if before is not None:
                query = query.where(MessageRow.id < before)
            rows = session.scalars(query.order_by(MessageRow.id.desc()).limit(limit)).all()
            return [to_message(row, branches.versions(row.id)) for row in reversed(rows)]

    def choose(self, owner: str, conversation_id: str, question_id: int) -> None:
        """Show that version of a question, with the latest that was asked after it."""
        with self._db.write() as session:
            conversation = open_conversation(session, owner, conversation_id)
            conversation.shown = _known(branches_of(session, conversation), question_id).newest_after(
                question_id
            )

    def exchange(self, owner: str, message_id: int) -> tuple[Message, Message]:
        """The question that an answer replies to, and the answer."""
        asked, reply = aliased(MessageRow), aliased(MessageRow)
        query = (
            select(asked, reply)
            .join(asked, asked.id == reply.reply_to)
            .join(ConversationRow, ConversationRow.id == reply.conversation_id)
            .where(reply.id == message_id, conversation_open_to(owner))
        )
        with self._db.read() as session:
            found = session.execute(query).tuples().one_or_none()
            if found is None:
                raise NotFound("No existe esa respuesta.")
            return to_message(found[0]), to_message(found[1])

    def ask(
        self,
        owner: str,
        conversation_id: str,
        question: str,
        as_of: date | None = None,
        replaces: int | None = None,
    ) -> tuple[Message, Message]:
        """See the port. Raises InputError when the question is blank, QuotaExceeded when one too many."""
        if not question.strip():
            raise InputError("Escriba una pregunta.")
        with self._db.write() as session:
            # Locked: of two questions at a time the second follows the first.
            conversation = open_conversation(session, owner, conversation_id, lock=True)
            branches = branches_of(session, conversation)
            follows = branches.last if replaces is None else _known(branches, replaces).follows(replaces)
            self._counted(session, owner)
            now = datetime.now(UTC)
            conversation.updated_at = now
            if conversation.matter_id is not None:
                open_matter(session, owner, conversation.matter_id).updated_at = now
            conversation.title = conversation.title or shortened(question)
            common = {
                "conversation_id": conversation_id,
                "as_of": as_of,
                "created_at": now,
                "updated_at": now,
            }
            asked = MessageRow(
                role=USER,
                text=question,
                state=MessageState.COMPLETE,
                finished_at=now,
                follows=follows,
                **common,
            )
            session.add(asked)
            session.flush()
            conversation.shown = asked.id
            reply = MessageRow(
                role=ASSISTANT, text="", state=MessageState.PENDING, reply_to=asked.id, **common
            )
            session.add(reply)
        return to_message(asked), to_message(reply)

    def checkpoint(self, message_id: int, text: str) -> None:
        """See the port. It is also the answer's sign of life for `recover`; no effect once it is over."""
        self._db.run(
            update(MessageRow)
            .where(MessageRow.id == message_id, MessageRow.state.in_(OPEN_STATES))
            .values(text=text, state=MessageState.RUNNING.value, updated_at=datetime.now(UTC))
        )

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
        now = datetime.now(UTC)
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
                    answer=None if answer is None else to_json(answer),
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
            if state is MessageState.COMPLETE:
                keep_cited(session, message_id, answer)
            if trace is not None:
                session.add(TraceRow(message_id=message_id, body=to_json(trace)))
            session.execute(
                update(ConversationRow).where(ConversationRow.id == conversation_id).values(updated_at=now)
            )

    def history(self, owner: str, conversation_id: str, before: int, limit: int) -> list[Turn]:
        """See the port. Only exchanges whose answer is complete, and of an answer its text alone."""
        with self._db.read() as session:
            return turns_before(session, open_conversation(session, owner, conversation_id), before, limit)

    def trace(self, owner: str, message_id: int) -> Trace | None:
        """The trace of an answer; None when it has none or another version of the program wrote it."""
        query = (
            select(MessageRow.id, TraceRow.body)
            .join(ConversationRow, ConversationRow.id == MessageRow.conversation_id)
            .outerjoin(TraceRow, TraceRow.message_id == MessageRow.id)
            .where(MessageRow.id == message_id, conversation_open_to(owner))
        )
        with self._db.read() as session:
            row = session.execute(query).one_or_none()
        if row is None:
            raise NotFound("No existe ese mensaje.")
        return from_json(Trace, row.body, f"message {message_id}")

    def recover(self, older_than_seconds: float = 0) -> int:
        """See the port.

        Args:
            older_than_seconds: leave alone the answers that gave a sign of life (`ask`, `checkpoint`)
                within this time; needed when several processes share the database, each of which
                checkpoints its answers more often than that.
        """
        dead = silent(MessageRow.updated_at, datetime.now(UTC), older_than_seconds)
        return self._db.run(
            update(MessageRow)
            .where(MessageRow.state.in_(OPEN_STATES), dead)
            .values(state=MessageState.INTERRUPTED.value)
        )


def _latest(limit: int, *before: ColumnElement[bool]) -> Select[ConversationRow]:
    """The conversations with the latest activity; `before`: what they are put in order by first."""
    query = select(ConversationRow).order_by(*before)
    return query.order_by(ConversationRow.updated_at.desc(), ConversationRow.id).limit(limit)


def turns_before(session: Session, conversation: ConversationRow, before: int, limit: int) -> list[Turn]:
    """The last `limit` messages of completed exchanges that a question follows, oldest first."""
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
            _with_answers(branches_of(session, conversation).before(before)),
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


def _with_answers(questions: Sequence[int]) -> ColumnElement[bool]:
    return or_(MessageRow.id.in_(questions), MessageRow.reply_to.in_(questions))


def _known(branches: Branches, question_id: int) -> Branches:
    if question_id not in branches:
        raise NotFound("No existe esa pregunta.")
    return branches


def to_message(row: MessageRow, versions: tuple[int, ...] = ()) -> Message:
    """The value of a row, with its stored answer read back."""
    return row.as_value(Message, answer=from_json(Answer, row.answer, f"message {row.id}"), versions=versions)


def _turn(message: Message) -> Turn:
    return Turn(role=message.role, text=message.answer.answer if message.answer else message.text)


def _matter(trace: Trace | None) -> str:
    first = trace.parts[0] if trace and trace.parts else trace
    record = first.stage("understand") if first else None
    return record.understanding.matter.label if isinstance(record, UnderstandRecord) else ""
