"""Keeps the index in step with the database, in the process that has the index open.

Every writer of the corpus (a worker, a page, another process) writes only to the database. The keeper sees
the change there, indexes the lexical half at once, and the vectors as soon as the cache has them.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from core.errors import ArticuladoError, IndexHeld, IndexMismatch, IndexUnavailable
from core.progress import OnProgress, unheard
from index.points import Fingerprint
from index.vector_index import IndexLedger, IndexWork, RebuildableIndex, VectorCache, VectorIndex
from law.corpus_store import CorpusStore
from loading.indexing.index_sync import IndexReport, IndexSync, reindex
from loading.indexing.lease import SyncGuard
from loading.indexing.rebuild import rebuild
from models.embedder import Embedder

POLL_SECONDS = 1.0
LOOK_SECONDS = 15.0
"""Between two checks of a complete served index: each takes four or five requests to the server."""
RETRY_SECONDS = 3.0
MEND_SECONDS = 30.0
OPTIMIZE_SECONDS = 60.0
WAIT_SECONDS = 120.0
FIRST_PASS_SECONDS = 120.0
IDLE_SECONDS = 30.0
BATCH, REST = 50, 2.0
"""Chunks per batch, and the pause after it in multiples of the time it took: pages must stay quick."""
FOLLOWED = "El índice lo tiene abierto la aplicación, que lo ha puesto al día."
NOT_FOLLOWED = "Lo cargado está guardado y se podrá buscar cuando se ponga al día el índice. "
CLOSING = "Articulado se está cerrando: vuelva a intentarlo dentro de un minuto."
VECTORS_LATER = " Los vectores se calculan allí, poco a poco."

logger = logging.getLogger(__name__)


class _Stopped(Exception):
    """The keeper was asked to end in the middle of a pass."""


@dataclass(eq=False)
class IndexKeeper:
    """The one place that writes to the index. Every method may be called from any thread."""

    store: CorpusStore
    ledger: IndexLedger
    index: VectorIndex
    embedder: Callable[[], Embedder | None]
    cache: VectorCache
    fingerprint: Callable[[], Fingerprint]
    guard: SyncGuard

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._first = threading.Event()
        self._cut_short = False
        self._thread: threading.Thread | None = None
        self._mended = float("-inf")
        self._optimized = 0.0
        self._looked = float("-inf")
        self._dirty = False
        self.problem = ""
        """Reason why the index is not up to date, in Spanish; empty if it is."""

    @property
    def running(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        """Start the watching thread; a second start does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="index-keeper", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread, even in the middle of a pass: the next start resumes there."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        if not self._first.is_set():
            self._cut_short = True
            self._first.set()

    def wake(self) -> None:
        """Check the database now instead of at the next interval."""
        self._wake.set()

    def wait_first_pass(self) -> None:
        """Wait until the words of every stored norm are indexed, or the first pass has failed; 120 s at most.

        Raises:
            IndexUnavailable: the keeper was stopped first.
        """
        self._first.wait(FIRST_PASS_SECONDS)
        if self._cut_short:
            raise IndexUnavailable(CLOSING)

    def sync(self, *, dense: bool = True, on_progress: OnProgress = unheard) -> IndexReport:
        """Make the index equal to the database before returning.

        Raises:
            IndexUnavailable: another process has the index or is changing it.
            IndexMismatch: the index was built with another model or chunker: run `reindex`.
            StorageError: chunks recorded before it stay indexed.
        """
        with self.guard.hold(WAIT_SECONDS) as renew:
            self._open()
            return self._steps(on_progress, renew).run(self.embedder() if dense else None)

    def sync_or_follow(self, *, dense: bool = True, on_progress: OnProgress = unheard) -> IndexReport:
        """As `sync`; if another process has the index open, wait until it has indexed every norm's words.

        Raises:
            IndexHeld: the other process does not index (it may be a command, not the application).
        """
        try:
            return self.sync(dense=dense, on_progress=on_progress)
        except IndexHeld as held:
            done = self._follow(held, on_progress)
            return IndexReport(sparse=done, notice=FOLLOWED + (VECTORS_LATER if dense else ""))

    def _follow(self, held: IndexHeld, on_progress: OnProgress) -> int:
        work = self.ledger.index_work("")
        total = left = work.stale + work.sparse
        moved = time.monotonic()
        while left:
            if time.monotonic() - moved > IDLE_SECONDS:
                raise IndexHeld(f"{NOT_FOLLOWED}{held}") from held
            time.sleep(POLL_SECONDS / 4)
            work = self.ledger.index_work("")
            if work.stale + work.sparse != left:
                left, moved = work.stale + work.sparse, time.monotonic()
                on_progress("sparse", max(0, total - left), total)
        return total

    def reindex(self, *, on_progress: OnProgress = unheard) -> IndexReport:
        """Rebuild the index from the database: a served one while it is searched, the embedded one in place.

        Raises as `sync`, except IndexMismatch; as `rebuild` for a served index.
        """
        with self.guard.hold(WAIT_SECONDS) as renew:
            steps, fingerprint = self._steps(on_progress, renew), self.fingerprint()
            if isinstance(self.index, RebuildableIndex):
                return rebuild(steps, self.index, fingerprint, self.embedder())
            return reindex(steps, self.index, fingerprint, self.embedder())

    def _steps(self, on_progress: OnProgress, renew: Callable[[], None]) -> IndexSync:
        """The steps of a sync; each report of progress renews the lease of the index."""

        def told(phase: str, done: int, total: int) -> None:
            renew()
            on_progress(phase, done, total)

        return IndexSync(self.store, self.ledger, self.index, self.cache, told)

    def step(self) -> bool:
        """Run one pass; True if it had work to do.

        Raises:
            IndexUnavailable, IndexMismatch, StorageError: see `sync`.
        """
        embedder = self.embedder()
        model = embedder.name if embedder else ""
        if self._may_wait(model):
            return False
        self._looked = float("-inf")
        self._open()
        # Counted first: chunks saved meanwhile then count as work, not as a difference.
        kept, held = self.store.counts().chunks, self.index.count()
        work = self.ledger.index_work(model)
        differs = not work.stale and not work.sparse and held != kept
        mend = differs and time.monotonic() - self._mended > MEND_SECONDS
        busy = bool(work.stale or work.sparse or mend or (model and work.ready))
        if busy:
            with self.guard.hold(0) as renew:
                # The previous holder of the lease may have replaced the index.
                self._open()
                # Cleared before the work: once the index is whole, no reader may see it reported as damaged.
                self.problem = ""
                self._work(model, mend, renew)
        elif self._to_optimize(work):
            self.index.optimize()
            self._dirty, self._optimized = False, time.monotonic()
        self._looked = time.monotonic()
        return busy

    def _may_wait(self, model: str) -> bool:
        """True if a served index needs no visit: it was checked lately and the database has no work."""
        if not isinstance(self.index, RebuildableIndex) or time.monotonic() - self._looked > LOOK_SECONDS:
            return False
        work = self.ledger.index_work(model)
        return not (work.stale or work.sparse or (model and work.ready) or self._to_optimize(work))

    def _to_optimize(self, work: IndexWork) -> bool:
        waited = not work.to_embed or time.monotonic() - self._optimized > OPTIMIZE_SECONDS
        return self._dirty and waited

    def _work(self, model: str, mend: bool, renew: Callable[[], None]) -> None:
        since = time.monotonic()

        def go_on(phase: str, done: int, total: int) -> None:
            nonlocal since
            renew()
            # Before the end of the first pass no user can be slowed down.
            rest = REST * (time.monotonic() - since) if self._first.is_set() else 0.0
            if self._stop.wait(rest):
                raise _Stopped
            since = time.monotonic()

        sync = IndexSync(self.store, self.ledger, self.index, self.cache, go_on, BATCH)
        self._dirty = True
        if mend:
            self._mended = time.monotonic()
            sync.mend()
        sync.delete_stale()
        sync.add_sparse()
        # The lexical half is complete; vectors may take longer.
        self._first.set()
        if model:
            sync.add_embedded(model)

    def _open(self) -> None:
        fingerprint = self.fingerprint()
        try:
            self.index.open(fingerprint)
        except IndexMismatch:
            # With an empty corpus, resetting the index loses nothing.
            if self.store.norms():
                raise
            self.index.reset(fingerprint)

    def _watch(self) -> None:
        while not self._stop.is_set():
            pause = POLL_SECONDS
            try:
                if self.step():
                    pause = 0.0
                self.problem = ""
            except _Stopped:
                return
            except ArticuladoError as error:
                self.problem, pause = str(error), RETRY_SECONDS
            except Exception:
                logger.exception("the index could not be kept in step")
                self.problem, pause = "El índice no se pudo actualizar: revise el registro.", RETRY_SECONDS
            self._first.set()
            self._wake.wait(pause)
            self._wake.clear()
