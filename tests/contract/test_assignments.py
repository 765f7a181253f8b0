"""Answers under review that are somebody's, on both databases."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from core.errors import InputError, NotFound
from domain.reviews import QueueFilter
from storage.tables.reviews import AssignmentRow
from tests.contract.test_review_store import asked, shown

pytest_plugins = ("tests.postgres",)


def test_an_answer_is_given_to_one_person_at_a_time_and_the_queue_is_filtered_by_them(database):
    reviews = database.reviews
    first, second = asked(database, "¿a?"), asked(database, "¿b?")
    reviews.assign("rev", first, "rev")
    assert reviews.item("rev", first, 0).assigned == "rev"
    assert [entry.assigned for entry in reviews.queue("rev", QueueFilter()).entries] == ["", "rev"]
    assert shown(reviews, assigned="rev") == ["¿a?"]
    assert shown(reviews, assigned="") == ["¿b?"]
    assert shown(reviews, assigned="otra") == []
    with pytest.raises(InputError, match="ya la tiene asignada otra persona"):
        reviews.assign("otra", first, "otra", held_by={"rev"})
    reviews.assign("otra", second, "otra", held_by={"rev"})
    reviews.assign("admin", first, "otra")
    assert reviews.beside(QueueFilter(assigned="otra"), "newest", second) == (None, first)
    reviews.assign("otra", first, "", held_by={"rev"})
    assert shown(reviews, assigned="otra") == ["¿b?"]
    with pytest.raises(NotFound):
        reviews.assign("rev", 10**9, "rev")


def test_of_two_who_take_an_answer_at_once_one_has_it(database):
    answer, people = asked(database, "¿a?"), {"rev", "otra"}

    def take(person):
        try:
            database.reviews.assign(person, answer, person, held_by=people - {person})
        except InputError:
            return None
        return person

    with ThreadPoolExecutor(2) as pool:
        [holder] = filter(None, pool.map(take, sorted(people)))
    assert database.reviews.item("rev", answer, 0).assigned == holder


def test_assignments_go_with_the_person_and_with_the_answer(database):
    kept, gone = asked(database, "¿a?"), asked(database, "¿b?", "luis")
    for answer in (kept, gone):
        database.reviews.assign("rev", answer, "rev")
    database.privacy.erase("luis")
    with database.engines.read() as session:
        assert session.scalars(select(AssignmentRow.message_id)).all() == [kept]
    database.privacy.erase("rev")
    assert database.reviews.item("otra", kept, 0).assigned == ""
