"""Kept terms on both databases: open to members alone, in their order, and gone with their expediente."""

from datetime import date

import pytest
from sqlalchemy import select

from core.errors import InputError, NotFound
from domain.usage import ERASED
from storage.casework import terms as terms_module
from storage.tables.matters import KeptTermRow

pytest_plugins = ("tests.postgres",)
DAY = date(2026, 5, 4)


@pytest.fixture
def matter(database):
    found = database.matters.create("ana", "Despido de F. Z.")
    database.matters.add_member("ana", found.id, "blas")
    return found.id


def test_terms_of_a_member_come_by_their_day_with_the_name_of_their_expediente(database, matter):
    other = database.matters.create("blas", "Salarios").id
    for place, title, day in ((matter, "Recurso", date(2026, 6, 1)), (other, "Demanda", DAY)):
        database.terms.keep("blas", place, f" {title}\u202e\n", day, "Último día: x\nSupuesto: y")
    assert [(one.title, one.matter) for one in database.terms.terms("blas")] == [
        ("Demanda", "Salarios"),
        ("Recurso", "Despido de F. Z."),
    ]
    (kept,) = database.terms.terms("ana")
    assert (kept.day, kept.told, kept.added_by) == (date(2026, 6, 1), "Último día: x\nSupuesto: y", "blas")
    assert database.terms.terms("ana", matter) == [kept]


def test_nobody_else_sees_keeps_or_removes_a_term(database, matter):
    kept = database.terms.keep("ana", matter, "Demanda", DAY)
    assert database.terms.terms("luis") == []
    for refused in (
        lambda: database.terms.terms("luis", matter),
        lambda: database.terms.keep("luis", matter, "Otro", DAY),
        lambda: database.terms.remove("luis", kept.id),
        lambda: database.terms.remove("ana", "x"),
    ):
        with pytest.raises(NotFound):
            refused()
    database.terms.remove("blas", kept.id)
    assert database.terms.terms("ana") == []


def test_a_term_is_kept_once_and_so_many(database, matter, monkeypatch):
    monkeypatch.setattr(terms_module, "TERMS", 1)
    database.terms.keep("ana", matter, "Demanda", DAY)
    with pytest.raises(InputError, match="ya está"):
        database.terms.keep("blas", matter, "Demanda", DAY)
    with pytest.raises(InputError, match="quite antes alguno"):
        database.terms.keep("ana", matter, "Demanda", date(2026, 5, 5))


def test_a_term_is_in_the_copy_of_its_owner_and_goes_with_person_and_expediente(database, matter):
    database.terms.keep("blas", matter, "Demanda", DAY)
    (copied,) = database.privacy.matters("ana")
    assert [one.title for one in copied.terms] == ["Demanda"]
    database.privacy.erase("blas")
    assert [one.added_by for one in database.terms.terms("ana")] == [ERASED]
    database.matters.delete("ana", matter)
    with database.engines.read() as session:
        assert session.scalars(select(KeptTermRow)).all() == []
