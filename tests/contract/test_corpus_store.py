"""The corpus store on both databases: exact replacement, index state, lookups and references."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import event

from rag.errors import InputError, NotFound, StorageError
from rag.types import BlockKind
from storage import open_database
from tests.factories import chunks_of, make_block, make_chunk, make_norm, make_reference, make_version, refer

pytest_plugins = ("tests.postgres",)
ROOT = Path(__file__).resolve().parents[2]
TODAY = date(2024, 6, 1)


@pytest.fixture
def database(database_url):
    opened = open_database(database_url)
    yield opened
    opened.close()


@pytest.fixture
def store(database):
    return database.corpus


def save(store, document, references=None):
    return store.save(document, chunks_of(document), references or {})


def ids(chunks):
    return [chunk.id for chunk in chunks]


def index_everything(store, dense=True):
    store.mark_indexed(ids(store.pending_index(dense=dense)), dense=dense)


def test_a_norm_comes_back_as_it_was_saved(store):
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
    save(store, document)
    assert store.norms() == [document.norm]
    assert store.norm("N-1") == document.norm
    assert [store.block("N-1", block.id) for block in document.blocks] == list(document.blocks)
    assert store.blocks("N-1") == [block.model_copy(update={"versions": ()}) for block in document.blocks]
    assert store.chunks(ids(chunks_of(document))) == chunks_of(document)
    assert store.counts().model_dump() == {"norms": 1, "chunks": 4, "pending_dense": 4}


def test_a_chunk_comes_back_with_every_field(store):
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
    store.save(make_norm("N-1"), [chunk], {})
    assert store.chunks([chunk.id]) == [chunk]


def test_what_is_not_there_is_none_or_empty(store):
    assert store.norm("N-0") is None
    assert store.block("N-0", "a1") is None
    assert store.blocks("N-0") == store.norms() == store.chunks(["x"]) == store.find("N-0", "1") == []
    assert store.meta("fingerprint") is None


def test_saving_the_same_norm_again_changes_nothing_and_keeps_the_index_state(store):
    document = make_norm("N-1", make_block("1"), make_block("2"))
    assert len(save(store, document).added) == 2
    index_everything(store)
    change = save(store, document)
    assert (change.added, change.changed, change.removed, change.unchanged) == ((), (), (), 2)
    assert store.pending_index(dense=True) == []
    assert store.stale_index_ids() == []


def test_a_replacement_touches_only_what_differs(store):
    save(store, make_norm("N-1", make_block("1"), make_block("2"), make_block("3")))
    save(store, make_norm("N-2"))
    index_everything(store)
    new = make_norm("N-1", make_block("1"), make_block("2", "Otro texto."), make_block("4"))
    change = save(store, new)
    assert change.added == ("N-1/a4@2000-01-01#1",)
    assert change.changed == ("N-1/a2@2000-01-01#1",)
    assert change.removed == ("N-1/a3@2000-01-01#1",)
    assert change.unchanged == 1
    assert set(ids(store.pending_index(dense=False))) == {*change.added, *change.changed}
    assert store.stale_index_ids() == list(change.removed)
    assert store.blocks("N-1") == [block.model_copy(update={"versions": ()}) for block in new.blocks]
    assert store.block("N-1", "a3") is None
    assert store.chunks(ids(chunks_of(new))) == chunks_of(new)


@pytest.mark.parametrize(
    "update", [{"valid_to": date(2020, 1, 1)}, {"url": "https://example.org"}, {"keywords": ("permiso",)}]
)
def test_a_chunk_with_only_other_metadata_is_indexed_again(store, update):
    chunk = make_chunk()
    store.save(make_norm(), [chunk], {})
    index_everything(store)
    change = store.save(make_norm(), [chunk.model_copy(update=update)], {})
    assert change.changed == (chunk.id,)
    assert ids(store.pending_index(dense=False)) == [chunk.id]


def test_removing_a_norm_leaves_its_tombstones_and_nothing_else(store):
    save(store, make_norm("N-1", make_block("1"), make_block("2")))
    save(store, make_norm("N-2"))
    change = store.remove("N-1")
    assert sorted(change.removed) == ["N-1/a1@2000-01-01#1", "N-1/a2@2000-01-01#1"]
    assert sorted(store.stale_index_ids()) == sorted(change.removed)
    assert [norm.id for norm in store.norms()] == ["N-2"]
    assert store.blocks("N-1") == []
    with pytest.raises(NotFound, match="N-1"):
        store.remove("N-1")


def test_a_chunk_that_returns_is_no_longer_stale(store):
    save(store, make_norm())
    store.remove("N-1")
    save(store, make_norm())
    assert store.stale_index_ids() == []
    assert len(store.pending_index(dense=False)) == 1


def test_stale_ids_are_forgotten_when_the_index_has_dropped_them(store):
    save(store, make_norm("N-1", make_block("1"), make_block("2")))
    store.remove("N-1")
    store.forget_stale(["N-1/a1@2000-01-01#1"])
    assert store.stale_index_ids() == ["N-1/a2@2000-01-01#1"]


def test_the_index_state_goes_from_nothing_to_sparse_to_dense(store):
    save(store, make_norm("N-1", make_block("1"), make_block("2")))
    first, second = ids(store.pending_index(dense=False))
    store.mark_indexed([first], dense=False)
    assert ids(store.pending_index(dense=False)) == [second]
    assert ids(store.pending_index(dense=True)) == [first, second]
    store.mark_indexed([first], dense=True)
    assert ids(store.pending_index(dense=True)) == [second]
    assert store.counts().pending_dense == 1
    store.reset_index_state()
    assert ids(store.pending_index(dense=False)) == [first, second]


def test_an_entry_written_again_without_its_vector_lacks_it(store):
    save(store, make_norm())
    index_everything(store, dense=True)
    store.mark_indexed(["N-1/a1@2000-01-01#1"], dense=False)
    assert len(store.pending_index(dense=True)) == 1


def test_wordings_in_force_are_indexed_before_history(store):
    for norm_id in ("N-1", "N-2"):
        old = make_version("Antes.", since="2001-01-01", until="2009-12-31")
        save(store, make_norm(norm_id, make_block("1", old, make_version("Ahora.", since="2010-01-01"))))
    assert ids(store.pending_index(dense=False)) == [
        "N-1/a1@2010-01-01#1",
        "N-2/a1@2010-01-01#1",
        "N-1/a1@2001-01-01#1",
        "N-2/a1@2001-01-01#1",
    ]
    assert ids(store.pending_index(dense=False, limit=1)) == ["N-1/a1@2010-01-01#1"]


def test_a_chunk_amended_while_it_was_being_indexed_stays_pending(store):
    save(store, make_norm("N-1", make_block("1"), make_block("2")))
    read = store.pending_index(dense=True)
    save(store, make_norm("N-1", make_block("1", "Texto nuevo."), make_block("2")))
    store.mark_indexed(read, dense=True)
    assert ids(store.pending_index(dense=True)) == ["N-1/a1@2000-01-01#1"]


def test_a_chunk_removed_while_it_was_being_indexed_is_stale(store):
    save(store, make_norm())
    read = store.pending_index(dense=True)
    store.forget_stale(store.remove("N-1").removed)
    store.mark_indexed(read, dense=True)
    assert store.stale_index_ids() == ids(read)


def test_a_chunk_saved_again_while_its_entry_was_being_deleted_is_pending(store):
    save(store, make_norm())
    removed = store.remove("N-1").removed
    save(store, make_norm())
    index_everything(store)
    store.forget_stale(removed)
    assert ids(store.pending_index(dense=True)) == list(removed)


def test_chunks_come_in_the_order_asked_without_the_unknown_or_repeated(store):
    save(store, make_norm("N-1", *(make_block(str(number)) for number in range(1, 1300))))
    asked = [f"N-1/a{number}@2000-01-01#1" for number in range(1299, 0, -1)]
    assert ids(store.chunks(["none", *asked, asked[0]])) == asked
    assert store.chunks([]) == []


def test_all_chunks_streams_every_chunk_once(store):
    document = make_norm("N-1", *(make_block(str(number)) for number in range(1, 8)))
    save(store, document)
    streamed = list(store.all_chunks(batch=3))
    assert [len(batch) for batch in streamed] == [3, 3, 1]
    assert {chunk.id for batch in streamed for chunk in batch} == set(ids(chunks_of(document)))


AMENDED = (
    make_version("Antes.", since="2001-01-01", until="2009-12-31"),
    make_version("Ahora.", since="2010-01-01"),
)


@pytest.mark.parametrize(
    ("as_of", "texts"),
    [
        (date(2000, 12, 31), []),
        (date(2001, 1, 1), ["Antes."]),
        (date(2009, 12, 31), ["Antes."]),
        (date(2010, 1, 1), ["Ahora."]),
        (None, ["Antes.", "Ahora."]),
    ],
)
def test_find_gives_the_wording_of_the_day(store, as_of, texts):
    save(store, make_norm("N-1", make_block("48 bis", *AMENDED), make_block("48")))
    assert [chunk.text for chunk in store.find("N-1", "48 bis", as_of)] == texts


def test_find_gives_every_part_in_order(store):
    parts = [make_chunk("N-1", "1", f"Parte {part}.", part=part, parts=11) for part in range(1, 12)]
    store.save(make_norm(), parts[::-1], {})
    assert store.find("N-1", "1", TODAY) == parts


def test_find_prefers_the_text_to_the_decree_that_approves_it(store):
    decree = make_block("1", "Se aprueba el texto.", id="decree", position=1)
    body = make_block("1", "Objeto.", id="body", position=50, since="2005-01-01")
    save(store, make_norm("N-1", body, decree))
    assert [chunk.text for chunk in store.find("N-1", "1", TODAY)] == ["Objeto."]
    assert [chunk.text for chunk in store.find("N-1", "1")] == ["Objeto."]
    assert [chunk.text for chunk in store.find("N-1", "1", date(2004, 1, 1))] == ["Se aprueba el texto."]


def test_references_come_in_order_without_repeats_or_the_unresolved(store):
    document = make_norm("N-1", *(make_block(str(number)) for number in (1, 2, 3)))
    one, two, three = chunks_of(document)
    found = refer(one, ("N-1", "3"), (None, None), ("N-1", None), ("N-1", "2"), ("N-1", "3"), ("N-7", "1"))
    save(store, document, found)
    assert store.referenced([one.id, two.id], TODAY) == {one.id: [three.id, two.id], two.id: []}


def test_a_reference_never_leads_to_its_own_chunk(store):
    document = make_norm("N-1", make_block("1", *AMENDED))
    old, new = chunks_of(document)
    save(store, document, {**refer(old, ("N-1", "1")), **refer(new, ("N-1", "1"))})
    assert store.referenced([old.id, new.id], TODAY) == {old.id: [new.id], new.id: []}


def test_a_reference_finds_its_target_when_that_is_ingested_later_and_after_an_amendment(store):
    source = make_norm("N-1")
    save(store, source, refer(chunks_of(source)[0], ("N-2", "1")))
    source_id = chunks_of(source)[0].id
    assert store.referenced([source_id], TODAY) == {source_id: []}
    save(store, make_norm("N-2"))
    assert store.referenced([source_id], TODAY) == {source_id: ["N-2/a1@2000-01-01#1"]}
    save(store, make_norm("N-2", make_block("1", *AMENDED)))
    assert store.referenced([source_id], TODAY) == {source_id: ["N-2/a1@2010-01-01#1"]}
    assert store.referenced([source_id], date(2005, 1, 1)) == {source_id: ["N-2/a1@2001-01-01#1"]}
    store.remove("N-2")
    assert store.referenced([source_id], TODAY) == {source_id: []}


@pytest.mark.parametrize(
    ("apartado", "part"),
    [
        (None, 1),
        ("1", 1),
        ("3", 1),
        ("4", 2),
        ("4.a)", 2),
        ("4 bis", 3),
        ("5", 3),
        ("6 ter", 3),
        ("7", 1),
        ("a)", 1),
    ],
)
def test_a_reference_to_an_apartado_leads_to_the_part_that_has_it(store, apartado, part):
    source = make_chunk("N-1", "1")
    parts = [
        make_chunk("N-1", "2", f"Parte {number}.", part=number, parts=4, apartados=apartados)
        for number, apartados in enumerate(["1-3", "4", "4 bis-6 ter", ""], start=1)
    ]
    document = make_norm("N-1", make_block("1"), make_block("2"))
    store.save(document, [source, *parts], refer(source, ("N-1", "2", apartado)))
    assert store.referenced([source.id], TODAY) == {source.id: [f"N-1/a2@2000-01-01#{part}"]}


def test_a_reference_prefers_the_text_to_the_decree_that_approves_it(store):
    decree = make_block("1", "Se aprueba el texto.", id="decree", position=1)
    body = make_block("1", "Objeto.", id="body", position=50)
    source = make_block("60")
    document = make_norm("N-1", decree, body, source)
    chunk = chunks_of(document)[2]
    save(store, document, refer(chunk, ("N-1", "1")))
    assert store.referenced([chunk.id], TODAY) == {chunk.id: ["N-1/body@2000-01-01#1"]}


def test_references_are_replaced_with_their_chunk_unchanged(store):
    document = make_norm("N-1", make_block("1"), make_block("2"), make_block("3"))
    chunk = chunks_of(document)[0]
    save(store, document, refer(chunk, ("N-1", "2")))
    assert save(store, document, refer(chunk, ("N-1", "3"))).unchanged == 3
    assert store.referenced([chunk.id], TODAY) == {chunk.id: ["N-1/a3@2000-01-01#1"]}


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
def test_a_document_that_contradicts_itself_is_refused_whole(store, document, chunks, references):
    with pytest.raises(InputError, match="N-1"):
        store.save(document, chunks, references)
    assert store.norms() == []


@pytest.mark.parametrize("failing", ["INSERT INTO cross_references", "UPDATE chunks", "DELETE FROM blocks"])
def test_a_failure_in_the_middle_leaves_the_norm_as_it_was(database, failing):
    store = database.corpus
    before = make_norm("N-1", make_block("1"), make_block("2"))
    save(store, before)

    def fail(_connection, _cursor, statement, *_rest):
        if statement.startswith(failing):
            raise RuntimeError("power cut")

    event.listen(database.engines.engine, "before_cursor_execute", fail)
    after = make_norm("N-1", make_block("1", "Nuevo."), make_block("3"))
    with pytest.raises(RuntimeError):
        save(store, after, refer(chunks_of(after)[0], ("N-1", "3")))
    event.remove(database.engines.engine, "before_cursor_execute", fail)
    assert [store.block("N-1", block.id) for block in before.blocks] == list(before.blocks)
    assert store.chunks(ids(chunks_of(before))) == chunks_of(before)
    assert store.stale_index_ids() == []


def test_nul_and_lone_surrogates_never_reach_the_database(store):
    dirty = make_norm("N-1", make_block("1", "Uno\x00 dos\ud800."), extra={"sala\x00": "Cuarta\udfff"})
    chunk = chunks_of(dirty)[0].model_copy(update={"keywords": ("a\x00b",)})
    store.save(dirty, [chunk], {})
    assert store.chunks([chunk.id])[0].text == "Uno dos."
    assert store.chunks([chunk.id])[0].keywords == ("ab",)
    assert store.norm("N-1").extra == {"sala": "Cuarta"}
    assert store.save(dirty, [chunk], {}).unchanged == 1


def test_meta_is_kept_by_key(store):
    store.save_meta("fingerprint", "one")
    store.save_meta("fingerprint", "two")
    store.save_meta("other", "three")
    assert (store.meta("fingerprint"), store.meta("other")) == ("two", "three")


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


def test_threads_that_write_at_once_lose_nothing(database):
    store = database.corpus
    errors = []

    def work(worker):
        try:
            for turn in range(5):
                save(store, make_norm(f"N-{worker}", *(make_block(str(n)) for n in range(1, turn + 3))))
                save(store, make_norm("shared", make_block("1", f"De {worker}, vuelta {turn}.")))
                store.mark_indexed(store.pending_index(dense=False), dense=False)
                database.vectors.put("m", {f"{worker}-{turn}": (1.0,), "shared": (float(turn),)})
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [len(store.blocks(f"N-{number}")) for number in range(6)] == [6] * 6
    assert store.counts().chunks == 6 * 6 + 1
    assert len(database.vectors.get("m", [f"{w}-{t}" for w in range(6) for t in range(5)])) == 30


WRITER = """
import sys
from storage import open_database
from tests.factories import chunks_of, make_block, make_norm
store = open_database(sys.argv[1]).corpus
for turn in range(10):
    for norm_id in ("shared", sys.argv[2]):
        document = make_norm(norm_id, *(make_block(str(n), f"{sys.argv[2]} {turn}") for n in range(1, 30)))
        store.save(document, chunks_of(document), {})
"""


@pytest.mark.slow
def test_processes_that_write_at_once_leave_whole_norms(database, database_url):
    names = ["P-1", "P-2", "P-3"]
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, database_url, name], cwd=ROOT, stderr=subprocess.PIPE)
        for name in names
    ]
    errors = [process.communicate(timeout=120)[1].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], errors
    store = database.corpus
    chunks = [chunk for batch in store.all_chunks() for chunk in batch]
    assert len(chunks) == 4 * 29
    assert len({chunk.text for chunk in chunks if chunk.norm_id == "shared"}) == 1
    assert {chunk.text for chunk in chunks if chunk.norm_id != "shared"} == {f"{name} 9" for name in names}


KILLED = """
import os, signal, sys
from sqlalchemy import event
from storage import open_database
from tests.factories import chunks_of, make_block, make_norm, refer
database = open_database(sys.argv[1])
store = database.corpus
def die(_connection, _cursor, statement, *_rest):
    if statement.startswith(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
event.listen(database.engines.engine, "after_cursor_execute", die)
event.listen(database.engines.engine, "commit", lambda _connection: die(None, None, "COMMIT"))
document = make_norm("N-1", *(make_block(str(n), "Generación 2.") for n in range(20, 400)))
chunks = chunks_of(document)
store.save(document, chunks, refer(chunks[0], ("N-1", "30")))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.parametrize(
    "moment",
    ["DELETE FROM chunks", "UPDATE chunks", "INSERT INTO chunks", "INSERT INTO index_tombstones", "COMMIT"],
)
def test_a_process_killed_in_the_middle_of_a_save_changes_nothing(database, database_url, moment):
    store = database.corpus
    before = make_norm("N-1", *(make_block(str(n), "Generación 1.") for n in range(1, 300)))
    save(store, before)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, database_url, moment],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    again = open_database(database_url)
    assert again.corpus.chunks(ids(chunks_of(before))) == chunks_of(before)
    assert again.corpus.counts().chunks == 299
    assert again.corpus.stale_index_ids() == []
    save(again.corpus, make_norm("N-1"))
    assert again.corpus.counts().chunks == 1
    again.close()
    if database_url.startswith("sqlite"):
        with sqlite3.connect(database_url.removeprefix("sqlite:///")) as raw:
            assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert raw.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_database_that_went_away_is_a_storage_error_that_tells_no_values(database):
    with database.engines.engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE meta")
    with pytest.raises(StorageError) as caught:
        database.corpus.save_meta("confidential", "confidential")
    assert "confidential" not in f"{caught.value} {caught.value.__cause__}"
