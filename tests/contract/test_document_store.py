"""The catalogue and what the corpus store tells for it, on both databases."""

import zlib
from datetime import UTC, date, datetime

import pytest
from sqlalchemy import update

from rag.errors import ChangedMeanwhile, InputError
from rag.index.ports import IndexWork
from rag.ingestion.records import DocumentRecord, JobChange
from rag.jobs.types import JobKind, JobPayload
from storage import open_database
from storage.tables.core import JobChangeRow
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
def store(database):
    return database.corpus


@pytest.fixture
def documents(database):
    return database.documents


def record(norm_id="N-1", **fields):
    given = {"file_name": f"{norm_id}.pdf", "content_hash": "h", "loaded_by": "ana"} | fields
    return DocumentRecord(norm_id=norm_id, **{"loaded_at": datetime(2030, 1, 1, tzinfo=UTC), **given})


def test_a_record_comes_back_and_is_replaced(store, documents):
    save(store, make_norm("N-1"))
    first = record(source="sources/h", bytes=7, review="Revise.", overrides={"alias": "LI"})
    file(store, first)
    assert documents.get("N-1") == first
    assert documents.with_hash("h") == [first]
    assert documents.sources() == {"sources/h"}
    file(store, record(content_hash="other"))
    assert documents.get("N-1").content_hash == "other"
    assert documents.with_hash("h") == []


def test_a_record_goes_with_its_norm(store, documents):
    document = make_norm("N-1")
    store.save(document, chunks_of(document), {}, record())
    store.remove("N-1")
    assert documents.get("N-1") is None


@pytest.fixture
def catalogue(store, documents):
    save(store, make_norm("N-1", make_block("1"), make_block("2"), title="Ley de Jubilación", alias="LJ"))
    save(store, make_norm("N-2", title="Ley del Ágape", status="Derogado"))
    save(store, make_norm("S-1", title="Sentencia sobre jubilaciones", law="STS 1", collection="sentencias"))
    file(store, record("N-1", review="Sin fecha."))
    file(store, record("S-1", loaded_at=datetime(2031, 1, 1, tzinfo=UTC)))
    return documents


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
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
    ],
)
def test_the_catalogue_is_searched_filtered_sorted_and_cut_into_pages(catalogue, asked, expected):
    assert [row.norm.id for row in catalogue.page(**asked).rows] == expected


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


def test_the_catalogue_shows_what_was_written_since(catalogue, store, database):
    other = open_database(database.engines.engine.url.render_as_string(hide_password=False))
    assert [row.record.file_name for row in other.documents.page("jubilacion").rows] == ["N-1.pdf", "S-1.pdf"]
    file(store, record("N-1", file_name="otro.pdf"))
    assert [row.record.file_name for row in catalogue.page("otro.pdf").rows] == ["otro.pdf"]
    eventually(lambda: other.documents.page("otro.pdf").total == 1)
    save(store, make_norm("N-3", title="Ley nueva"))
    assert catalogue.page("ley nueva").total == 1
    eventually(lambda: other.documents.page("ley nueva").total == 1)
    other.close()


def test_the_revision_of_the_catalogue_changes_with_the_corpus_and_with_each_record(store, documents):
    save(store, make_norm("N-1"))
    first = documents.revision()
    file(store, record())
    second = documents.revision()
    save(store, make_norm("N-2"))
    assert len({first, second, documents.revision()}) == 3


def test_an_unknown_order_is_an_error_of_the_caller(documents):
    with pytest.raises(ValueError, match="colour"):
        documents.page(sort="colour")


def test_a_whole_document_comes_back_with_its_wordings(store):
    document = make_norm(
        "N-1",
        make_block(
            "2", make_version("Antes.", until="2009-12-31"), make_version("Ahora.", since="2010-01-01")
        ),
        make_block("3"),
    )
    save(store, document)
    assert store.document("N-1") == document
    assert store.document("N-2") is None


def test_the_chunks_of_a_norm_come_in_reading_order_and_in_pages(store):
    document = make_norm("N-1", *(make_block(str(number)) for number in (10, 2, 1)))
    save(store, document)
    save(store, make_norm("N-2"))
    assert [chunk.label for chunk in store.norm_chunks("N-1")] == ["1", "2", "10"]
    assert [chunk.label for chunk in store.norm_chunks("N-1", offset=1, limit=1)] == ["2"]


def test_norms_and_their_chunks_are_read_once_a_revision(store, database):
    save(store, make_norm("N-1", make_block("1"), make_block("2")))
    first = store.norms(), store.norm_chunks("N-1")
    with statements(database) as asked:
        assert (store.norms(), store.norm_chunks("N-1")) == first
    assert asked.reading("norms", "chunks") == []


def test_what_another_process_writes_of_a_norm_is_read_at_once(store, database):
    other = open_database(database.engines.engine.url.render_as_string(hide_password=False)).corpus
    assert (store.norms(), store.norm_chunks("N-1")) == ([], [])
    for document in (make_norm("N-1"), make_norm("N-1", make_block("1", "Otro texto."), title="Otro título")):
        save(other, document)
        assert store.norms() == [document.norm]
        assert store.norm_chunks("N-1") == chunks_of(document)
    other.remove("N-1")
    assert (store.norms(), store.norm_chunks("N-1")) == ([], [])


def test_referrers_are_the_chunks_of_other_norms(store):
    target, other = make_norm("N-1", make_block("1"), make_block("2")), make_norm("N-2")
    save(store, target, refer(chunks_of(target)[0], ("N-1", "2")))
    save(store, other, refer(chunks_of(other)[0], ("N-1", "1"), ("N-1", "2")))
    found, count = store.referrers("N-1")
    assert ([one.norm_id for one in found], count) == (["N-2"], 1)
    assert store.referrers("N-2") == ([], 0)


def test_the_revision_changes_with_the_corpus_only(store, documents):
    first = store.revision()
    save(store, make_norm("N-1"))
    second = store.revision()
    assert second != first
    save(store, make_norm("N-1"))
    store.mark_indexed(ids(store.pending_index(dense=False)), dense=False)
    file(store, record())
    assert store.revision() == second
    save(store, make_norm("N-1", aliases=("Otra",)))
    assert store.revision() != second


def test_an_update_keeps_references_and_forgets_what_the_index_holds(store):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    chunks = chunks_of(document)
    save(store, document, refer(chunks[0], ("N-1", "2")))
    store.mark_indexed(ids(chunks), dense=True)
    renamed = document.model_copy(update={"norm": document.norm.model_copy(update={"law": "Otra"})})
    changed = [chunk.model_copy(update={"law": "Otra"}) for chunk in chunks]
    assert len(store.update(renamed, changed).changed) == 2
    assert store.norm("N-1").law == "Otra"
    assert store.counts().pending_dense == 2
    assert store.referenced([chunks[0].id], date(2020, 1, 1)) == {chunks[0].id: [chunks[1].id]}


def test_an_update_of_other_chunks_is_refused(store):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    save(store, document)
    with pytest.raises(ChangedMeanwhile, match="vuelva a abrirla"):
        store.update(document, chunks_of(document)[:1])


def test_an_update_is_refused_when_another_writer_comes_just_before_its_transaction(
    database, store, monkeypatch
):
    document, other = make_norm("N-1", make_block("1")), make_norm("N-1", make_block("2"))
    save(store, document)
    write = database.engines.write

    def overtaken(lock):
        monkeypatch.undo()
        save(store, other)
        return write(lock)

    monkeypatch.setattr(database.engines, "write", overtaken)
    with pytest.raises(ChangedMeanwhile):
        store.update(document, chunks_of(document))
    assert store.document("N-1") == other


def renamed(document):
    return document.model_copy(update={"norm": document.norm.model_copy(update={"law": "Otra"})})


CHANGES = {
    "norm": lambda store, document: save(store, renamed(document)),
    "text": lambda store, document: save(store, make_norm("N-1", make_block("1", "Otro texto."))),
    "references": lambda store, document: save(store, document, refer(chunks_of(document)[0], ("N-9", "1"))),
    "chunks": lambda store, document: store.update(
        document, [one.model_copy(update={"summary": "S."}) for one in chunks_of(document)]
    ),
    "record": lambda store, document: store.update(document, chunks_of(document), record(bytes=8)),
    "removal": lambda store, document: store.remove("N-1"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("writer", ["save", "update"])
def test_a_write_based_on_what_has_changed_since_is_refused_whole(store, documents, change, writer):
    document = make_norm("N-1", make_block("1"))
    store.save(document, chunks_of(document), {}, record(bytes=7))
    expected = store.norm_hash("N-1")
    change(store, document)
    left, kept = store.document("N-1"), documents.get("N-1")
    mine = make_norm("N-1", make_block("1"), title="La mía")
    references = [{}] if writer == "save" else []
    with pytest.raises(ChangedMeanwhile, match="N-1"):
        getattr(store, writer)(mine, chunks_of(mine), *references, record(bytes=9), expected)
    assert (store.document("N-1"), documents.get("N-1")) == (left, kept)


def test_a_write_based_on_what_is_stored_goes_in_with_its_record(store, documents):
    document = make_norm("N-1", make_block("1"))
    assert store.norm_hash("N-1") == ""
    store.save(document, chunks_of(document), {}, record(bytes=7), "")
    assert documents.get("N-1").bytes == 7
    first = store.norm_hash("N-1")
    store.mark_indexed(ids(chunks_of(document)), dense=True)
    store.mark_embedded(ids(chunks_of(document)), MODEL)
    assert store.norm_hash("N-1") == first
    store.update(renamed(document), chunks_of(document), record(bytes=9), first)
    assert (store.norm("N-1").law, documents.get("N-1").bytes) == ("Otra", 9)
    save(store, document)
    assert documents.get("N-1").bytes == 9


def test_what_a_job_replaces_is_kept_with_it_until_it_is_undone(database, store, documents):
    jobs = database.jobs
    first, second = make_norm("N-1", make_block("1")), make_norm("N-1", make_block("1", "Otro texto."))
    store.save(first, chunks_of(first), {}, record(source="sources/a"))
    job = jobs.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload())
    undo = JobChange(job_id=job.id, norm_id="N-1", document=first, record=documents.get("N-1"))
    store.save(first, chunks_of(first), {}, undo=undo)
    assert jobs.undoable() == set()
    store.save(second, chunks_of(second), {}, record(source="sources/b"), undo=undo)
    again = undo.model_copy(update={"document": second})
    store.save(renamed(second), chunks_of(second), {}, undo=again)
    (kept,) = jobs.changes(job.id)
    assert (kept.document, kept.after) == (first, store.norm_hash("N-1"))
    assert documents.sources() == {"sources/a", "sources/b"}
    assert documents.is_used("sources/a")
    assert jobs.replaced_sources(norm_id="N-1") == jobs.replaced_sources(job_id=job.id) == {"sources/a"}
    store.save(first, chunks_of(first), {}, kept.record, kept.after, undone=job.id)
    assert (jobs.undoable(), documents.sources()) == (set(), {"sources/a"})


def test_what_a_job_adds_or_removes_is_known_as_such(database, store):
    jobs, document = database.jobs, make_norm("N-1", make_block("1"))
    job = jobs.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload())
    store.save(document, chunks_of(document), {}, undo=JobChange(job_id=job.id, norm_id="N-1"))
    assert [(one.norm_id, one.document) for one in jobs.changes(job.id)] == [("N-1", None)]
    jobs.forget_norm("N-1")
    assert jobs.changes(job.id) == []
    store.remove("N-1", undo=JobChange(job_id=job.id, norm_id="N-1", document=document))
    assert [(one.document, one.after) for one in jobs.changes(job.id)] == [(document, "")]
    jobs.cancel(job.id)
    jobs.remove(job.id)
    assert jobs.undoable() == set()


def test_what_another_version_of_the_program_kept_of_a_job_is_a_sentence(database, store):
    jobs, document = database.jobs, make_norm("N-1")
    job = jobs.enqueue(JobKind.INGEST, "Carga", "ana", JobPayload())
    undo = JobChange(job_id=job.id, norm_id="N-1", document=document)
    store.save(document, chunks_of(document), {}, undo=undo)
    with database.engines.write() as session:
        session.execute(update(JobChangeRow).values(before=zlib.compress(b'{"unknown": 1}')))
    with pytest.raises(InputError, match="otra versión del programa"):
        jobs.changes(job.id)


def test_work_of_the_index_goes_from_one_stage_to_the_next(store):
    save(store, make_norm("N-1", make_block("1"), make_block("2")))
    assert store.index_work(MODEL) == IndexWork(sparse=2, to_embed=2)
    chunks = store.to_embed(MODEL)
    store.mark_embedded(ids(chunks[:1]), MODEL)
    assert store.index_work(MODEL) == IndexWork(sparse=2, to_embed=1)
    store.mark_indexed(ids(chunks), dense=False)
    assert store.index_work(MODEL) == IndexWork(ready=1, to_embed=1)
    assert ids(store.embedded(MODEL)) == ids(chunks[:1])
    store.mark_indexed(ids(chunks[:1]), dense=True)
    assert store.index_work(MODEL) == IndexWork(to_embed=1)
    store.remove("N-1")
    assert store.index_work(MODEL) == IndexWork(stale=2)


def test_vectors_of_another_model_or_of_an_older_text_do_not_count(store):
    save(store, make_norm("N-1"))
    (chunk,) = store.to_embed(MODEL)
    store.mark_embedded([chunk.id], MODEL)
    assert store.to_embed(MODEL) == []
    assert ids(store.to_embed("m-2")) == [chunk.id]
    save(store, make_norm("N-1", make_block("1", "Otro texto.")))
    assert ids(store.to_embed(MODEL)) == [chunk.id]


def test_passages_wait_beside_the_index_until_they_are_made(store):
    past = make_version("Antes.", since="2001-01-01", until="2009-12-31")
    save(store, make_norm("N-1", make_block("1", past, make_version("Ahora.", since="2010-01-01"))))
    (chunk,) = store.without_passages(MODEL)
    assert (chunk.text.endswith("Ahora."), store.passages_left(MODEL)) == (True, 1)
    store.mark_indexed(ids(store.pending_index(dense=True)), dense=True)
    assert store.passages_left(MODEL) == 1
    store.mark_passages([chunk.id], MODEL)
    assert (store.without_passages(MODEL), store.passages_left("m-2")) == ([], 1)
    store.reset_index_state()
    assert store.passages_left(MODEL) == 0
    save(store, make_norm("N-1", make_block("1", make_version("Otra cosa.", since="2010-01-01"))))
    assert store.passages_left(MODEL) == 1


def test_vectors_stay_made_when_other_facts_of_a_fragment_change(store):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    save(store, document)
    store.mark_embedded(ids(store.to_embed(MODEL)), MODEL)
    save(store, renamed(document))
    assert store.index_work(MODEL) == IndexWork(sparse=2)
    moved = make_norm("N-1", make_block("1", title="Artículo 1. Otra rúbrica."), make_block("2"))
    save(store, moved)
    assert store.index_work(MODEL) == IndexWork(sparse=2, to_embed=1)


def test_vectors_are_forgotten_for_every_model(database):
    vectors = database.vectors
    vectors.put("m-1", {"a": (1.0,), "b": (1.0,)})
    vectors.put("m-2", {"a": (1.0,)})
    assert vectors.remove(["a", "z"]) == 2
    assert vectors.get("m-1", ["a", "b"]).keys() == {"b"}
