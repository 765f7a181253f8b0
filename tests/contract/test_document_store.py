"""The catalogue and what the corpus store tells for it, on both databases."""

import zlib
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import update

from core.errors import ChangedMeanwhile, InputError
from index.vector_index import IndexWork
from law.document_records import DocumentRecord, JobChange
from loading.records.jobs import JobKind, JobPayload
from storage.stores import open_database
from storage.tables.jobs import JobChangeRow
from tests.factories import (
    chunks_of,
    file,
    ids,
    make_block,
    make_norm,
    make_version,
    refer,
    save,
)
from tests.queries import statements
from tests.texts import eventually

pytest_plugins = ("tests.postgres",)
MODEL = "m-1"


@pytest.fixture
def documents(database):
    return database.documents


def record(norm_id="N-1", **fields):
    given = {"file_name": f"{norm_id}.pdf", "content_hash": "h", "loaded_by": "ana"} | fields
    return DocumentRecord(norm_id=norm_id, **{"loaded_at": datetime(2030, 1, 1, tzinfo=UTC), **given})


def test_a_record_comes_back_and_is_replaced(database, documents):
    save(database.corpus_writer, make_norm("N-1"))
    first = record(source="sources/h", bytes=7, review="Revise.", overrides={"alias": "LI"})
    file(database, first)
    assert documents.get("N-1") == first
    assert documents.with_hash("h") == [first]
    assert documents.sources() == {"sources/h"}
    file(database, record(content_hash="other"))
    assert documents.get("N-1").content_hash == "other"
    assert documents.with_hash("h") == []


def test_a_record_goes_with_its_norm(database, documents):
    document = make_norm("N-1")
    database.corpus_writer.save(document, chunks_of(document), {}, record())
    database.corpus_writer.remove("N-1")
    assert documents.get("N-1") is None


@pytest.fixture
def catalogue(database, documents):
    save(
        database.corpus_writer,
        make_norm("N-1", make_block("1"), make_block("2"), title="Ley de Jubilación", alias="LJ"),
    )
    save(database.corpus_writer, make_norm("N-2", title="Ley del Ágape", status="Derogado"))
    save(
        database.corpus_writer,
        make_norm("S-1", title="Sentencia sobre jubilaciones", law="STS 1", collection="sentencias"),
    )
    file(database, record("N-1", review="Sin fecha."))
    file(database, record("S-1", loaded_at=datetime(2031, 1, 1, tzinfo=UTC)))
    return documents


PAGES = [
    ({}, ["N-1", "N-2", "S-1"]),
    ({"search": "JUBILACION"}, ["N-1", "S-1"]),
    ({"search": "ley jubilacion"}, ["N-1"]),
    ({"search": "agape"}, ["N-2"]),
    ({"search": "lj"}, ["N-1"]),
    ({"search": "s-1.PDF"}, ["S-1"]),
    ({"search": "nada"}, []),
    ({"collection": "sentencias"}, ["S-1"]),
    ({"state": "Derogado"}, ["N-2"]),
    ({"state": "review"}, ["N-1"]),
    ({"sort": "-fragments"}, ["N-1", "N-2", "S-1"]),
    ({"sort": "-loaded_at"}, ["S-1", "N-1", "N-2"]),
    ({"offset": 1, "limit": 1}, ["N-2"]),
]


def test_the_catalogue_is_searched_filtered_sorted_and_cut_into_pages(catalogue):
    found = [(asked, [row.norm.id for row in catalogue.page(**asked).rows]) for asked, _ in PAGES]
    assert found == PAGES


def test_a_page_tells_how_many_match_and_how_much_each_holds(catalogue):
    page = catalogue.page(limit=1, sort="-fragments")
    assert page.total == 3
    assert (page.rows[0].fragments, page.rows[0].versions, page.rows[0].record.loaded_by) == (2, 2, "ana")


def test_the_catalogue_is_read_once_for_any_number_of_searches(catalogue, database):
    catalogue.page()
    with statements(database) as asked:
        for search in ("j", "ju", "jub", "jubi"):
            assert catalogue.page(search).total == 2
        assert [row.norm.id for row in catalogue.page(sort="-loaded_at").rows] == ["S-1", "N-1", "N-2"]
    assert asked.reading("norms", "documents", "chunks", "block_versions") == []


def test_the_catalogue_shows_what_was_written_since(catalogue, database):
    other = open_database(database.engines.engine.url.render_as_string(hide_password=False))
    assert [row.record.file_name for row in other.documents.page("jubilacion").rows] == ["N-1.pdf", "S-1.pdf"]
    file(database, record("N-1", file_name="otro.pdf"))
    assert [row.record.file_name for row in catalogue.page("otro.pdf").rows] == ["otro.pdf"]
    eventually(lambda: other.documents.page("otro.pdf").total == 1)
    save(database.corpus_writer, make_norm("N-3", title="Ley nueva"))
    assert catalogue.page("ley nueva").total == 1
    eventually(lambda: other.documents.page("ley nueva").total == 1)
    other.close()


def test_the_revision_of_the_catalogue_changes_with_the_corpus_and_with_each_record(database, documents):
    save(database.corpus_writer, make_norm("N-1"))
    first = documents.revision()
    file(database, record())
    second = documents.revision()
    save(database.corpus_writer, make_norm("N-2"))
    assert len({first, second, documents.revision()}) == 3


def test_an_unknown_order_is_an_error_of_the_caller(documents):
    with pytest.raises(ValueError, match="colour"):
        documents.page(sort="colour")


def test_a_whole_document_comes_back_with_its_wordings(database):
    document = make_norm(
        "N-1",
        make_block(
            "2", make_version("Antes.", until="2009-12-31"), make_version("Ahora.", since="2010-01-01")
        ),
        make_block("3"),
    )
    save(database.corpus_writer, document)
    assert database.corpus.document("N-1") == document
    assert database.corpus.document("N-2") is None


def test_the_chunks_of_a_norm_come_in_reading_order_and_in_pages(database):
    document = make_norm("N-1", *(make_block(str(number)) for number in (10, 2, 1)))
    save(database.corpus_writer, document)
    save(database.corpus_writer, make_norm("N-2"))
    assert [chunk.label for chunk in database.corpus.norm_chunks("N-1")] == ["1", "2", "10"]
    assert [chunk.label for chunk in database.corpus.norm_chunks("N-1", offset=1, limit=1)] == ["2"]


def test_norms_and_their_chunks_are_read_once_a_revision(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    first = database.corpus.norms(), database.corpus.norm_chunks("N-1")
    with statements(database) as asked:
        assert (database.corpus.norms(), database.corpus.norm_chunks("N-1")) == first
    assert asked.reading("norms", "chunks") == []


def test_what_another_process_writes_of_a_norm_is_read_at_once(database):
    other = open_database(database.engines.engine.url.render_as_string(hide_password=False)).corpus_writer
    assert (database.corpus.norms(), database.corpus.norm_chunks("N-1")) == ([], [])
    for document in (make_norm("N-1"), make_norm("N-1", make_block("1", "Otro texto."), title="Otro título")):
        save(other, document)
        assert database.corpus.norms() == [document.norm]
        assert database.corpus.norm_chunks("N-1") == chunks_of(document)
    other.remove("N-1")
    assert (database.corpus.norms(), database.corpus.norm_chunks("N-1")) == ([], [])


def test_referrers_are_the_chunks_of_other_norms(database):
    target, other = make_norm("N-1", make_block("1"), make_block("2")), make_norm("N-2")
    save(database.corpus_writer, target, refer(chunks_of(target)[0], ("N-1", "2")))
    save(database.corpus_writer, other, refer(chunks_of(other)[0], ("N-1", "1"), ("N-1", "2")))
    found, count = database.corpus.referrers("N-1")
    assert ([one.norm_id for one in found], count) == (["N-2"], 1)
    assert database.corpus.referrers("N-2") == ([], 0)


def test_the_revision_changes_with_the_corpus_only(database, documents):
    first = database.corpus.revision()
    save(database.corpus_writer, make_norm("N-1"))
    second = database.corpus.revision()
    assert second != first
    save(database.corpus_writer, make_norm("N-1"))
    database.ledger.mark_indexed(ids(database.ledger.pending_index(dense=False)), dense=False)
    file(database, record())
    assert database.corpus.revision() == second
    save(database.corpus_writer, make_norm("N-1", aliases=("Otra",)))
    assert database.corpus.revision() != second


def test_an_update_keeps_references_and_forgets_what_the_index_holds(database):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    chunks = chunks_of(document)
    save(database.corpus_writer, document, refer(chunks[0], ("N-1", "2")))
    database.ledger.mark_indexed(ids(chunks), dense=True)
    renamed = document.model_copy(update={"norm": document.norm.model_copy(update={"law": "Otra"})})
    changed = [chunk.model_copy(update={"law": "Otra"}) for chunk in chunks]
    assert len(database.corpus_writer.update(renamed, changed).changed) == 2
    assert database.corpus.norm("N-1").law == "Otra"
    assert database.corpus.counts().pending_dense == 2
    assert database.corpus.referenced([chunks[0].id], date(2020, 1, 1)) == {chunks[0].id: [chunks[1].id]}


def test_an_update_of_other_chunks_is_refused(database):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    save(database.corpus_writer, document)
    with pytest.raises(ChangedMeanwhile, match="vuelva a abrirla"):
        database.corpus_writer.update(document, chunks_of(document)[:1])


def test_an_update_is_refused_when_another_writer_comes_just_before_its_transaction(database, monkeypatch):
    document, other = make_norm("N-1", make_block("1")), make_norm("N-1", make_block("2"))
    save(database.corpus_writer, document)
    write = database.engines.write

    def overtaken(lock):
        monkeypatch.undo()
        save(database.corpus_writer, other)
        return write(lock)

    monkeypatch.setattr(database.engines, "write", overtaken)
    with pytest.raises(ChangedMeanwhile):
        database.corpus_writer.update(document, chunks_of(document))
    assert database.corpus.document("N-1") == other


def renamed(document):
    return document.model_copy(update={"norm": document.norm.model_copy(update={"law": "Otra"})})


CHANGES = {
    "norm": lambda database, document: save(database.corpus_writer, renamed(document)),
    "text": lambda database, document: save(
        database.corpus_writer, make_norm("N-1", make_block("1", "Otro texto."))
    ),
    "references": lambda database, document: save(
        database.corpus_writer, document, refer(chunks_of(document)[0], ("N-9", "1"))
    ),
    "chunks": lambda database, document: database.corpus_writer.update(
        document, [one.model_copy(update={"summary": "S."}) for one in chunks_of(document)]
    ),
    "record": lambda database, document: database.corpus_writer.update(
        document, chunks_of(document), record(bytes=8)
    ),
    "removal": lambda database, document: database.corpus_writer.remove("N-1"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("writer", ["save", "update"])
def test_a_write_based_on_what_has_changed_since_is_refused_whole(database, documents, change, writer):
    document = make_norm("N-1", make_block("1"))
    database.corpus_writer.save(document, chunks_of(document), {}, record(bytes=7))
    expected = database.corpus_writer.norm_hash("N-1")
    change(database, document)
    left, kept = database.corpus.document("N-1"), documents.get("N-1")
    mine = make_norm("N-1", make_block("1"), title="La mía")
    references = [{}] if writer == "save" else []
    with pytest.raises(ChangedMeanwhile, match="N-1"):
        getattr(database.corpus_writer, writer)(mine, chunks_of(mine), *references, record(bytes=9), expected)
    assert (database.corpus.document("N-1"), documents.get("N-1")) == (left, kept)


def test_a_write_based_on_what_is_stored_goes_in_with_its_record(database, documents):
    document = make_norm("N-1", make_block("1"))
    assert database.corpus_writer.norm_hash("N-1") == ""
    database.corpus_writer.save(document, chunks_of(document), {}, record(bytes=7), "")
    assert documents.get("N-1").bytes == 7
    first = database.corpus_writer.norm_hash("N-1")
    database.ledger.mark_indexed(ids(chunks_of(document)), dense=True)
    database.ledger.mark_embedded(ids(chunks_of(document)), MODEL)
    assert database.corpus_writer.norm_hash("N-1") == first
    database.corpus_writer.update(renamed(document), chunks_of(document), record(bytes=9), first)
    assert (database.corpus.norm("N-1").law, documents.get("N-1").bytes) == ("Otra", 9)
    save(database.corpus_writer, document)
    assert documents.get("N-1").bytes == 9


def test_what_a_job_replaces_is_kept_with_it_until_it_is_undone(database, documents):
    jobs = database.jobs
    first, second = make_norm("N-1", make_block("1")), make_norm("N-1", make_block("1", "Otro texto."))
    database.corpus_writer.save(first, chunks_of(first), {}, record(source="sources/a"))
    job = jobs.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload())
    undo = JobChange(job_id=job.id, norm_id="N-1", document=first, record=documents.get("N-1"))
    database.corpus_writer.save(first, chunks_of(first), {}, undo=undo)
    assert jobs.undoable() == set()
    database.corpus_writer.save(second, chunks_of(second), {}, record(source="sources/b"), undo=undo)
    again = undo.model_copy(update={"document": second})
    database.corpus_writer.save(renamed(second), chunks_of(second), {}, undo=again)
    (kept,) = jobs.changes(job.id)
    assert (kept.document, kept.after) == (first, database.corpus_writer.norm_hash("N-1"))
    assert documents.sources() == {"sources/a", "sources/b"}
    assert documents.is_used("sources/a")
    assert jobs.replaced_sources(norm_id="N-1") == jobs.replaced_sources(job_id=job.id) == {"sources/a"}
    database.corpus_writer.save(first, chunks_of(first), {}, kept.record, kept.after, undone=job.id)
    assert (jobs.undoable(), documents.sources()) == (set(), {"sources/a"})


def test_what_a_job_adds_or_removes_is_known_as_such(database):
    jobs, document = database.jobs, make_norm("N-1", make_block("1"))
    job = jobs.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload())
    database.corpus_writer.save(
        document, chunks_of(document), {}, undo=JobChange(job_id=job.id, norm_id="N-1")
    )
    assert [(one.norm_id, one.document) for one in jobs.changes(job.id)] == [("N-1", None)]
    jobs.forget_norm("N-1")
    assert jobs.changes(job.id) == []
    database.corpus_writer.remove("N-1", undo=JobChange(job_id=job.id, norm_id="N-1", document=document))
    assert [(one.document, one.after) for one in jobs.changes(job.id)] == [(document, "")]
    jobs.cancel(job.id)
    jobs.remove(job.id)
    assert jobs.undoable() == set()


def test_what_another_version_of_the_program_kept_of_a_job_is_a_sentence(database):
    jobs, document = database.jobs, make_norm("N-1")
    job = jobs.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload())
    undo = JobChange(job_id=job.id, norm_id="N-1", document=document)
    database.corpus_writer.save(document, chunks_of(document), {}, undo=undo)
    with database.engines.write() as session:
        session.execute(update(JobChangeRow).values(before=zlib.compress(b'{"unknown": 1}')))
    with pytest.raises(InputError, match="otra versión del programa"):
        jobs.changes(job.id)


def test_work_of_the_index_goes_from_one_stage_to_the_next(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    assert database.ledger.index_work(MODEL) == IndexWork(sparse=2, to_embed=2)
    chunks = database.ledger.to_embed(MODEL)
    database.ledger.mark_embedded(ids(chunks[:1]), MODEL)
    assert database.ledger.index_work(MODEL) == IndexWork(sparse=2, to_embed=1)
    database.ledger.mark_indexed(ids(chunks), dense=False)
    assert database.ledger.index_work(MODEL) == IndexWork(ready=1, to_embed=1)
    assert ids(database.ledger.embedded(MODEL)) == ids(chunks[:1])
    database.ledger.mark_indexed(ids(chunks[:1]), dense=True)
    assert database.ledger.index_work(MODEL) == IndexWork(to_embed=1)
    database.corpus_writer.remove("N-1")
    assert database.ledger.index_work(MODEL) == IndexWork(stale=2)


def test_vectors_of_another_model_or_of_an_older_text_do_not_count(database):
    save(database.corpus_writer, make_norm("N-1"))
    (chunk,) = database.ledger.to_embed(MODEL)
    database.ledger.mark_embedded([chunk.id], MODEL)
    assert database.ledger.to_embed(MODEL) == []
    assert ids(database.ledger.to_embed("m-2")) == [chunk.id]
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Otro texto.")))
    assert ids(database.ledger.to_embed(MODEL)) == [chunk.id]


def test_passages_wait_beside_the_index_until_they_are_made(database):
    past = make_version("Antes.", since="2001-01-01", until="2009-12-31")
    save(
        database.corpus_writer,
        make_norm("N-1", make_block("1", past, make_version("Ahora.", since="2010-01-01"))),
    )
    (chunk,) = database.ledger.without_passages(MODEL)
    assert (chunk.text.endswith("Ahora."), database.ledger.passages_left(MODEL)) == (True, 1)
    database.ledger.mark_indexed(ids(database.ledger.pending_index(dense=True)), dense=True)
    assert database.ledger.passages_left(MODEL) == 1
    database.ledger.mark_passages([chunk.id], MODEL)
    assert (database.ledger.without_passages(MODEL), database.ledger.passages_left("m-2")) == ([], 1)
    database.ledger.reset_index_state()
    assert database.ledger.passages_left(MODEL) == 0
    save(
        database.corpus_writer,
        make_norm("N-1", make_block("1", make_version("Otra cosa.", since="2010-01-01"))),
    )
    assert database.ledger.passages_left(MODEL) == 1


def test_vectors_stay_made_when_other_facts_of_a_fragment_change(database):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    save(database.corpus_writer, document)
    database.ledger.mark_embedded(ids(database.ledger.to_embed(MODEL)), MODEL)
    save(database.corpus_writer, renamed(document))
    assert database.ledger.index_work(MODEL) == IndexWork(sparse=2)
    moved = make_norm("N-1", make_block("1", title="Artículo 1. Otra rúbrica."), make_block("2"))
    save(database.corpus_writer, moved)
    assert database.ledger.index_work(MODEL) == IndexWork(sparse=2, to_embed=1)


def test_vectors_are_forgotten_for_every_model(database):
    vectors = database.vectors
    vectors.put("m-1", {"a": (1.0,), "b": (1.0,)})
    vectors.put("m-2", {"a": (1.0,)})
    assert vectors.remove(["a", "z"]) == 2
    assert vectors.get("m-1", ["a", "b"]).keys() == {"b"}
