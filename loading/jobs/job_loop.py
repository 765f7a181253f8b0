"""The loop that takes jobs from the queue, one at a time, and tells the queue that it is alive."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from core.errors import ArticuladoError
from core.progress import Pace
from loading.records.job_store import JobStore
from loading.records.jobs import HEARTBEAT_SECONDS, FileOutcome, Job, JobKind, JobState

POLL_SECONDS = 0.5
TELL_SECONDS = 0.3
RETRY_SECONDS = 3.0
INTERNAL_ERROR = "El trabajo no se pudo completar por un error interno; revise el registro y reintente."
FULL_DISK = "No se pudo escribir en disco: compruebe el espacio y los permisos, y reintente."

logger = logging.getLogger(__name__)


class JobStopped(Exception):
    """The job was cancelled, or another worker has it."""


class Requeue(Exception):
    """The job returns to the queue with its progress: others go first, or the worker is ending."""


@dataclass(eq=False)
class JobContext:
    """A claimed job for its handler: its input, its outcomes so far, and requests to stop."""

    job: Job
    jobs: JobStore
    ending: threading.Event

    def __post_init__(self) -> None:
        self.outcomes = list(self.job.outcomes)
        self._stop = threading.Event()
        self._told = 0.0
        self._stage = ""
        self._pace, self._left = Pace(), ""

    def tell(
        self, stage: str, done: int | None = None, total: int | None = None, *, share: float = 0.0
    ) -> None:
        """Report the stage, progress and time left of the job; the job may be stopped here.

        Args:
            share: of the step after those done, from 0 to 1; it counts for the time left.

        Raises:
            JobStopped, Requeue: the handler must end.
        """
        self._check()
        now = time.monotonic()
        if done is not None and total is not None:
            self._left = self._pace.left(now, done + share, total)
        if stage != self._stage or (total and done == total) or now - self._told > TELL_SECONDS:
            self._stage, self._told = stage, now
            shown = f"{stage} · {self._left}" if self._left else stage
            if not self.jobs.beat(self.job, stage=shown, done=done, total=total):
                raise JobStopped

    def record(self, outcome: FileOutcome) -> None:
        """Record the outcome of a finished file or norm. Raises as `tell`."""
        go_on = self.jobs.record(self.job, outcome)
        self.outcomes.append(outcome)
        if not go_on:
            raise JobStopped
        self._check()

    def _check(self) -> None:
        if self._stop.is_set():
            raise JobStopped
        if self.ending.is_set():
            raise Requeue

    def beat(self, finished: threading.Event) -> None:
        """Send heartbeats until the handler is finished, even during a long step."""
        while not finished.wait(HEARTBEAT_SECONDS):
            with suppress(ArticuladoError):
                if not self.jobs.beat(self.job):
                    self._stop.set()
                    return


@dataclass
class Worker:
    """Runs jobs until it is asked to end.

    Attributes:
        run: does a job; see `loading.jobs.job_runner.JobRunner.run`.
        kinds: of the jobs that it takes.
        ending: set to have it end.
    """

    jobs: JobStore
    run: Callable[[JobContext], str]
    kinds: Sequence[JobKind] = tuple(JobKind)
    ending: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        """Run jobs until `ending` is set; retries when the database fails."""
        while not self.ending.is_set():
            try:
                pause = 0.0 if self.run_next() else POLL_SECONDS
            except ArticuladoError:
                logger.exception("the queue cannot be reached")
                pause = RETRY_SECONDS
            self.ending.wait(pause)

    def run_next(self) -> bool:
        """Claim a job and run it; False if the queue is empty.

        Raises:
            StorageError: the queue cannot be reached.
        """
        job = self.jobs.claim(self.kinds)
        if job is None:
            return False
        context = JobContext(job, self.jobs, self.ending)
        finished = threading.Event()
        heart = threading.Thread(target=context.beat, args=(finished,), daemon=True, name="heartbeat")
        heart.start()
        try:
            self._do(context)
        finally:
            finished.set()
            heart.join()
        return True

    def _do(self, context: JobContext) -> None:
        state, message = JobState.FAILED, INTERNAL_ERROR
        try:
            message = self.run(context)
            state = JobState.DONE
        except Requeue:
            self.jobs.release(context.job)
            return
        except JobStopped:
            state, message = JobState.CANCELLED, ""
        except ArticuladoError as error:
            message = str(error)
        except OSError:
            logger.exception("job %s", context.job.id)
            message = FULL_DISK
        except Exception:
            logger.exception("job %s", context.job.id)
        self.jobs.finish(context.job, state, message)
