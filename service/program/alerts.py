"""Alerts in the background: whom the events of the law touch, and watched questions asked again.

The database says what is to be done, so whatever writes the law (a load of the worker, the command line)
has nothing to tell this, and a process that dies leaves its work to the next pass.
"""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from core.errors import ArticuladoError
from core.periodic import Periodic
from domain.alerts import DueQuestion
from law.norm_names import NormCatalogue
from law.norms import Norm
from law.references import find, resolve
from rag.shared.cited_answer import Answer
from service.program.asked_again import differences
from storage.alerts.news import SqlNewsStore
from storage.alerts.questions import SqlQuestionWatchStore
from storage.alerts.references import SqlReferenceStore
from storage.alerts.watches import wordings_of

LOOK_SECONDS = 20.0
"""How often due events are looked for: one query that finds nothing."""
STOP_SECONDS = 5.0
"""The longest that the program waits for a question that is being asked; it is asked again the next time."""
REST_SECONDS = 15 * 60.0
"""Pause after a question could not be asked again: a model that fails now fails a minute later."""
CLAIM = timedelta(minutes=15)
"""How long a question is one process's to ask: longer than an answer takes. After a kill it lapses."""

logger = logging.getLogger(__name__)


class Alerts:
    """See the module. Every method may be called from any thread."""

    def __init__(
        self,
        news: SqlNewsStore,
        questions: SqlQuestionWatchStore,
        references: SqlReferenceStore,
        *,
        norms: Callable[[], Iterable[Norm]],
        catalogue: Callable[[], NormCatalogue],
        ask: Callable[[DueQuestion], Answer],
        deliver: Callable[[datetime], object],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Wire it.

        Args:
            ask: the answer that a question gets now.
            deliver: sends what is to leave by mail or webhook.
        """
        self._news = news
        self._questions = questions
        self._references = references
        self._norms = norms
        self._catalogue = catalogue
        self._ask = ask
        self._deliver = deliver
        self._now = now
        self._passing = threading.Lock()
        self.passes = Periodic("alerts", self.work, lambda: LOOK_SECONDS, stop_seconds=STOP_SECONDS)
        self._rest_until = 0.0

    def work(self) -> int:
        """Do what is due; the number of events whose people have been worked out.

        Raises:
            StorageError: the database failed; what is done stays.
        """
        with self._passing:
            # Those never looked through come first: an event is matched once.
            if due := self._references.due():
                self._look_through(due, self._known())
            found = self._news.match(self._now())
            if found:
                known = self._known()
                self._look_through(self._references.due(known), known)
            self._ask_due()
            self._deliver(self._now())
            return found

    def _known(self) -> str:
        """Names the norms that a document may refer to, and how they are called."""
        digest = hashlib.sha256()
        for norm in self._norms():
            digest.update(f"{norm.id}|{norm.law}|{norm.alias}|{norm.aliases}\n".encode())
        return digest.hexdigest()[:16]

    def _look_through(self, documents: Iterable[str], known: str) -> None:
        for document_id in documents:
            if self.passes.ending:
                return
            found = resolve(find(self._references.text(document_id)), self._catalogue())
            places = [(one.norm_id, one.label) for one in found if one.norm_id and one.label]
            self._references.keep(document_id, places, known)

    def _ask_due(self) -> None:
        if time.monotonic() < self._rest_until:
            return
        for due in self._questions.due(self._now()):
            if self.passes.ending:
                return
            asked_at = self._now()
            until = asked_at + CLAIM
            if not self._questions.claim(due, asked_at, until):
                continue
            try:
                cited = wordings_of(self._ask(due))
            except ArticuladoError as error:
                logger.warning("a watched question could not be asked again: %s", type(error).__name__)
                self._rest_until = time.monotonic() + REST_SECONDS
                self._questions.release(due, until)
                return
            events = self._questions.events_since(due.asked_at, asked_at)
            self._questions.differs(due.watch_id, differences(due.cited, cited, events), cited, asked_at)
