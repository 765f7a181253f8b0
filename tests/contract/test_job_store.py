"""The queue on both databases: one owner a job, nothing done twice, nothing lost when a worker dies."""

import threading
from datetime import UTC, datetime, timedelta

import pytest

from core.errors import InputError, NotFound
from loading.records.jobs import (
    LANES,
    MAX_ATTEMPTS,
    STALE_SECONDS,
    FileOutcome,
    JobFile,
    JobKind,
    JobPayload,
    JobState,
    OutcomeState,
)
from storage.corpus.jobs import SqlJobStore

pytest_plugins = ("tests.postgres",)


class Clock:
    """A time that only moves when told to."""

    def __init__(self) -> None:
        self.moment = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def pass_by(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(database, clock):
    return SqlJobStore(database.engines, clock)


def payload(*names):
    return JobPayload(files=tuple(JobFile(name=name, path=f"uploads/x/{name}") for name in names))


def add(store, *names, kind=JobKind.INGEST):
    return store.enqueue(kind, "Carga", "ana", payload(*names))


def done(name, state=OutcomeState.DONE, **fields):
    return FileOutcome(name=name, state=state, **fields)


def test_a_job_comes_back_as_it_was_queued(store, clock):
    added = store.enqueue(JobKind.INGEST, "Carga «ñ»", "ana", payload("a.md", "b.md"))
    assert store.job(added.id) == added
    assert (added.state, added.total, added.done, added.created_at) == (JobState.QUEUED, 2, 0, clock.moment)


def test_a_job_is_claimed_once_and_in_order(store, clock):
    first = add(store, "a.md")
    clock.pass_by(1)
    second = add(store, "b.md")
    assert [store.claim().id, store.claim().id] == [first.id, second.id]
    assert store.claim() is None


def test_vectors_wait_for_every_other_job(store, clock):
    add(store, kind=JobKind.EMBED)
    clock.pass_by(1)
    later = add(store, "a.md")
    assert store.waiting() == 1
    assert store.claim().id == later.id
    assert store.waiting() == 0


def test_a_worker_takes_only_jobs_of_its_kinds(store, clock):
    aids = add(store, kind=JobKind.ENRICH)
    clock.pass_by(1)
    vectors = add(store, kind=JobKind.EMBED)
    first, second = LANES
    assert store.waiting() == 0
    assert store.claim(first).id == vectors.id
    assert store.claim(first) is None
    assert store.claim(second).id == aids.id


def test_there_is_one_job_of_vectors_at_a_time(store):
    first = add(store, kind=JobKind.EMBED)
    assert add(store, kind=JobKind.EMBED).id == first.id
    store.finish(store.claim(), JobState.DONE)
    assert add(store, kind=JobKind.EMBED).id != first.id


def test_threads_that_claim_at_once_get_a_job_each(store):
    for number in range(8):
        add(store, f"{number}.md")
    claimed = []
    threads = [threading.Thread(target=lambda: claimed.append(store.claim().id)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(claimed)) == 8


def test_a_job_without_a_sign_of_life_is_taken_again_where_it_was(store, clock):
    add(store, "a.md", "b.md")
    dead = store.claim()
    store.record(dead, done("a.md", added=3))
    clock.pass_by(STALE_SECONDS - 1)
    assert store.claim() is None
    clock.pass_by(2)
    again = store.claim()
    assert (again.id, [one.name for one in again.outcomes]) == (dead.id, ["a.md"])


def test_a_worker_that_lost_its_job_can_write_nothing(store, clock):
    add(store, "a.md")
    lost = store.claim()
    clock.pass_by(STALE_SECONDS + 1)
    owner = store.claim()
    assert not store.beat(lost, done=1)
    assert not store.record(lost, done("a.md"))
    assert not store.finish(lost, JobState.FAILED, "no")
    store.release(lost)
    assert store.job(owner.id) == owner


def test_signs_of_life_keep_a_job(store, clock):
    add(store, "a.md")
    job = store.claim()
    for _ in range(3):
        clock.pass_by(STALE_SECONDS - 1)
        assert store.beat(job, stage="Leyendo", done=0, total=1)
    assert store.claim() is None
    assert store.job(job.id).stage == "Leyendo"


def test_a_job_that_kills_its_workers_is_given_up(store, clock):
    add(store, "a.md")
    for _ in range(MAX_ATTEMPTS):
        assert store.claim() is not None
        clock.pass_by(STALE_SECONDS + 1)
    assert store.claim() is None
    (given_up,) = store.jobs()
    assert given_up.state is JobState.FAILED
    assert "divídalo" in given_up.message


def test_progress_starts_the_count_of_attempts_again(store, clock):
    add(store, *(f"{number}.md" for number in range(20)))
    for number in range(MAX_ATTEMPTS * 2):
        store.record(store.claim(), done(f"{number}.md"))
        clock.pass_by(STALE_SECONDS + 1)
    assert len(store.claim().outcomes) == MAX_ATTEMPTS * 2


def test_a_job_put_back_counts_no_attempt(store):
    add(store, "a.md")
    for _ in range(MAX_ATTEMPTS * 2):
        store.release(store.claim())
    assert store.claim().attempts == 1


def test_a_queued_job_is_cancelled_at_once_and_a_running_one_is_told(store):
    queued = add(store, "a.md")
    assert store.cancel(queued.id).state is JobState.CANCELLED
    running = add(store, "b.md")
    job = store.claim()
    assert store.cancel(running.id).state is JobState.RUNNING
    assert not store.beat(job)
    assert store.finish(job, JobState.CANCELLED)
    assert store.job(running.id).state is JobState.CANCELLED


def test_a_job_whose_worker_is_dead_is_cancelled_at_once(store, clock):
    job = add(store, "a.md")
    store.claim()
    clock.pass_by(STALE_SECONDS + 1)
    assert store.cancel(job.id).state is JobState.CANCELLED


def test_a_cancelled_job_whose_worker_dies_is_not_taken_again(store, clock):
    job = add(store, "a.md")
    store.claim()
    store.cancel(job.id)
    clock.pass_by(STALE_SECONDS + 1)
    assert store.claim() is None
    assert store.job(job.id).state is JobState.CANCELLED


def test_a_retry_does_only_what_failed_or_was_not_reached(store):
    added = add(store, "a.md", "b.md", "c.md", "d.md")
    job = store.claim()
    store.record(job, done("a.md"))
    store.record(job, done("b.md", OutcomeState.FAILED, message="corrupto"))
    store.record(job, done("c.md"))
    store.finish(job, JobState.CANCELLED)
    store.retry(added.id)
    again = store.claim()
    assert [file.name for file in again.payload.files] == ["a.md", "c.md", "b.md", "d.md"]
    assert [one.name for one in again.outcomes] == ["a.md", "c.md"]
    assert again.current == "b.md"


def test_only_an_ended_job_is_retried_or_removed(store):
    job = add(store, "a.md")
    for forbidden in (store.retry, store.remove):
        with pytest.raises(InputError, match="no ha terminado"):
            forbidden(job.id)
    store.cancel(job.id)
    assert store.remove(job.id).id == job.id
    with pytest.raises(NotFound):
        store.job(job.id)


def test_only_the_first_end_counts(store):
    add(store, "a.md")
    job = store.claim()
    assert store.finish(job, JobState.DONE, "bien")
    assert not store.finish(job, JobState.FAILED, "mal")
    assert store.job(job.id).message == "bien"
    with pytest.raises(ValueError, match="running"):
        store.finish(job, JobState.RUNNING)


def test_jobs_under_way_come_first_then_the_latest(store, clock):
    names = []
    for number in range(3):
        names.append(add(store, f"{number}.md").id)
        clock.pass_by(1)
    store.cancel(names[2])
    assert [job.id for job in store.jobs()] == [names[1], names[0], names[2]]


def test_a_job_queued_twice_under_one_id_is_there_once_and_goes_on(store):
    first = store.enqueue(JobKind.INGEST, "Carga", "ana", payload("a.md"), "k" * 32)
    claimed = store.claim()
    again = store.enqueue(JobKind.INGEST, "Otra", "eva", payload("b.md"), "k" * 32)
    assert (again.id, again.title, again.state) == (first.id, "Carga", JobState.RUNNING)
    assert store.beat(claimed)
    assert len(store.jobs()) == 1


def test_a_norm_is_forgotten_by_the_jobs_that_brought_it(store, clock):
    both = add(store, "a.md", "b.md")
    clock.pass_by(1)
    alone = add(store, "c.md")
    for job, names in ((store.claim(), ("N-1", "N-2")), (store.claim(), ("N-1",))):
        files = job.payload.files
        for file, norm in zip(files, names, strict=True):
            store.record(job, done(file.name, norm_ids=(norm,)))
        store.finish(job, JobState.DONE)
    store.forget_norm("N-1")
    (left,) = store.jobs()
    assert left.id == both.id != alone.id
    assert [file.name for file in left.payload.files] == ["b.md"]
    assert [one.norm_ids for one in left.outcomes] == [("N-2",)]


def test_a_job_with_files_that_were_not_reached_outlives_the_norm_it_brought(store):
    add(store, "a.md", "b.md")
    job = store.claim()
    store.record(job, done("a.md", norm_ids=("N-1",)))
    store.cancel(job.id)
    store.finish(job, JobState.CANCELLED)
    store.forget_norm("N-1")
    (left,) = store.jobs()
    assert ([file.name for file in left.payload.files], left.outcomes, left.total) == (["b.md"], (), 1)
    assert store.ids() == {job.id}


def test_a_lease_has_one_holder_until_it_runs_out_or_is_given_back(store, clock):
    assert store.lease("index", "one", 60)
    assert not store.lease("index", "two", 60)
    clock.pass_by(50)
    assert store.lease("index", "one", 60)
    clock.pass_by(61)
    assert store.lease("index", "two", 60)
    store.end_lease("index", "one")
    assert not store.lease("index", "one", 60)
    store.end_lease("index", "two")
    assert store.lease("index", "one", 60)
