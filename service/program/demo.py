"""The demo corpus in a home that is empty: loaded in a thread while pages are served already.

Here and not by the worker, whose start takes longer than this load; the files are our own.
"""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from core.errors import ArticuladoError, IndexUnavailable, NotFound
from domain.accounts import LOCAL_USER
from law.corpus_store import CorpusStore
from loading.formats import discover
from loading.indexing.index_keeper import CLOSING, IndexKeeper
from loading.jobs.job_loop import Worker
from loading.jobs.job_runner import JobRunner
from loading.records.job_store import JobStore
from loading.records.jobs import JobFile, JobKind, JobPayload
from service.config import ROOT

DEMO = ROOT / "data" / "demo"
JOB, TITLE = "demo", "Normas de demostración"
LOOK_SECONDS, MOST_SECONDS = 0.5, 120.0

logger = logging.getLogger(__name__)


class Demo:
    """The load of the demo corpus: a job, so that one that a stop or a kill leaves behind goes on."""

    def __init__(
        self,
        jobs: JobStore,
        corpus: CorpusStore,
        keeper: IndexKeeper,
        runner: Callable[[], JobRunner],
        folder: Path = DEMO,
    ) -> None:
        """Wire it; nothing is queued."""
        self._jobs = jobs
        self._corpus = corpus
        self._keeper = keeper
        self._runner = runner
        self._folder = folder
        self._closing = threading.Event()
        self._ready = threading.Event()
        self._ready.set()
        self._thread: threading.Thread | None = None

    def queue(self) -> None:
        """Queue the load if no norm is stored; several processes queue it once. Raises StorageError."""
        if not self._corpus.norms():
            files = tuple(JobFile(name=one.name, path=str(one)) for one in discover([self._folder]))
            payload = JobPayload(files=files, enrich=False)
            self._jobs.enqueue(JobKind.INGEST, TITLE, LOCAL_USER, payload, job_id=JOB)

    def start(self, then: Callable[[], object]) -> None:
        """Do the queued load, or follow that of another process, in a thread; call `then` after it.

        Without one, `then` is called at once. Raises StorageError.
        """
        if not self._open():
            then()
            return
        self._closing.clear()
        self._ready.clear()
        self._thread = threading.Thread(target=self._load, args=(then,), name="demo", daemon=True)
        self._thread.start()

    @property
    def under_way(self) -> bool:
        """True from `start` until the corpus is loaded and indexed, or that has failed."""
        return not self._ready.is_set()

    def wait(self) -> None:
        """Wait until nothing is under way. Raises IndexUnavailable: the program closes before that."""
        self._ready.wait()
        if self._closing.is_set():
            raise IndexUnavailable(CLOSING)

    def stop(self) -> None:
        """End the thread between two files: the load goes on at the next start."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _load(self, then: Callable[[], object]) -> None:
        try:
            self._follow(time.monotonic() + MOST_SECONDS)
            if not self._closing.is_set():
                self._keeper.sync()
        except ArticuladoError as error:
            logger.warning("the demo corpus is not loaded: %s", error)
        except Exception:
            logger.exception("the demo corpus is not loaded")
        finally:
            if not self._closing.is_set():
                then()
            self._ready.set()

    def _follow(self, deadline: float) -> None:
        """Do the job, or wait while another process does, whose job is taken over when it dies."""
        # Jobs are claimed in the order of their making: in a home that was empty this one is the first.
        here = Worker(self._jobs, self._runner().run, (JobKind.INGEST,), self._closing)
        while self._open() and time.monotonic() < deadline and not self._closing.is_set():
            if not here.run_next():
                self._closing.wait(LOOK_SECONDS)

    def _open(self) -> bool:
        try:
            return not self._jobs.job(JOB).state.ended
        except NotFound:
            return False
