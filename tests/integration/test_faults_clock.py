"""The clock jumps by a day, forwards or back: nothing lives again, waits for ever or breaks."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

import storage.chat.conversations
import storage.evaluations
import storage.health
from core.clock import SKEW, silent
from domain.accounts import Role
from domain.audit import AuditAction
from domain.auth_settings import AuthSettings
from domain.usage import QUESTIONS, Quota, QuotaExceeded
from loading.ingestion import doctor
from loading.records.jobs import (
    STALE_SECONDS,
    FileOutcome,
    JobFile,
    JobKind,
    JobPayload,
    JobState,
    OutcomeState,
)
from rag.evaluation.results import EvaluationState
from rag.shared.messages import MessageState
from service.accounts.accounts import Accounts
from service.accounts.passwords import Passwords
from service.accounts.sessions import SignedIn
from storage.chat.conversations import SqlConversationStore
from storage.corpus.jobs import SqlJobStore
from storage.people.audit import SqlAuditLog
from storage.people.usage import SqlUsageStore
from storage.stores import Database
from storage.tables.conversations import MessageRow

pytest_plugins = ("tests.postgres",)
DAY = timedelta(days=1)
JUMPS = pytest.mark.parametrize("jump", [DAY, -DAY], ids=["forwards", "back"])
HOUR = 3600.0


class Clock:
    """The time, as every store in these tests takes it."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 10, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_by(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()

    class At(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return made.time

    for module in (storage.chat.conversations, storage.evaluations, storage.health, doctor):
        monkeypatch.setattr(module, "datetime", At)
    return made


@pytest.mark.parametrize(
    ("age", "expected"), [(0.0, False), (9.9, False), (10.0, True), (-HOUR * 24, True), (-60.0, False)]
)
def test_a_sign_of_life_counts_while_it_is_fresh_and_of_this_clock(age: float, expected: bool) -> None:
    now = datetime(2026, 3, 10, 12, tzinfo=UTC)
    assert silent(now - timedelta(seconds=age), now, 10.0) is expected
    assert not silent(now + SKEW, now, 10.0)


def answer_under_way(database: Database) -> tuple[str, int]:
    chat = database.conversations.create("ana").id
    _, pending = database.conversations.ask("ana", chat, "¿Qué?")
    database.conversations.checkpoint(pending.id, "A medias")
    return chat, pending.id


def state_of(database: Database, chat: str) -> MessageState:
    return database.conversations.messages("ana", chat)[1].state


@JUMPS
def test_the_answer_of_a_dead_process_is_interrupted_whichever_way_the_clock_went(
    database: Database, clock: Clock, jump: timedelta
) -> None:
    chat, _ = answer_under_way(database)
    assert database.conversations.recover(7.0) == 0
    clock.time += jump
    assert database.health.silent(7.0) == 1
    assert database.conversations.recover(7.0) == 1
    assert state_of(database, chat) is MessageState.INTERRUPTED


@JUMPS
def test_the_answer_of_a_living_process_is_completed_whichever_way_the_clock_went(
    database: Database, clock: Clock, jump: timedelta
) -> None:
    chat, message = answer_under_way(database)
    clock.time += jump
    database.conversations.checkpoint(message, "Más")
    assert database.conversations.recover(7.0) == 0
    clock.time += jump
    assert database.conversations.recover(7.0) == 1, "the jump is seen before the next sign of life"
    database.conversations.checkpoint(message, "Y más")
    database.conversations.finish(message, MessageState.COMPLETE, "Entera", None, None)
    assert state_of(database, chat) is MessageState.COMPLETE
    assert database.conversations.recover(0) == 0
    _, reply = database.conversations.messages("ana", chat)
    assert reply.text == "Entera"


@JUMPS
def test_an_evaluation_without_a_process_is_interrupted_and_a_living_one_goes_on(
    database: Database, clock: Clock, jump: timedelta
) -> None:
    dead = database.evaluations.start("ana", "casos", "huella", 3, {})
    clock.time += jump
    assert database.evaluations.recover(7.0) == 1
    assert database.evaluations.evaluation(dead.id).state is EvaluationState.INTERRUPTED
    database.evaluations.beat(dead.id)
    assert database.evaluations.recover(7.0) == 0
    assert database.evaluations.evaluation(dead.id).state is EvaluationState.RUNNING


def queued(store: SqlJobStore, *names: str) -> str:
    files = tuple(JobFile(name=name, path=f"uploads/x/{name}") for name in names)
    return store.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload(files=files)).id


@JUMPS
def test_the_job_of_a_dead_worker_is_taken_again_where_it_was(
    database: Database, clock: Clock, jump: timedelta
) -> None:
    store = SqlJobStore(database.engines, clock)
    job_id = queued(store, "a.md", "b.md")
    dead = store.claim()
    assert dead is not None
    store.record(dead, FileOutcome(name="a.md", state=OutcomeState.DONE))
    assert store.claim() is None
    clock.time += jump
    assert [job.id for job in doctor._stuck(store.jobs())] == [job_id]
    again = store.claim()
    assert again is not None
    assert (again.id, [one.name for one in again.outcomes]) == (job_id, ["a.md"])
    assert not store.record(dead, FileOutcome(name="b.md", state=OutcomeState.DONE))
    assert store.claim() is None
    assert store.finish(again, JobState.DONE)


@JUMPS
def test_a_living_worker_keeps_its_job_and_what_is_queued_after_a_jump_is_done(
    database: Database, clock: Clock, jump: timedelta
) -> None:
    store = SqlJobStore(database.engines, clock)
    queued(store, "a.md")
    job = store.claim()
    assert job is not None
    clock.time += jump
    assert store.beat(job)
    assert store.claim() is None
    later = queued(store, "b.md")
    clock.pass_by(STALE_SECONDS - 1)
    assert store.beat(job)
    found = store.claim()
    assert found is not None
    assert found.id == later
    assert store.finish(job, JobState.DONE)


@JUMPS
def test_the_job_of_a_dead_worker_can_be_cancelled(database: Database, clock: Clock, jump: timedelta) -> None:
    store = SqlJobStore(database.engines, clock)
    job_id = queued(store, "a.md")
    store.claim()
    clock.time += jump
    assert store.cancel(job_id).state is JobState.CANCELLED


def test_a_lease_from_before_the_clock_went_back_holds_nobody_up(database: Database, clock: Clock) -> None:
    store = SqlJobStore(database.engines, clock)
    assert store.lease("index", "dead", 60)
    clock.time -= DAY
    assert store.lease("index", "other", 60)
    assert not store.lease("index", "dead", 60)


def test_clocks_that_differ_by_seconds_share_a_lease(database: Database, clock: Clock) -> None:
    store = SqlJobStore(database.engines, clock)
    assert store.lease("index", "one", 60)
    clock.time -= timedelta(seconds=30)
    assert not store.lease("index", "two", 60)


@JUMPS
def test_the_audit_log_goes_on_and_verifies(database: Database, clock: Clock, jump: timedelta) -> None:
    audit = SqlAuditLog(database.engines, b"clave", clock)
    for turn in range(4):
        audit.append("ana", AuditAction.ASKED, str(turn))
        clock.time += jump if turn == 1 else timedelta(seconds=1)
    assert [entry.target for entry in audit.entries()] == ["3", "2", "1", "0"]
    assert audit.verify().problem == ""
    clock.time += DAY * 3
    audit.cut(clock.time)
    audit.append("ana", AuditAction.ASKED, "después")
    assert audit.verify().problem == ""


def test_a_day_of_questions_is_counted_once_however_often_the_clock_passes_midnight(
    database: Database, clock: Clock
) -> None:
    usage = SqlUsageStore(database.engines, clock)
    usage.quota = Quota(questions=2)
    store = SqlConversationStore(database.engines, usage.count_question)
    chat = store.create("ana").id

    def asks() -> None:
        store.ask("ana", chat, "¿Qué?")

    def refused() -> None:
        with pytest.raises(QuotaExceeded):
            asks()

    steps: list[tuple[timedelta, list[Callable[[], None]]]] = [
        (timedelta(), [asks, asks, refused]),
        (DAY, [asks]),
        (-DAY, [refused]),
        (DAY, [asks, refused]),
        (-2 * DAY, [asks]),
    ]
    for jump, acts in steps:
        clock.time += jump
        for act in acts:
            act()
    rows = usage.rows(date(2026, 1, 1), date(2026, 12, 31))
    days = {row.day: row.questions for row in rows if row.role == QUESTIONS}
    assert days == {date(2026, 3, 9): 1, date(2026, 3, 10): 2, date(2026, 3, 11): 2}


@pytest.fixture
def accounts(database: Database, clock: Clock) -> Accounts:
    stores = (database.accounts, database.login_sessions, database.attempts, database.tokens)
    cheap = Passwords(12, memory=8, passes=1)
    local = AuthSettings(auth_mode="local")
    return Accounts(local, *stores, audit=database.audit, clock=clock, passwords=cheap)


def entered(accounts: Accounts) -> SignedIn:
    account, _ = accounts.add(None, "ana", "Ana", [Role.ADMIN])
    return accounts.sessions.open(account, address="127.0.0.1", agent="prueba")


@JUMPS
def test_a_session_of_another_day_is_over_and_stays_so_when_the_clock_is_right_again(
    accounts: Accounts, clock: Clock, jump: timedelta
) -> None:
    signed = entered(accounts)
    assert accounts.sessions.identify(signed.token) == signed.identity
    clock.time += jump
    assert accounts.sessions.identify(signed.token) is None
    clock.time -= jump
    assert accounts.sessions.identify(signed.token) is None


def test_rows_of_the_future_are_told_apart_in_both_databases(database: Database) -> None:
    chat, message = answer_under_way(database)
    with database.engines.write() as session:
        ahead = datetime.now(UTC) + timedelta(hours=2)
        session.execute(update(MessageRow).where(MessageRow.id == message).values(updated_at=ahead))
        session.commit()
    assert database.conversations.recover(7.0) == 1
    assert state_of(database, chat) is MessageState.INTERRUPTED
