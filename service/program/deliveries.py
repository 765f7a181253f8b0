"""The morning's digest of each person, by mail: at most one a day, tried again when it fails.

A digest is taken before it is sent. If the process dies in between nobody knows whether it left: it is not
sent again that day, and what was in it is in the next one while it is unread.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from core.clock import SPAIN
from core.errors import DeliveryFailed
from domain.alert_settings import AlertsSettings
from domain.alerts import DeliveryProblem, NewsItem
from law.events import LawEvent
from law.norms import Norm
from service.program import mail
from service.program.mail import RecipientRefused
from storage.alerts.digests import SqlDigestStore
from storage.alerts.news import SqlNewsStore

FIRST_REST, LONGEST_REST = timedelta(minutes=5), timedelta(hours=3)
MOST = 500
"""News of a person that are read for a digest."""
PAGE = "/news"

logger = logging.getLogger(__name__)


class Written(NamedTuple):
    """A digest in words: the norms with how many of their articles changed, and the lines on the case."""

    norms: Sequence[tuple[str, int]]
    case: Sequence[str]
    events: Sequence[int]


class Deliveries:
    """Sends the digests that are due. Any thread may call it; `service.program.alerts` does."""

    def __init__(
        self,
        settings: AlertsSettings,
        digests: SqlDigestStore,
        news: SqlNewsStore,
        *,
        address: str,
        norm: Callable[[str], Norm | None],
        may_be_told: Callable[[str], bool],
    ) -> None:
        """Wire it.

        Args:
            address: of the program as people open it, or ''.
            norm: a norm by its id; None if it is gone.
            may_be_told: False for people whose account is closed.
        """
        self._settings = settings
        self._digests = digests
        self._news = news
        self._address = address
        self._norm = norm
        self._may_be_told = may_be_told

    @property
    def by_mail(self) -> bool:
        """True if this installation can send mail."""
        return bool(self._settings.smtp_host)

    def problem(self) -> DeliveryProblem | None:
        """See `SqlDigestStore.problem`; None where no mail is sent any more."""
        return self._digests.problem() if self.by_mail else None

    def deliver(self, now: datetime) -> int:
        """Send what is due from the hour of ALERTS_HOUR on; the number of digests that were taken."""
        local = now.astimezone(SPAIN)
        if not self.by_mail or local.hour < self._settings.alerts_hour:
            return 0
        taken, day = 0, local.date()
        for person in self._digests.waiting(day, now):
            written = self._written(person.owner) if self._may_be_told(person.owner) else None
            if written is None:
                continue
            attempt = self._digests.claim(person.owner, day, now)
            if not attempt:
                continue
            try:
                mail.send(self._settings, person.address, subject(written), text(written, self._address))
            except DeliveryFailed as error:
                rest = min(FIRST_REST * 3 ** min(attempt - 1, 6), LONGEST_REST)
                self._digests.failed(person.owner, day, str(error), now + rest)
                logger.warning("a digest was not taken: %s", error)
                if not isinstance(error, RecipientRefused):
                    # The server itself: the others would wait as long for the same.
                    break
            else:
                self._digests.sent(person.owner, day, written.events, now)
                taken += 1
        return taken

    def _written(self, owner: str) -> Written | None:
        """The digest of a person; None when nothing of their news touches them any more."""
        unsent = self._digests.unsent(owner)
        items = [one for one in self._news.news(owner, MOST, unread=True).items if one.id in unsent]
        if not items:
            return None
        places = {(one.event.norm_id, one.event.block_id): one.event for one in items}
        names = {event.norm_id: self._named(event) for event in places.values()}
        counts = Counter(names[norm_id] for norm_id, _ in places)
        case = case_lines(items) if self._settings.alerts_case_names else ()
        return Written(sorted(counts.items()), case, [one.id for one in items])

    def _named(self, event: LawEvent) -> str:
        """The name of the norm as it is now, or as it was when the event was found."""
        norm = self._norm(event.norm_id)
        return norm.law if norm else event.law


def subject(written: Written) -> str:
    """«Articulado: cambios en 2 normas que le afectan»."""
    count = len(written.norms)
    return (
        f"Articulado: cambios en {count} {'norma que le afecta' if count == 1 else 'normas que le afectan'}"
    )


def text(written: Written, address: str) -> str:
    """The mail: norms by their names, and where to read more."""
    lines = [f"- {name}: {_articles(count)}" for name, count in written.norms]
    where = f"Véalos en {address}{PAGE}" if address else "Véalos en la página «Novedades» de Articulado."
    case = ["", "Se apoya en ello:", *(f"- {line}" for line in written.case)] if written.case else []
    last = "Aviso automático. Para no recibirlo, desactívelo en la página «Novedades»."
    return "\n".join(["Hay cambios en la normativa que le afectan:", "", *lines, *case, "", where, "", last])


def case_lines(items: Iterable[NewsItem]) -> list[str]:
    """The person's questions and expedientes that changes touch, once each."""
    told: dict[str, None] = {}
    for item in items:
        told |= {f"Su consulta «{one.question}»": None for one in item.answers}
        told |= {f"Su expediente «{one.matter}»": None for one in item.documents}
    return list(told)


def _articles(count: int) -> str:
    return f"{count} {'cambio' if count == 1 else 'cambios'}"
