"""Background work of a program: the index kept in step, the worker of the jobs, what ages taken away."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from config import ROOT
from rag.errors import StorageError
from rag.indexing.keeper import IndexKeeper
from rag.ports import CorpusStore, Embedder
from rag.types import Chunk, Value
from service.oversight.privacy import PersonalData
from service.program.alerts import Alerts
from service.program.demo import Demo
from service.program.document_tables import DocumentTables
from service.program.matters import Matters
from service.program.supervisor import Supervisor
from service.program.warmup import WarmUp


class BackgroundStatus(Value):
    """State of the background work; `index` and `worker` are problems, in Spanish, or empty."""

    index: str = ""
    worker: str = ""
    to_embed: int = 0


class Background:
    """Threads that run for as long as their program is open."""

    supervisor: Supervisor | None = None

    def __init__(
        self,
        corpus: CorpusStore,
        keeper: IndexKeeper,
        *,
        demo: Demo,
        privacy: PersonalData,
        embedder: Callable[[], Embedder | None],
        papers: Matters,
        alerts: Alerts,
        tables: DocumentTables,
        sweep: Callable[[], object],
        prepare: Callable[[Sequence[Chunk]], object],
    ) -> None:
        """Wire it; nothing starts.

        Args:
            sweep: takes away the files that nothing names, once at each start.
            prepare: reads what questions need of chunks.
        """
        self._corpus = corpus
        self._keeper = keeper
        self._demo = demo
        self._privacy = privacy
        self._embedder = embedder
        self._papers = papers
        self._alerts = alerts
        self._tables = tables
        self._sweep = sweep
        self._prepare = prepare
        self._warm_up: WarmUp | None = None

    @property
    def status(self) -> BackgroundStatus:
        """State of keeper and worker."""
        embedder = self._embedder()
        work = self._keeper.ledger.index_work(embedder.name) if embedder else None
        return BackgroundStatus(
            index=self._keeper.problem,
            worker=self.supervisor.problem if self.supervisor else "",
            to_embed=work.to_embed if work else 0,
        )

    def start(self, *, worker: bool = True) -> None:
        """Keep the index in step, run jobs, read documents, fill tables, tell of changes of the law."""
        with suppress(StorageError):
            self._sweep()
        self._demo.start(then=self._keeper.start)
        self._warm_up = WarmUp(self._corpus, self._keeper, self._demo, prepare=self._prepare)
        self._warm_up.start()
        self._privacy.start()
        self._papers.start()
        self._alerts.start()
        self._tables.start()
        if worker and self.supervisor is None:
            self.supervisor = Supervisor([sys.executable, str(ROOT / "worker.py"), "--supervised"])
            self.supervisor.start()

    def stop(self) -> None:
        """End all; what was under way goes on when they start again."""
        self._demo.stop()
        self._alerts.stop()
        self._tables.stop()
        self._papers.stop()
        if self.supervisor is not None:
            self.supervisor.stop()
            self.supervisor = None
        if self._warm_up is not None:
            self._warm_up.stop()
            self._warm_up = None
        self._privacy.stop()
        self._keeper.stop()
