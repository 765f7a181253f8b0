"""Searches in conversations on both databases: what is found, whose it is, and that it goes with its text."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text, update

from core.errors import NotFound, StorageError
from rag.shared.messages import MessageState
from storage.backup import filling, snapshot
from storage.base.engine import Engines
from storage.chat.message_words import sound
from storage.migrate import upgrade
from storage.tables.conversations import ConversationRow
from tests.databases import lay_tables, new_database
from tests.hostile import TEXTS, batches

pytest_plugins = ("tests.postgres",)

SYNTAX = [
    '"despido"',
    '"despido',
    "despido*",
    "des*pido",
    "NEAR(despido, 2)",
    "despido AND",
    "NOT despido",
    "text: despido",
    "-despido",
    "^despido",
    "despido & !'x':*",
    "despido\0",
    "despido\ud800",
    "' OR 1=1 --",
    "%",
    "_",
    "(((",
    ":word0",
    "despido " * 1250,
    "a" * 10_000,
]


@pytest.fixture
def store(database):
    return database.conversations


def told(store, title, question="¿Qué?", answer="Esto.", owner="ana"):
    conversation = store.create(owner, title).id
    _, reply = store.ask(owner, conversation, question)
    store.finish(reply.id, MessageState.COMPLETE, answer, None, None)
    return conversation


def titles(store, query, owner="ana"):
    return [one.conversation.title for one in store.search(owner, query)]


BEGINNINGS = (
    "indemnización",
    "INDEMNIZACION",
    "inde",
    "  inde,  ",
    "inde despi",
    "despido jubilación indemniz",
    "art 56.1",
    "5/2023",
    "ano",
    "1º",
    "año despidó",
    "d",
)


def test_beginnings_of_all_the_words_find_a_conversation_wherever_they_stand(store):
    told(
        store,
        "Despido de mayo",
        "¿Y la jubilacio\u0301n? d.",
        "La Indemnización: art. 56.1 y RDL 5/2023 (1º), año.",
    )
    told(store, "Otra")
    found = {query: titles(store, query) for query in BEGINNINGS}
    assert {query: seen for query, seen in found.items() if seen != ["Despido de mayo"]} == {}


def test_what_is_not_all_there_finds_nothing(store):
    told(store, "Despido de mayo", answer="La indemnización")
    queries = ("", "  ", "...", "demnización", "indemnizaciones", "despido viaje", "i")
    assert [query for query in queries if store.search("ana", query)] == []


def test_the_latest_activity_comes_first_and_the_limit_holds(store):
    for number in range(4):
        told(store, f"{number}", answer="preaviso")
    assert titles(store, "preaviso") == ["3", "2", "1", "0"]
    assert [one.conversation.title for one in store.search("ana", "preaviso", 2)] == ["3", "2"]


def test_older_conversations_than_the_newest_are_found(store, monkeypatch):
    monkeypatch.setattr("storage.chat.message_words.NEWEST", 2)
    told(store, "vieja", answer="preaviso y finiquito")
    for number in range(3):
        told(store, f"{number}", answer="preaviso")
    assert titles(store, "preaviso") == ["2", "1", "0", "vieja"]
    assert titles(store, "finiquito preaviso") == ["vieja"]


@pytest.mark.parametrize("few", [0, 1, 200])
def test_a_rare_word_beside_frequent_ones_is_found_in_title_or_text(store, monkeypatch, few):
    monkeypatch.setattr("storage.chat.message_words.NEWEST", 2)
    monkeypatch.setattr("storage.chat.message_words.FEW", few)
    told(store, "de texto", answer="preaviso y filomena")
    told(store, "Filomena", answer="preaviso")
    told(store, "Preaviso", answer="filomena")
    told(store, "solo filomena", answer="nada")
    told(store, "ajena", answer="preaviso y filomena", owner="eva")
    for number in range(3):
        told(store, f"{number}", answer="preaviso")
    assert titles(store, "preaviso filomena") == ["Preaviso", "Filomena", "de texto"]
    assert titles(store, "filomena preaviso nevada") == []


@pytest.mark.parametrize("forms", [0, 1, 2, 50])
def test_a_beginning_finds_few_words_and_many_alike(store, monkeypatch, forms):
    monkeypatch.setattr("storage.chat.message_words.FORMS", forms)
    for form in ("contrato", "contratos", "contratación"):
        told(store, form, answer=f"El {form} termina.")
    told(store, "otra", answer="El contrabando termina.")
    assert titles(store, "contrat termina") == ["contratación", "contratos", "contrato"]
    assert titles(store, "contrato") == ["contratos", "contrato"]


def test_the_stretch_is_of_the_text_with_most_of_the_words(store):
    told(store, "x", "¿Qué plazo hay?", "El **plazo** [C1] de preaviso <b>es</b> de quince días.")
    [found] = store.search("ana", "plazo preaviso")
    assert found.stretch.text == "El plazo de preaviso <b>es</b> de quince días."
    assert [found.stretch.text[a:b] for a, b in found.stretch.marks] == ["plazo", "preaviso"]
    told(store, "Finiquito")
    [found] = store.search("ana", "finiquito")
    assert found.stretch is None


def test_nobody_elses_conversations_are_found_or_touched(store):
    others = told(store, "Despido", "¿despido?", "despido", owner="eva")
    assert store.search("ana", "despido") == store.search("ana", others) == []
    for act in (store.pin, store.archive):
        with pytest.raises(NotFound):
            act("ana", others, True)
    assert not store.conversation("eva", others).pinned
    assert titles(store, "despido", "eva") == ["Despido"]


def test_syntax_in_a_query_is_no_syntax(store):
    told(store, "Despido", owner="eva")
    told(store, "Despido", "¿Qué?", "Esto.")
    found = {query: {one.conversation.owner for one in store.search("ana", query)} for query in SYNTAX}
    assert {query: owners for query, owners in found.items() if not owners <= {"ana"}} == {}


def test_hostile_texts_are_stored_searched_and_forgotten(database, store):
    kept = list(batches(6, whole=True))
    for hostile in kept:
        told(store, hostile, f"¿{hostile}?", hostile)
    for hostile in TEXTS:
        store.search("ana", hostile)
    # Each deletion rewrites the words of all that is left: some go one by one, the rest at once.
    for one in store.conversations("ana", len(kept))[::4]:
        store.delete("ana", one.id)
    database.privacy.erase("ana")
    assert store.conversations("ana") == store.search("ana", "alert") == []


def test_an_answer_is_found_once_it_has_ended_and_only_by_its_last_text(store):
    conversation = store.create("ana", "x").id
    _, reply = store.ask("ana", conversation, "¿Qué?")
    store.checkpoint(reply.id, "borrador")
    assert store.search("ana", "borrador") == []
    store.recover()
    assert titles(store, "borrador") == ["x"]
    store.finish(reply.id, MessageState.COMPLETE, "definitiva", None, None)
    assert store.search("ana", "borrador") == []
    assert titles(store, "definitiva") == ["x"]


def test_another_title_replaces_the_words_of_the_first(store):
    conversation = told(store, "Antes")
    store.rename("ana", conversation, "Después")
    assert store.search("ana", "antes") == []
    assert titles(store, "despues") == ["Después"]


@pytest.mark.parametrize("way", ["deleted", "erased", "expired"])
def test_words_go_with_their_conversation(database, store, way):
    conversation = told(store, "x", answer="filomena")
    told(store, "y", answer="zurrutua", owner="eva")
    if way == "deleted":
        store.delete("ana", conversation)
    elif way == "erased":
        database.privacy.erase("ana")
    else:
        old = datetime.now(UTC) - timedelta(days=31)
        with database.engines.write() as session:
            session.execute(
                update(ConversationRow).values(updated_at=old).where(ConversationRow.owner == "ana")
            )
        database.privacy.expire(datetime.now(UTC) - timedelta(days=30))
    assert store.search("ana", "filomena") == []
    assert titles(store, "zurrutua", "eva") == ["y"]
    with database.engines.read() as session:
        assert sound(session)


@pytest.mark.parametrize("way", ["deleted", "erased"])
def test_a_deleted_word_is_gone_from_the_file(tmp_path, way):
    database = new_database(tmp_path / "a.db")
    conversation = told(database.conversations, "x", answer="filomena")
    told(database.conversations, "y", answer="otra", owner="eva")
    if way == "deleted":
        database.conversations.delete("ana", conversation)
        database.engines.shrink_log()
    else:
        database.privacy.erase("ana")
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    database.close()
    assert b"filomena" not in left


def test_pinned_ones_are_listed_first_and_archived_ones_apart(store):
    one, two, three = (told(store, title) for title in ("1", "2", "3"))
    store.pin("ana", one, True)
    assert [c.title for c in store.listed("ana")] == ["1", "3", "2"]
    store.archive("ana", one, True)
    store.archive("ana", two, True)
    assert [c.title for c in store.listed("ana")] == ["3"]
    assert [(c.title, c.pinned) for c in store.listed("ana", archived=True)] == [("2", False), ("1", False)]
    assert len(store.conversations("ana")) == 3
    assert [c.archived for c in (one.conversation for one in store.search("ana", "esto"))] == [
        False,
        True,
        True,
    ]
    store.archive("ana", two, False)
    assert [c.id for c in store.listed("ana")] == [three, two]


def test_a_restored_database_finds_what_was_in_the_other(database, store, tmp_path):
    store.pin("ana", told(store, "Año nuevo", answer="preaviso"), True)
    engines = Engines(lay_tables(tmp_path / "other" / "b.db"))
    with (
        snapshot(database.engines) as taken,
        filling(engines, taken.revision, taken.tables, taken.sequences) as filled,
    ):
        for name in filled.tables:
            filled.load(name, taken.lines(name))
    restored = type(store)(engines)
    assert titles(restored, "ano preav") == ["Año nuevo"]
    assert restored.listed("ana")[0].pinned
    engines.close()


def test_a_sqlite_without_full_text_search_is_told(tmp_path, monkeypatch):
    engines = Engines(f"sqlite:///{tmp_path / 'a.db'}")
    with engines.engine.connect() as connection:
        cause = type(connection)
    real = cause.scalar
    monkeypatch.setattr(
        cause,
        "scalar",
        lambda self, statement, *args, **more: (
            None if "fts5" in str(statement) else real(self, statement, *args, **more)
        ),
    )
    with pytest.raises(StorageError, match="FTS5"):
        upgrade(engines)
    engines.close()


def test_words_that_are_not_those_of_the_texts_are_noticed_and_made_anew(tmp_path):
    database = new_database(tmp_path / "a.db")
    told(database.conversations, "x", answer="preaviso")
    assert not database.health.unsearchable()
    with database.engines.write() as session:
        session.execute(text("INSERT INTO message_words(message_words) VALUES ('delete-all')"))
        session.commit()
    assert database.health.unsearchable()
    database.health.index_words()
    assert not database.health.unsearchable()
    assert titles(database.conversations, "preaviso") == ["x"]
    database.close()
