"""Kept drafts on both databases: open to members alone, kept again, and gone with their expediente."""

import pytest
from sqlalchemy import select

from core.errors import InputError, NotFound
from domain.usage import ERASED
from storage.casework import drafts as drafts_module
from storage.tables.matters import KeptDraftRow

pytest_plugins = ("tests.postgres",)
NAME = "papeleta-despido"


@pytest.fixture
def matter(database):
    found = database.matters.create("ana", "Despido de F. Z.")
    database.matters.add_member("ana", found.id, "blas")
    return found.id


def test_a_draft_of_a_member_is_kept_again_and_the_latest_comes_first(database, matter):
    first = database.drafts.keep("ana", matter, NAME, {"nombre": "Filomena\u202e", "sin_audiencia": "sí"})
    other = database.drafts.keep("blas", matter, "demanda-despido", {})
    again = database.drafts.keep("blas", matter, NAME, {"nombre": "F. Zurrutúa"}, first.id)
    assert first.told == {"nombre": "Filomena", "sin_audiencia": "sí"}
    assert (again.id, again.added_by, again.told) == (first.id, "blas", {"nombre": "F. Zurrutúa"})
    assert [one.id for one in database.drafts.drafts("ana", matter)] == [first.id, other.id]
    assert database.drafts.draft("ana", first.id) == again


def test_values_of_a_draft_that_somebody_changed_or_removed_meanwhile_become_one_of_their_own(
    database, matter
):
    first = database.drafts.keep("ana", matter, NAME, {"nombre": "uno"})
    again = database.drafts.keep("ana", matter, NAME, {"nombre": "dos"}, first.id, seen=first.updated_at)
    assert again.id == first.id
    apart = database.drafts.keep("blas", matter, NAME, {"nombre": "tres"}, first.id, seen=first.updated_at)
    assert (apart.id != first.id, apart.added_by, apart.told) == (True, "blas", {"nombre": "tres"})
    assert database.drafts.draft("blas", first.id) == again
    database.drafts.remove("ana", first.id)
    last = database.drafts.keep("blas", matter, NAME, {"nombre": "cuatro"}, first.id, seen=again.updated_at)
    assert {one.id for one in database.drafts.drafts("ana", matter)} == {apart.id, last.id}


def test_nobody_else_sees_keeps_or_removes_a_draft(database, matter):
    kept = database.drafts.keep("ana", matter, NAME, {"nombre": "x"})
    elsewhere = database.matters.create("luis", "Otro").id
    for refused in (
        lambda: database.drafts.drafts("luis", matter),
        lambda: database.drafts.draft("luis", kept.id),
        lambda: database.drafts.keep("luis", matter, NAME, {}),
        lambda: database.drafts.keep("luis", elsewhere, NAME, {}, kept.id),
        lambda: database.drafts.keep("ana", matter, "demanda-despido", {}, kept.id),
        lambda: database.drafts.remove("luis", kept.id),
        lambda: database.drafts.remove("ana", "x"),
    ):
        with pytest.raises(NotFound):
            refused()
    assert database.drafts.draft("blas", kept.id).told == {"nombre": "x"}
    database.drafts.remove("blas", kept.id)
    assert database.drafts.drafts("ana", matter) == []


def test_there_are_so_many_drafts_of_so_many_characters(database, matter, monkeypatch):
    monkeypatch.setattr(drafts_module, "DRAFTS", 1)
    monkeypatch.setattr(drafts_module, "CHARACTERS", 10)
    kept = database.drafts.keep("ana", matter, NAME, {"a": "x" * 9})
    with pytest.raises(InputError, match="quite antes alguno"):
        database.drafts.keep("ana", matter, NAME, {})
    with pytest.raises(InputError, match="demasiado largo"):
        database.drafts.keep("ana", matter, NAME, {"a": "x" * 10}, kept.id)


def test_a_draft_is_in_the_copy_of_its_owner_and_goes_with_person_and_expediente(database, matter):
    database.drafts.keep("blas", matter, NAME, {"nombre": "x"})
    (copied,) = database.privacy.matters("ana")
    assert [one.told for one in copied.drafts] == [{"nombre": "x"}]
    database.privacy.erase("blas")
    assert [one.added_by for one in database.drafts.drafts("ana", matter)] == [ERASED]
    database.matters.delete("ana", matter)
    with database.engines.read() as session:
        assert session.scalars(select(KeptDraftRow)).all() == []
