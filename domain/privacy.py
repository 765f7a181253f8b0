"""Data of a person that can be exported or erased: values and a port."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from pydantic import Field

from domain.reviews import Feedback
from rag.types import Conversation, Message, Value


class PersonsConversation(Value):
    """A conversation whole, with the votes of its owner by message id."""

    conversation: Conversation
    messages: tuple[Message, ...]
    votes: Mapping[int, Feedback] = Field(default_factory=dict)


class ErasureReport(Value):
    """Result of an erasure.

    Attributes:
        cases_left: cases for evaluations that reviewers made of the person's answers: copies, which stay.
    """

    conversations: int
    cases_left: int = 0


class PrivacyStore(Protocol):
    """Raises (all methods): StorageError."""

    def old_conversations(self, before: datetime) -> int:
        """Number of conversations whose last message is older than that moment."""
        ...

    def expire(self, before: datetime) -> int:
        """Delete those; how many there were."""
        ...

    def erase(self, owner: str) -> ErasureReport:
        """Delete what the person wrote and was answered; take their id off what stays. All of it or nothing.

        With it go votes on those answers and verdicts about them, and who looked at them.
        """
        ...

    def conversations(self, owner: str) -> list[PersonsConversation]:
        """All of them, the oldest first."""
        ...
