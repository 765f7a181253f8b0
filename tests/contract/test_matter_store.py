"""Expedientes on both databases: open to their owner and members alone, and gone with all that is theirs."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text, update

from casework.matters.paper_fragments import Fragment, Scope
from core.errors import InputError, NotFound
from domain.matters import MatterDocument
from domain.reviews import QueueFilter, ReviewVerdict, Vote
from rag.evaluation.reviewed_cases import ReviewCase
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from storage.casework.matter_documents import WORDS
from storage.tables.conversations import ConversationRow, MessageRow
from storage.tables.matters import MatterDocumentRow, MatterFragmentRow, MatterMemberRow, MatterRow
from tests.databases import new_database

pytest_plugins = ("tests.postgres",)
NOW = datetime.now(UTC)
SECRET = "la carta de Filomena Zurrutúa"
TABLES = (MatterRow, MatterMemberRow, MatterDocumentRow, MatterFragmentRow, ConversationRow, MessageRow)


def document(name="carta.pdf", content="h1", **place):
    return MatterDocument(
        id=f"d-{name}-{content}",
        number=0,
        name=name,
        content_hash=content,
        bytes=10,
        added_by="ana",
        added_at=NOW,
        **place,
    )


def answered(database, owner, matter_id, question=SECRET):
    """A conversation of an expediente with its answer."""
    conversation = database.conversations.create(owner, question, matter_id).id
    _, reply = database.conversations.ask(owner, conversation, question)
    answer = Answer(answer=f"R: {question}", confidence=0.8)
    database.conversations.finish(reply.id, MessageState.COMPLETE, answer.answer, answer, None)
    return conversation, reply.id


@pytest.fixture
def matter(database):
    """Ana's, with Blas as a member, one read document and a conversation of each."""
    found = database.matters.create("ana", "Despido de F. Z.", "EXP-1")
    database.matters.add_member("ana", found.id, "blas")
    letter = database.matter_documents.add("ana", document(matter_id=found.id))
    database.matter_documents.keep(letter.id, [Fragment(number=1, page=2, text=SECRET)], 2, "")
    return found


def rows(database):
    with database.engines.read() as session:
        return [len(session.scalars(select(kind)).all()) for kind in TABLES]


def test_an_expediente_is_listed_to_its_members_and_unknown_to_everybody_else(database, matter):
    for person in ("ana", "blas"):
        assert [one.id for one in database.matters.matters(person)] == [matter.id]
        assert database.matters.matter(person, matter.id).name == "Despido de F. Z."
        assert database.matters.members(person, matter.id) == ["ana", "blas"]
    assert database.matters.matters("eva") == []


def forged(database, target, paper, chat, message):
    """Attempts of Eva, who is no member, at every door of the stores."""
    store, papers = database.matters, database.matter_documents
    return (
        lambda: store.matter("eva", target),
        lambda: store.change("eva", target, notes="x"),
        lambda: store.members("eva", target),
        lambda: store.add_member("eva", target, "eva"),
        lambda: store.remove_member("eva", target, "ana"),
        lambda: store.conversations("eva", target),
        lambda: store.delete("eva", target),
        lambda: papers.add("eva", document(content="h9", matter_id=target)),
        lambda: papers.add("eva", document(content="h9", conversation_id=chat)),
        lambda: papers.documents("eva", target),
        lambda: papers.of_conversation("eva", chat),
        lambda: papers.document("eva", paper),
        lambda: papers.remove("eva", paper),
        lambda: papers.fragment("eva", paper, 1),
        lambda: papers.scope("eva", chat),
        lambda: papers.found("eva", chat, [f"{paper}/1"]),
        lambda: database.conversations.create("eva", "x", target),
        lambda: database.conversations.in_matter("eva", target),
        lambda: database.conversations.conversation("eva", chat),
        lambda: database.conversations.messages("eva", chat),
        lambda: database.conversations.ask("eva", chat, "x"),
        lambda: database.conversations.trace("eva", message),
        lambda: database.feedback.vote("eva", message, Vote.UP),
    )


def test_what_is_not_open_cannot_be_told_from_what_does_not_exist(database, matter):
    letter = database.matter_documents.documents("ana", matter.id)[0].id
    conversation, reply = answered(database, "ana", matter.id)
    said = []
    for place in ((matter.id, letter, conversation, reply), ("x", "x", "x", -1)):
        told = []
        for attempt in forged(database, *place):
            with pytest.raises(NotFound) as refused:
                attempt()
            told.append(str(refused.value))
        said.append(told)
    assert said[0] == said[1]


def test_a_member_who_is_removed_loses_it_at_the_next_call(database, matter):
    conversation, reply = answered(database, "blas", matter.id)
    assert database.matters.remove_member("ana", matter.id, "blas") == [conversation]
    chats = database.conversations
    assert chats.conversations("blas") == chats.listed("blas") == chats.search("blas", "filomena") == []
    assert database.privacy.conversations("blas") == []
    letter = database.matter_documents.documents("ana", matter.id)[0].id
    for lost in (
        lambda: chats.messages("blas", conversation),
        lambda: chats.conversation("blas", conversation),
        lambda: chats.trace("blas", reply),
        lambda: chats.exchange("blas", reply),
        lambda: chats.choose("blas", conversation, reply - 1),
        lambda: chats.rename("blas", conversation, "x"),
        lambda: database.feedback.feedback("blas", reply),
        lambda: database.matters.matter("blas", matter.id),
        lambda: database.matter_documents.fragment("blas", letter, 1),
        lambda: database.matter_documents.scope("blas", conversation),
        lambda: database.matter_documents.found("blas", conversation, [f"{letter}/1"]),
    ):
        with pytest.raises(NotFound):
            lost()
    database.matters.add_member("ana", matter.id, "blas")
    assert chats.messages("blas", conversation)


def test_only_the_owner_decides_about_members_and_deletes(database, matter):
    database.matters.add_member("ana", matter.id, "eva")
    for refused in (
        lambda: database.matters.add_member("blas", matter.id, "ida"),
        lambda: database.matters.remove_member("blas", matter.id, "eva"),
        lambda: database.matters.remove_member("ana", matter.id, "ana"),
        lambda: database.matters.conversations("blas", matter.id),
        lambda: database.matters.delete("blas", matter.id),
    ):
        with pytest.raises(InputError):
            refused()
    database.matters.remove_member("blas", matter.id, "blas")
    assert database.matters.members("ana", matter.id) == ["ana", "eva"]


def test_a_conversation_of_an_expediente_stays_its_askers(database, matter):
    conversation, _ = answered(database, "ana", matter.id)
    with pytest.raises(NotFound):
        database.conversations.messages("blas", conversation)
    assert [one.id for one in database.conversations.in_matter("ana", matter.id)] == [conversation]
    assert database.conversations.in_matter("blas", matter.id) == []


def test_no_answer_of_an_expediente_is_in_the_review_queue(database, matter):
    _, reply = answered(database, "ana", matter.id)
    reviews = database.reviews
    assert reviews.queue("rev", QueueFilter()).total == 0
    assert reviews.matters() == []
    assert reviews.answer_trace("rev", reply) is None
    for refused in (
        lambda: reviews.item("rev", reply, 4),
        lambda: reviews.judge("rev", reply, ReviewVerdict.WRONG),
        lambda: reviews.save_case("rev", reply, ReviewCase(id="c1", question="¿?")),
    ):
        with pytest.raises(NotFound):
            refused()


def test_the_same_file_is_refused_once_it_is_there_and_taken_elsewhere(database, matter):
    papers = database.matter_documents
    with pytest.raises(InputError, match="ya está aquí: es Doc 1"):
        papers.add("ana", document("otra.pdf", matter_id=matter.id))
    other = database.matters.create("ana", "Otro")
    assert papers.add("ana", document("otra.pdf", matter_id=other.id)).number == 1
    assert papers.add("blas", document("nomina.docx", "h2", matter_id=matter.id)).number == 2


def test_that_another_member_has_the_same_file_in_a_conversation_is_not_told(database, matter):
    papers, chats = database.matter_documents, database.conversations
    for number, person in enumerate(("ana", "blas"), start=2):
        chat = chats.create(person, "x", matter.id).id
        assert papers.add(person, document(f"{person}.pdf", "h7", conversation_id=chat)).number == number
        with pytest.raises(InputError, match="ya está aquí"):
            papers.add(person, document(f"{person}-2.pdf", "h7", conversation_id=chat))
    assert papers.add("ana", document("comun.pdf", "h7", matter_id=matter.id)).number == 4


def test_a_question_may_use_the_documents_of_its_expediente_and_of_its_own_conversation(database, matter):
    papers = database.matter_documents
    chat, other = (answered(database, "ana", matter.id)[0] for _ in range(2))
    own = papers.add("ana", document("propia.pdf", "h3", conversation_id=chat))
    papers.keep(own.id, [Fragment(number=1, text="propia")], 0, "")
    letter = papers.documents("ana", matter.id)[0]
    assert (letter.number, own.number, own.matter_id) == (1, 2, matter.id)
    assert papers.scope("ana", chat) == Scope(matter=matter.id, conversation=chat)
    everything = [f"{own.id}/1", f"{letter.id}/1", f"{own.id}/9"]
    assert [one.document_id for one in papers.found("ana", chat, everything)] == [own.id, letter.id]
    assert [one.document_id for one in papers.found("ana", other, everything)] == [letter.id]
    plain = database.conversations.create("ana", "x").id
    assert papers.scope("ana", plain) is None
    assert papers.found("ana", plain, everything) == []
    with pytest.raises(NotFound):
        papers.document("blas", own.id)


def test_a_scope_that_names_nothing_is_no_scope():
    with pytest.raises(ValueError, match="names an expediente or a conversation"):
        Scope()


def test_deleting_an_expediente_leaves_no_row_and_no_word_of_it(tmp_path):
    database = new_database(tmp_path / "a.db")
    found = database.matters.create("ana", SECRET, SECRET)
    database.matters.change("ana", found.id, notes=SECRET)
    database.matters.add_member("ana", found.id, "blas")
    letter = database.matter_documents.add("ana", document(f"{SECRET}.pdf", matter_id=found.id))
    database.matter_documents.keep(letter.id, [Fragment(number=1, text=SECRET)], 1, "")
    for person in ("ana", "blas"):
        answered(database, person, found.id)
    database.matters.delete("ana", found.id)
    assert rows(database) == [0] * len(TABLES)
    database.close()
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert "Zurrutúa".encode() not in left and b"zurrut" not in left


def test_a_document_that_was_deleted_while_it_was_read_is_not_kept(database, matter):
    papers = database.matter_documents
    letter = papers.documents("ana", matter.id)[0]
    papers.remove("ana", letter.id)
    assert not papers.keep(letter.id, [Fragment(number=1, text="x")], 1, "")
    assert not papers.mark_indexed(letter.id, WORDS)
    assert rows(database)[3] == 0


def test_what_the_index_lacks_is_told_words_first(database, matter):
    papers = database.matter_documents
    first = papers.documents("ana", matter.id)[0].id
    second = papers.add("ana", document("b.pdf", "h2", matter_id=matter.id)).id
    assert [one.id for one in papers.waiting()] == [second]
    papers.mark_indexed(first, WORDS)
    papers.keep(second, [Fragment(number=1, text="x")], 1, "")
    assert papers.waiting() == []
    assert [one for one, _ in papers.unindexed("m")] == [second, first]
    assert papers.unindexed("") == [(second, f"m:{matter.id}")]
    papers.mark_indexed(first, "m")
    assert [one for one, _ in papers.unindexed("m")] == [second]
    assert papers.fragment_counts() == {first: 1, second: 1}


def test_retention_drops_expedientes_in_which_nothing_was_done(database, matter):
    answered(database, "ana", matter.id)
    before = NOW - timedelta(days=30)
    assert database.privacy.old_matters(before) == 0
    with database.engines.write() as session:
        session.execute(update(MatterRow).values(updated_at=NOW - timedelta(days=31)))
    assert database.privacy.old_matters(before) == 1
    assert database.privacy.expire_matters(before) == 1
    assert rows(database) == [0] * len(TABLES)


def test_asking_in_an_expediente_keeps_it_from_growing_old(database, matter):
    with database.engines.write() as session:
        session.execute(update(MatterRow).values(updated_at=NOW - timedelta(days=31)))
    answered(database, "blas", matter.id)
    assert database.privacy.old_matters(NOW - timedelta(days=30)) == 0


def test_erasing_a_person_hands_over_what_others_share_and_deletes_the_rest(database, matter):
    alone = database.matters.create("ana", "Sola")
    database.matter_documents.add("ana", document("otra.pdf", matter_id=alone.id))
    answered(database, "ana", matter.id)
    database.privacy.erase("ana")
    assert database.matters.matters("ana") == []
    kept = database.matters.matter("blas", matter.id)
    assert (kept.owner, database.matters.members("blas", matter.id)) == ("blas", ["blas"])
    letter = database.matter_documents.documents("blas", matter.id)[0]
    assert letter.added_by != "ana"
    assert rows(database) == [1, 1, 1, 1, 0, 0]
    database.privacy.erase("blas")
    assert rows(database) == [0] * len(TABLES)


def test_a_persons_copy_has_their_expedientes_and_no_one_elses(database, matter):
    (found,) = database.privacy.matters("ana")
    assert (found.matter.id, [one.name for one in found.documents]) == (matter.id, ["carta.pdf"])
    assert database.privacy.matters("blas") == []


@pytest.mark.parametrize(
    "change",
    [{"name": " "}, {"name": "x" * 121}, {"reference": "x" * 81}, {"notes": "x" * 20_001}],
)
def test_what_is_blank_or_too_long_is_refused_with_a_sentence(database, matter, change):
    with pytest.raises(InputError, match=r"\.$"):
        database.matters.change("ana", matter.id, **change)
    assert database.matters.matter("ana", matter.id).name == "Despido de F. Z."


def test_no_row_refers_to_one_that_is_gone(database, matter):
    database.matters.delete("ana", matter.id)
    if database.engines.engine.dialect.name == "sqlite":
        with database.engines.engine.connect() as connection:
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []


def test_every_expediente_is_found_by_its_words_page_by_page(database) -> None:
    for number in range(230):
        database.matters.create("ana", f"Despido nº {number:03}", "EXP-ÑANDÚ" if number == 7 else "100%")
    assert database.matters.count("ana") == 230
    seen = [one.name for place in range(0, 230, 50) for one in database.matters.matters("ana", offset=place)]
    assert len(set(seen)) == 230
    assert [one.name for one in database.matters.matters("ana", "nandu DESPIDO")] == ["Despido nº 007"]
    assert database.matters.count("ana", "100%") == 229 and database.matters.count("ana", "_") == 0
    assert database.matters.count("eva", "despido") == 0
