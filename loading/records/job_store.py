"""The queue of background jobs as a Protocol."""

from collections.abc import Sequence
from typing import Protocol

from law.document_records import JobChange
from loading.records.jobs import FileOutcome, Job, JobKind, JobPayload, JobState


class JobStore(Protocol):
    """The queue of background jobs. Ended jobs stay until they are removed.

    Raises (all methods): StorageError; NotFound for a job that does not exist.
    """

    def enqueue(
        self, kind: JobKind, title: str, owner: str, payload: JobPayload, job_id: str | None = None
    ) -> Job:
        """Add a job. One with that id, or an `embed` job that has not ended, is returned unchanged."""
        ...

    def claim(self, kinds: Sequence[JobKind] = tuple(JobKind)) -> Job | None:
        """Claim the next job of these kinds for this caller, also one whose worker died; None if none waits.

        `embed` waits for all others. A job that has killed its worker too often is ended as failed.
        """
        ...

    def beat(
        self, job: Job, *, stage: str | None = None, done: int | None = None, total: int | None = None
    ) -> bool:
        """Send a heartbeat and progress; False if the job was cancelled or another worker has it: stop."""
        ...

    def record(self, job: Job, outcome: FileOutcome) -> bool:
        """Add an outcome and update the done count in one transaction; False as in `beat`."""
        ...

    def release(self, job: Job) -> None:
        """Return a claimed job to the queue with its progress."""
        ...

    def finish(self, job: Job, state: JobState, message: str = "") -> bool:
        """End the job; False if another worker has it. Only the first call has an effect."""
        ...

    def cancel(self, job_id: str) -> Job:
        """End a queued job; ask the worker of a running one to stop at its next heartbeat."""
        ...

    def retry(self, job_id: str) -> Job:
        """Queue an ended job again for its failed and unreached files; loaded files are not repeated.

        Raises:
            InputError: it has not ended, or it is undone.
        """
        ...

    def undo(self, job_id: str) -> None:
        """Note an ended job as undone and forget the events of the law that it brought, with their news."""
        ...

    def remove(self, job_id: str) -> Job:
        """Drop an ended job from the list. Raises InputError when it has not ended."""
        ...

    def forget_norm(self, norm_id: str) -> None:
        """Delete the outcomes of ended jobs for a norm, what they replaced of it, and jobs without others."""
        ...

    def changes(self, job_id: str) -> list[JobChange]:
        """Changes of the job that have not been undone.

        Raises:
            InputError: another version of the program recorded it.
        """
        ...

    def undoable(self) -> set[str]:
        """Ids of the jobs that `changes` has something of."""
        ...

    def replaced_sources(self, *, job_id: str = "", norm_id: str = "") -> set[str]:
        """Kept originals of what a job has replaced, or of what any has replaced of a norm."""
        ...

    def job(self, job_id: str) -> Job: ...

    def jobs(self, limit: int = 50) -> list[Job]:
        """Jobs, those under way first, then the latest."""
        ...

    def ids(self) -> set[str]:
        """Every job's id."""
        ...

    def waiting(self) -> int:
        """Queued jobs that load documents."""
        ...

    def lease(self, name: str, holder: str, seconds: float) -> bool:
        """Take or renew a named lease for `seconds`; False until another holder's lease expires."""
        ...

    def end_lease(self, name: str, holder: str) -> None: ...
