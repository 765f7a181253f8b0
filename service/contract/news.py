"""`news`: what has changed in the law that touches a person."""

from datetime import date
from typing import Annotated

from pydantic import Field

from core.values import Value
from domain.alerts import NewsItem, NewsPage
from law.changes import Fate
from law.events import event_told

MOST_NEWS = 500
Limit = Annotated[int, Field(ge=1, le=MOST_NEWS)]
Unread = Annotated[bool, Field(description="Solo lo que no ha leído.")]


class NewsAnswer(Value):
    """An answer of the person's that cites what changed: its message, its conversation and the question."""

    message: int
    conversation: str
    question: str


class NewsEntry(Value):
    """A change, told in `text`, and the things of the person that it touches.

    Attributes:
        day: on which it is told; `on`: the first day of its effect, if it has one.
        before, after: first days of the wordings that `diff` compares.
        answers: the latest of `answer_count`.
        documents: of watched expedientes.
    """

    id: int
    day: date
    norm_id: str
    law: str
    block_id: str
    title: str
    change: Fate
    text: str
    on: date | None
    before: date | None
    after: date | None
    amended_by: str | None
    read: bool
    watched: bool
    answer_count: int
    answers: tuple[NewsAnswer, ...]
    documents: tuple[str, ...]


class NewsDocument(Value):
    """The latest news; `unread` and `answers` count all that are not read and the answers they touch."""

    news: tuple[NewsEntry, ...]
    unread: int
    answers: int
    more: bool


def news_document(page: NewsPage) -> NewsDocument:
    """The news of a person as a document."""
    return NewsDocument(
        news=tuple(map(_entry, page.items)), unread=page.unread, answers=page.answers, more=page.more
    )


def _entry(item: NewsItem) -> NewsEntry:
    event = item.event
    names = NewsEntry.model_fields.keys() & type(event).model_fields.keys()
    return NewsEntry(
        **{name: getattr(event, name) for name in names},
        id=item.id,
        change=event.fate,
        text=event_told(event),
        read=item.read,
        watched=item.watched,
        answer_count=item.answer_count,
        answers=tuple(
            NewsAnswer(message=one.message_id, conversation=one.conversation_id, question=one.question)
            for one in item.answers
        ),
        documents=tuple(one.name for one in item.documents),
    )
