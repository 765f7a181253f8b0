"""PostgreSQL goes away and comes back: what was acknowledged is there, once, and nobody restarts anything."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

import storage.corpus.jobs
from core.errors import StorageUnavailable
from domain.audit import AuditAction
from domain.reviews import Vote
from loading.ingestion.load_request import UploadRequest
from loading.jobs import job_loop as worker_module
from loading.jobs.job_loop import Worker
from loading.records.jobs import JobState, OutcomeState
from rag.run import safekeeping
from rag.shared.messages import MessageState
from service.program import assembly
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA
from tests.factories import settings_of
from tests.model_replies import as_json
from tests.model_server import ModelServer
from tests.pages.fakes import local_accounts
from tests.scripted import MARKERS, QUESTION, reply, vacation_first
from tests.texts import eventually, law

if TYPE_CHECKING:
    from tests.postgres import Postgres

pytest_plugins = ("tests.postgres",)
pytestmark = pytest.mark.slow
AWAY = "La base de datos no está disponible: vuelva a intentarlo"
PEOPLE = 5


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer() as running:
        running.markers = dict(MARKERS)
        running.script(
            decompose=[as_json(["vacaciones anuales retribuidas días naturales artículo 2"])],
            rerank=[vacation_first],
            assess=["READY"],
        )
        yield running


@pytest.fixture(scope="module")
def program(
    postgres_that_falls: Postgres, model: ModelServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[App]:
    chosen = settings_of(
        articulado_home=tmp_path_factory.mktemp("home"),
        database_url=postgres_that_falls.create(),
        embeddings_provider="none",
        openai_base_url=model.url,
        model_retries=0,
    )
    made = assembly.build(chosen)
    made.loading.ingest([DATA])
    yield made
    made.close()


def asked(program: App, title: str = "") -> tuple[str, object]:
    chat = program.database.conversations.create(LOCAL_USER, title).id
    return chat, program.runs.start(LOCAL_USER, chat, QUESTION)


def test_answers_that_end_while_it_is_away_are_stored_when_it_is_back(
    program: App, model: ModelServer, postgres_that_falls: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, safekeeping.__name__)
    accounts = local_accounts(program.database.engines, "rosa=admin")
    person = accounts.sessions.identify("")
    assert person is not None
    audit = program.database.audit
    model.script(answer=[as_json(reply())])
    _, voted = asked(program)
    assert voted.done.wait(30)
    program.database.feedback.vote(LOCAL_USER, voted.message_id, Vote.UP, "Bien.")
    empty = program.database.conversations.create(LOCAL_USER, "Vacía").id
    entries = [audit.append("ana", AuditAction.ASKED, str(n)).number for n in range(3)]

    let_go = threading.Event()
    model.script(answer=[as_json(reply(), hold=let_go, hold_after=8)])
    under_way = [asked(program) for _ in range(PEOPLE)]
    eventually(lambda: all(run.text for _, run in under_way))
    postgres_that_falls.halt()
    try:
        let_go.set()
        eventually(lambda: caplog.text.count("trying again") >= PEOPLE)
        refused: list[Callable[[], object]] = [
            lambda: program.runs.start(LOCAL_USER, empty, QUESTION),
            lambda: program.database.feedback.vote(LOCAL_USER, voted.message_id, Vote.DOWN),
            lambda: accounts.sessions.identify(""),
            lambda: audit.append("ana", AuditAction.ASKED, "no"),
            lambda: program.loading.upload(UploadRequest([("una.md", law("una", {"1": "Texto."}))])),
        ]
        for act in refused:
            with pytest.raises(StorageUnavailable, match=AWAY):
                act()
        assert all(run.alive for _, run in under_way), "given up before the database was back"
        assert not list((program.home / "uploads").iterdir()), "a refused upload stays on the disk"
    finally:
        postgres_that_falls.resume()

    assert all(run.done.wait(20) for _, run in under_way)
    for chat, run in under_way:
        question, answer = program.database.conversations.messages(LOCAL_USER, chat)
        assert question.text == QUESTION
        assert (answer.state, run.state) == (MessageState.COMPLETE, MessageState.COMPLETE)
        assert answer.answer is not None
        assert answer.answer.citations[0].verified
        assert program.database.conversations.trace(LOCAL_USER, answer.id) is not None
    kept = program.database.feedback.feedback(LOCAL_USER, voted.message_id)
    assert kept is not None
    assert (kept.vote, kept.comment) == (Vote.UP, "Bien.")
    assert accounts.sessions.identify("") == person
    assert audit.append("ana", AuditAction.ASKED, "después").number == entries[-1] + 1
    assert audit.verify().problem == ""
    assert program.database.conversations.messages(LOCAL_USER, empty) == []
    assert program.runs.start(LOCAL_USER, empty, QUESTION).done.wait(30)


def test_an_answer_that_finds_no_database_on_its_way_says_so_and_keeps_its_question(
    program: App, model: ModelServer, postgres_that_falls: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, safekeeping.__name__)
    let_go = threading.Event()
    model.script(
        decompose=[as_json(["vacaciones"], wait=let_go), as_json(["vacaciones"])], answer=[as_json(reply())]
    )
    chat, run = asked(program)
    eventually(lambda: bool(model.requests) and model.last().stage == "decompose" and bool(run.stages))
    postgres_that_falls.halt()
    # What was read a moment ago would carry it over a short absence.
    program.database.engines.last_corpus_write = object()
    let_go.set()
    eventually(lambda: "trying again" in caplog.text)
    postgres_that_falls.resume()
    assert run.done.wait(20)
    question, answer = program.database.conversations.messages(LOCAL_USER, chat)
    assert question.text == QUESTION
    assert answer.state is MessageState.FAILED
    assert answer.text.startswith(AWAY)
    trace = program.database.conversations.trace(LOCAL_USER, answer.id)
    assert trace is not None
    assert trace.stage("decompose") is not None
    assert program.runs.start(LOCAL_USER, chat, QUESTION).done.wait(30)


def test_after_a_restart_that_nobody_noticed_the_first_call_works(
    program: App, postgres_that_falls: Postgres
) -> None:
    chat = program.database.conversations.create(LOCAL_USER, "De antes").id
    postgres_that_falls.restart()
    assert chat in [one.id for one in program.database.conversations.conversations(LOCAL_USER)]
    postgres_that_falls.restart()
    program.database.conversations.ask(LOCAL_USER, chat, QUESTION)


def test_a_job_goes_on_after_a_restart_and_every_document_is_there(
    program: App, postgres_that_falls: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage.corpus.jobs, "STALE_SECONDS", 1.0)
    monkeypatch.setattr(worker_module, "RETRY_SECONDS", 0.1)
    names = [f"norma{number}" for number in range(12)]
    job = program.loading.upload(
        UploadRequest([(f"{name}.md", law(name, {"1": f"Texto de {name}."})) for name in names])
    )
    worker = Worker(program.database.jobs, program.job_runner().run)
    thread = threading.Thread(target=worker.work, daemon=True)
    thread.start()
    try:
        eventually(lambda: program.database.jobs.job(job.id).outcomes)
        acknowledged = program.database.jobs.job(job.id).outcomes
        postgres_that_falls.restart()
        eventually(lambda: program.database.jobs.job(job.id).state.ended)
        ended = program.database.jobs.job(job.id)
        assert ended.outcomes[: len(acknowledged)] == acknowledged
        failed = [one for one in ended.outcomes if one.state is OutcomeState.FAILED]
        assert all(AWAY in one.message for one in failed)
        if ended.state is not JobState.DONE or failed:
            assert failed or AWAY in ended.message
            program.database.jobs.retry(job.id)
            eventually(lambda: program.database.jobs.job(job.id).state is JobState.DONE)
    finally:
        worker.ending.set()
        thread.join(20)
    assert {name.upper() for name in names} <= {norm.id for norm in program.database.corpus.norms()}
    assert all(len(program.database.corpus.norm_chunks(name.upper())) == 1 for name in names)


class Person:
    """Asks, answers, votes and leaves a trail without end; keeps what it was told."""

    def __init__(self, program: App, number: int) -> None:
        self.owner = f"persona-{number}"
        self.messages: list[tuple[str, int]] = []
        self.votes: list[int] = []
        self.entries: list[tuple[int, str]] = []
        self.refused: list[str] = []
        self._program = program
        self._ending = threading.Event()
        self.turns = 0
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def __enter__(self) -> Person:
        self.chat = self._program.database.conversations.create(self.owner).id
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join(30)

    def _go_on(self) -> None:
        while not self._ending.is_set():
            self.turns += 1
            try:
                self._turn(f"{self.owner} pregunta {self.turns}")
            except StorageUnavailable as error:
                self.refused.append(str(error))
                self._ending.wait(0.02)

    def _turn(self, text: str) -> None:
        conversations = self._program.database.conversations
        entry = self._program.database.audit.append(self.owner, AuditAction.ASKED, text)
        self.entries.append((entry.number, entry.hash))
        asked, pending = conversations.ask(self.owner, self.chat, text)
        self.messages.append((text, asked.id))
        conversations.finish(pending.id, MessageState.COMPLETE, f"R: {text}", None, None)
        self.messages.append((f"R: {text}", pending.id))
        self._program.database.feedback.vote(self.owner, pending.id, Vote.UP, text)
        self.votes.append(pending.id)


def test_what_many_were_told_is_stored_is_there_once_after_restarts_under_load(
    program: App, postgres_that_falls: Postgres
) -> None:
    people = [Person(program, number) for number in range(PEOPLE)]
    with people[0], people[1], people[2], people[3], people[4]:
        for restart in range(1, 3):
            eventually(lambda restart=restart: all(len(one.votes) >= 5 * restart for one in people))
            postgres_that_falls.restart()
            before = [len(one.votes) for one in people]
            eventually(
                lambda before=before: all(
                    len(one.votes) > past for one, past in zip(people, before, strict=True)
                )
            )
    assert any(one.refused for one in people), "the restarts met nobody"
    assert all(text.startswith(AWAY) for one in people for text in one.refused)
    for one in people:
        stored = program.database.conversations.messages(one.owner, one.chat, limit=10_000)
        assert [m.role for m in stored] == ["user", "assistant"] * (len(stored) // 2)
        assert {message.id for message in stored} >= {number for _, number in one.messages}
        by_id = {message.id: message.text for message in stored}
        assert all(by_id[number] == text for text, number in one.messages)
        texts = [message.text for message in stored if message.role == "user"]
        assert len(texts) == len(set(texts)) <= one.turns
        for number in one.votes:
            kept = program.database.feedback.feedback(one.owner, number)
            assert kept is not None
            assert f"R: {kept.comment}" == by_id[number]
    told = {number: sealed for one in people for number, sealed in one.entries}
    chain = {entry.number: entry.hash for entry in program.database.audit.entries(limit=100_000)}
    assert told.items() <= chain.items()
    assert program.database.audit.verify().problem == ""
