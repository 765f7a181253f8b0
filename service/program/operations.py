"""Readiness and measurements of the program, for its operators."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cached_property

from rag.ports import CorpusStore, Embedder, VectorIndex
from rag.runs import RunRegistry
from service.program.metrics import Metrics
from storage import Database

logger = logging.getLogger(__name__)


class Operations:
    """The part of `bootstrap.App` that is looked at from outside."""

    database: Database
    corpus: CorpusStore
    index: VectorIndex
    embedder: Embedder | None
    _runs: RunRegistry | None = None
    _draining = False

    @cached_property
    def metrics(self) -> Metrics:
        """Of this process, since it was started."""
        made = Metrics()
        made.gauge(
            "answers_under_way", "Answers in progress", lambda: self._runs.under_way if self._runs else 0
        )
        made.gauge("jobs_waiting", "Jobs in the queue", self.database.jobs.waiting)
        made.gauge(
            "index_pending", "Chunks whose vector is not in the index; 0 when none are made", self._pending
        )
        made.gauge("ready", "1 when this process can answer", lambda: all(self.readiness().values()))
        return made

    def readiness(self) -> dict[str, bool]:
        """Readiness of each thing that this process needs to answer, by name."""
        checks: dict[str, Callable[[], bool]] = {
            "database": self.database.engines.alive,
            "index": self._index_answers,
            "accepting": lambda: not self._draining,
        }
        found: dict[str, bool] = {}
        for name, check in checks.items():
            try:
                found[name] = check()
            except Exception as error:
                logger.warning("not ready: %s: %s", name, error)
                found[name] = False
        return found

    def drain(self, seconds: float) -> None:
        """Take no more questions; let those under way end within that time."""
        self._draining = True
        if self._runs is not None and (left := self._runs.drain(seconds)):
            logger.warning("%d answers did not end in %d s and are stored as interrupted", left, seconds)

    def _index_answers(self) -> bool:
        return self.index.count() >= 0

    def _pending(self) -> float:
        return self.corpus.counts().pending_dense if self.embedder is not None else 0
