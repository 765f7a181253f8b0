"""A disk without room: a clear sentence, nothing half stored, and everything goes on once there is room."""

import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

import pytest
from sqlalchemy import event

from core.errors import InputError, StorageUnavailable
from domain.audit import AuditAction
from domain.reviews import Vote
from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import JobState, OutcomeState
from rag.shared.messages import MessageState
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA, Maker
from tests.homes import work
from tests.model_replies import as_json
from tests.model_server import ModelServer
from tests.scripted import QUESTION, reply
from tests.texts import big_law, eventually

ROOM = "espacio en disco"
LONG = "¿Cuántos días de vacaciones me corresponden al año? " * 70
Full = Callable[[App], AbstractContextManager[None]]


@contextmanager
def full_database(program: App) -> Iterator[None]:
    """No page more for the database (SQLITE_FULL)."""
    engine = program.database.engines.engine

    def limit(connection: sqlite3.Connection, *_: object) -> None:
        connection.execute("PRAGMA max_page_count=1")  # the size that it has, when that is larger

    event.listen(engine, "checkout", limit)
    try:
        yield
    finally:
        event.remove(engine, "checkout", limit)
        engine.dispose()  # the limit is the connection's


@contextmanager
def full_disk(program: App) -> Iterator[None]:
    """No byte more for the database's files (EFBIG, as ENOSPC an error of the write itself)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in program.home.glob("articulado.db*"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


BOTH = pytest.mark.parametrize("full", [full_database, full_disk])


def fill(program: App, chat: str) -> list[str]:
    """Ask until there is no room for another question; those that were taken."""
    taken: list[str] = []
    with pytest.raises(StorageUnavailable, match=ROOM):
        for number in range(2000):
            question = f"{number} {LONG}"[:3900]
            program.database.conversations.ask(LOCAL_USER, chat, question)
            taken.append(question)
    return taken


@BOTH
def test_on_a_full_disk_nothing_acknowledged_is_lost_and_later_all_goes_on(program: App, full: Full) -> None:
    store = program.database.conversations
    chat = store.create(LOCAL_USER, "Prueba").id
    run = program.runs.start(LOCAL_USER, chat, QUESTION)
    assert run.done.wait(30)
    program.database.feedback.vote(LOCAL_USER, run.message_id, Vote.UP, "Bien.")
    before = [message.text for message in store.messages(LOCAL_USER, chat)]
    other = store.create(LOCAL_USER, "Otra").id
    with full(program):
        taken = fill(program, other)
        with pytest.raises(StorageUnavailable, match=ROOM):
            program.runs.start(LOCAL_USER, chat, LONG[:3900])
        with pytest.raises(StorageUnavailable, match=ROOM):
            program.database.audit.append("ana", AuditAction.ASKED, LONG * 30)
        told = "Bien."
        for number in range(50):
            # One that takes the place of another may find room.
            with suppress(StorageUnavailable):
                told = program.database.feedback.vote(
                    LOCAL_USER, run.message_id, Vote.UP, f"{number} no"
                ).comment
        assert [message.text for message in store.messages(LOCAL_USER, chat)] == before
    stored = store.messages(LOCAL_USER, other, limit=10_000)
    assert [message.text for message in stored if message.role == "user"] == taken
    assert len(stored) == 2 * len(taken), "half a question"
    voted = program.database.feedback.feedback(LOCAL_USER, run.message_id)
    assert voted is not None
    assert voted.comment == told
    assert program.database.health.damage() == ""
    assert program.database.audit.verify().problem == ""
    again = program.runs.start(LOCAL_USER, chat, QUESTION)
    assert again.done.wait(30)
    assert again.state is MessageState.COMPLETE


@BOTH
def test_an_answer_that_ends_on_a_full_disk_is_stored_when_there_is_room(
    make_program: Maker, server: ModelServer, full: Full
) -> None:
    program = make_program([DATA], openai_base_url=server.url, model_retries=0)
    server.script(answer=[as_json(reply(), wait=0.3)])
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id
    other = program.database.conversations.create(LOCAL_USER, "Otra").id
    run = program.runs.start(LOCAL_USER, chat, QUESTION)
    with full(program):
        fill(program, other)
        eventually(lambda: any(one.name == "verify" and one.elapsed_ms is not None for one in run.stages))
        assert not run.done.wait(0.3)
    assert run.done.wait(30)
    assert run.state is MessageState.COMPLETE
    assert program.database.conversations.trace(LOCAL_USER, run.message_id) is not None


def test_an_upload_on_a_full_disk_leaves_nothing_behind_and_can_be_repeated(program: App) -> None:
    law = big_law("una", 1500)
    with full_disk(program):
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(law) // 2, limit[1]))
        with pytest.raises(InputError, match=ROOM):
            program.loading.upload(UploadRequest([("una.md", law)]))
    assert program.database.jobs.jobs() == []
    assert not list((program.home / "uploads").iterdir())
    job = program.loading.upload(UploadRequest([("una.md", law)]))
    with full_database(program):
        work(program)
        (outcome,) = program.database.jobs.job(job.id).outcomes
        assert (outcome.state, ROOM in outcome.message) == (OutcomeState.FAILED, True)
    assert program.database.corpus.norm("UNA") is None
    program.database.jobs.retry(job.id)
    work(program)
    assert program.database.jobs.job(job.id).state is JobState.DONE
    assert len(program.database.corpus.norm_chunks("UNA")) == 1500
