"""Data of a person that can be exported or erased: values."""

from collections.abc import Mapping

from pydantic import Field

from core.values import Value
from domain.conversations import Conversation
from domain.reviews import Feedback
from rag.shared.messages import Message


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
