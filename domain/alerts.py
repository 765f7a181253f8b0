"""Alerts: watches, news of the law and the ways in which a person is told. Values only."""

from datetime import date, datetime
from enum import StrEnum

from core.values import Value
from law.events import LawEvent


class WatchKind(StrEnum):
    """Subjects of a watch; the values are stored."""

    NORM = "norm"
    ARTICLE = "article"
    MATTER = "matter"


class Watch(Value):
    """A person's wish to be told of changes.

    Attributes:
        name: of what is watched, as it is called now.
        label: of an article: its label in the norm.
    """

    id: str
    kind: WatchKind
    name: str
    norm_id: str = ""
    label: str = ""
    matter_id: str | None = None
    paused: bool = False
    created_at: datetime


class TouchedAnswer(Value):
    """An answer of the person's that cites what changed, with the question it replies to."""

    message_id: int
    conversation_id: str
    question: str


class TouchedDocument(Value):
    """A document, of a watched expediente, that refers to what changed."""

    matter_id: str
    matter: str
    name: str


class NewsItem(Value):
    """An event of the law as it touches one person.

    Attributes:
        answers: the latest of those that cite the wording that changed; `answer_count`: of all of them.
        watched: True if the person watches the article or its norm.
    """

    id: int
    event: LawEvent
    read: bool = False
    answers: tuple[TouchedAnswer, ...] = ()
    answer_count: int = 0
    documents: tuple[TouchedDocument, ...] = ()
    watched: bool = False

    @property
    def touches(self) -> bool:
        """False once nothing of it is left: a conversation was deleted, a watch removed, a member left."""
        return bool(self.answer_count or self.documents or self.watched)


class NewsPage(Value):
    """News of a person, the latest day first.

    Attributes:
        unread: number of all that are not read.
        answers: number of the person's answers that unread news touch, each counted once.
        more: True if there are older ones; `total`: how many there are.
    """

    items: tuple[NewsItem, ...]
    unread: int = 0
    answers: int = 0
    more: bool = False
    total: int = 0


class AlertSettings(Value):
    """How a person is told besides the page.

    Attributes:
        confirmed_at: when they gave back a code sent to `email`; None: nothing else is sent there.
    """

    email: str = ""
    by_mail: bool = False
    confirmed_at: datetime | None = None


class DigestState(StrEnum):
    """Life of a digest; the values are stored. One whose process died stays SENDING and is not sent twice."""

    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class Waiting(Value):
    """A person with news that have not left, and the address that they confirmed."""

    owner: str
    address: str


class DeliveryProblem(Value):
    """The latest digest could not be sent: `reason` in Spanish."""

    day: date
    reason: str
