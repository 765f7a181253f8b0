"""The queue of background jobs: a job belongs to the worker whose claim it carries, and to no other."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import case, delete, or_, select, update

from core.clock import SKEW, silent
from core.errors import InputError
from law.document_records import JobChange
from loading.records.jobs import (
    LOADS,
    MAX_ATTEMPTS,
    STALE_SECONDS,
    FileOutcome,
    Job,
    JobKind,
    JobPayload,
    JobState,
    OutcomeState,
)
from storage.base.engine import JOBS_LOCK, Engines, Store, required
from storage.corpus.job_changes import change_of
from storage.tables.alerts import LawEventRow
from storage.tables.columns import silent as is_silent
from storage.tables.columns import to_json
from storage.tables.jobs import JobChangeRow, JobRow, LeaseRow

QUEUED, RUNNING = JobState.QUEUED.value, JobState.RUNNING.value
OPEN = (QUEUED, RUNNING)
NO_JOB = "No existe ese trabajo."
NOT_ENDED = "Este trabajo no ha terminado: cancélelo primero."
UNDONE = "Esta carga se ha deshecho: si la quiere otra vez, cargue de nuevo sus documentos."
GIVEN_UP = (
    "El proceso que carga documentos se ha interrumpido varias veces con este archivo; "
    "quítelo o divídalo, y reintente."
)


class SqlJobStore(Store):
    """The `JobStore` port over SQLite or PostgreSQL."""

    def __init__(self, engines: Engines, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__(engines)
        self._now = now

    def enqueue(
        self, kind: JobKind, title: str, owner: str, payload: JobPayload, job_id: str | None = None
    ) -> Job:
        with self._db.write(JOBS_LOCK) as session:
            if job_id is not None and (known := session.get(JobRow, job_id)) is not None:
                return _job(known)
            if kind is JobKind.EMBED:
                query = select(JobRow).where(JobRow.kind == kind.value, JobRow.state.in_(OPEN))
                if (waiting := session.scalar(query)) is not None:
                    return _job(waiting)
            row = JobRow(
                id=job_id or uuid4().hex,
                kind=kind.value,
                title=title,
                state=QUEUED,
                owner=owner,
                payload=to_json(payload),
                total=len(payload.files) or len(payload.norm_ids),
                created_at=self._now(),
            )
            session.add(row)
        return _job(row)

    def claim(self, kinds: Sequence[JobKind] = tuple(JobKind)) -> Job | None:
        now = self._now()
        stale = or_(JobRow.heartbeat_at.is_(None), is_silent(JobRow.heartbeat_at, now, STALE_SECONDS))
        query = (
            select(JobRow)
            .where(or_(JobRow.state == QUEUED, (JobRow.state == RUNNING) & stale))
            .where(JobRow.kind.in_([kind.value for kind in kinds]))
            .order_by(case((JobRow.kind == JobKind.EMBED.value, 1), else_=0), JobRow.created_at, JobRow.id)
        )
        with self._db.write(JOBS_LOCK) as session:
            found: Job | None = None
            for row in session.scalars(query):
                if row.cancel_requested:
                    self._end(row, JobState.CANCELLED, "")
                elif row.attempts >= MAX_ATTEMPTS:
                    self._end(row, JobState.FAILED, GIVEN_UP)
                else:
                    row.state, row.claim = RUNNING, uuid4().hex
                    row.attempts += 1
                    row.heartbeat_at = now
                    row.started_at = row.started_at or now
                    found = _job(row)
                    break
            return found

    def beat(
        self, job: Job, *, stage: str | None = None, done: int | None = None, total: int | None = None
    ) -> bool:
        told = {"stage": stage, "done": done, "total": total}
        values: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
        return self._mine(job, heartbeat_at=self._now(), **values)

    def record(self, job: Job, outcome: FileOutcome) -> bool:
        with self._db.write(JOBS_LOCK) as session:
            row = session.get(JobRow, job.id)
            if row is None or row.claim != job.claim or row.state != RUNNING:
                return False
            outcomes = [*json.loads(row.outcomes), outcome]
            row.outcomes = to_json(outcomes)
            row.done, row.attempts, row.heartbeat_at = len(outcomes), 0, self._now()
            go_on = not row.cancel_requested
            return go_on

    def release(self, job: Job) -> None:
        self._mine(job, state=QUEUED, claim="", attempts=JobRow.attempts - 1, heartbeat_at=None)

    def finish(self, job: Job, state: JobState, message: str = "") -> bool:
        """See the port. Raises ValueError when `state` is not an end."""
        if not state.ended:
            raise ValueError(f"a job cannot finish as {state.value}")
        now = self._now()
        return self._mine(
            job, state=state.value, message=message, stage="", heartbeat_at=now, finished_at=now, told=True
        )

    def cancel(self, job_id: str) -> Job:
        with self._db.write(JOBS_LOCK) as session:
            row = required(session, JobRow, job_id, NO_JOB)
            dead = row.heartbeat_at is None or silent(row.heartbeat_at, self._now(), STALE_SECONDS)
            if row.state == QUEUED or (row.state == RUNNING and dead):
                self._end(row, JobState.CANCELLED, "")
            elif row.state == RUNNING:
                row.cancel_requested = True
            return _job(row)

    def retry(self, job_id: str) -> Job:
        with self._db.write(JOBS_LOCK) as session:
            row = required(session, JobRow, job_id, NO_JOB)
            job = _job(row)
            if not job.state.ended:
                raise InputError(NOT_ENDED)
            if job.state is JobState.UNDONE:
                raise InputError(UNDONE)
            kept = [one.state is not OutcomeState.FAILED for one in job.outcomes]
            outcomes = [one for one, keep in zip(job.outcomes, kept, strict=True) if keep]
            if job.payload.files:
                # An outcome belongs to the file in its place: what is done comes first.
                reached = list(zip(job.payload.files, kept, strict=False))
                left = job.payload.files[len(kept) :]
                files = [f for f, keep in reached if keep] + [f for f, keep in reached if not keep]
                row.payload = to_json(job.payload.model_copy(update={"files": (*files, *left)}))
            row.outcomes = to_json(outcomes)
            row.done = len(outcomes)
            row.state, row.message, row.claim, row.attempts = QUEUED, "", "", 0
            row.cancel_requested, row.finished_at, row.heartbeat_at = False, None, None
            return _job(row)

    def undo(self, job_id: str) -> None:
        with self._db.write(JOBS_LOCK) as session:
            required(session, JobRow, job_id, NO_JOB).state = JobState.UNDONE.value
            session.execute(delete(LawEventRow).where(LawEventRow.job_id == job_id))

    def remove(self, job_id: str) -> Job:
        with self._db.write(JOBS_LOCK) as session:
            job = _job(required(session, JobRow, job_id, NO_JOB))
            if not job.state.ended:
                raise InputError(NOT_ENDED)
            session.execute(delete(JobRow).where(JobRow.id == job_id))
            return job

    def forget_norm(self, norm_id: str) -> None:
        ended = [state.value for state in JobState if state.ended]
        with self._db.write(JOBS_LOCK) as session:
            session.execute(delete(JobChangeRow).where(JobChangeRow.norm_id == norm_id))
            for row in session.scalars(select(JobRow).where(JobRow.state.in_(ended))):
                job = _job(row)
                gone = {n for n, one in enumerate(job.outcomes) if set(one.norm_ids) == {norm_id}}
                kept = [one for n, one in enumerate(job.outcomes) if n not in gone]
                files = tuple(one for n, one in enumerate(job.payload.files) if n not in gone)
                if gone and not kept and not files:
                    session.delete(row)
                elif gone:
                    row.outcomes = to_json(kept)
                    row.payload = to_json(job.payload.model_copy(update={"files": files}))
                    row.done, row.total = len(kept), max(len(files), len(kept))

    def changes(self, job_id: str) -> list[JobChange]:
        query = select(JobChangeRow).where(JobChangeRow.job_id == job_id).order_by(JobChangeRow.norm_id)
        return [change_of(row) for row in self._db.scalars(query)]

    def undoable(self) -> set[str]:
        return set(self._db.scalars(select(JobChangeRow.job_id).distinct()))

    def replaced_sources(self, *, job_id: str = "", norm_id: str = "") -> set[str]:
        """See the port. Raises ValueError without a job or a norm."""
        if not (job_id or norm_id):
            raise ValueError("neither a job nor a norm")
        of = JobChangeRow.job_id == job_id if job_id else JobChangeRow.norm_id == norm_id
        return set(self._db.scalars(select(JobChangeRow.source).where(of, JobChangeRow.source != "")))

    def job(self, job_id: str) -> Job:
        with self._db.read() as session:
            return _job(required(session, JobRow, job_id, NO_JOB))

    def jobs(self, limit: int = 50) -> list[Job]:
        open_first = case((JobRow.state.in_(OPEN), 0), else_=1)
        query = select(JobRow).order_by(open_first, JobRow.created_at.desc(), JobRow.id).limit(limit)
        return [_job(row) for row in self._db.scalars(query)]

    def count(self) -> int:
        return self._db.count(of=JobRow)

    def ids(self) -> set[str]:
        return set(self._db.scalars(select(JobRow.id)))

    def waiting(self) -> int:
        loads = [kind.value for kind in LOADS]
        return self._db.count(JobRow.state == QUEUED, JobRow.kind.in_(loads), of=JobRow)

    def lease(self, name: str, holder: str, seconds: float) -> bool:
        now = self._now()
        with self._db.write(JOBS_LOCK) as session:
            row = session.get(LeaseRow, name)
            until = now + timedelta(seconds=seconds)
            # One that would last much longer than it can was taken before the clock was put back.
            if row is not None and row.holder != holder and now < row.until <= until + SKEW:
                return False
            session.merge(LeaseRow(name=name, holder=holder, until=until))
            return True

    def end_lease(self, name: str, holder: str) -> None:
        self._db.run(delete(LeaseRow).where(LeaseRow.name == name, LeaseRow.holder == holder), JOBS_LOCK)

    def _mine(self, job: Job, *, told: bool = False, **values: Any) -> bool:
        """Write to a job that this claim still has; False when it is not so, or (not `told`) it must stop."""
        with self._db.write(JOBS_LOCK) as session:
            cancelled = session.scalar(
                update(JobRow)
                .where(JobRow.id == job.id, JobRow.claim == job.claim, JobRow.state == RUNNING)
                .values(**values)
                .returning(JobRow.cancel_requested)
            )
            return cancelled is not None and (told or not cancelled)

    def _end(self, row: JobRow, state: JobState, message: str) -> None:
        row.state, row.message, row.stage, row.finished_at = state.value, message, "", self._now()


def _job(row: JobRow) -> Job:
    payload, outcomes = JobPayload.model_validate_json(row.payload), json.loads(row.outcomes)
    return row.as_value(Job, payload=payload, outcomes=outcomes)
