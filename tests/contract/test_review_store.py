"""Feedback and reviews on both databases: votes are their owner's, looks are recorded, nothing is lost."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select, text, update

from core.errors import InputError, NotFound
from domain.reviews import MAX_COMMENT, QueueFilter, QueueSort, ReviewVerdict, Vote
from rag.evaluation.reviewed_cases import CorrectCitation, ReviewCase, Wanted
from rag.question.understanding import Matter, Understanding
from rag.shared.cited_answer import Answer
from rag.shared.messages import MessageState
from rag.shared.trace import Trace, UnderstandRecord
from storage.tables.conversations import MessageRow
from storage.tables.reviews import ReviewViewRow
from tests.hostile import UNICODE, invisible

pytest_plugins = ("tests.postgres",)
DAY = date(2024, 6, 1)
NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)


def trace(question, matter):
    read = Understanding(
        question=question, cleaned=question, whole=question, matter=Matter(branch="own", label=matter)
    )
    record = UnderstandRecord(as_of=DAY, as_of_from="today", understanding=read)
    return Trace(question=question, as_of=DAY, started_at=NOON, stages=(record,))


def asked(database, question, owner="ana", conversation=None, *, confidence=0.8, refusal=False, matter=""):
    """The id of a complete answer."""
    store = database.conversations
    conversation = conversation or store.create(owner).id
    _, reply = store.ask(owner, conversation, question)
    answer = Answer(answer=f"R: {question}", confidence=confidence, refusal=refusal, as_of=DAY)
    store.finish(reply.id, MessageState.COMPLETE, answer.answer, answer, trace(question, matter))
    return reply.id


def looks(database):
    """Who looked at what, the latest first: the rows themselves, which outlive the conversation."""
    with database.engines.read() as session:
        return list(session.scalars(select(ReviewViewRow).order_by(ReviewViewRow.id.desc())))


@pytest.fixture
def votes(database):
    return database.feedback


@pytest.fixture
def reviews(database):
    return database.reviews


def shown(reviews, sort=QueueSort.NEWEST, **where):
    return [entry.question for entry in reviews.queue("rev", QueueFilter(**where), sort).entries]


# Votes


def test_a_vote_is_kept_changed_and_taken_back(database, votes):
    answer = asked(database, "¿a?")
    assert votes.feedback("ana", answer) is None
    votes.vote("ana", answer, Vote.DOWN, "  le falta\x00 el plazo ")
    assert votes.feedback("ana", answer).comment == "le falta el plazo"
    votes.vote("ana", answer, Vote.UP)
    stored = votes.feedback("ana", answer)
    assert (stored.vote, stored.comment) == (Vote.UP, "")
    votes.withdraw("ana", answer)
    votes.withdraw("ana", answer)
    assert votes.feedback("ana", answer) is None


@pytest.mark.parametrize("owner", ["luis", ""])
def test_nobody_votes_on_or_sees_the_vote_on_an_answer_of_others(database, votes, owner):
    answer = asked(database, "¿a?")
    votes.vote("ana", answer, Vote.UP)
    with pytest.raises(NotFound):
        votes.vote(owner, answer, Vote.DOWN)
    with pytest.raises(NotFound):
        votes.feedback(owner, answer)
    with pytest.raises(NotFound):
        votes.withdraw(owner, answer)
    assert votes.feedback("ana", answer).vote is Vote.UP


def test_the_votes_of_a_conversation_are_read_at_once_and_only_one_s_own(database, votes):
    conversation = database.conversations.create("ana").id
    answers = []
    for question in ("¿a?", "¿b?", "¿c?"):
        _, reply = database.conversations.ask("ana", conversation, question)
        database.conversations.finish(reply.id, MessageState.COMPLETE, "Sí.", None, None)
        answers.append(reply.id)
    votes.vote("ana", asked(database, "¿otra?"), Vote.UP)
    votes.vote("ana", answers[0], Vote.UP)
    votes.vote("ana", answers[2], Vote.DOWN, "le falta el plazo")
    found = votes.votes("ana", conversation)
    assert found == {one: votes.feedback("ana", one) for one in (answers[0], answers[2])}
    assert votes.votes("luis", conversation) == votes.votes("ana", "inventada") == {}


def test_questions_and_unfinished_answers_have_no_vote(database, votes):
    conversation = database.conversations.create("ana").id
    question, reply = database.conversations.ask("ana", conversation, "¿a?")
    for message in (question.id, reply.id, 10**9):
        with pytest.raises(NotFound):
            votes.vote("ana", message, Vote.UP)


def test_two_votes_at_once_leave_one(database, votes):
    answer = asked(database, "¿a?")
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda n: votes.vote("ana", answer, Vote.UP, str(n)), range(16)))
    assert votes.feedback("ana", answer).comment in {one.comment for one in given}


def test_comments_and_notes_lose_what_hides_or_reorders_letters(database, votes, reviews):
    answer, left = asked(database, "¿a?"), {}
    for name, hidden in UNICODE.items():
        votes.vote("ana", answer, Vote.DOWN, hidden)
        reviews.judge("rev", answer, ReviewVerdict.WRONG, notes=hidden)
        item = reviews.item("rev", answer, 0)
        if found := invisible("".join([item.feedback.comment, *(one.notes for one in item.judgments)])):
            left[name] = found
    assert left == {}


def test_a_comment_has_a_limit(database, votes):
    answer = asked(database, "¿a?")
    with pytest.raises(InputError):
        votes.vote("ana", answer, Vote.UP, "x" * (MAX_COMMENT + 1))
    assert votes.feedback("ana", answer) is None


# The queue


@pytest.fixture
def four(database, votes, reviews):
    """Answers a (down), b (up, reviewed), c (a refusal), d (of another owner, low confidence)."""
    ids = {
        "a": asked(database, "a", confidence=0.95, matter="Derecho del trabajo"),
        "b": asked(database, "b", confidence=0.5, matter="Seguridad Social"),
        "c": asked(database, "c", confidence=0.0, refusal=True),
        "d": asked(database, "d", "luis", confidence=0.1, matter="Derecho del trabajo"),
    }
    votes.vote("ana", ids["a"], Vote.DOWN, "mal")
    votes.vote("ana", ids["b"], Vote.UP)
    reviews.judge("rev", ids["b"], ReviewVerdict.CORRECT)
    return ids


FILTERS = [
    ({}, "dcba"),
    ({"vote": Vote.DOWN}, "a"),
    ({"vote": Vote.UP}, "b"),
    ({"voted": True}, "ba"),
    ({"voted": False}, "dc"),
    ({"refusal": True}, "c"),
    ({"refusal": False}, "dba"),
    ({"confidence": (0.0, 0.3)}, "d"),
    ({"confidence": (0.5, 0.95)}, "b"),
    ({"matter": "Derecho del trabajo"}, "da"),
    ({"matter": ""}, "c"),
    ({"reviewed": True}, "b"),
    ({"reviewed": False}, "dca"),
    ({"reviewed": False, "matter": "Derecho del trabajo", "vote": Vote.DOWN}, "a"),
    ({"verdict": ReviewVerdict.CORRECT}, "b"),
    ({"verdict": ReviewVerdict.WRONG}, ""),
    ({"owner": "luis"}, "d"),
    ({"search": "b"}, "b"),
    ({"search": "nada de eso"}, ""),
    ({"norm": "N-1"}, ""),
]


def test_the_queue_is_filtered(four, reviews):
    found = [(where, "".join(shown(reviews, **where))) for where, _ in FILTERS]
    assert found == FILTERS
    page = reviews.queue("rev", QueueFilter(owner="ana", reviewed=True), limit=1)
    assert (page.total, dict(page.counts)) == (1, {None: 2, ReviewVerdict.CORRECT: 1})
    assert (reviews.people(), reviews.cited_norms()) == (["ana", "luis"], [])


def test_the_answers_beside_one_are_those_of_the_filtered_queue(four, reviews):
    a, b, c, d = four.values()
    assert reviews.beside(QueueFilter(), QueueSort.NEWEST, c) == (d, b)
    assert reviews.beside(QueueFilter(reviewed=False), QueueSort.NEWEST, c) == (d, a)
    assert reviews.beside(QueueFilter(reviewed=False), QueueSort.NEWEST, b) == (c, a)
    assert reviews.beside(QueueFilter(), QueueSort.WORST, a) == (None, c)
    assert reviews.beside(QueueFilter(search="a"), QueueSort.NEWEST, a) == (None, None)
    assert reviews.beside(QueueFilter(), QueueSort.NEWEST, 999) == (None, None)


def test_the_queue_is_filtered_by_the_moment_of_the_question(database, four, reviews):
    with database.engines.engine.begin() as connection:
        old = MessageRow.id <= four["b"]
        connection.execute(update(MessageRow).where(old).values(created_at=NOON))
    assert shown(reviews, before=NOON + timedelta(seconds=1)) == ["b", "a"]
    assert shown(reviews, before=NOON) == []
    assert shown(reviews, since=NOON) == ["d", "c", "b", "a"]
    assert shown(reviews, since=NOON + timedelta(seconds=1)) == ["d", "c"]


def test_the_worst_are_those_voted_down_then_those_of_least_confidence(four, reviews):
    assert shown(reviews, QueueSort.WORST) == ["a", "c", "d", "b"]


def test_an_entry_says_what_there_is_to_know(four, reviews):
    first, second = reviews.queue("rev", QueueFilter(voted=True)).entries
    assert (first.verdict, first.feedback.vote, first.confidence) == (ReviewVerdict.CORRECT, Vote.UP, 0.5)
    assert (second.owner, second.feedback.comment, second.verdict) == ("ana", "mal", None)
    [refused] = reviews.queue("rev", QueueFilter(refusal=True)).entries
    assert (refused.confidence, refused.refusal, refused.in_cases) == (None, True, False)
    assert reviews.matters() == ["", "Derecho del trabajo", "Seguridad Social"]


def test_the_queue_goes_by_pages_and_counts_all(database, reviews):
    for number in range(7):
        asked(database, str(number))
    pages = [reviews.queue("rev", QueueFilter(), offset=offset, limit=3) for offset in (0, 3, 6)]
    assert [[entry.question for entry in page.entries] for page in pages] == [
        ["6", "5", "4"],
        ["3", "2", "1"],
        ["0"],
    ]
    assert {page.total for page in pages} == {7}


def test_unfinished_answers_are_not_in_the_queue(database, reviews):
    conversation = database.conversations.create("ana").id
    _, reply = database.conversations.ask("ana", conversation, "¿a?")
    assert shown(reviews) == []
    with pytest.raises(NotFound):
        reviews.item("rev", reply.id, 6)


# One answer


def test_an_item_has_the_turns_that_the_answer_read_and_none_after(database, votes, reviews):
    conversation = database.conversations.create("ana").id
    for question in ("uno", "dos"):
        asked(database, question, conversation=conversation)
    third = asked(database, "tres", conversation=conversation)
    asked(database, "cuatro", conversation=conversation)
    votes.vote("ana", third, Vote.DOWN, "mal")
    item = reviews.item("rev", third, 3)
    assert (item.owner, item.question.text, item.answer.answer.answer) == ("ana", "tres", "R: tres")
    assert [turn.text for turn in item.history] == ["R: uno", "dos", "R: dos"]
    assert item.feedback.comment == "mal"
    assert reviews.answer_trace("rev", third).question == "tres"


def test_every_verdict_stays_and_the_last_one_counts(database, reviews):
    answer = asked(database, "¿a?")
    cited = (CorrectCitation(norm="N", article="48 bis"), CorrectCitation(norm="N", article="da 3", grade=1))
    reviews.judge("rev", answer, ReviewVerdict.RETRIEVAL_MISS, citations=cited, notes=" Falta\x00 el 48 bis ")
    reviews.judge("otro", answer, ReviewVerdict.WRONG, must_refuse=True)
    last, first = reviews.item("rev", answer, 0).judgments
    assert (last.reviewer, last.verdict, last.must_refuse, last.citations) == (
        "otro",
        ReviewVerdict.WRONG,
        True,
        (),
    )
    assert (first.reviewer, first.citations, first.notes) == ("rev", cited, "Falta el 48 bis")
    assert reviews.queue("rev", QueueFilter()).entries[0].verdict is ReviewVerdict.WRONG


def test_of_two_reviewers_at_once_the_second_is_told_and_a_verdict_is_withdrawn(database, reviews):
    answer = asked(database, "¿a?")
    wanted = Wanted(facts=(" 33 días ", ""), surplus=(CorrectCitation(norm="N-1", article="1"),))
    first = reviews.judge("rev", answer, ReviewVerdict.WRONG, wanted=wanted, seen=0)
    with pytest.raises(InputError, match="Otra persona"):
        reviews.judge("otro", answer, ReviewVerdict.CORRECT, seen=0)
    second = reviews.judge("otro", answer, ReviewVerdict.CORRECT, seen=first.id)
    with pytest.raises(InputError, match="Otra persona"):
        reviews.withdraw("rev", answer, first.id)
    reviews.withdraw("rev", answer, second.id)
    with pytest.raises(InputError, match="Otra persona"):
        reviews.withdraw("rev", answer, second.id)
    seen = reviews.item("rev", answer, 0)
    assert (seen.standing, [one.reviewer for one in seen.judgments]) == (None, ["otro", "rev"])
    assert seen.judgments[1].wanted.facts == ("33 días",)
    [entry] = reviews.queue("rev", QueueFilter(reviewed=False)).entries
    assert entry.verdict is None


@pytest.mark.parametrize(
    "fields",
    [{"notes": "x" * 4001}, {"must_refuse": True, "citations": [CorrectCitation(norm="N", article="1")]}],
)
def test_a_verdict_that_makes_no_sense_is_refused(database, reviews, fields):
    answer = asked(database, "¿a?")
    with pytest.raises(InputError):
        reviews.judge("rev", answer, ReviewVerdict.WRONG, **fields)
    assert reviews.item("rev", answer, 0).judgments == ()


def test_what_does_not_exist_cannot_be_judged_or_opened(database, reviews):
    question = asked(database, "¿a?") - 1
    for message in (question, 10**9):
        with pytest.raises(NotFound):
            reviews.judge("rev", message, ReviewVerdict.CORRECT)
        with pytest.raises(NotFound):
            reviews.item("rev", message, 6)
    assert looks(database) == []


# Who looked


def test_looking_is_recorded_once_in_a_while_for_each_reviewer(database, reviews):
    answer = asked(database, "¿a?")
    for _ in range(3):
        reviews.queue("rev", QueueFilter())
        reviews.item("rev", answer, 0)
        reviews.answer_trace("rev", answer)
    reviews.item("otro", answer, 0)
    assert [(view.reviewer, view.message_id) for view in looks(database)] == [
        ("otro", answer),
        ("rev", answer),
        ("rev", None),
    ]
    with database.engines.engine.begin() as connection:
        connection.execute(update(ReviewViewRow).values(viewed_at=datetime.now(UTC) - timedelta(hours=1)))
    assert [view.reviewer for view in reviews.item("rev", answer, 0).views] == ["rev", "otro", "rev"]


def test_a_trace_alone_is_a_look_too(database, reviews):
    answer = asked(database, "¿a?")
    reviews.answer_trace("rev", answer)
    assert [view.message_id for view in looks(database)] == [answer]


# Cases


def test_a_case_is_made_renewed_and_outlives_the_conversation(database, votes, reviews):
    conversation = database.conversations.create("ana").id
    answer = asked(database, "¿a?", conversation=conversation)
    reviews.judge("rev", answer, ReviewVerdict.CORRECT)
    votes.vote("ana", answer, Vote.UP)
    case = ReviewCase(id=f"review-{answer}", question="¿a?", as_of=DAY)
    reviews.save_case("rev", answer, case)
    better = case.model_copy(update={"relevant": (CorrectCitation(norm="N", article="1"),)})
    reviews.save_case("rev", answer, better)
    assert reviews.cases() == [better]
    assert reviews.item("rev", answer, 0).case == better
    assert reviews.queue("rev", QueueFilter()).entries[0].in_cases

    database.conversations.delete("ana", conversation)
    assert reviews.cases() == [better]
    assert [view.message_id for view in looks(database)] == [None, answer]
    with database.engines.engine.connect() as connection:
        for table in ("feedback", "judgments"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0
    reviews.remove_case("rev", better.id)
    assert reviews.cases() == []
    with pytest.raises(NotFound):
        reviews.remove_case("rev", better.id)


def test_a_case_of_an_answer_that_is_gone_is_not_made(reviews):
    with pytest.raises(NotFound):
        reviews.save_case("rev", 5, ReviewCase(id="review-5", question="¿a?"))
