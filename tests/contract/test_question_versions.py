"""Versions of a question: no branch of a conversation is ever lost or taken for another."""

import pytest
from sqlalchemy import text

from core.errors import InputError, NotFound
from domain.reviews import Vote
from pages.parts.common.render import question_html
from rag.run.runs import askable
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from storage.chat.conversations import SqlConversationStore
from storage.stores import Database
from tests.hostile import batches, live_html
from tests.hostile_doors import CONSULTATIONS

pytest_plugins = ("tests.postgres",)

MANY = 1200


@pytest.fixture
def store(database: Database) -> SqlConversationStore:
    return database.conversations


@pytest.fixture
def chat(store: SqlConversationStore) -> str:
    return store.create("ana").id


def ask(store: SqlConversationStore, chat: str, question: str, replaces: int | None = None) -> int:
    """A question with its complete answer; returns the id of the question."""
    asked, reply = store.ask("ana", chat, question, replaces=replaces)
    told = f"R: {question}"
    store.finish(reply.id, MessageState.COMPLETE, told, Answer(answer=told, confidence=0.9), None)
    return asked.id


def questions(store: SqlConversationStore, chat: str) -> list[str]:
    return [one.text for one in store.messages("ana", chat, 100) if one.role == "user"]


def history(store: SqlConversationStore, chat: str, question: int) -> list[str]:
    return [turn.text for turn in store.history("ana", chat, question, 10) if turn.role == "user"]


def execute(database: Database, statement: str) -> None:
    with database.engines.engine.begin() as connection:
        connection.execute(text(statement))


def test_a_question_that_is_put_right_keeps_the_old_one_with_all_that_followed(store, chat):
    ask(store, chat, "uno")
    wrong = ask(store, chat, "dos")
    ask(store, chat, "tres")
    right = ask(store, chat, "DOS", replaces=wrong)
    assert questions(store, chat) == ["uno", "DOS"]
    store.choose("ana", chat, wrong)
    assert questions(store, chat) == ["uno", "dos", "tres"]
    store.choose("ana", chat, right)
    assert questions(store, chat) == ["uno", "DOS"]


def test_each_version_knows_all_of_them_and_a_single_question_none(store, chat):
    first = ask(store, chat, "uno")
    second = ask(store, chat, "UNO", replaces=first)
    third = ask(store, chat, "Uno", replaces=second)
    ask(store, chat, "dos")
    shown = {one.text: one.versions for one in store.messages("ana", chat)}
    assert shown == {"Uno": (first, second, third), "R: Uno": (), "dos": (), "R: dos": ()}


def test_a_question_follows_the_branch_that_is_shown_and_hears_of_no_other(store, chat):
    first = ask(store, chat, "uno")
    ask(store, chat, "dos")
    ask(store, chat, "UNO", replaces=first)
    after = ask(store, chat, "DOS")
    assert history(store, chat, after) == ["UNO"]
    store.choose("ana", chat, first)
    third = ask(store, chat, "tres")
    assert history(store, chat, third) == ["uno", "dos"]
    assert questions(store, chat) == ["uno", "dos", "tres"]
    assert history(store, chat, after) == ["UNO"], "whichever is shown"


def test_a_version_hears_what_the_question_that_it_replaces_heard(store, chat):
    ask(store, chat, "uno")
    second = ask(store, chat, "dos")
    ask(store, chat, "tres")
    assert history(store, chat, ask(store, chat, "DOS", replaces=second)) == ["uno"]


def test_going_back_to_a_version_shows_the_latest_that_was_asked_after_it(store, chat):
    first = ask(store, chat, "uno")
    second = ask(store, chat, "dos")
    ask(store, chat, "DOS", replaces=second)
    ask(store, chat, "UNO", replaces=first)
    store.choose("ana", chat, first)
    assert questions(store, chat) == ["uno", "DOS"]


def test_a_branch_is_paged_backwards_without_the_messages_of_another(store, chat):
    first = ask(store, chat, "uno")
    for number in range(4):
        ask(store, chat, f"lejos {number}")
    ask(store, chat, "UNO", replaces=first)
    ask(store, chat, "dos")
    last = store.messages("ana", chat, 3)
    assert [one.text for one in last] == ["R: UNO", "dos", "R: dos"]
    assert [one.text for one in store.messages("ana", chat, 3, before=last[0].id)] == ["UNO"]


def test_questions_of_before_there_were_versions_follow_each_other(store, chat, database):
    for question in ("uno", "dos", "tres"):
        last = ask(store, chat, question)
    execute(database, "UPDATE messages SET follows = NULL")
    execute(database, "UPDATE conversations SET shown = NULL")
    assert questions(store, chat) == ["uno", "dos", "tres"]
    assert history(store, chat, last) == ["uno", "dos"]
    ask(store, chat, "TRES", replaces=last)
    assert questions(store, chat) == ["uno", "dos", "TRES"]


def test_a_damaged_copy_never_leads_in_circles(store, chat, database):
    first = ask(store, chat, "uno")
    second = ask(store, chat, "dos")
    execute(database, f"UPDATE messages SET follows = {second} WHERE id = {first}")
    assert questions(store, chat) == ["uno", "dos"]
    execute(database, "UPDATE conversations SET shown = 999")
    assert questions(store, chat) == ["uno", "dos"]


def test_only_the_owner_names_a_question_and_only_of_that_conversation(store, chat):
    own = ask(store, chat, "uno")
    other = store.create("ana").id
    strange = ask(store, other, "otra")
    calls = (
        lambda: store.choose("eva", chat, own),
        lambda: store.choose("ana", chat, strange),
        lambda: store.choose("ana", chat, 0),
        lambda: store.choose("ana", chat, own + 1),
        lambda: store.ask("eva", chat, "x", replaces=own),
        lambda: store.ask("ana", chat, "x", replaces=strange),
        lambda: store.ask("ana", chat, "x", replaces=own + 1),
        lambda: store.ask("ana", chat, "x", replaces=0),
        lambda: store.exchange("eva", own + 1),
        lambda: store.exchange("ana", own),
        lambda: store.exchange("ana", 10**9),
    )
    for call in calls:
        with pytest.raises(NotFound):
            call()
    assert questions(store, chat) == ["uno"]
    asked, answered = store.exchange("ana", own + 1)
    assert (asked.text, answered.text) == ("uno", "R: uno")


def test_every_branch_is_searched_exported_reviewed_voted_on_and_erased(store, chat, database):
    first = ask(store, chat, "uno despido")
    ask(store, chat, "dos")
    new = ask(store, chat, "UNO permiso", replaces=first)
    for word in ("despido", "permiso"):
        assert [one.conversation.id for one in store.search("ana", word)] == [chat]
    database.feedback.vote("ana", first + 1, Vote.UP, "")
    [copy] = database.privacy.conversations("ana")
    assert [one.text for one in copy.messages if one.role == "user"] == ["uno despido", "dos", "UNO permiso"]
    assert [one.versions for one in copy.messages if one.versions] == [(first, new)] * 2
    assert set(copy.votes) == {first + 1}
    item = database.reviews.item("rev", first + 3, 10)
    assert [turn.text for turn in item.history] == ["uno despido", "R: uno despido"]
    assert database.reviews.item("rev", new + 1, 10).history == ()
    database.privacy.erase("ana")
    assert store.conversations("ana") == []


def test_a_search_tells_the_question_of_a_branch_that_is_not_shown(store, chat):
    first = ask(store, chat, "uno despido")
    second = ask(store, chat, "dos indemnización")
    new = ask(store, chat, "UNO permiso", replaces=first)

    def elsewhere(word: str) -> int | None:
        [found] = store.search("ana", word)
        return found.elsewhere

    assert [elsewhere(word) for word in ("despido", "indemnizacion", "permiso")] == [first, second, None]
    store.choose("ana", chat, second)
    assert [elsewhere(word) for word in ("despido", "indemnizacion", "permiso")] == [None, None, new]
    store.rename("ana", chat, "Expediente siete")
    assert elsewhere("expediente") is None


def test_every_hostile_text_is_a_version_beside_the_others(store, chat):
    first = ask(store, chat, "uno")
    made = [first]
    for hostile in (*batches(6, whole=True), *CONSULTATIONS.values()):
        try:
            question = askable(hostile)
        except InputError:
            continue
        made.append(store.ask("ana", chat, question, replaces=made[-1])[0].id)
        shown, _ = store.messages("ana", chat)
        assert live_html(question_html(shown.text)) == [], repr(hostile[:60])
    assert store.messages("ana", chat)[0].versions == tuple(made)
    store.choose("ana", chat, first)
    assert questions(store, chat) == ["uno"]


def test_a_conversation_of_many_questions_is_deleted_whole(store, chat, database):
    execute(
        database,
        "INSERT INTO messages (conversation_id, role, text, state, matter, created_at, updated_at, follows) "
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) "
        f"SELECT '{chat}', 'user', 'q', 'complete', '', '2026-01-01', '2026-01-01', i - 1 FROM n",
    )
    assert len(store.messages("ana", chat, 2 * MANY)) == MANY
    store.delete("ana", chat)
    assert store.conversations("ana") == []
