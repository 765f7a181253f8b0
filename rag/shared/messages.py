"""Messages of a conversation: frozen values."""

from datetime import date, datetime
from enum import StrEnum

from core.values import Value
from rag.shared.cited_answer import Answer


class MessageState(StrEnum):
    """Life of an answer; questions are COMPLETE from the start."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"
    FAILED = "failed"


class Message(Value):
    """One row of a conversation.

    Attributes:
        follows: of a question: id of the one before it in its branch, 0 for none; None = the one before it.
        versions: of a question: ids of all its versions, oldest first; empty when there is no other.
    """

    id: int
    conversation_id: str
    role: str
    text: str
    state: MessageState
    created_at: datetime
    answer: Answer | None = None
    as_of: date | None = None
    follows: int | None = None
    versions: tuple[int, ...] = ()
