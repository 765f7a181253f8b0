"""Storage under failure and concurrency: a norm is whole, before or after, whatever happens meanwhile."""

import os
import signal
import sqlite3
import threading
from contextlib import closing
from functools import partial

import pytest
from sqlalchemy import event

from core.errors import StorageError
from storage.stores import open_database
from tests.factories import chunks_of, ids, make_block, make_norm, refer, save
from tests.processes import Child

pytest_plugins = ("tests.postgres",)


@pytest.mark.parametrize("failing", ["INSERT INTO cross_references", "UPDATE chunks", "DELETE FROM blocks"])
def test_a_failure_in_the_middle_leaves_the_norm_as_it_was(database, failing):
    before = make_norm("N-1", make_block("1"), make_block("2"))
    save(database.corpus_writer, before)

    def fail(_connection, _cursor, statement, *_rest):
        if statement.startswith(failing):
            raise RuntimeError("power cut")

    event.listen(database.engines.engine, "before_cursor_execute", fail)
    after = make_norm("N-1", make_block("1", "Nuevo."), make_block("3"))
    with pytest.raises(RuntimeError):
        save(database.corpus_writer, after, refer(chunks_of(after)[0], ("N-1", "3")))
    event.remove(database.engines.engine, "before_cursor_execute", fail)
    assert [database.corpus.block("N-1", block.id) for block in before.blocks] == list(before.blocks)
    assert database.corpus.chunks(ids(chunks_of(before))) == chunks_of(before)
    assert database.ledger.stale_index_ids() == []


def test_a_new_file_that_another_process_is_preparing_is_waited_for(tmp_path, monkeypatch):
    with closing(sqlite3.connect(tmp_path / "new.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        asked = []

        class Watched(sqlite3.Connection):
            def execute(self, sql, *rest):
                asked.append(sql)
                if asked.count(sql) == 3:
                    other.execute("COMMIT")
                return super().execute(sql, *rest)

        monkeypatch.setattr(sqlite3.dbapi2, "connect", partial(sqlite3.connect, factory=Watched))
        open_database(f"sqlite:///{tmp_path / 'new.db'}").close()
    assert asked[:3] == ["PRAGMA journal_mode=WAL"] * 3


def test_threads_that_write_at_once_lose_nothing(database):
    errors = []

    def work(worker):
        try:
            for turn in range(5):
                save(
                    database.corpus_writer,
                    make_norm(f"N-{worker}", *(make_block(str(n)) for n in range(1, turn + 3))),
                )
                save(
                    database.corpus_writer,
                    make_norm("shared", make_block("1", f"De {worker}, vuelta {turn}.")),
                )
                database.ledger.mark_indexed(database.ledger.pending_index(dense=False), dense=False)
                database.vectors.put("m", {f"{worker}-{turn}": (1.0,), "shared": (float(turn),)})
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert [len(database.corpus.blocks(f"N-{number}")) for number in range(6)] == [6] * 6
    assert database.corpus.counts().chunks == 6 * 6 + 1
    assert len(database.vectors.get("m", [f"{w}-{t}" for w in range(6) for t in range(5)])) == 30


WRITER = """
import sys
from storage.stores import open_database
from tests.factories import chunks_of, make_block, make_norm
writer = open_database(sys.argv[1]).corpus_writer
for turn in range(10):
    for norm_id in ("shared", sys.argv[2]):
        document = make_norm(norm_id, *(make_block(str(n), f"{sys.argv[2]} {turn}") for n in range(1, 30)))
        writer.save(document, chunks_of(document), {})
"""


@pytest.mark.slow
def test_processes_that_write_at_once_leave_whole_norms(database, database_url):
    names = ["P-1", "P-2", "P-3"]
    started = [Child(WRITER, database_url, name) for name in names]
    assert [child.wait() for child in started] == [(0, "")] * 3
    chunks = [chunk for batch in database.corpus.all_chunks() for chunk in batch]
    assert len(chunks) == 4 * 29
    assert len({chunk.text for chunk in chunks if chunk.norm_id == "shared"}) == 1
    assert {chunk.text for chunk in chunks if chunk.norm_id != "shared"} == {f"{name} 9" for name in names}


KILLED = """
import os, signal, sys
from sqlalchemy import event
from storage.stores import open_database
from tests.factories import chunks_of, make_block, make_norm, refer
database = open_database(sys.argv[1])
def die(_connection, _cursor, statement, *_rest):
    if statement.startswith(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
event.listen(database.engines.engine, "after_cursor_execute", die)
event.listen(database.engines.engine, "commit", lambda _connection: die(None, None, "COMMIT"))
document = make_norm("N-1", *(make_block(str(n), "Generación 2.") for n in range(20, 400)))
chunks = chunks_of(document)
database.corpus_writer.save(document, chunks, refer(chunks[0], ("N-1", "30")))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.parametrize(
    "moment",
    ["DELETE FROM chunks", "UPDATE chunks", "INSERT INTO chunks", "INSERT INTO index_tombstones", "COMMIT"],
)
def test_a_process_killed_in_the_middle_of_a_save_changes_nothing(database, database_url, moment):
    before = make_norm("N-1", *(make_block(str(n), "Generación 1.") for n in range(1, 300)))
    save(database.corpus_writer, before)
    assert Child(KILLED, database_url, moment).wait() == (-signal.SIGKILL, "")
    again = open_database(database_url)
    assert again.corpus.chunks(ids(chunks_of(before))) == chunks_of(before)
    assert again.corpus.counts().chunks == 299
    assert again.ledger.stale_index_ids() == []
    save(again.corpus_writer, make_norm("N-1"))
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
        save(database.corpus_writer, make_norm("N-1", make_block("1", "confidential")))
    assert "confidential" not in f"{caught.value} {caught.value.__cause__}"
