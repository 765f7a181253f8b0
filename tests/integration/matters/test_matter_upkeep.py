"""Expedientes that lose a member, are deleted without a trace, or outlive a failure."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import EmbedderUnavailable, IndexHeld, InputError, NotFound
from domain.matters import DocumentState
from rag.shared.messages import MessageState
from service.backup.backup import backup, restore
from service.program.papers import MatterPapers
from storage.casework.matter_documents import WORDS
from tests.conftest import DATA, Maker
from tests.fakes import HashEmbedder
from tests.homes import new_program
from tests.integration.matters.conftest import BOTH, asked, person
from tests.matter_files import SALARY, letter, payslip


def left_of(word: str, *places: Path) -> list[str]:
    """Files with the word, also in what SQLite or the index keep beside their own."""
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    return [str(path) for path in files if word.encode() in path.read_bytes() or word in path.name]


# Who may


def test_a_member_who_is_removed_while_an_answer_is_written_gets_none_of_it(
    ana, program, matter, monkeypatch
):
    blas = person(program, "blas")
    program.database.matters.add_member("ana", matter, "blas")
    reached, go_on = threading.Event(), threading.Event()
    found = program.database.matter_documents.found

    def held(*args):
        reached.set()
        assert go_on.wait(20)
        return found(*args)

    monkeypatch.setattr(program.database.matter_documents, "found", held)
    chat = blas.conversations.create("", matter).id
    run = blas.runs.start(chat, BOTH)
    assert reached.wait(20)
    ana.matters.remove_member(matter, "blas")
    go_on.set()
    assert run.done.wait(20)
    assert run.state is MessageState.STOPPED and SALARY not in run.text
    for lost in (
        lambda: blas.conversations.messages(chat),
        lambda: blas.matters.matter(matter),
        lambda: blas.papers.documents(matter),
        lambda: blas.runs.start(chat, BOTH),
    ):
        with pytest.raises(NotFound):
            lost()


# Gone


def test_deleting_an_expediente_leaves_nothing_in_database_index_cache_or_disk(ana, program, matter):
    asked(ana, BOTH, matter)
    asked(ana, "¿Qué dice la carta a Filomena Zurrutúa Olabarri?", matter)
    chat = ana.conversations.create("", matter).id
    ana.papers.upload_to_conversation(chat, "otra.pdf", letter("Una línea más."))
    home = program.home
    assert left_of("Zurrut", home)
    vectors_before = program.database.vectors.get(HashEmbedder().name, ["x"])
    ana.matters.delete(matter)
    assert not (home / "matters").exists()
    assert program.papers._opened().held() == {}
    assert program.database.vectors.get(HashEmbedder().name, ["x"]) == vectors_before
    assert ana.conversations.search("zurrutua") == []
    program.database.engines.shrink_log()
    assert left_of("Zurrut", home) == left_of(SALARY, home) == left_of("zurrut", home) == []


def test_deleting_one_document_leaves_the_others(ana, program, matter):
    carta, nomina = ana.papers.documents(matter)
    ana.papers.remove(carta.id)
    assert [one.id for one in ana.papers.documents(matter)] == [nomina.id]
    assert set(program.papers._opened().held()) == {nomina.id}
    assert [path.name for path in (program.home / "matters").iterdir()] == [nomina.id]
    assert ana.papers.upload(matter, "carta.pdf", letter()).number == 3


def test_erasing_a_person_and_retention_take_files_and_index_along(ana, program, matter):
    program.privacy.erase("ana", "local")
    assert not (program.home / "matters").exists()
    assert program.papers._opened().held() == {}
    assert left_of("Zurrut", program.home) == []


# After a failure


def test_what_a_dead_process_left_unread_is_read_by_the_next(ana, program, matter, monkeypatch):
    monkeypatch.setattr(program.papers.passes, "soon", lambda: True)
    ana.papers.upload(matter, "tarde.pdf", letter("Llegó tarde."))
    assert ana.papers.documents(matter)[-1].state is DocumentState.WAITING
    run = asked(ana, BOTH, matter)
    assert "Doc 3 («tarde.pdf») no se ha tenido en cuenta: todavía se está leyendo." in run.answer.notes
    program.papers.work()
    assert ana.papers.documents(matter)[-1].state is DocumentState.READ


def test_a_lost_index_is_made_again_from_the_database(ana, program, matter):
    before = program.papers._opened().held()
    program.papers.stop()
    for path in sorted((program.home / "index" / "matters").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    program.papers.work()
    assert program.papers._opened().held() == before
    assert SALARY in asked(ana, BOTH, matter).text


def test_an_index_of_another_model_is_made_again(ana, program, matter):
    program.papers.stop()
    program.models.embedder = None
    program.papers.work()
    assert {
        program.database.matter_documents.indexed_with(one.id) for one in ana.papers.documents(matter)
    } == {WORDS}
    assert set(program.papers._opened().held()) == {one.id for one in ana.papers.documents(matter)}


def test_files_and_entries_without_a_row_are_removed(ana, program, matter):
    carta, _ = ana.papers.documents(matter)
    (program.home / "matters" / ("0" * 32)).write_bytes(b"resto")
    program.database.matter_documents.remove("ana", carta.id)
    program.papers.tidy()
    assert len(list((program.home / "matters").iterdir())) == 1
    assert carta.id not in program.papers._opened().held()


@pytest.mark.parametrize("error", [InputError("x"), IndexHeld("Otro proceso tiene abierto el índice.")])
def test_an_index_that_is_out_of_reach_is_told_and_the_law_still_answers(
    ana, program, matter, monkeypatch, error
):
    def away(_self):
        raise error

    monkeypatch.setattr(MatterPapers, "_opened", away)
    run = asked(ana, BOTH, matter)
    assert "Los documentos del expediente no se han podido consultar ahora" in run.answer.notes
    assert {one.collection for one in run.answer.citations} == {"normativa"}


def test_documents_are_found_by_their_words_while_no_vectors_can_be_made(ana, program, monkeypatch):
    def fails(_texts):
        raise EmbedderUnavailable("el servicio de vectores no responde.")

    monkeypatch.setattr(program.models.embedder, "embed_passages", fails)
    found = ana.matters.create("Uno").id
    stored = ana.papers.upload(found, "nomina.docx", payslip())
    assert program.database.matter_documents.indexed_with(stored.id) == WORDS
    assert SALARY in asked(ana, BOTH, found).text
    monkeypatch.undo()
    program.papers.work()
    assert program.database.matter_documents.indexed_with(stored.id) == program.models.embedder.name


def test_documents_on_a_server_share_nothing_with_the_corpus(make_program: Maker) -> None:
    program = make_program([DATA], qdrant_url=":memory:")
    ana = person(program, "ana")
    found = ana.matters.create("Uno").id
    before = program.index.count()
    ana.papers.upload(found, "nomina.docx", payslip())
    assert SALARY in asked(ana, BOTH, found).text
    assert program.index.count() == before
    ana.matters.delete(found)
    assert program.papers._opened().held() == {}


def test_a_backup_brings_documents_back_and_their_index_is_made_again(ana, program, matter, tmp_path):
    backup(program.database.engines, program.home, tmp_path / "copia.zip")
    with closing(new_program(tmp_path / "otra")) as other:
        restore(other.database.engines, other.home, tmp_path / "copia.zip")
        other.papers.work()
        again = person(other, "ana")
        assert [one.name for one in again.papers.documents(matter)] == ["carta.pdf", "nomina.docx"]
        assert again.papers.original(again.papers.documents(matter)[0].id)[1] == letter()
        assert SALARY in asked(again, "¿Qué salario base consta en la nómina?", matter).text
