"""The composition root: Settings become wired services. The only file that knows every part."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from calculations.figure_files import read_facts
from calculations.official_figures import Facts
from casework.templates.template_files import read_templates
from casework.templates.template_types import Templates
from core.errors import EmbedderUnavailable
from core.progress import OnProgress, unheard
from domain.accounts import LOCAL_USER, Permission
from domain.usage import Quota
from index.vector_index import VectorIndex
from law.chunks import Chunk
from lexicon.synonyms import shipped_synonyms
from loading.indexing.index_keeper import IndexKeeper
from loading.indexing.lease import SyncGuard
from loading.indexing.passage_vectors import Passages
from loading.ingestion.doctor import Doctor
from loading.jobs.job_runner import JobRunner
from masking.vault import Masked
from models.local_bulk_embedder import BulkEmbedder
from rag.evaluation.evaluation_runner import EvaluationRunner
from rag.evaluation.run_facts import facts
from rag.prompts import Prompts
from rag.ranking.ranking_features import prepare
from rag.run.runs import RunRegistry
from rag.shared.state import Services
from rag.tools.tool_contract import Toolbox
from rag.tools.tool_documents import Library
from service.accounts.accounts import Accounts
from service.config import Settings, settings
from service.oversight.audit import Auditor
from service.oversight.privacy import PersonalData
from service.oversight.usage import PRICES, UsageReports
from service.program import adapters, home, work_at_once
from service.program.alerts import Alerts
from service.program.background import Background
from service.program.boe import Boe
from service.program.brief_checks import BriefChecks
from service.program.coming import settled
from service.program.corrections import Corrections
from service.program.deliveries import Deliveries
from service.program.demo import DEMO, Demo
from service.program.document_tables import DocumentTables
from service.program.held import KeptHoldings
from service.program.intakes import Intakes
from service.program.leaving import away, leaving
from service.program.loading import Loading
from service.program.metrics import Metrics
from service.program.model_probe import ModelProbe
from service.program.models import Models
from service.program.notices import notices
from service.program.once import Once
from service.program.papers import MatterPapers
from service.program.readiness import Readiness
from service.program.search_aids import SearchAids
from service.program.shipped import past_passages, shipped
from storage.stores import Database, open_database

__all__ = ["DEMO", "LOCAL_USER", "App", "app", "build", "override"]

logger = logging.getLogger(__name__)


class App:
    """The wired program, one per process: its parts in the order in which they are made.

    Each is given the parts that it needs; a function gives what a test may replace or is made on first use.
    """

    def __init__(self, settings: Settings, database: Database, index: VectorIndex, models: Models) -> None:
        self.settings = settings
        self.database = database
        self.index = index
        self.models = models
        self.home = settings.articulado_home
        self.prompts = Prompts()
        self.synonyms = shipped_synonyms()
        self.audit = Auditor(database.audit)
        self.costly = work_at_once.of_costly_work()
        self.briefs = BriefChecks(settings.database)
        self.usage = UsageReports(database.usage, (self.home / PRICES, DEMO.parent / PRICES))
        self.model_probe = ModelProbe(settings, self.usage.spend)
        self.holdings = KeptHoldings(database.corpus, lambda: self.facts().ties)
        self.vectors, self._known = shipped(database.vectors, DEMO)
        self.passages = Passages(self.vectors, past_passages())
        self.keeper = IndexKeeper(
            database.corpus,
            database.ledger,
            index,
            lambda: models.embedder,
            self.vectors,
            lambda: models.fingerprint,
            SyncGuard(database.jobs if settings.qdrant_url else None),
        )
        self.aids = SearchAids(database, settings, models, self.prompts, self.usage)
        self.intakes = Intakes(database, settings, models, self.prompts, self.aids)
        self.boe = Boe(self.home, settings.boe_api_url, settings.boe_rate, self.intakes.new)
        common = settings, self.intakes.new, self.aids
        self.loading = Loading(self.home, database, self.keeper, *common)
        self.corrections = Corrections(
            self.home,
            database,
            self.vectors,
            self.keeper,
            *common,
            boe=self.boe,
            embed=lambda owner: self.job_runner().enqueue_embedding(owner),
        )
        self.papers = MatterPapers(
            self.home,
            database.matter_documents,
            lambda: adapters.matter_index(settings),
            embedder=lambda: models.embedder,
            reader=lambda: self.intakes.reader,
        )
        self.table_filling = DocumentTables(
            database.document_tables,
            database.matter_documents,
            model=lambda: models.reader if models.mode == "model" else None,
            prompts=self.prompts,
            spend=self.usage.spend,
            require=database.usage.require_tokens,
            seconds=settings.answer_seconds,
        )
        self.privacy = PersonalData(
            database.privacy,
            database.usage,
            database.audit,
            retention_days=settings.retention_days,
            audit_retention_days=settings.audit_retention_days,
            after=self.papers.tidy,
        )
        self.accounts = Accounts(
            settings,
            database.accounts,
            database.login_sessions,
            database.attempts,
            database.tokens,
            audit=database.audit,
            erase=self.privacy.erase,
        )
        self.deliveries = Deliveries(
            settings,
            database.digests,
            database.news,
            address=settings.public_url,
            norm=database.corpus.norm,
            may_be_told=lambda owner: self.accounts.may(owner, Permission.ASK),
        )
        self.alerts = Alerts(
            database.news,
            database.references,
            norms=database.corpus.norms,
            catalogue=self.holdings.catalogue,
            deliver=self.deliveries.deliver,
        )
        self.readiness = Readiness(database=database.engines.alive, index=lambda: index.count() >= 0)
        self._services = Once(self._wired)
        self._toolbox = Once(
            lambda: Toolbox(self.services, Library(database.corpus, database.documents), self.facts)
        )
        self._runs = Once(self._registry)
        self.evaluations = EvaluationRunner(
            lambda: self.services,
            database.evaluations,
            lambda: facts(self.services, models.fingerprint, database.corpus),
            folders=(DEMO.parent / "evaluation", self.home / "evaluation"),
            reviewed=database.reviews,
            spend=self.usage.spend,
        )

    @property
    def sends_out(self) -> bool:
        """True if the endpoint of a model is not on this machine."""
        return bool(away(self.settings))

    def leaving(self, question: str, earlier: Sequence[str]) -> Masked:
        """The question as those endpoints get it; see `service.program.leaving`."""
        return leaving(self.settings, question, earlier)

    def job_runner(self) -> JobRunner:
        """The runner of jobs for a worker of this program."""
        return JobRunner(
            intake=self.intakes.new(),
            ledger=self.database.ledger,
            jobs=self.database.jobs,
            vectors=self.vectors,
            embedder=self.models.embedder,
            boe=self.boe.library,
            enricher=self.aids.enricher,
            enriches=self.settings.enrich_on_load,
            may_load=lambda owner: self.accounts.may(owner, Permission.LOAD),
            spend=self.usage.spend,
        )

    @cached_property
    def demo(self) -> Demo:
        """The load of the demo corpus into an empty home."""
        return Demo(self.database.jobs, self.database.corpus, self.keeper, self.job_runner)

    @cached_property
    def background(self) -> Background:
        """Keeper, worker and what else runs while this program is open."""
        return Background(
            self.keeper,
            self.demo,
            self.privacy,
            papers=self.papers,
            alerts=self.alerts,
            tables=self.table_filling,
            sweep=self.loading.sweep,
            prepare=self._prepare,
        )

    def _prepare(self, chunks: Sequence[Chunk]) -> None:
        """Read what questions need of these chunks."""
        prepare(chunks)
        if self.models.embedder is not None:
            self.passages.prepare(self.models.embedder.name, chunks)

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
        """Holidays and figures as the files have them now, those of the home before the shipped ones."""
        return replace(read_facts((DEMO.parent, self.home)), read_rows=self.holdings.rows)

    def templates(self) -> Templates:
        """Templates of briefs as the files are now, those of the home before the shipped ones."""
        return read_templates((DEMO.parent, self.home))

    @property
    def runs(self) -> RunRegistry:
        """Answers in progress."""
        return self._runs.get()

    def _registry(self) -> RunRegistry:
        settings = self.settings
        return RunRegistry(
            lambda: self.services,
            self.database.conversations,
            lambda: self.toolbox,
            history_messages=max(settings.history_answer_messages, settings.history_decompose_messages),
            on_finished=[self.usage.answered, self.metrics.answer],
            papers=self.papers.papers,
            turns=work_at_once.of_answers(settings),
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """Spanish sentences about what this installation can and cannot do now."""
        problem = self.models.embedder_problem if self.models.embedder is None else ""
        pending = self.database.corpus.counts().pending_dense
        working = self.keeper.running
        told = (self.models.mode, problem, pending, self.holdings.get().unofficial)
        return notices(
            *told, gaps=self.database.corpus.vector_gaps, working=working, preparing=self.demo.under_way
        )

    def _wired(self) -> Services:
        self.demo.wait()
        self.index.open(self.models.fingerprint)
        if self.keeper.running:
            self.keeper.wait_first_pass()
        elif self.index.count() != self.database.corpus.counts().chunks:
            self.keeper.sync(dense=False)
        return Services(
            profile=self.settings,
            store=self.database.corpus,
            index=self.index,
            prompts=self.prompts,
            synonyms=self.synonyms,
            holdings=self.holdings.get,
            embedder=self.models.embedder,
            known=self._known,
            passages=self.passages,
            reader=self.models.reader,
            principal=self.models.principal,
        )

    @cached_property
    def metrics(self) -> Metrics:
        """Of this process, since it was started."""
        made = Metrics()
        runs = self._runs
        made.gauge(
            "answers_under_way", "Answers in progress", lambda: runs.made.under_way if runs.made else 0
        )
        made.gauge("jobs_waiting", "Jobs in the queue", self.database.jobs.waiting)
        text = "Chunks whose vector is not in the index; 0 when none are made"
        made.gauge(
            "index_pending",
            text,
            lambda: self.database.corpus.counts().pending_dense if self.models.embedder else 0,
        )
        made.gauge("ready", "1 when this process can answer", lambda: all(self.readiness.state().values()))
        return made

    def drain(self, seconds: float) -> None:
        """Take no more questions; let those under way end within that time."""
        self.readiness.accepting = False
        if self._runs.made is not None and (left := self._runs.made.drain(seconds)):
            logger.warning("%d answers did not end in %d s and are stored as interrupted", left, seconds)

    def settle(self, seconds: float) -> None:
        """Send away who waits, end costly work at once and answers within that time: nothing new begins."""
        self.costly.close()
        self.briefs.close()
        self.drain(seconds)
        if self._runs.made is not None:
            self._runs.made.close()

    def load_demo(self, on_progress: OnProgress = unheard) -> None:
        """Bring in the demo corpus; what is already there stays."""
        self.loading.ingest([DEMO], on_progress=on_progress, correct=True, may_shorten=True)

    def doctor(self, mend: bool = False, on_progress: OnProgress = lambda *_: None) -> dict[str, Any]:
        """Check that everything agrees; see `loading.ingestion.doctor.Doctor.report`."""
        doctor = Doctor(
            self.home,
            self.keeper,
            self.database.documents,
            self.database.jobs,
            self.database.conversations,
            self.database.evaluations,
            self.database.health,
            lambda: (*self.facts().problems, *self.templates().problems),
            lambda: self.facts().ties,
        )
        return doctor.report(self.models.embedder_problem, on_progress, mend=mend)

    def close(self) -> None:
        """Stop answers and evaluations under way (stored as interrupted) and let go of index and database."""
        self.background.stop()
        self.evaluations.close()
        self.costly.close()
        self.briefs.close()
        if self._runs.made is not None:
            self._runs.made.close()
        if isinstance(self.models.embedder, BulkEmbedder):
            self.models.embedder.close()
        self.boe.close()
        self.index.close()
        self.database.close()


def build(chosen: Settings) -> App:
    """Wire the program.

    Raises:
        ConfigurationError, StorageError: a setting or the database cannot be used.
        InputError: a restore that was killed cannot be ended.
    """
    home.close(chosen.articulado_home)
    models = Models(adapters.chat(chosen, chosen.reader), adapters.chat(chosen, chosen.principal))
    try:
        models.embedder = adapters.embedder(chosen)
    except EmbedderUnavailable as error:
        models.embedder_problem = str(error)
    quota = Quota(questions=chosen.quota_questions_per_day, tokens=chosen.quota_tokens_per_day)
    database = open_database(chosen.database, chosen.audit_secret, quota)
    return App(chosen, settled(database, chosen.articulado_home), adapters.index(chosen), models)


_process = Once(lambda: build(settings()))


def app() -> App:
    """The process's program, wired on first use."""
    return _process.get()


def override(replacement: App | None) -> None:
    """Put another program in its place (tests), or none so that the next call wires a new one."""
    _process.put(replacement)
