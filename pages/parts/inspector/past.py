"""The latest answers of the reader, and those that cite an article."""

from collections.abc import Sequence
from typing import NamedTuple

from core.errors import NotFound
from domain.reviews import ReviewItem
from law.chunks import Chunk
from models.chat import Turn
from pages.parts.common.words import moment, shortened
from rag.shared.messages import Message
from rag.shared.trace import Trace
from service.members.member import Member

CONVERSATIONS = 20
MESSAGES = 20
LENGTH = 90


class Past(NamedTuple):
    """An answer and the question it answers; `item`: as it is in review, of an answer of somebody else."""

    question: Message
    answer: Message
    item: ReviewItem | None = None


def recent(app: Member) -> list[Past]:
    """The answers of the reader's latest conversations, the newest first."""
    found: list[Past] = []
    for conversation in app.conversations.conversations(CONVERSATIONS):
        asked: Message | None = None
        for message in app.conversations.messages(conversation.id, MESSAGES):
            if message.role == "user":
                asked = message
            elif asked is not None and message.answer is not None:
                found.append(Past(asked, message))
    return sorted(found, key=lambda one: -one.answer.id)


def asked_for(app: Member, message_id: int) -> Past:
    """One's own answer of that id, or that under review, which is recorded as a look. Raises NotFound."""
    try:
        return Past(*app.conversations.exchange(message_id))
    except NotFound:
        item = app.reviews.item(message_id, app.profile.history_answer_messages)
        return Past(item.question, item.answer, item)


def trace_of(app: Member, past: Past) -> Trace | None:
    """The trace of an answer, if this version can read it."""
    read = app.reviews.answer_trace if past.item else app.conversations.trace
    return read(past.answer.id)


def history_of(app: Member, past: Past) -> Sequence[Turn]:
    """The turns that an answer read."""
    if past.item:
        return past.item.history
    asked, most = past.question, app.profile.history_answer_messages
    return app.conversations.history(asked.conversation_id, asked.id, most)


def title_of(past: Past) -> str:
    """The question, cut to LENGTH characters, and the moment of the answer."""
    return f"{shortened(past.question.text, LENGTH)} · {moment(past.answer.created_at)}"


def citing(app: Member, chunk: Chunk) -> list[Past]:
    """Answers among `recent` with a verified quotation of that article, in any wording or part."""
    return [
        one
        for one in recent(app)
        if one.answer.answer
        and any(
            cited.verified and (cited.norm_id, cited.block_id) == (chunk.norm_id, chunk.block_id)
            for cited in one.answer.answer.citations
        )
    ]
