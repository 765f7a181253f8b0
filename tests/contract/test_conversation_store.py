"""The conversation store on both databases: nothing asked is lost, nothing finished is overwritten."""

import signal
import sys
import threading
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import text, update

from core.errors import InputError, NotFound
from models.chat import ModelCall
from rag.shared.cited_answer import Answer, Citation
from rag.shared.messages import MessageState
from rag.shared.trace import AnswerRecord, DecomposeRecord, Trace
from storage.tables.conversations import MessageRow
from tests.processes import Child

pytest_plugins = ("tests.postgres",)
ANSWER = Answer(
    answer="Treinta días [C1].",
    citations=(Citation(marker="C1", quote="treinta días", source="LI", valid_from=date(2000, 1, 1)),),
    confidence=0.9,
)
TRACE = Trace(
    question="¿Cuántos días?",
    as_of=date(2024, 6, 1),
    started_at=datetime(2024, 6, 1, 10, tzinfo=UTC),
    stages=(
        DecomposeRecord(queries=("días",), calls=(ModelCall(role="reader", model="m", output="[]"),)),
        AnswerRecord(draft="Treinta…"),
    ),
)


@pytest.fixture
def store(database):
    return database.conversations


@pytest.fixture
def conversation(store):
    return store.create("ana", "Vacaciones").id


def exchange(store, conversation, question, state=MessageState.COMPLETE, answer=None):
    _, reply = store.ask("ana", conversation, question)
    if state is MessageState.RUNNING:
        store.checkpoint(reply.id, "A medias")
    elif state is not MessageState.PENDING:
        store.finish(reply.id, state, f"R: {question}", answer, None)
    return reply.id


def states(store, conversation, owner="ana"):
    return [(m.role, m.text, m.state.value) for m in store.messages(owner, conversation)]


def execute(database, statement, **values):
    with database.engines.engine.begin() as connection:
        return connection.execute(text(statement) if isinstance(statement, str) else statement, values)


def test_a_question_and_its_pending_answer_are_stored_before_any_work(store, conversation):
    asked, reply = store.ask("ana", conversation, "¿Cuántos días?", as_of=date(2019, 3, 1))
    assert (asked.role, asked.state, asked.text) == ("user", MessageState.COMPLETE, "¿Cuántos días?")
    assert (reply.role, reply.state, reply.text) == ("assistant", MessageState.PENDING, "")
    assert asked.id < reply.id
    assert asked.as_of == reply.as_of == date(2019, 3, 1)
    assert store.messages("ana", conversation) == [asked, reply]


def test_an_answer_grows_and_ends_with_its_citations_and_trace(store, conversation):
    _, reply = store.ask("ana", conversation, "¿Cuántos días?")
    store.checkpoint(reply.id, "Trein")
    assert states(store, conversation)[1] == ("assistant", "Trein", "running")
    store.finish(reply.id, MessageState.COMPLETE, ANSWER.answer, ANSWER, TRACE)
    message = store.messages("ana", conversation)[1]
    assert (message.text, message.state, message.answer) == (ANSWER.answer, MessageState.COMPLETE, ANSWER)
    assert store.trace("ana", reply.id) == TRACE


@pytest.mark.parametrize("end", ["complete", "stopped", "failed", "interrupted"])
def test_a_finished_answer_is_never_overwritten(store, conversation, end):
    reply = exchange(store, conversation, "¿Qué?", MessageState(end))
    expected = states(store, conversation)
    store.finish(reply, MessageState.COMPLETE, "Otra cosa", ANSWER, TRACE)
    store.checkpoint(reply, "Tarde")
    store.recover()
    assert states(store, conversation) == expected
    assert store.trace("ana", reply) is None


@pytest.mark.parametrize("state", [MessageState.PENDING, MessageState.RUNNING])
def test_an_answer_cannot_finish_unfinished(store, conversation, state):
    _, reply = store.ask("ana", conversation, "¿Qué?")
    with pytest.raises(ValueError, match=state.value):
        store.finish(reply.id, state, "", None, None)


def test_a_question_cannot_be_answered_over(store, conversation):
    asked, _ = store.ask("ana", conversation, "¿Qué?")
    store.finish(asked.id, MessageState.FAILED, "Otra", None, None)
    store.checkpoint(asked.id, "Otra")
    assert states(store, conversation)[0] == ("user", "¿Qué?", "complete")


def test_of_several_that_finish_at_once_one_wins_whole(store, conversation):
    _, reply = store.ask("ana", conversation, "¿Qué?")
    barrier = threading.Barrier(8)

    def end(number):
        barrier.wait()
        answer = ANSWER.model_copy(update={"answer": f"{number}"})
        trace = TRACE.model_copy(update={"question": f"{number}"})
        store.finish(reply.id, MessageState.COMPLETE, f"{number}", answer, trace)

    threads = [threading.Thread(target=end, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    message = store.messages("ana", conversation)[1]
    assert message.text == message.answer.answer == store.trace("ana", reply.id).question


HISTORY = [
    ([], 6, []),
    (["complete"], 6, ["¿1?", "R: ¿1?"]),
    (["failed"], 6, []),
    (["interrupted"], 6, []),
    (["stopped"], 6, []),
    (["pending"], 6, []),
    (["running"], 6, []),
    (["complete", "failed", "complete"], 6, ["¿1?", "R: ¿1?", "¿3?", "R: ¿3?"]),
    (["complete", "complete", "complete"], 4, ["¿2?", "R: ¿2?", "¿3?", "R: ¿3?"]),
    (["complete", "complete", "failed", "stopped"], 2, ["¿2?", "R: ¿2?"]),
    (["complete", "complete"], 3, ["R: ¿1?", "¿2?", "R: ¿2?"]),
    (["complete", "complete"], 0, []),
]


@pytest.mark.parametrize(("ends", "limit", "expected"), HISTORY)
def test_history_has_the_last_completed_exchanges_without_the_current_question(
    store, conversation, ends, limit, expected
):
    for number, end in enumerate(ends, start=1):
        exchange(store, conversation, f"¿{number}?", MessageState(end))
    asked, reply = store.ask("ana", conversation, "¿Actual?")
    for before in (asked.id, reply.id):
        assert [turn.text for turn in store.history("ana", conversation, before, limit)] == expected


def test_history_has_the_text_of_an_answer_alone_and_who_spoke(store, conversation):
    _, reply = store.ask("ana", conversation, "¿Cuántos días?")
    store.finish(reply.id, MessageState.COMPLETE, ANSWER.answer + "\n\nFuentes: LI", ANSWER, None)
    asked, _ = store.ask("ana", conversation, "¿Y si no?")
    turns = store.history("ana", conversation, asked.id, 6)
    assert [(turn.role, turn.text) for turn in turns] == [
        ("user", "¿Cuántos días?"),
        ("assistant", "Treinta días [C1]."),
    ]


def test_history_as_it_was_before_a_finished_answer_leaves_out_its_own_question(store, conversation):
    exchange(store, conversation, "¿1?")
    reply = exchange(store, conversation, "¿2?")
    assert [turn.text for turn in store.history("ana", conversation, reply, 6)] == ["¿1?", "R: ¿1?"]


def test_history_keeps_an_abstention_which_is_an_answer(store, conversation):
    refusal = Answer(answer="No tengo esa información verificada.", refusal=True)
    exchange(store, conversation, "¿Quién ganó?", answer=refusal)
    asked, _ = store.ask("ana", conversation, "¿Y ahora?")
    assert store.history("ana", conversation, asked.id, 6)[1].text == refusal.answer


def test_the_last_messages_come_oldest_first_and_page_backwards(store, conversation):
    for number in range(1, 5):
        exchange(store, conversation, f"¿{number}?")
    last = store.messages("ana", conversation, limit=3)
    assert [message.text for message in last] == ["R: ¿3?", "¿4?", "R: ¿4?"]
    older = store.messages("ana", conversation, limit=3, before=last[0].id)
    assert [message.text for message in older] == ["¿2?", "R: ¿2?", "¿3?"]


CALLS = {
    "conversation": lambda store, owner, conversation, _: store.conversation(owner, conversation),
    "rename": lambda store, owner, conversation, _: store.rename(owner, conversation, "Mío"),
    "delete": lambda store, owner, conversation, _: store.delete(owner, conversation),
    "messages": lambda store, owner, conversation, _: store.messages(owner, conversation),
    "ask": lambda store, owner, conversation, _: store.ask(owner, conversation, "¿Qué?"),
    "history": lambda store, owner, conversation, _: store.history(owner, conversation, 99, 6),
    "trace": lambda store, owner, _, message: store.trace(owner, message),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_another_owner_cannot_tell_a_conversation_from_none(store, conversation, call):
    _, reply = store.ask("ana", conversation, "¿Cuántos días?")
    store.finish(reply.id, MessageState.COMPLETE, "R", None, TRACE)
    before = store.messages("ana", conversation)
    with pytest.raises(NotFound) as theirs:
        call(store, "blas", conversation, reply.id)
    with pytest.raises(NotFound) as nobodys:
        call(store, "blas", "no-such-conversation", 999_999)
    assert str(theirs.value) == str(nobodys.value)
    assert store.messages("ana", conversation) == before
    assert [c.title for c in store.conversations("ana")] == ["Vacaciones"]
    assert store.conversations("blas") == []


def test_conversations_come_with_the_latest_activity_first(store):
    first, second, third = (store.create("ana", title).id for title in ("Uno", "Dos", "Tres"))
    store.create("blas", "Suya")
    _, reply = store.ask("ana", first, "¿Uno?")
    assert [c.id for c in store.conversations("ana")] == [first, third, second]
    store.ask("ana", second, "¿Dos?")
    store.finish(reply.id, MessageState.COMPLETE, "R", None, None)
    assert [c.id for c in store.conversations("ana")] == [first, second, third]
    assert [c.id for c in store.conversations("ana", limit=1)] == [first]
    store.archive("ana", first, True)
    assert (store.count("ana"), store.count("ana", archived=True)) == (len(store.listed("ana", 999)), 1)


LONG = "¿Cuántos días de vacaciones me corresponden si he trabajado seis meses a tiempo parcial en 2023?"


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("¿Cuántos días?", "¿Cuántos días?"),
        ("  ¿Cuántos\n días?  ", "¿Cuántos días?"),
        (LONG, "¿Cuántos días de vacaciones me corresponden si he trabajado seis meses a tiempo"),
        ("a" * 39 + " " + "b" * 40 + " c", "a" * 39 + " " + "b" * 40),
        ("a" * 200, "a" * 80),
    ],
)
def test_a_conversation_without_a_title_takes_that_of_its_first_question(store, question, title):
    made = store.create("ana")
    exchange(store, made.id, question)
    exchange(store, made.id, "¿Otra?")
    assert [c.title for c in store.conversations("ana")] == [title]


def test_a_conversation_is_read_as_it_is_listed(store, conversation):
    assert [store.conversation("ana", conversation)] == store.conversations("ana")


def test_a_conversation_is_renamed_and_keeps_its_name(store, conversation):
    store.rename("ana", conversation, "  Permisos  ")
    exchange(store, conversation, "¿Qué?")
    assert [c.title for c in store.conversations("ana")] == ["Permisos"]


def test_blank_questions_and_titles_are_refused(store, conversation):
    with pytest.raises(InputError):
        store.ask("ana", conversation, " \n")
    with pytest.raises(InputError):
        store.rename("ana", conversation, " ")
    assert store.messages("ana", conversation) == []


def test_deleting_a_conversation_deletes_its_messages_and_traces_and_no_other(database, store, conversation):
    other = store.create("ana", "Otra").id
    for where in (conversation, other):
        _, reply = store.ask("ana", where, "¿Qué?")
        store.finish(reply.id, MessageState.COMPLETE, "R", None, TRACE)
    store.delete("ana", conversation)
    assert [c.id for c in store.conversations("ana")] == [other]
    assert execute(database, "SELECT count(*) FROM messages").scalar() == 2
    assert execute(database, "SELECT count(*) FROM traces").scalar() == 1


def test_an_answer_whose_conversation_was_deleted_ends_quietly_and_its_id_is_not_reused(store, conversation):
    _, reply = store.ask("ana", conversation, "¿Qué?")
    store.delete("ana", conversation)
    other = store.create("ana", "Otra").id
    asked, _ = store.ask("ana", other, "¿Y?")
    assert asked.id > reply.id
    store.checkpoint(reply.id, "Tarde")
    store.finish(reply.id, MessageState.COMPLETE, "Tarde", ANSWER, TRACE)
    assert [text for _, text, _ in states(store, other)] == ["¿Y?", ""]


def test_answers_of_a_dead_process_are_interrupted_with_their_text(store, conversation):
    exchange(store, conversation, "¿1?")
    exchange(store, conversation, "¿2?", MessageState.RUNNING)
    exchange(store, conversation, "¿3?", MessageState.PENDING)
    assert store.recover() == 2
    assert [(text, state) for role, text, state in states(store, conversation) if role == "assistant"] == [
        ("R: ¿1?", "complete"),
        ("A medias", "interrupted"),
        ("", "interrupted"),
    ]
    assert store.recover() == 0


def test_recovery_leaves_alone_the_answers_that_gave_signs_of_life(database, store, conversation):
    silent = exchange(store, conversation, "¿1?", MessageState.RUNNING)
    alive = exchange(store, conversation, "¿2?", MessageState.RUNNING)
    five_minutes_ago = datetime.now(UTC) - timedelta(minutes=5)
    execute(
        database, update(MessageRow).where(MessageRow.id.in_([silent, alive])), updated_at=five_minutes_ago
    )
    store.checkpoint(alive, "Sigo")
    assert store.recover(older_than_seconds=60) == 1
    assert [state for _, _, state in states(store, conversation)][1::2] == ["interrupted", "running"]


def test_an_answer_wrongly_taken_for_dead_is_completed_by_its_author(store, conversation):
    reply = exchange(store, conversation, "¿1?", MessageState.RUNNING)
    store.recover()
    store.checkpoint(reply, "Sigo")
    assert states(store, conversation)[1] == ("assistant", "A medias", "interrupted")
    store.finish(reply, MessageState.COMPLETE, "Entera", None, None)
    assert states(store, conversation)[1] == ("assistant", "Entera", "complete")


def test_traces_and_answers_of_another_version_are_unread_but_kept(database, store, conversation):
    _, reply = store.ask("ana", conversation, "¿Qué?")
    store.finish(reply.id, MessageState.COMPLETE, ANSWER.answer, ANSWER, TRACE)
    body = '{"question": "¿Qué?", "future": {"field": 1}}'
    execute(database, "UPDATE traces SET body = :body", body=body)
    execute(database, "UPDATE messages SET answer = :body WHERE id = :id", body=body, id=reply.id)
    assert store.trace("ana", reply.id) is None
    message = store.messages("ana", conversation)[1]
    assert (message.text, message.answer) == (ANSWER.answer, None)
    assert execute(database, "SELECT body FROM traces").scalar() == body
    execute(database, "UPDATE traces SET body = :body", body=f'{TRACE.model_dump_json()[:-1]}, "gone": 1}}')
    assert store.trace("ana", reply.id) == TRACE


def test_times_are_aware_and_in_utc(store, conversation):
    before = datetime.now(UTC) - timedelta(seconds=1)
    exchange(store, conversation, "¿Qué?")
    [listed] = store.conversations("ana")
    times = [
        listed.created_at,
        listed.updated_at,
        *(m.created_at for m in store.messages("ana", conversation)),
    ]
    assert all(time.utcoffset() == timedelta(0) and time >= before for time in times)


def test_nul_and_lone_surrogates_of_a_model_never_reach_the_database(store, conversation):
    _, reply = store.ask("ana", conversation, "¿Qu\x00é\ud800?")
    answer = ANSWER.model_copy(update={"answer": "Treinta\x00 d\udfffías"})
    trace = TRACE.model_copy(update={"error": "x\x00\ud800y"})
    store.checkpoint(reply.id, "Tre\x00in")
    store.finish(reply.id, MessageState.COMPLETE, "Treinta\x00 días", answer, trace)
    asked, answered = store.messages("ana", conversation)
    assert (asked.text, answered.text, answered.answer.answer) == ("¿Qué?", "Treinta días", "Treinta días")
    assert store.trace("ana", reply.id).error == "xy"


def test_threads_that_ask_and_answer_at_once_lose_nothing(store):
    conversations = [store.create(f"owner-{number}", "C").id for number in range(8)]
    errors = []

    def work(number):
        try:
            for turn in range(6):
                _, reply = store.ask(f"owner-{number}", conversations[number], f"¿{turn}?")
                store.checkpoint(reply.id, "…")
                store.finish(reply.id, MessageState.COMPLETE, f"R{turn}", ANSWER, TRACE)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for number, conversation in enumerate(conversations):
        rows = states(store, conversation, owner=f"owner-{number}")
        assert [row for row in rows if row[0] == "assistant"] == [
            ("assistant", f"R{turn}", "complete") for turn in range(6)
        ]


ASKS_AND_DIES = """
import os, signal, sys
from storage.stores import open_database
store = open_database(sys.argv[1]).conversations
_, reply = store.ask("ana", sys.argv[2], "¿Cuántos días?")
store.checkpoint(reply.id, "Trein")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_the_question_of_a_killed_process_is_still_there(store, database_url, conversation):
    assert Child(ASKS_AND_DIES, database_url, conversation).wait() == (-signal.SIGKILL, "")
    assert store.recover() == 1
    assert states(store, conversation) == [
        ("user", "¿Cuántos días?", "complete"),
        ("assistant", "Trein", "interrupted"),
    ]
