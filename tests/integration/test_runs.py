"""Answers in progress: stored before work, stopped at once, interrupted and never lost."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import InputError, NotFound, StorageError
from rag.shared.messages import MessageState
from service.program import assembly
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA
from tests.factories import settings_of
from tests.model_replies import as_json, says
from tests.model_server import ModelServer
from tests.processes import Child, wait_until
from tests.scripted import QUESTION, reply


@pytest.fixture
def program(server: ModelServer, make_program) -> App:
    return make_program([DATA], openai_base_url=server.url, model_retries=0)


def conversation(program: App) -> str:
    return program.database.conversations.create(LOCAL_USER, "Prueba").id


def messages(program: App, conversation_id: str):
    return program.database.conversations.messages(LOCAL_USER, conversation_id)


def test_an_answer_is_stored_with_its_citations_and_trace(program):
    chat = conversation(program)
    current = program.runs.start(LOCAL_USER, chat, QUESTION)
    assert current.done.wait(30)
    asked, answered = messages(program, chat)
    assert (asked.text, asked.state) == (QUESTION, MessageState.COMPLETE)
    assert answered.state is MessageState.COMPLETE
    assert answered.answer.citations[0].verified
    assert program.database.conversations.trace(LOCAL_USER, answered.id).stage("verify") is not None
    assert current.stages[0].name == "understand"
    assert all(stage.elapsed_ms is not None for stage in current.stages)


def test_the_question_is_stored_before_any_model_is_asked(program, server):
    server.script(decompose=[says("[]", wait=30.0)])
    chat = conversation(program)
    current = program.runs.start(LOCAL_USER, chat, QUESTION)
    assert [m.state for m in messages(program, chat)][1] in (MessageState.PENDING, MessageState.RUNNING)
    program.runs.stop(LOCAL_USER, current.message_id)
    assert current.done.wait(5)


def test_stopping_ends_the_request_and_keeps_what_was_written(program, server):
    server.script(answer=[as_json(reply(), hold=30.0, hold_after=8)])
    chat = conversation(program)
    current = program.runs.start(LOCAL_USER, chat, QUESTION)
    wait_until(lambda: current.text.startswith("Le corresponden"))
    program.runs.stop(LOCAL_USER, current.message_id)
    assert current.done.wait(0.5), "stopping takes more than half a second"
    assert server.last("answer").disconnected.wait(2)
    stored = messages(program, chat)[1]
    assert stored.state is MessageState.STOPPED
    assert stored.text.startswith("Le corresponden")
    assert stored.answer is None


def test_another_person_can_neither_stop_nor_see_nor_continue(program, server):
    server.script(decompose=[says("[]", wait=30.0)])
    chat = conversation(program)
    current = program.runs.start(LOCAL_USER, chat, QUESTION)
    program.runs.stop("otra", current.message_id)
    assert current.alive
    assert program.runs.active("otra", chat) is None
    with pytest.raises((NotFound, InputError)):
        program.runs.start("otra", chat, QUESTION)
    program.runs.stop(LOCAL_USER, current.message_id)
    assert current.done.wait(5)
    with pytest.raises(NotFound):
        program.runs.start("otra", chat, QUESTION)


@pytest.mark.parametrize(("question", "told"), [("  ", "Escriba"), ("x" * 20_001, "20.001")])
def test_an_unusable_question_is_refused_and_nothing_is_stored(program, question, told):
    chat = conversation(program)
    with pytest.raises(InputError, match=told):
        program.runs.start(LOCAL_USER, chat, question)
    assert messages(program, chat) == []


def test_a_second_question_waits_for_the_first(program, server):
    server.script(decompose=[says("[]", wait=30.0)])
    chat = conversation(program)
    current = program.runs.start(LOCAL_USER, chat, QUESTION)
    with pytest.raises(InputError, match="Espere"):
        program.runs.start(LOCAL_USER, chat, "¿Y otra?")
    program.runs.stop(LOCAL_USER, current.message_id)
    assert current.done.wait(5)
    server.script(decompose=[as_json(["vacaciones"])])
    assert program.runs.start(LOCAL_USER, chat, QUESTION).done.wait(30)


def test_two_conversations_are_answered_at_once(program):
    chats = [conversation(program) for _ in range(4)]
    runs = [program.runs.start(LOCAL_USER, chat, QUESTION) for chat in chats]
    assert all(current.done.wait(30) for current in runs)
    assert all(messages(program, chat)[1].state is MessageState.COMPLETE for chat in chats)


def test_history_leaves_out_stopped_answers_and_their_questions(program, server):
    chat = conversation(program)
    assert program.runs.start(LOCAL_USER, chat, "¿Qué es el calendario laboral?").done.wait(30)
    server.script(answer=[as_json(reply(), hold=30.0, hold_after=8)])
    stopped = program.runs.start(LOCAL_USER, chat, "Pregunta que se detiene")
    wait_until(lambda: stopped.text.startswith("Le corresponden"))
    program.runs.stop(LOCAL_USER, stopped.message_id)
    assert stopped.done.wait(5)
    server.script(answer=[as_json(reply())])
    assert program.runs.start(LOCAL_USER, chat, QUESTION).done.wait(30)
    prompt = server.last("answer").body["messages"]
    assert [m["content"] for m in prompt[1:3]] == ["¿Qué es el calendario laboral?", reply()["answer"]]
    assert len(prompt) == 4 and prompt[-1]["content"].endswith(QUESTION)


def test_a_database_that_fails_in_mid_answer_does_not_hang_the_page(program, monkeypatch):
    def fails(*_: object) -> None:
        raise StorageError("La base de datos no responde.")

    monkeypatch.setattr(program.database.conversations, "finish", fails)
    current = program.runs.start(LOCAL_USER, conversation(program), QUESTION)
    assert current.done.wait(30)
    assert current.state is MessageState.FAILED


def test_closing_the_program_leaves_answers_interrupted(program, server):
    server.script(answer=[as_json(reply(), hold=30.0, hold_after=8)])
    chat = conversation(program)
    current = program.runs.start(LOCAL_USER, chat, QUESTION)
    wait_until(lambda: current.text.startswith("Le corresponden"))
    program.runs.close()
    stored = messages(program, chat)[1]
    assert stored.state is MessageState.INTERRUPTED
    assert stored.text.startswith("Le corresponden")


@pytest.fixture
def slow_to_store(program, monkeypatch):
    """Storing a question waits until it is let go: (it has begun, let it go)."""
    begun, let_go = threading.Event(), threading.Event()
    ask = program.database.conversations.ask

    def slow(*args):
        begun.set()
        assert let_go.wait(30)
        return ask(*args)

    monkeypatch.setattr(program.database.conversations, "ask", slow)
    yield begun, let_go
    let_go.set()


def test_while_a_question_is_being_stored_nobody_else_waits(program, slow_to_store):
    begun, let_go = slow_to_store
    chat, other = conversation(program), conversation(program)
    with ThreadPoolExecutor(2) as pages:
        storing = pages.submit(program.runs.start, LOCAL_USER, chat, QUESTION)
        assert begun.wait(10)
        assert pages.submit(program.runs.active, LOCAL_USER, other).result(10) is None
        with pytest.raises(InputError, match="Espere"):
            program.runs.start(LOCAL_USER, chat, QUESTION)
        let_go.set()
        assert storing.result(10).done.wait(30)
    assert [m.state for m in messages(program, chat)] == [MessageState.COMPLETE] * 2


def test_a_question_that_is_being_stored_when_the_program_closes_is_told_as_interrupted(
    program, server, slow_to_store
):
    begun, let_go = slow_to_store
    server.script(answer=[as_json(reply(), hold=30.0, hold_after=8)])
    chat = conversation(program)
    with ThreadPoolExecutor(2) as threads:
        storing = threads.submit(program.runs.start, LOCAL_USER, chat, QUESTION)
        assert begun.wait(10)
        closing = threads.submit(program.runs.close)
        wait_until(lambda: program.runs._closed)
        let_go.set()
        assert storing.result(10).conversation_id == chat
        closing.result(20)
    assert [m.state for m in messages(program, chat)][1] is MessageState.INTERRUPTED


CHILD = """
import sys, time
from service.program import assembly
from tests.factories import settings_of

home, url, question = sys.argv[1:]
chosen = settings_of(articulado_home=home, embeddings_provider="none", openai_base_url=url)
program = assembly.build(chosen)
chat = program.database.conversations.create(assembly.LOCAL_USER, "Prueba").id
program.runs.start(assembly.LOCAL_USER, chat, question)
print(chat, flush=True)
time.sleep(600)
"""


@pytest.mark.slow
def test_kill_9_in_mid_answer_loses_neither_question_nor_what_was_written(server, tmp_path, monkeypatch):
    monkeypatch.setattr("rag.run.runs.STALE_SECONDS", 0.5)
    home = tmp_path / "home"
    chosen = settings_of(articulado_home=home, embeddings_provider="none")
    first = assembly.build(chosen)
    first.loading.ingest([DATA])
    first.close()
    server.script(answer=[as_json(reply(), hold=60.0, hold_after=10)])
    child = Child(CHILD, str(home), server.url, QUESTION)
    try:
        chat = child.out.readline().strip()
        watcher = assembly.build(chosen)
        wait_until(lambda: len(found := messages(watcher, chat)) == 2 and found[1].text, 40)
    finally:
        child.kill()
        assert child.wait(10) == (-signal.SIGKILL, "")
    try:
        assert watcher.runs.active(LOCAL_USER, chat) is None
        wait_until(lambda: messages(watcher, chat)[1].state is MessageState.INTERRUPTED, 40)
        asked, answered = messages(watcher, chat)
        assert asked.text == QUESTION
        assert answered.text.startswith("Le corresponden")
        assert watcher.services.index.count() > 0, "the index opens again after the kill"
    finally:
        watcher.close()
