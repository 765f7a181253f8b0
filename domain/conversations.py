"""Conversations and what a search finds of them: values."""

from datetime import datetime

from core.values import Value
from text.stretches import Stretch


class Conversation(Value):
    """A conversation without its messages.

    Attributes:
        pinned: heads the list of its owner.
        archived: out of that list, yet found by a search.
        matter_id: the expediente that it belongs to, if any.
    """

    id: str
    owner: str
    title: str
    created_at: datetime
    updated_at: datetime
    pinned: bool = False
    archived: bool = False
    matter_id: str | None = None


class FoundConversation(Value):
    """A conversation with the words of a search.

    Attributes:
        stretch: of its message with most of them; None when they are in its title alone.
        elsewhere: the question of that message, when it is in no branch that is shown; else None.
    """

    conversation: Conversation
    stretch: Stretch | None = None
    elsewhere: int | None = None
