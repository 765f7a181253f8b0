"""The latest answers of the reader, and those that cite an article."""

from typing import NamedTuple

from law.chunks import Chunk
from pages.parts.common.words import moment, shortened
from rag.shared.messages import Message
from service.members.member import Member

CONVERSATIONS = 20
MESSAGES = 20
LENGTH = 90


class Past(NamedTuple):
    """An answer and the question it answers."""

    question: Message
    answer: Message


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
