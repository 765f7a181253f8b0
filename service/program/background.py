"""Background work of a program: the index kept in step, the worker of the jobs, what ages taken away."""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from core.errors import StorageError
from core.values import Value
from law.chunks import Chunk
from loading.indexing.index_keeper import IndexKeeper
from service.config import ROOT
from service.oversight.privacy import PersonalData
from service.program.alerts import Alerts
from service.program.demo import Demo
from service.program.document_tables import DocumentTables
from service.program.papers import MatterPapers
from service.program.supervisor import Supervisor
from service.program.warmup import WarmUp


class BackgroundStatus(Value):
    """State of the background work; `index` and `worker` are problems, in Spanish, or empty."""

    index: str = ""
    worker: str = ""
    to_embed: int = 0


@dataclass
class Background:
    """Threads that run for as long as their program is open.

    Attributes:
        sweep: takes away the files that nothing names, once at each start.
        prepare: reads what questions need of chunks.
    """

    keeper: IndexKeeper
    demo: Demo
    privacy: PersonalData
    papers: MatterPapers
    alerts: Alerts
    tables: DocumentTables
    sweep: Callable[[], object]
    prepare: Callable[[Sequence[Chunk]], object]
    supervisor: Supervisor | None = field(default=None, init=False)
    _warm_up: WarmUp | None = field(default=None, init=False)

    @property
    def status(self) -> BackgroundStatus:
        """State of keeper and worker."""
        embedder = self.keeper.embedder()
        work = self.keeper.ledger.index_work(embedder.name) if embedder else None
        return BackgroundStatus(
            index=self.keeper.problem,
            worker=self.supervisor.problem if self.supervisor else "",
            to_embed=work.to_embed if work else 0,
        )

    def start(self, *, worker: bool = True) -> None:
        """Keep the index in step, run jobs, read documents, fill tables, tell of changes of the law."""
        with suppress(StorageError):
            self.sweep()
        self.demo.start(then=self.keeper.start)
        self._warm_up = WarmUp(self.keeper.store, self.keeper, self.demo, prepare=self.prepare)
        self._warm_up.start()
        self.privacy.start()
        for one in (self.papers, self.alerts, self.tables):
            one.passes.start()
        if worker and self.supervisor is None:
            self.supervisor = Supervisor([sys.executable, str(ROOT / "worker.py"), "--supervised"])
            self.supervisor.start()

    def stop(self) -> None:
        """End all; what was under way goes on when they start again."""
        self.demo.stop()
        self.alerts.passes.stop()
        self.tables.passes.stop()
        self.papers.stop()
        if self.supervisor is not None:
            self.supervisor.stop()
            self.supervisor = None
        if self._warm_up is not None:
            self._warm_up.stop()
            self._warm_up = None
        self.privacy.stop()
        self.keeper.stop()
