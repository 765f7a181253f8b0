"""Background jobs of the corpus: frozen values, no I/O.

A job is queued, claimed by a worker, and ends as done, failed or cancelled. `outcomes` has its finished
files, in their order: a job that is claimed again resumes after the last one.
"""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from pydantic import Field

from core.values import Value

HEARTBEAT_SECONDS = 2.0
STALE_SECONDS = 10.0
"""A running job without a sign of life for this long is taken again."""
MAX_ATTEMPTS = 5
"""Claims in a row without a single file finished before a job is given up."""


class JobState(StrEnum):
    """State of a job in the queue; the last four are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    UNDONE = "undone"

    @property
    def ended(self) -> bool:
        return self not in (JobState.QUEUED, JobState.RUNNING)


class JobKind(StrEnum):
    """Kind of work of a job; `JobRunner` has one handler for each."""

    INGEST = "ingest"
    BOE_ADD = "boe_add"
    BOE_UPDATE = "boe_update"
    ENRICH = "enrich"
    EMBED = "embed"


FROM_BOE = (JobKind.BOE_ADD, JobKind.BOE_UPDATE)
LOADS = (JobKind.INGEST, *FROM_BOE)
"""Kinds of jobs that store documents."""
LANES = ((*LOADS, JobKind.EMBED), (JobKind.ENRICH,))
"""Kinds of jobs that run one after the other; a load does not wait for what a model writes."""


class OutcomeState(StrEnum):
    """Outcome of a file: DONE was loaded, SKIPPED was left out on purpose, FAILED could not be used."""

    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"


class JobFile(Value):
    """A file or folder that waits to be read.

    Attributes:
        name: the user's name of the file; data, never a path.
        path: its staged path, relative to the home (absolute for files that stay in place).
        hash: SHA-256 (hex) of its contents.
        problem: reason why it cannot be read, in Spanish, when it is known before it is read.
    """

    name: str
    path: str
    size: int = 0
    hash: str = ""
    problem: str = ""


class JobPayload(Value):
    """Input of a job; each kind reads its own fields.

    Attributes:
        metadata: corrections to what the loaders find (`loading.ingestion.metadata_corrections`).
        merge: the documents are articles for stored norms, whose other articles stay.
        wordings: see `loading.ingestion.intake.Wordings`.
        details: more such corrections, of one document each, by its identifier.
        norm_ids: of boe_add, boe_update and enrich; empty means all that apply.
        enrich: of loads: search aids are written for what they bring in, if that is switched on.
    """

    files: tuple[JobFile, ...] = ()
    collection: str = "normativa"
    metadata: Mapping[str, str] = Field(default_factory=dict)
    merge: bool = False
    wordings: Mapping[str, date | None] = Field(default_factory=dict)
    details: Mapping[str, Mapping[str, str]] = Field(default_factory=dict)
    norm_ids: tuple[str, ...] = ()
    dense: bool = True
    enrich: bool = True


class ChangedArticle(Value):
    """An article that an update changed on the day `on`; `fate` is a `law.changes.Fate`."""

    block_id: str
    title: str
    fate: str
    on: date | None = None


class FileOutcome(Value):
    """Outcome of one file, or of one norm in a job without files. `message` is Spanish."""

    name: str
    state: OutcomeState
    message: str = ""
    norm_ids: tuple[str, ...] = ()
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    warnings: tuple[str, ...] = ()
    articles: tuple[ChangedArticle, ...] = ()


class Job(Value):
    """One row of the queue.

    Attributes:
        stage: current step and time left, in Spanish, as the page shows them.
        done, total: files or norms; fragments for `embed`.
        message: reason of the failure or note about the end, in Spanish.
        attempts: claims since the last file finished.
        claim: token of the worker that has it; writes of other workers are refused.
    """

    id: str
    kind: JobKind
    title: str
    state: JobState
    owner: str
    payload: JobPayload
    stage: str = ""
    done: int = 0
    total: int = 0
    message: str = ""
    outcomes: tuple[FileOutcome, ...] = ()
    attempts: int = 0
    claim: str = ""
    cancel_requested: bool = False
    created_at: datetime
    started_at: datetime | None = None
    heartbeat_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def current(self) -> str:
        """Name of the file under way, or empty."""
        files = self.payload.files
        running = self.state is JobState.RUNNING and len(self.outcomes) < len(files)
        return files[len(self.outcomes)].name if running else ""

    @property
    def norm_ids(self) -> tuple[str, ...]:
        """Norms that it has stored, in the order of its files."""
        return tuple(dict.fromkeys(norm_id for one in self.outcomes for norm_id in one.norm_ids))

    @property
    def failures(self) -> tuple[FileOutcome, ...]:
        return tuple(one for one in self.outcomes if one.state is OutcomeState.FAILED)
