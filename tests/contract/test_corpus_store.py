"""The corpus store on both databases: exact replacement, index state, metadata and vectors."""

from datetime import date

import pytest

from core.errors import InputError, NotFound
from law.norms import BlockKind
from tests.factories import (
    chunks_of,
    ids,
    make_block,
    make_chunk,
    make_norm,
    make_reference,
    make_version,
    save,
)

pytest_plugins = ("tests.postgres",)


def index_everything(database, dense=True):
    database.ledger.mark_indexed(ids(database.ledger.pending_index(dense=dense)), dense=dense)


def test_a_norm_comes_back_as_it_was_saved(database):
    document = make_norm(
        "N-1",
        make_block("1", path=("TÍTULO I", "CAPÍTULO II"), attributes={"url": "https://example.org/1"}),
        make_block(
            "2",
            make_version("Antes.", since="2001-01-01", until="2009-12-31", notes=("Nota.",)),
            make_version("Después.", since="2010-01-01", published=date(2009, 12, 1), amended_by="N-9"),
        ),
        make_block("única", kind=BlockKind.FINAL, position=9),
        alias="LI",
        aliases=("Ley I", "L. Inventada"),
        published=date(2000, 1, 1),
        extra={"sala": "Cuarta"},
    )
    save(database.corpus_writer, document)
    assert database.corpus.norms() == [document.norm]
    assert database.corpus.norm("N-1") == document.norm
    assert [database.corpus.block("N-1", block.id) for block in document.blocks] == list(document.blocks)
    assert database.corpus.blocks("N-1") == [
        block.model_copy(update={"versions": ()}) for block in document.blocks
    ]
    assert database.corpus.chunks(ids(chunks_of(document))) == chunks_of(document)
    assert database.corpus.counts().model_dump() == {"norms": 1, "chunks": 4, "pending_dense": 4}


def test_a_chunk_comes_back_with_every_field(database):
    chunk = make_chunk(
        "N-1",
        "1",
        "Línea uno.\nLínea «dos» — € 😀",
        until="2030-01-01",
        part=2,
        parts=3,
        apartados="2-3",
        page=7,
        summary="Resumen.",
        keywords=("jornada", "descanso"),
        questions=("¿Cuánto?",),
        official=False,
        territory="Comunitat Valenciana",
        section_type="jornada",
        chapter="TÍTULO I",
    )
    database.corpus_writer.save(make_norm("N-1"), [chunk], {})
    assert database.corpus.chunks([chunk.id]) == [chunk]


def test_what_is_not_there_is_none_or_empty(database):
    assert database.corpus.norm("N-0") is None
    assert database.corpus.block("N-0", "a1") is None
    assert (
        database.corpus.blocks("N-0")
        == database.corpus.norms()
        == database.corpus.chunks(["x"])
        == database.corpus.find("N-0", "1")
        == []
    )


def test_saving_the_same_norm_again_changes_nothing_and_keeps_the_index_state(database):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    assert len(save(database.corpus_writer, document).added) == 2
    index_everything(database)
    change = save(database.corpus_writer, document)
    assert (change.added, change.changed, change.removed, change.unchanged) == ((), (), (), 2)
    assert database.ledger.pending_index(dense=True) == []
    assert database.ledger.stale_index_ids() == []


def test_a_replacement_touches_only_what_differs(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2"), make_block("3")))
    save(database.corpus_writer, make_norm("N-2"))
    index_everything(database)
    new = make_norm("N-1", make_block("1"), make_block("2", "Otro texto."), make_block("4"))
    change = save(database.corpus_writer, new)
    assert change.added == ("N-1/a4@2000-01-01#1",)
    assert change.changed == ("N-1/a2@2000-01-01#1",)
    assert change.removed == ("N-1/a3@2000-01-01#1",)
    assert change.unchanged == 1
    assert set(ids(database.ledger.pending_index(dense=False))) == {*change.added, *change.changed}
    assert database.ledger.stale_index_ids() == list(change.removed)
    assert database.corpus.blocks("N-1") == [
        block.model_copy(update={"versions": ()}) for block in new.blocks
    ]
    assert database.corpus.block("N-1", "a3") is None
    assert database.corpus.chunks(ids(chunks_of(new))) == chunks_of(new)


@pytest.mark.parametrize(
    "update", [{"valid_to": date(2020, 1, 1)}, {"url": "https://example.org"}, {"keywords": ("permiso",)}]
)
def test_a_chunk_with_only_other_metadata_is_indexed_again(database, update):
    chunk = make_chunk()
    database.corpus_writer.save(make_norm(), [chunk], {})
    index_everything(database)
    change = database.corpus_writer.save(make_norm(), [chunk.model_copy(update=update)], {})
    assert change.changed == (chunk.id,)
    assert ids(database.ledger.pending_index(dense=False)) == [chunk.id]


def test_removing_a_norm_leaves_its_tombstones_and_nothing_else(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    save(database.corpus_writer, make_norm("N-2"))
    change = database.corpus_writer.remove("N-1")
    assert sorted(change.removed) == ["N-1/a1@2000-01-01#1", "N-1/a2@2000-01-01#1"]
    assert sorted(database.ledger.stale_index_ids()) == sorted(change.removed)
    assert [norm.id for norm in database.corpus.norms()] == ["N-2"]
    assert database.corpus.blocks("N-1") == []
    with pytest.raises(NotFound, match="N-1"):
        database.corpus_writer.remove("N-1")


def test_a_chunk_that_returns_is_no_longer_stale(database):
    save(database.corpus_writer, make_norm())
    database.corpus_writer.remove("N-1")
    save(database.corpus_writer, make_norm())
    assert database.ledger.stale_index_ids() == []
    assert len(database.ledger.pending_index(dense=False)) == 1


def test_stale_ids_are_forgotten_when_the_index_has_dropped_them(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    database.corpus_writer.remove("N-1")
    database.ledger.forget_stale(["N-1/a1@2000-01-01#1"])
    assert database.ledger.stale_index_ids() == ["N-1/a2@2000-01-01#1"]


def test_the_index_state_goes_from_nothing_to_sparse_to_dense(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    first, second = ids(database.ledger.pending_index(dense=False))
    database.ledger.mark_indexed([first], dense=False)
    assert ids(database.ledger.pending_index(dense=False)) == [second]
    assert ids(database.ledger.pending_index(dense=True)) == [first, second]
    database.ledger.mark_indexed([first], dense=True)
    assert ids(database.ledger.pending_index(dense=True)) == [second]
    assert database.corpus.counts().pending_dense == 1
    database.ledger.reset_index_state()
    assert ids(database.ledger.pending_index(dense=False)) == [first, second]


def test_an_entry_written_again_without_its_vector_lacks_it(database):
    save(database.corpus_writer, make_norm())
    index_everything(database, dense=True)
    database.ledger.mark_indexed(["N-1/a1@2000-01-01#1"], dense=False)
    assert len(database.ledger.pending_index(dense=True)) == 1


def test_wordings_in_force_are_indexed_before_history(database):
    for norm_id in ("N-1", "N-2"):
        old = make_version("Antes.", since="2001-01-01", until="2009-12-31")
        save(
            database.corpus_writer,
            make_norm(norm_id, make_block("1", old, make_version("Ahora.", since="2010-01-01"))),
        )
    assert ids(database.ledger.pending_index(dense=False)) == [
        "N-1/a1@2010-01-01#1",
        "N-2/a1@2010-01-01#1",
        "N-1/a1@2001-01-01#1",
        "N-2/a1@2001-01-01#1",
    ]
    assert ids(database.ledger.pending_index(dense=False, limit=1)) == ["N-1/a1@2010-01-01#1"]


def test_a_chunk_amended_while_it_was_being_indexed_stays_pending(database):
    save(database.corpus_writer, make_norm("N-1", make_block("1"), make_block("2")))
    read = database.ledger.pending_index(dense=True)
    save(database.corpus_writer, make_norm("N-1", make_block("1", "Texto nuevo."), make_block("2")))
    database.ledger.mark_indexed(read, dense=True)
    assert ids(database.ledger.pending_index(dense=True)) == ["N-1/a1@2000-01-01#1"]


def test_a_chunk_removed_while_it_was_being_indexed_is_stale(database):
    save(database.corpus_writer, make_norm())
    read = database.ledger.pending_index(dense=True)
    database.ledger.forget_stale(database.corpus_writer.remove("N-1").removed)
    database.ledger.mark_indexed(read, dense=True)
    assert database.ledger.stale_index_ids() == ids(read)


def test_a_chunk_saved_again_while_its_entry_was_being_deleted_is_pending(database):
    save(database.corpus_writer, make_norm())
    removed = database.corpus_writer.remove("N-1").removed
    save(database.corpus_writer, make_norm())
    index_everything(database)
    database.ledger.forget_stale(removed)
    assert ids(database.ledger.pending_index(dense=True)) == list(removed)


@pytest.mark.parametrize(
    ("document", "chunks", "references"),
    [
        (make_norm("N-1", make_block("1"), make_block("1")), [], {}),
        (make_norm("N-1"), [make_chunk(), make_chunk(text="Otro.")], {}),
        (make_norm("N-1"), [make_chunk("N-2")], {}),
        (make_norm("N-1"), [make_chunk("N-1", "99")], {}),
        (make_norm("N-1"), [make_chunk()], {"elsewhere": [make_reference("N-1", "1")]}),
    ],
    ids=["block twice", "chunk twice", "chunk of another norm", "chunk of no block", "reference of no chunk"],
)
def test_a_document_that_contradicts_itself_is_refused_whole(database, document, chunks, references):
    with pytest.raises(InputError, match="N-1"):
        database.corpus_writer.save(document, chunks, references)
    assert database.corpus.norms() == []


def test_nul_and_lone_surrogates_never_reach_the_database(database):
    dirty = make_norm("N-1", make_block("1", "Uno\x00 dos\ud800."), extra={"sala\x00": "Cuarta\udfff"})
    chunk = chunks_of(dirty)[0].model_copy(update={"keywords": ("a\x00b",)})
    database.corpus_writer.save(dirty, [chunk], {})
    assert database.corpus.chunks([chunk.id])[0].text == "Uno dos."
    assert database.corpus.chunks([chunk.id])[0].keywords == ("ab",)
    assert database.corpus.norm("N-1").extra == {"sala": "Cuarta"}
    assert database.corpus_writer.save(dirty, [chunk], {}).unchanged == 1


def test_vectors_are_kept_by_model_and_content(database):
    vectors = database.vectors
    vectors.put("one", {"h1": (0.5, -0.25), "h2": [1.0, 0.0]})
    vectors.put("two", {"h1": (0.125,)})
    vectors.put("one", {"h1": (0.75, 0.0)})
    assert vectors.get("one", ["h1", "h2", "h3"]) == {"h1": (0.75, 0.0), "h2": (1.0, 0.0)}
    assert vectors.get("two", ["h1"]) == {"h1": (0.125,)}
    assert vectors.get("three", ["h1"]) == vectors.get("one", []) == {}


@pytest.mark.parametrize("bad", [(), (float("nan"), 0.0), (float("inf"),)])
def test_a_vector_that_is_no_vector_is_refused_with_its_whole_batch(database, bad):
    with pytest.raises(ValueError, match="finite"):
        database.vectors.put("one", {"good": (1.0,), "bad": bad})
    assert database.vectors.get("one", ["good"]) == {}
