"""Answers whose end cannot be stored at once: kept while the database is away, and given up in time."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from core.errors import InputError, StorageError, StorageUnavailable
from rag.run import safekeeping
from rag.run.runs import Run
from rag.run.safekeeping import store
from rag.shared.messages import MessageState
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA
from tests.model_replies import as_json, says
from tests.model_server import ModelServer
from tests.qdrant_stub import running_stub
from tests.scripted import QUESTION
from tests.texts import eventually


class Away:
    """A door to the database that is shut for so many knocks."""

    def __init__(self, times: float, error: type[StorageError] = StorageUnavailable) -> None:
        self.times = times
        self.error = error
        self.knocks = 0

    def __call__(self) -> None:
        self.knocks += 1
        if self.knocks <= self.times:
            raise self.error("La base de datos no está disponible.")


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safekeeping, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(safekeeping, "LONGEST_PAUSE", 0.002)


async def test_what_is_paid_for_is_stored_when_the_database_is_back(hasty: None) -> None:
    write = Away(20)
    await store(write, "an answer", asyncio.Event())
    assert write.knocks == 21


async def test_pauses_grow_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def no_wait(waiting: object, seconds: float) -> None:
        waiting.close()  # type: ignore[attr-defined]
        pauses.append(seconds)

    monkeypatch.setattr(safekeeping.asyncio, "wait_for", no_wait)
    await store(Away(8), "an answer", asyncio.Event())
    assert pauses == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0, 4.0]


async def test_a_database_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch, hasty: None) -> None:
    monkeypatch.setattr(safekeeping, "LONGEST_SECONDS", 0.05)
    write = Away(float("inf"))
    with pytest.raises(StorageUnavailable):
        await store(write, "an answer", asyncio.Event())
    assert write.knocks > 2


async def test_what_the_database_refuses_is_not_tried_again() -> None:
    write = Away(1, StorageError)
    with pytest.raises(StorageError):
        await store(write, "an answer", asyncio.Event())
    assert write.knocks == 1


async def test_at_the_end_of_the_program_there_is_one_more_attempt() -> None:
    ending, write = asyncio.Event(), Away(float("inf"))
    asyncio.get_running_loop().call_later(0.05, ending.set)
    with pytest.raises(StorageUnavailable):
        await store(write, "an answer", ending)
    assert write.knocks == 2
    assert safekeeping.LONGEST_SECONDS > 20


@pytest.fixture
def doors(program: App, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Away]:
    """Shut the program's store of answers for so many attempts to end one."""
    finish = program.database.conversations.finish

    def shut(times: float) -> Away:
        away = Away(times)

        def guarded(*what: object) -> None:
            away()
            finish(*what)  # type: ignore[arg-type]

        monkeypatch.setattr(program.database.conversations, "finish", guarded)
        return away

    return shut


def asked(program: App) -> tuple[str, Run]:
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id
    return chat, program.runs.start(LOCAL_USER, chat, QUESTION)


def test_an_answer_is_under_way_until_it_is_stored_and_others_go_on(
    program: App, doors: Callable[[float], Away]
) -> None:
    away = doors(float("inf"))
    chat, waiting = asked(program)
    eventually(lambda: away.knocks >= 2)
    assert waiting.alive
    with pytest.raises(InputError, match="Espere"):
        program.runs.start(LOCAL_USER, chat, QUESTION)
    program.runs.stop(LOCAL_USER, waiting.message_id)
    away.times = 0
    assert waiting.done.wait(20)
    assert waiting.state is MessageState.COMPLETE, "an answer that was there is not stopped any more"
    assert program.database.conversations.messages(LOCAL_USER, chat)[1].state is MessageState.COMPLETE
    assert program.runs.start(LOCAL_USER, chat, QUESTION).done.wait(20)


def test_an_answer_given_up_is_told_as_interrupted_later_on(
    program: App, doors: Callable[[float], Away], monkeypatch: pytest.MonkeyPatch, hasty: None
) -> None:
    monkeypatch.setattr(safekeeping, "LONGEST_SECONDS", 0.05)
    doors(float("inf"))
    chat, lost = asked(program)
    assert lost.done.wait(20)
    assert lost.state is MessageState.FAILED
    assert program.runs.active(LOCAL_USER, chat) is None
    program.database.conversations.recover()
    question, answer = program.database.conversations.messages(LOCAL_USER, chat)
    assert (question.text, answer.state) == (QUESTION, MessageState.INTERRUPTED)


def test_closing_does_not_wait_for_a_database_that_is_away(
    program: App, doors: Callable[[float], Away], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(safekeeping, "LONGEST_SECONDS", 3600.0)
    monkeypatch.setattr(safekeeping, "FIRST_PAUSE", 600.0)
    away = doors(float("inf"))
    runs = [asked(program)[1] for _ in range(6)]
    eventually(lambda: away.knocks == 6)
    program.runs.close(seconds=20)
    assert all(run.done.is_set() for run in runs)
    assert away.knocks == 12, "the pause was not cut short for a last attempt"


def test_closing_leaves_a_database_that_hangs_alone(program: App, monkeypatch: pytest.MonkeyPatch) -> None:
    released, entered = threading.Event(), threading.Event()

    def hangs(*_: object) -> None:
        entered.set()
        released.wait(60)

    monkeypatch.setattr(program.database.conversations, "finish", hangs)
    _, run = asked(program)
    assert entered.wait(20)
    program.runs.close(seconds=0.2)
    released.set()
    assert run.done.wait(5)
    assert run.state is MessageState.FAILED
    with pytest.raises(InputError, match="reiniciando"):
        asked(program)


def test_a_slow_store_stops_neither_the_answers_nor_the_stop_button(
    make_program: Callable[..., App], server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = make_program([DATA], openai_base_url=server.url, model_retries=0)
    released, entered = threading.Event(), threading.Event()
    finish = program.database.conversations.finish

    def slow(message_id: int, *what: object) -> None:
        if not entered.is_set():
            entered.set()
            released.wait(60)
        finish(message_id, *what)  # type: ignore[arg-type]

    monkeypatch.setattr(program.database.conversations, "finish", slow)
    _, first = asked(program)
    assert entered.wait(20)
    server.script(decompose=[says("[]", wait=30.0)])
    _, second = asked(program)
    program.runs.stop(LOCAL_USER, second.message_id)
    assert second.done.wait(5)
    assert first.alive
    released.set()
    assert first.done.wait(20)
    assert first.state is MessageState.COMPLETE


def test_an_answer_stopped_before_its_first_step_ends_too(program: App) -> None:
    busy, released = threading.Event(), threading.Event()
    program.runs._loop.call_soon_threadsafe(lambda: (busy.set(), released.wait(20)))
    assert busy.wait(20)
    chat, run = asked(program)
    program.runs.stop(LOCAL_USER, run.message_id)
    released.set()
    assert run.done.wait(20)
    assert program.database.conversations.messages(LOCAL_USER, chat)[1].state is MessageState.STOPPED
    assert program.runs.start(LOCAL_USER, chat, QUESTION).done.wait(20)


def test_a_question_that_cannot_be_stored_leaves_nothing(
    program: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id

    def away(*_: object) -> None:
        raise StorageUnavailable("La base de datos no está disponible.")

    with monkeypatch.context() as patched:
        patched.setattr(program.database.conversations, "ask", away)
        with pytest.raises(StorageUnavailable):
            program.runs.start(LOCAL_USER, chat, QUESTION)
    assert program.runs.under_way == 0
    assert program.runs.start(LOCAL_USER, chat, QUESTION).done.wait(20)


def test_a_search_server_that_goes_in_the_middle_of_a_question_ends_it_in_a_sentence(
    make_program: Callable[..., App], server: ModelServer
) -> None:
    let_go = threading.Event()
    server.script(decompose=[as_json(["vacaciones"], wait=let_go), as_json(["vacaciones"])])
    with running_stub() as stub:
        program = make_program(
            [DATA], qdrant_url=stub.url, qdrant_timeout=2, openai_base_url=server.url, model_retries=0
        )
        chat, run = asked(program)
        eventually(lambda: server.count("decompose") == 1)
        stub.stop()
        let_go.set()
        assert run.done.wait(30)
        question, answer = program.database.conversations.messages(LOCAL_USER, chat)
        assert (question.text, answer.state) == (QUESTION, MessageState.FAILED)
        assert answer.text.startswith("La búsqueda no está disponible en este momento")
        assert program.database.conversations.trace(LOCAL_USER, answer.id).stage("decompose") is not None
        stub.start()
        again = program.runs.start(LOCAL_USER, chat, QUESTION)
        assert again.done.wait(30)
        assert again.state is MessageState.COMPLETE
