"""Retention and erasure on both databases: what goes, what stays, and that nothing is left in the file."""

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select, update

from domain.reviews import QueueFilter, ReviewVerdict, Vote
from domain.usage import ERASED, QUESTIONS
from law.document_records import DocumentRecord
from loading.records.jobs import JobKind, JobPayload
from models.metering import Spent
from rag.evaluation.reviewed_cases import ReviewCase
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from rag.shared.trace import Trace
from storage.tables.conversations import ConversationRow, MessageRow, TraceRow
from storage.tables.reviews import FeedbackRow, JudgmentRow, ReviewViewRow
from tests.databases import new_database
from tests.factories import chunks_of, make_norm

pytest_plugins = ("tests.postgres",)
NOW = datetime.now(UTC)
SECRET = "el despido de Filomena Zurrutúa"


def asked(database, owner, question):
    """Conversation and answer, voted, looked at and judged by a reviewer."""
    store = database.conversations
    conversation = store.create(owner, question).id
    _, reply = store.ask(owner, conversation, question)
    answer = Answer(answer=f"R: {question}", confidence=0.8)
    trace = Trace(question=question, as_of=date(2026, 1, 1), started_at=NOW)
    store.finish(reply.id, MessageState.COMPLETE, answer.answer, answer, trace)
    database.feedback.vote(owner, reply.id, Vote.DOWN, f"falta {question}")
    database.reviews.item("rev", reply.id, 4)
    database.reviews.judge("rev", reply.id, ReviewVerdict.WRONG, notes=f"sobre {question}")
    return conversation, reply.id


def rows(database, *kinds):
    with database.engines.read() as session:
        return [len(session.scalars(select(kind)).all()) for kind in kinds]


def age(database, conversation, days):
    with database.engines.write() as session:
        session.execute(
            update(ConversationRow)
            .where(ConversationRow.id == conversation)
            .values(updated_at=NOW - timedelta(days=days))
        )
        session.commit()


def test_old_conversations_go_with_all_that_hangs_on_them(database):
    old, _ = asked(database, "ana", "¿vieja?")
    asked(database, "ana", "¿nueva?")
    age(database, old, 31)
    before = NOW - timedelta(days=30)
    assert database.privacy.old_conversations(before) == 1
    assert database.privacy.expire(before) == 1
    assert database.privacy.expire(before) == 0
    assert [one.title for one in database.conversations.conversations("ana")] == ["¿nueva?"]
    assert rows(database, MessageRow, TraceRow, FeedbackRow, JudgmentRow) == [2, 1, 1, 1]


def test_a_case_that_a_reviewer_kept_outlives_the_conversation(database):
    old, answer = asked(database, "ana", "¿vieja?")
    database.reviews.save_case("rev", answer, ReviewCase(id="c1", question="¿vieja?"))
    age(database, old, 31)
    database.privacy.expire(NOW - timedelta(days=30))
    assert [case.id for case in database.reviews.cases()] == ["c1"]


def test_nothing_of_a_person_stays_but_what_is_the_firms(database):
    document = make_norm()
    record = DocumentRecord(norm_id=document.norm.id, loaded_by="ana", loaded_at=NOW)
    database.corpus_writer.save(document, chunks_of(document), {}, record)
    job = database.jobs.enqueue(JobKind.INGEST, "x", "ana", JobPayload())
    _, answer = asked(database, "ana", "¿a?")
    _, other = asked(database, "eva", "¿b?")
    database.reviews.save_case("ana", answer, ReviewCase(id="c1", question="¿a?"))
    database.reviews.queue("ana", QueueFilter())
    database.reviews.judge("ana", other, ReviewVerdict.CORRECT)
    database.usage.record("ana", [Spent(role="reader", model="m", prompt_tokens=5)])
    database.usage.record(ERASED, [Spent(role="reader", model="m", prompt_tokens=2)])

    report = database.privacy.erase("ana")

    assert (report.conversations, report.cases_left) == (1, 1)
    assert database.conversations.conversations("ana") == []
    assert len(database.conversations.conversations("eva")) == 1
    item = database.reviews.item("rev", other, 4)
    assert [judgment.reviewer for judgment in item.judgments] == [ERASED, "rev"]
    assert database.jobs.job(job.id).owner == ERASED
    assert database.documents.get(document.norm.id).loaded_by == ERASED
    with database.engines.read() as session:
        views = session.execute(select(ReviewViewRow.reviewer, ReviewViewRow.message_id)).all()
    assert ("ana", None) not in views and not [view for view in views if view.message_id == answer]
    used = database.usage.rows(date(2020, 1, 1), date(2999, 1, 1))
    assert [(row.owner, row.role, row.questions, row.prompt_tokens) for row in used] == [
        (ERASED, QUESTIONS, 1, 0),
        (ERASED, "reader", 0, 7),
        ("eva", QUESTIONS, 1, 0),
    ]
    assert database.privacy.erase("ana").conversations == 0


@pytest.mark.parametrize("way", ["erased", "expired"])
def test_the_text_is_gone_from_the_file(tmp_path, way):
    database = new_database(tmp_path / "a.db")
    conversation, _ = asked(database, "ana", SECRET * 20)
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert SECRET.encode() in held
    if way == "erased":
        database.privacy.erase("ana")
    else:
        age(database, conversation, 31)
        database.privacy.expire(NOW - timedelta(days=30))
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    database.close()
    assert SECRET.encode() not in left


def test_a_person_gets_their_conversations_whole_and_nobody_elses(database):
    _, first = asked(database, "ana", "¿a?")
    asked(database, "eva", "¿b?")
    asked(database, "ana", "¿c?")
    one, two = database.privacy.conversations("ana")
    assert [message.text for message in one.messages] == ["¿a?", "R: ¿a?"]
    assert one.messages[1].answer.confidence == 0.8
    assert one.votes[first].comment == "falta ¿a?"
    assert two.conversation.title == "¿c?"
