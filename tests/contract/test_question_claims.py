"""A watched question is asked again by one process, on both databases, whoever dies meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from core.clock import today_in_spain
from tests.alerts import answered, change, cites, law

pytest_plugins = ("tests.postgres",)
LEASE = timedelta(minutes=15)


@pytest.fixture
def due(database):
    """A question that is to be asked again."""
    change(database, law())
    database.news.match(datetime.now(UTC))
    _, question, _ = answered(database, "ana", cites("1"))
    database.watches.watch_question("ana", question)
    change(database, law(since=today_in_spain()))
    now = datetime.now(UTC) + timedelta(seconds=1)
    database.news.match(now)
    [found] = database.questions.due(now + timedelta(seconds=1))
    return found


def test_of_many_that_claim_a_question_one_has_it(database, due):
    now = datetime.now(UTC)
    with ThreadPoolExecutor(8) as threads:
        won = list(threads.map(lambda _: database.questions.claim(due, now, now + LEASE), range(8)))
    assert sorted(won) == [False] * 7 + [True]


def test_a_claim_lapses_so_that_a_process_that_dies_holds_nothing(database, due):
    now = datetime.now(UTC)
    assert database.questions.claim(due, now, now + LEASE)
    assert not database.questions.claim(due, now + LEASE - timedelta(seconds=1), now + 2 * LEASE)
    assert database.questions.claim(due, now + LEASE, now + 2 * LEASE)


def test_a_claim_is_given_up_by_who_has_it_alone(database, due):
    now = datetime.now(UTC)
    database.questions.claim(due, now, now + LEASE)
    database.questions.release(due, now + 2 * LEASE)
    assert not database.questions.claim(due, now, now + LEASE)
    database.questions.release(due, now + LEASE)
    assert database.questions.claim(due, now, now + LEASE)


def test_what_was_asked_meanwhile_or_paused_is_not_claimed(database, due):
    now = datetime.now(UTC)
    database.watches.pause("ana", due.watch_id, True)
    assert not database.questions.claim(due, now, now + LEASE)
    database.watches.pause("ana", due.watch_id, False)
    assert not database.questions.claim(due, now, now + LEASE), "going on with it counts as asking it"


def test_a_question_that_was_asked_is_free_for_the_next_change(database, due):
    now = datetime.now(UTC) + timedelta(seconds=2)
    assert database.questions.claim(due, now, now + LEASE)
    database.questions.differs(due.watch_id, {}, due.cited, now)
    assert not database.questions.claim(due, now, now + LEASE), "this one has been asked"
    change(database, law())
    database.news.match(now + timedelta(seconds=1))
    [again] = database.questions.due(now + timedelta(seconds=2))
    assert database.questions.claim(again, now + timedelta(seconds=2), now + LEASE)
