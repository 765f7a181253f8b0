"""Documents that are loaded, corrected, pasted into and deleted."""

import shutil
from pathlib import Path

import pytest

from core.errors import InputError, NotFound
from loading.ingestion.load_request import UploadRequest
from loading.records.jobs import JobState
from storage.corpus.reads import SqlCorpusStore
from tests.fakes import HashEmbedder
from tests.homes import work
from tests.integration.jobs.conftest import ONE, TWO, found, loaded, settle
from tests.texts import law


def everything_on_disk(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def test_metadata_of_the_upload_corrects_the_document_and_stays_for_its_next_version(program):
    metadata = {"alias": "LU", "extra.sala": "Cuarta"}
    loaded(program, ("una.md", ONE), metadata=metadata)
    loaded(program, ("una.md", law("una", {"1": "Nuevo texto."})))
    norm = program.database.corpus.norm("UNA")
    assert (norm.alias, norm.extra["sala"]) == ("LU", "Cuarta")
    assert program.database.corpus.norm_chunks("UNA")[0].alias == "LU"


def test_an_edit_keeps_the_chunks_and_reaches_the_index(program):
    loaded(program, ("una.md", ONE), ("dos.md", TWO))
    settle(program)
    before = [chunk.id for chunk in program.database.corpus.norm_chunks("UNA")]
    referring = program.database.corpus.referrers("UNA")
    program.corrections.edit("ana", "UNA", {"law": "Ley Prima", "territory": "Galicia"})
    chunks = program.database.corpus.norm_chunks("UNA")
    assert [chunk.id for chunk in chunks] == before
    assert {(chunk.law, chunk.territory) for chunk in chunks} == {("Ley Prima", "Galicia")}
    assert program.database.corpus.referrers("UNA") == referring
    assert found(program, "prima")[:1] == ["UNA"]
    assert program.database.documents.get("UNA").overrides["law"] == "Ley Prima"


def test_a_norm_marked_as_repealed_ends_that_day_and_can_be_put_back(program):
    loaded(program, ("una.md", ONE))
    with pytest.raises(InputError, match="último día"):
        program.corrections.edit("local", "UNA", {"status": "Derogado"})
    program.corrections.edit("local", "UNA", {"status": "Derogado", "repealed_on": "2024-05-31"})
    assert {str(chunk.valid_to) for chunk in program.database.corpus.norm_chunks("UNA")} == {"2024-05-31"}
    program.corrections.edit("local", "UNA", {"status": "Vigente"})
    assert {chunk.valid_to for chunk in program.database.corpus.norm_chunks("UNA")} == {None}


def test_a_norm_whose_first_day_was_wrong_is_cut_anew(program):
    loaded(program, ("una.md", ONE))
    program.corrections.edit("local", "UNA", {"valid_from": "2021-02-03"})
    assert {str(chunk.valid_from) for chunk in program.database.corpus.norm_chunks("UNA")} == {"2021-02-03"}
    settle(program)
    assert program.doctor()["healthy"]


def test_an_edit_keeps_the_vectors_of_what_it_leaves_alone(make_program):
    program = make_program(embedder=HashEmbedder())
    loaded(program, ("una.md", ONE))
    settle(program)
    program.corrections.edit("local", "UNA", {"law": "Ley Prima", "territory": "Galicia"})
    settle(program)
    assert program.database.corpus.counts().pending_dense == 0


def test_an_edit_that_makes_new_fragments_has_their_vectors_made_again(make_program):
    program = make_program(embedder=HashEmbedder())
    loaded(program, ("una.md", ONE))
    settle(program)
    program.corrections.edit("local", "UNA", {"valid_from": "2021-02-03"})
    work(program)
    settle(program)
    assert program.database.corpus.counts().pending_dense == 0


def test_upload_search_delete_leaves_no_trace(make_program):
    program = make_program(embedder=HashEmbedder())
    word = "zarzaparrilla"
    loaded(program, ("dos.md", TWO), ("zeta.md", law("zeta", {"1": f"La {word} es inembargable."})))
    settle(program)
    assert found(program, word) == ["ZETA"]
    (chunk,) = program.database.corpus.norm_chunks("ZETA")
    report = program.corrections.delete("ana", "ZETA")
    assert (report.fragments, report.vectors, report.source) == (1, 2, True)
    assert found(program, word) == []
    assert chunk.id not in program.index.ids()
    assert [job.outcomes[0].norm_ids for job in program.database.jobs.jobs() if job.outcomes] == [("DOS",)]
    assert program.database.corpus.norm("DOS") is not None
    settle(program)
    program.alerts.work()
    program.close()
    # The engine's log keeps identifiers, never texts, until it is written over.
    shutil.rmtree(program.home / "index" / "shard" / "wal")
    for trace in (word.encode(), b"zeta.md", b"ZETA"):
        assert trace not in everything_on_disk(program.home)


def test_a_deletion_keeps_vectors_in_use(make_program):
    program = make_program(embedder=HashEmbedder())
    shared = law("una", {"1": "Las vacaciones duran un mes.", "2": "El descanso semanal es de dos días."})
    twin = law("tres", {"1": "Las vacaciones duran un mes."})
    loaded(program, ("una.md", shared), ("dos.md", TWO), ("tres.md", twin))
    settle(program)
    report = program.corrections.delete("local", "UNA")
    assert (report.fragments, report.vectors) == (2, 2), "of one text, and of its passage"
    assert program.database.ledger.index_work(program.models.embedder.name).to_embed == 0
    program.keeper.reindex()
    assert program.models.embedder.embedded.count("Artículo 1. Prueba.\nLas vacaciones duran un mes.") <= 1
    with pytest.raises(NotFound):
        program.corrections.delete("local", "UNA")


def test_several_norms_are_deleted_with_as_many_readings_of_the_corpus_as_one(make_program, monkeypatch):
    program = make_program(embedder=HashEmbedder())
    twins = [law(name, {"1": "Las vacaciones duran un mes."}) for name in ("una", "tres")]
    loaded(program, ("una.md", twins[0]), ("dos.md", TWO), ("tres.md", twins[1]))
    settle(program)
    every, read = SqlCorpusStore.all_chunks, []
    monkeypatch.setattr(SqlCorpusStore, "all_chunks", lambda *given: read.append(1) or every(*given))
    with pytest.raises(NotFound):
        program.corrections.delete_all("local", ["UNA", "NADA"])
    assert {norm.id for norm in program.database.corpus.norms()} == {"UNA", "DOS", "TRES"}
    program.corrections.delete("local", "DOS")
    for_one = len(read)
    reports = program.corrections.delete_all("local", ["UNA", "TRES"])
    assert [(one.norm_id, one.fragments, one.vectors) for one in reports] == [("UNA", 1, 2), ("TRES", 1, 0)]
    assert len(read) == 2 * for_one
    assert program.database.corpus.norms() == []
    settle(program)
    assert program.doctor()["healthy"]


def test_articles_pasted_into_a_norm_replace_theirs_and_leave_the_others(program):
    loaded(program, ("una.md", ONE))
    text = "Artículo 2. Prueba.\nEl descanso semanal es de tres días.\n\nArtículo 3. Nuevo.\nTexto añadido."
    program.loading.upload(UploadRequest.of_text(text, {"id": "UNA", "title": "Ley una"}, merge=True))
    work(program)
    (job, *_) = program.database.jobs.jobs()
    assert job.state is JobState.DONE, job.message
    texts = {chunk.label: chunk.text for chunk in program.database.corpus.norm_chunks("UNA")}
    assert "un mes" in texts["1"]
    assert "tres días" in texts["2"]
    assert "añadido" in texts["3"]


def test_a_pasted_wording_with_a_date_follows_the_one_before(program):
    loaded(program, ("una.md", ONE))
    text = "Artículo 2. Prueba.\nEl descanso semanal es de tres días."
    metadata = {"id": "UNA", "title": "Ley una", "valid_from": "2025-01-01"}
    program.loading.upload(UploadRequest.of_text(text, metadata, merge=True))
    work(program)
    chunks = [chunk for chunk in program.database.corpus.norm_chunks("UNA") if chunk.label == "2"]
    assert [(str(c.valid_from), str(c.valid_to)) for c in chunks] == [
        ("2025-01-01", "None"),
        ("2020-01-01", "2024-12-31"),
    ]
