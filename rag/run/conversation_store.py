"""Protocol of the conversations that runs write."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from models.chat import Turn
from rag.shared.cited_answer import Answer
from rag.shared.messages import Message, MessageState
from rag.shared.trace import Trace


class ConversationStore(Protocol):
    """Conversations as runs write them; ownership is checked on every call that names an owner."""

    def ask(
        self,
        owner: str,
        conversation_id: str,
        question: str,
        as_of: date | None = None,
        replaces: int | None = None,
    ) -> tuple[Message, Message]:
        """Store the question and a pending answer in one transaction, before any work starts.

        It follows the branch that is shown or, as another version, what the question `replaces` follows.
        """
        ...

    def checkpoint(self, message_id: int, text: str) -> None:
        """Store the answer's text so far; only while the answer is pending or running."""
        ...

    def finish(
        self, message_id: int, state: MessageState, text: str, answer: Answer | None, trace: Trace | None
    ) -> None: ...

    def history(self, owner: str, conversation_id: str, before: int, limit: int) -> list[Turn]:
        """The last `limit` completed messages that the question with that id follows, oldest first (X.2)."""
        ...

    def recover(self, older_than_seconds: float = 0) -> int:
        """Mark as interrupted the answers without a sign of life for that long; returns how many."""
        ...
