"""The corpus in memory before the first question needs it: what is in force today, norm after norm."""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date

from core.clock import today_in_spain
from core.errors import ArticuladoError, IndexUnavailable
from law.chunks import Chunk
from law.corpus_store import CorpusStore
from loading.indexing.index_keeper import IndexKeeper
from rag.ranking.ranking_features import prepare
from service.program.demo import Demo

BATCH, MOST = 50, 8000
PAUSE_SECONDS, STOP_SECONDS = 0.01, 2.0

logger = logging.getLogger(__name__)


class WarmUp:
    """A thread that runs once; a page or a question is never waiting for it."""

    def __init__(
        self,
        corpus: CorpusStore,
        keeper: IndexKeeper,
        demo: Demo,
        today: Callable[[], date] = today_in_spain,
        *,
        prepare: Callable[[Sequence[Chunk]], object] = prepare,
    ) -> None:
        self._corpus = corpus
        self._keeper = keeper
        self._demo = demo
        self._today = today
        self._prepare = prepare
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="warm-up", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(STOP_SECONDS)

    def _work(self) -> None:
        try:
            with suppress(IndexUnavailable):
                self._demo.wait()
                self._keeper.wait_first_pass()
            if self._stop.is_set():
                return
            read = self._read()
        except ArticuladoError as error:
            logger.warning("the corpus could not be read beforehand: %s", error)
        else:
            logger.info("%d fragments read beforehand", read)

    def _read(self) -> int:
        """Up to what is kept: the norms that most questions are about are not known, so all, in order."""
        read, today = 0, self._today()
        for norm in self._corpus.norms():
            ids = [chunk_id for chunk_id, _ in self._corpus.norm_outline(norm.id, today)]
            for start in range(0, len(ids), BATCH):
                if read >= MOST or self._stop.wait(PAUSE_SECONDS):
                    return read
                batch = ids[start : start + BATCH]
                self._prepare(self._corpus.chunks(batch))
                self._corpus.referenced(batch, today)
                read += len(batch)
        return read
