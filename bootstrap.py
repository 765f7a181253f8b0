"""The composition root: Settings become wired services. The only file that knows every part."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from config import Settings, settings
from domain.accounts import LOCAL_USER, Permission
from rag.calculations.facts import Facts
from rag.calculations.files import read_facts
from rag.chunking.chunk import CHUNKER
from rag.errors import EmbedderUnavailable
from rag.evaluation.background import EvaluationRunner
from rag.evaluation.facts import facts
from rag.index.sparse import SparseEncoder
from rag.index.types import Fingerprint
from rag.indexing.keeper import IndexKeeper
from rag.indexing.lease import SyncGuard
from rag.indexing.passages import Passages
from rag.indexing.sync import IndexReport
from rag.ingestion.doctor import Doctor
from rag.ingestion.ingest import IngestReport, catalogue_of
from rag.law.holdings import Holdings
from rag.law.norm_names import NormCatalogue
from rag.lexicon.synonyms import Synonyms, shipped_synonyms
from rag.ports import ChatModel, Embedder, VectorIndex
from rag.privacy.vault import Masked
from rag.progress import OnProgress, unheard
from rag.prompts import Prompts
from rag.providers.local_bulk import BulkEmbedder
from rag.runs import RunRegistry
from rag.state import Services
from rag.templates.files import read_templates
from rag.templates.types import Templates
from rag.tools.contract import Toolbox
from rag.tools.documents import Library
from service.accounts.accounts import Accounts
from service.program import adapters, alerting, home
from service.program.administration import Administration
from service.program.asked_again import ask_again
from service.program.demo import DEMO
from service.program.document_tables import DocumentTables
from service.program.leaving import away, leaving
from service.program.matters import Matters
from service.program.metrics import Metrics
from service.program.notices import notices
from service.program.once import Once
from service.program.shipped import shipped
from storage import Database, open_database

__all__ = ["DEMO", "LOCAL_USER", "App", "app", "build", "override"]

logger = logging.getLogger(__name__)


@dataclass
class App(Administration):
    """The wired program: one per process."""

    settings: Settings
    database: Database
    index: VectorIndex
    encoder: SparseEncoder
    embedder: Embedder | None
    reader: ChatModel | None
    principal: ChatModel | None
    embedder_problem: str = ""
    prompts: Prompts = field(default_factory=Prompts)
    synonyms: Synonyms = field(default_factory=shipped_synonyms)
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _runs: RunRegistry | None = None
    _draining: bool = False
    _evaluations: EvaluationRunner | None = None
    _kept: tuple[str, Holdings] | None = None

    def __post_init__(self) -> None:
        self.home = self.settings.articulado_home
        self.corpus = self.database.corpus
        self.documents = self.database.documents
        self.jobs = self.database.jobs
        self.conversations = self.database.conversations
        self.feedback = self.database.feedback
        self.certificates = self.database.certificates
        self.reviews = self.database.reviews
        self.preferences = self.database.preferences
        self.matters = self.database.matters
        self.matter_documents = self.database.matter_documents
        self.watches, self.news = self.database.watches, self.database.news
        self.papers = Matters(
            self.home,
            self.matter_documents,
            lambda: adapters.matter_index(self.settings),
            self.encoder,
            embedder=lambda: self.embedder,
            reader=lambda: self.intake.reader,
        )
        self.vectors, self._known = shipped(self.database.vectors, DEMO)
        self.passages = Passages(self.vectors)
        kept = self.database
        stores = (kept.accounts, kept.login_sessions, kept.attempts, kept.tokens)
        self.accounts = Accounts(self.settings, *stores, audit=kept.audit)
        self.oversee()
        self.privacy.after = self.papers.tidy
        self.deliveries, self.alerts = alerting.wire(
            self.database,
            self.settings,
            self.settings.public_url,
            catalogue=self.catalogue,
            ask=lambda due: ask_again(self, self.usage.spend, due),
            may_be_told=lambda owner: self.may(owner, Permission.ASK),
        )
        self.document_tables = self.database.document_tables
        self.table_filling = DocumentTables(
            self.document_tables,
            self.matter_documents,
            model=lambda: self.reader if self.mode == "model" else None,
            prompts=self.prompts,
            spend=self.usage.spend,
            require=self.database.usage.require_tokens,
            seconds=self.settings.answer_seconds,
        )
        # Neither is made under `_lock`: it may take minutes, and every page asks for that lock.
        self._services = Once(self._wired)
        self._toolbox = Once(lambda: Toolbox(self.services, Library(self.corpus, self.documents), self.facts))
        self.keeper = IndexKeeper(
            self.corpus,
            self.database.ledger,
            self.index,
            self.encoder,
            lambda: self.embedder,
            self.vectors,
            lambda: self.fingerprint,
            SyncGuard(self.database.jobs if self.settings.qdrant_url else None),
        )

    @property
    def mode(self) -> str:
        return "model" if self.reader and self.principal else "offline"

    @property
    def sends_out(self) -> bool:
        """True if the endpoint of a model is not on this machine."""
        return bool(away(self.settings))

    def leaving(self, question: str, earlier: Sequence[str]) -> Masked:
        """The question as those endpoints get it; see `service.program.leaving`."""
        return leaving(self.settings, question, earlier)

    @property
    def fingerprint(self) -> Fingerprint:
        name, size = (self.embedder.name, self.embedder.dimensions) if self.embedder else ("none", 0)
        return Fingerprint(embedding=name, dimensions=size, chunker=CHUNKER)

    @property
    def services(self) -> Services:
        """Everything the pipeline works with; the first call opens the index and may take minutes.

        An index that lost part of what the database holds (a damaged folder, an ingestion cut short) is
        completed first, its lexical half at least: half a corpus is never searched in silence.
        While the keeper runs, it sees to that.

        Raises:
            IndexMismatch: the index was built with another model or chunker: run `reindex`.
            IndexUnavailable: it cannot be opened, or the program closes.
        """
        return self._services.get()

    @property
    def toolbox(self) -> Toolbox:
        """The document tools of agent and inspector. Raises as `services`."""
        return self._toolbox.get()

    def facts(self) -> Facts:
        """Holidays and figures as the files have them now, those of the home before the shipped ones.

        Raises:
            ConfigurationError: a file cannot be used.
        """
        return read_facts((DEMO.parent, self.home))

    def templates(self) -> Templates:
        """Templates of briefs as the files are now, those of the home before the shipped ones."""
        return read_templates((DEMO.parent, self.home))

    @property
    def runs(self) -> RunRegistry:
        """Answers in progress."""
        with self._lock:
            if self._runs is None:
                self._runs = RunRegistry(
                    lambda: self.services,
                    self.conversations,
                    lambda: self.toolbox,
                    history_messages=max(
                        self.settings.history_answer_messages, self.settings.history_decompose_messages
                    ),
                    on_finished=[self.usage.answered, self.metrics.answer],
                    papers=self.papers.papers,
                )
            return self._runs

    @property
    def evaluations(self) -> EvaluationRunner:
        """Evaluations, the one under way and the stored ones."""
        with self._lock:
            if self._evaluations is None:
                self._evaluations = EvaluationRunner(
                    lambda: self.services,
                    self.database.evaluations,
                    lambda: facts(self.services, self.fingerprint, self.corpus),
                    folders=(DEMO.parent / "evaluation", self.settings.articulado_home / "evaluation"),
                    reviewed=self.reviews,
                    spend=self.usage.spend,
                )
            return self._evaluations

    @property
    def notices(self) -> tuple[str, ...]:
        """Spanish sentences about what this installation can and cannot do now."""
        problem = self.embedder_problem if self.embedder is None else ""
        pending = self.corpus.counts().pending_dense
        working = self.keeper.running
        told = (self.mode, problem, pending, self.holdings().unofficial)
        return notices(*told, gaps=self.corpus.vector_gaps, working=working, preparing=self.demo.under_way)

    def _wired(self) -> Services:
        self.demo.wait()
        self.index.open(self.fingerprint)
        if self.keeper.running:
            self.keeper.wait_first_pass()
        elif self.index.count() != self.corpus.counts().chunks:
            self.keeper.sync(dense=False)
        return Services(
            profile=self.settings,
            store=self.corpus,
            index=self.index,
            encoder=self.encoder,
            prompts=self.prompts,
            synonyms=self.synonyms,
            holdings=self.holdings,
            embedder=self.embedder,
            known=self._known,
            passages=self.passages,
            reader=self.reader,
            principal=self.principal,
        )

    @cached_property
    def metrics(self) -> Metrics:
        """Of this process, since it was started."""
        made = Metrics()
        made.gauge(
            "answers_under_way", "Answers in progress", lambda: self._runs.under_way if self._runs else 0
        )
        made.gauge("jobs_waiting", "Jobs in the queue", self.jobs.waiting)
        text = "Chunks whose vector is not in the index; 0 when none are made"
        made.gauge("index_pending", text, lambda: self.corpus.counts().pending_dense if self.embedder else 0)
        made.gauge("ready", "1 when this process can answer", lambda: all(self.readiness().values()))
        return made

    def readiness(self) -> dict[str, bool]:
        """Readiness of each thing that this process needs to answer, by name."""
        checks: dict[str, Callable[[], bool]] = {
            "database": self.database.engines.alive,
            "index": lambda: self.index.count() >= 0,
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

    def models(self) -> dict[str, str]:
        """Role to model name, only for the roles in use."""
        roles = {"reader": self.reader, "principal": self.principal}
        names = {role: model.model for role, model in roles.items() if model is not None}
        return names | ({"embeddings": self.embedder.name} if self.embedder else {})

    def catalogue(self) -> NormCatalogue:
        """Norms that a question may name."""
        return self.holdings().names

    def holdings(self) -> Holdings:
        """The contents of the corpus; made again after any change of it."""
        # Not under `_lock`, which every page asks for; two threads at once may each make the same.
        revision, kept = self.corpus.revision(), self._kept
        if kept is None or kept[0] != revision:
            self._kept = kept = revision, Holdings(self.corpus.norms(), catalogue_of(self.corpus))
        return kept[1]

    def ingest(
        self,
        paths: list[Path],
        collection: str = "normativa",
        *,
        dense: bool = True,
        on_progress: OnProgress = unheard,
        since: date | None = None,
        correct: bool = False,
    ) -> tuple[IngestReport, IndexReport]:
        """Bring documents in and index them, here and now.

        Args:
            since, correct: see `rag.ingestion.intake.Intake.bring_in`.

        Raises:
            InputError, StorageError, IndexUnavailable: see `rag.ingestion.intake.Intake.bring_in`.
        """
        report = self.intake.bring_in(
            paths, collection, LOCAL_USER, on_progress, since=since, correct=correct
        )
        return report, self.keeper.sync_or_follow(dense=dense, on_progress=on_progress)

    def load_demo(self, on_progress: OnProgress = unheard) -> None:
        """Bring in the demo corpus; what is already there stays."""
        self.ingest([DEMO], on_progress=on_progress, correct=True)

    def ensure_corpus(self) -> None:
        """Load the demo corpus into an empty home."""
        if not self.corpus.norms():
            self.load_demo()

    def doctor(self, mend: bool = False, on_progress: OnProgress = lambda *_: None) -> dict[str, Any]:
        """Check that everything agrees; see `rag.ingestion.doctor.Doctor.report`."""
        doctor = Doctor(
            self.home,
            self.keeper,
            self.documents,
            self.jobs,
            self.conversations,
            self.database.evaluations,
            self.database.health,
        )
        return doctor.report(self.embedder_problem, on_progress, mend=mend)

    def close(self) -> None:
        """Stop answers and evaluations under way (stored as interrupted) and let go of index and database."""
        self.background.stop()
        if self._evaluations is not None:
            self._evaluations.close()
        if self._runs is not None:
            self._runs.close()
        if isinstance(self.embedder, BulkEmbedder):
            self.embedder.close()
        self.close_boe()
        self.index.close()
        self.database.close()


def build(chosen: Settings) -> App:
    """Wire the program.

    Raises:
        ConfigurationError, StorageError: a setting or the database cannot be used.
    """
    home.close(chosen.articulado_home)
    problem = ""
    embedder: Embedder | None = None
    try:
        embedder = adapters.embedder(chosen)
    except EmbedderUnavailable as error:
        problem = str(error)
    return App(
        settings=chosen,
        database=open_database(chosen.database, chosen.audit_secret),
        index=adapters.index(chosen),
        encoder=SparseEncoder(),
        embedder=embedder,
        reader=adapters.chat(chosen, chosen.reader),
        principal=adapters.chat(chosen, chosen.principal),
        embedder_problem=problem,
    )


_process = Once(lambda: build(settings()))


def app() -> App:
    """The process's program, wired on first use."""
    return _process.get()


def override(replacement: App | None) -> None:
    """Put another program in its place (tests), or none so that the next call wires a new one."""
    _process.put(replacement)
