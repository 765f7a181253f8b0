"""The queue of background jobs as a Protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rag.jobs.types import FileOutcome, Job, JobKind, JobPayload, JobState


class JobStore(Protocol):
    """The queue of background jobs. Ended jobs stay until they are removed.

    Raises (all methods): StorageError; NotFound for a job that does not exist.
    """

    def enqueue(
        self, kind: JobKind, title: str, owner: str, payload: JobPayload, job_id: str | None = None
    ) -> Job:
        """Add a job. One with that id, or the one `embed` that has not ended, is returned as it is."""
        ...

    def claim(self) -> Job | None:
        """The next job, for this caller alone; one whose worker died is taken again. None: nothing to do.

        `embed` waits for all others. A job that has killed its worker too often is ended as failed.
        """
        ...

    def beat(
        self, job: Job, *, stage: str | None = None, done: int | None = None, total: int | None = None
    ) -> bool:
        """Give a sign of life and tell progress; False: stop, it was cancelled or another worker has it."""
        ...

    def record(self, job: Job, outcome: FileOutcome) -> bool:
        """Add an outcome in one transaction with the count of those done; False as in `beat`."""
        ...

    def release(self, job: Job) -> None:
        """Put a claimed job back in the queue as it stands."""
        ...

    def finish(self, job: Job, state: JobState, message: str = "") -> bool:
        """End it; False when another worker has it. Only the first call has any effect."""
        ...

    def cancel(self, job_id: str) -> Job:
        """End a queued job; ask the worker of a running one to stop at its next sign of life."""
        ...

    def retry(self, job_id: str) -> Job:
        """Queue an ended job again: what failed or was not reached; what went in is not done again.

        Raises:
            InputError: it has not ended.
        """
        ...

    def remove(self, job_id: str) -> Job:
        """Drop an ended job from the list. Raises InputError when it has not ended."""
        ...

    def forget_norm(self, norm_id: str) -> None:
        """Drop what ended jobs tell of a norm, and those that tell of nothing else."""
        ...

    def job(self, job_id: str) -> Job: ...

    def jobs(self, limit: int = 50, states: Sequence[JobState] = ()) -> list[Job]:
        """Those under way first, then the latest."""
        ...

    def ids(self) -> set[str]:
        """Every job's id."""
        ...

    def waiting(self) -> int:
        """Queued jobs other than `embed`."""
        ...

    def lease(self, name: str, holder: str, seconds: float) -> bool:
        """Take or renew a named lease; False while another holder's has not run out."""
        ...

    def end_lease(self, name: str, holder: str) -> None: ...
