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
    QUESTION = "question"


class Watch(Value):
    """A person's wish to be told of changes.

    Attributes:
        name: of what is watched, as it is called now.
        label: of an article: its label in the norm.
        conversation_id: of a question: where it was asked.
        asked_at: of a question: when it was last asked again.
    """

    id: str
    kind: WatchKind
    name: str
    norm_id: str = ""
    label: str = ""
    matter_id: str | None = None
    message_id: int | None = None
    conversation_id: str | None = None
    paused: bool = False
    created_at: datetime
    asked_at: datetime | None = None


class Difference(StrEnum):
    """How the citations of a question that was asked again differ in an article; the values are stored."""

    REWORDED = "reworded"
    ADDED = "added"
    DROPPED = "dropped"


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


class TouchedQuestion(Value):
    """A watched question whose citations differ since the change."""

    conversation_id: str
    question: str
    difference: Difference


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
    questions: tuple[TouchedQuestion, ...] = ()
    watched: bool = False

    @property
    def touches(self) -> bool:
        """False once nothing of it is left: a conversation was deleted, a watch removed, a member left."""
        return bool(self.answer_count or self.documents or self.questions or self.watched)


class NewsPage(Value):
    """News of a person, the latest day first.

    Attributes:
        unread: number of all that are not read.
        answers: number of the person's answers that unread news touch, each counted once.
        more: True if there are older ones.
    """

    items: tuple[NewsItem, ...]
    unread: int = 0
    answers: int = 0
    more: bool = False


class AlertSettings(Value):
    """How a person is told besides the page.

    Attributes:
        confirmed_at: when they gave back a code sent to `email`; None: nothing else is sent there.
    """

    email: str = ""
    by_mail: bool = False
    confirmed_at: datetime | None = None


class CitedWording(Value):
    """A wording as an answer cites it: its first day and, of a checked quotation, the SHA-256 of its text."""

    norm_id: str
    block_id: str
    since: date | None = None
    sha256: str = ""


class DueQuestion(Value):
    """A watched question that is to be asked again, of the branch of its conversation.

    Attributes:
        cited: what its last answer cited, which was asked for at `asked_at`.
    """

    watch_id: str
    owner: str
    conversation_id: str
    message_id: int
    question: str
    as_of: date | None
    cited: tuple[CitedWording, ...]
    asked_at: datetime


class Channel(StrEnum):
    """Ways in which a digest leaves; the values are stored."""

    MAIL = "mail"
    WEBHOOK = "webhook"


class DigestState(StrEnum):
    """Life of a digest; the values are stored. One whose process died stays SENDING and is not sent twice."""

    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class Waiting(Value):
    """A person with news that have not left by a channel; `address` is theirs, empty for a webhook."""

    owner: str
    address: str = ""


class DeliveryProblem(Value):
    """The latest digest by a channel could not be sent: `reason` in Spanish."""

    channel: Channel
    day: date
    reason: str
