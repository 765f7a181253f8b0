"""Given facts on both databases: open to members alone, and gone with their expediente."""

import pytest
from sqlalchemy import select

from core.errors import NotFound
from domain.usage import ERASED
from storage.tables.matters import GivenFactRow

pytest_plugins = ("tests.postgres",)


@pytest.fixture
def matter(database):
    found = database.matters.create("ana", "Despido de F. Z.")
    database.matters.add_member("ana", found.id, "blas")
    return found.id


def test_a_fact_is_given_again_and_taken_back_by_any_member(database, matter):
    database.facts.give("ana", matter, "salary", "1.500,00", "mes")
    database.facts.give("blas", matter, "salary", "1.600,00", "mes")
    (given,) = database.facts.given("ana", matter)
    assert (given.key, given.value, given.unit, given.given_by) == ("salary", "1.600,00", "mes", "blas")
    database.facts.take_back("ana", matter, "salary")
    database.facts.take_back("ana", matter, "salary")
    assert database.facts.given("blas", matter) == ()


def test_nobody_else_sees_gives_or_takes_back_a_fact(database, matter):
    database.facts.give("ana", matter, "start", "01/02/2020")
    for refused in (
        lambda: database.facts.given("luis", matter),
        lambda: database.facts.give("luis", matter, "start", ""),
        lambda: database.facts.take_back("luis", matter, "start"),
    ):
        with pytest.raises(NotFound):
            refused()
    assert [one.value for one in database.facts.given("ana", matter)] == ["01/02/2020"]


def test_a_fact_is_in_the_copy_of_its_owner_and_goes_with_person_and_expediente(database, matter):
    database.facts.give("blas", matter, "start", "01/02/2020")
    (copied,) = database.privacy.matters("ana")
    assert [one.value for one in copied.facts] == ["01/02/2020"]
    database.privacy.erase("blas")
    assert [one.given_by for one in database.facts.given("ana", matter)] == [ERASED]
    database.matters.delete("ana", matter)
    with database.engines.read() as session:
        assert session.scalars(select(GivenFactRow)).all() == []
