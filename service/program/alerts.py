"""Alerts in the background: whom the events of the law touch, and the mail that tells them.

The database says what is to be done, so whatever writes the law (a load of the worker, the command line)
has nothing to tell this, and a process that dies leaves its work to the next pass.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from core.periodic import Periodic
from law.norm_names import NormCatalogue
from law.norms import Norm
from law.reference_reading import find_mentions
from law.references import resolve
from storage.alerts.news import SqlNewsStore
from storage.alerts.references import SqlReferenceStore

LOOK_SECONDS = 20.0
"""How often due events are looked for: one query that finds nothing."""
STOP_SECONDS = 5.0
"""The longest that the end of the program waits for a pass."""


class Alerts:
    """See the module. Every method may be called from any thread."""

    def __init__(
        self,
        news: SqlNewsStore,
        references: SqlReferenceStore,
        *,
        norms: Callable[[], Iterable[Norm]],
        catalogue: Callable[[], NormCatalogue],
        deliver: Callable[[datetime], object],
    ) -> None:
        """Wire it.

        Args:
            deliver: sends what is to leave by mail.
        """
        self._news = news
        self._references = references
        self._norms = norms
        self._catalogue = catalogue
        self._deliver = deliver
        self._passing = threading.Lock()
        self.passes = Periodic("alerts", self.work, lambda: LOOK_SECONDS, stop_seconds=STOP_SECONDS)

    def work(self) -> int:
        """Do what is due; the number of events whose people have been worked out.

        Raises:
            StorageError: the database failed; what is done stays.
        """
        with self._passing:
            # Those never looked through come first: an event is matched once.
            if due := self._references.due():
                self._look_through(due, self._known())
            found = self._news.match(datetime.now(UTC))
            if found:
                known = self._known()
                self._look_through(self._references.due(known), known)
            self._deliver(datetime.now(UTC))
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
            found = resolve(find_mentions(self._references.text(document_id)), self._catalogue())
            places = [(one.norm_id, one.label) for one in found if one.norm_id and one.label]
            self._references.keep(document_id, places, known)
