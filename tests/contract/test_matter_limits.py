"""Limits of an expediente, and acts that change nothing in it, on both databases."""

from datetime import UTC, datetime

import pytest

from core.errors import InputError, NotFound
from domain.matters import MatterDocument
from storage.casework import document_tables, matter_documents, matters

pytest_plugins = ("tests.postgres",)


@pytest.fixture
def matter(database):
    return database.matters.create("ana", "Despido inventado", "EXP-1").id


def document(name, matter_id):
    values = {"number": 0, "bytes": 10, "added_by": "ana", "added_at": datetime.now(UTC)}
    return MatterDocument(id=name, name=name, content_hash=name, matter_id=matter_id, **values)


def test_an_expediente_admits_so_many_persons_and_the_same_one_once(database, matter, monkeypatch):
    monkeypatch.setattr(matters, "MEMBERS", 2)
    database.matters.add_member("ana", matter, "blas")
    database.matters.add_member("ana", matter, "blas")
    with pytest.raises(InputError, match=r"admite 2 personas: quite antes alguna\.$"):
        database.matters.add_member("ana", matter, "carmen")
    assert database.matters.members("ana", matter) == ["ana", "blas"]


def test_whoever_is_not_in_an_expediente_cannot_be_taken_out(database, matter):
    with pytest.raises(NotFound, match="no está en el expediente"):
        database.matters.remove_member("ana", matter, "carmen")


def test_what_is_not_given_stays_as_it_is(database, matter):
    database.matters.change("ana", matter, notes="Una nota.")
    changed = database.matters.change("ana", matter, reference="EXP-2")
    assert (changed.name, changed.reference, changed.notes) == ("Despido inventado", "EXP-2", "Una nota.")


def test_an_expediente_admits_so_many_documents(database, matter, monkeypatch):
    monkeypatch.setattr(matter_documents, "DOCUMENTS", 1)
    database.matter_documents.add("ana", document("carta.pdf", matter))
    with pytest.raises(InputError, match=r"caben 1 documentos: elimine antes alguno\.$"):
        database.matter_documents.add("ana", document("otra.pdf", matter))


def test_an_expediente_admits_so_many_tables(database, matter, monkeypatch):
    monkeypatch.setattr(document_tables, "TABLES", 0)
    with pytest.raises(InputError, match=r"admite 0 tablas: elimine antes alguna\.$"):
        database.document_tables.create("ana", matter, "Cartas", ["carta"], ["¿Qué fecha tiene?"])


def test_what_was_replaced_is_asked_of_a_job_or_of_a_norm(database):
    with pytest.raises(ValueError, match="neither a job nor a norm"):
        database.jobs.replaced_sources()
