"""Backup and restore under way: what is written meanwhile, where they refuse, what a failure leaves."""

import os
import signal
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from core.errors import InputError, StorageError
from law.document_records import DocumentRecord
from loading.boe.boe_copies import unchanging
from service.backup import backup as module
from service.backup.backup import backup, restore
from service.program.coming import settled
from storage.stores import Database, open_database
from tests.backups import (
    NOON,
    Source,
    as_restored,
    ask,
    contents,
    files,
    load_source,
    queue_upload,
)
from tests.factories import file, make_norm, save
from tests.homes import new_program
from tests.processes import Child

pytest_plugins = ("tests.postgres",)


# While the program works


def before_each_read(database: Database, act: Any) -> None:
    """Call `act(statement)` before every statement of this database's engine."""

    def told(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        act(statement)

    event.listen(database.engines.engine, "before_cursor_execute", told)


def test_what_is_written_while_tables_are_read_is_in_it_whole_or_not_at_all(
    database: Database, database_url: str, tmp_path: Path, home: Path
) -> None:
    ask(database, "¿La primera?")
    with closing(open_database(database_url)) as other:
        before_each_read(
            database, lambda sql: sql.startswith("SELECT") and "FROM" in sql and ask(other, "¿Otra más?")
        )
        manifest = backup(database.engines, home, tmp_path / "copia.zip")
        written = len(contents(database_url)["messages"])
    with closing(open_database(f"sqlite:///{tmp_path / 'new.db'}")) as restored:
        assert restore(restored.engines, home, tmp_path / "copia.zip").manifest == manifest
    rows = contents(f"sqlite:///{tmp_path / 'new.db'}")
    assert {table: len(found) for table, found in rows.items()} == dict(manifest.tables)
    assert 2 <= len(rows["messages"]) < written
    assert len(rows["messages"]) == 2 * len(rows["conversations"]) == 2 * len(rows["traces"])


def test_a_file_that_comes_or_goes_meanwhile_is_there_if_its_row_is(
    database: Database, database_url: str, tmp_path: Path, home: Path
) -> None:
    save(database.corpus_writer, make_norm("N-1"))
    goes = load_source(home, b"se borra")
    file(database, DocumentRecord(norm_id="N-1", source=goes, loaded_at=NOON))
    step = "files copied"
    with closing(open_database(database_url)) as other:

        def act(sql: str) -> None:
            nonlocal step
            if step == "files copied":
                queue_upload(other, home, "d" * 32)
                step = "moment chosen"
            elif step == "moment chosen" and "max(" in sql:
                other.corpus_writer.remove("N-1")
                (home / goes / "Ley de ñandúes.md").unlink()
                step = "both done"

        before_each_read(database, act)
        manifest = backup(database.engines, home, tmp_path / "copia.zip")
    assert step == "both done"
    assert f"uploads/{'d' * 32}/0/ley.md" in manifest.files
    assert f"{goes}/Ley de ñandúes.md" in manifest.files
    assert manifest.tables["jobs"] == manifest.tables["documents"] == 1


def test_locks_drafts_links_index_and_settings_stay_out(
    database: Database, tmp_path: Path, home: Path
) -> None:
    for path in (
        "index/shard/data",
        "boe/.lock",
        "boe/X/texto.xml",
        ".env",
        f"enriched/.{'a' * 32}",
        "boe/.new-1/X",
    ):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(path)
    (tmp_path / "secret").write_text("secret")
    (home / "link").symlink_to(tmp_path / "secret")
    (home / "raro:nombre").write_text("x")
    manifest = backup(database.engines, home, tmp_path / "copia.zip")
    assert set(manifest.files) == {"boe/X/texto.xml"}
    assert manifest.left_out == ("link", "raro:nombre")
    assert b"secret" not in (tmp_path / "copia.zip").read_bytes()


def test_a_download_that_does_not_end_refuses_the_backup_with_a_sentence(
    database: Database, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "boe/X").mkdir(parents=True)
    (home / "boe/X/texto.xml").write_text("x")
    monkeypatch.setattr(module, "unchanging", partial(unchanging, wait=0))
    with (
        ThreadPoolExecutor(1) as other,
        unchanging(home / "boe"),
        pytest.raises(InputError, match="Otro proc"),
    ):
        other.submit(backup, database.engines, home, tmp_path / "copia.zip").result()
    assert not (tmp_path / "copia.zip").exists()


# Where it is written


def test_only_its_owner_can_read_it_and_nothing_else_is_left(source: Source) -> None:
    assert stat.S_IMODE(source.archive.stat().st_mode) == 0o600
    assert list(source.archive.parent.iterdir()) == [source.archive]


def test_drafts_of_backups_that_were_killed_go_with_the_next_one(
    database: Database, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    old, strange, young = (folder / f".{letter * 32}" for letter in "abc")
    for draft in (old, young):
        draft.write_bytes(b"PK\x03\x04 a medias")
    strange.write_bytes(b"de otro programa")
    for draft in (old, strange):
        os.utime(draft, (0, 0))
    backup(database.engines, home, folder / "copia.zip")
    assert {*folder.iterdir()} == {folder / "copia.zip", strange, young}


def test_a_backup_that_fails_leaves_nothing_behind(database: Database, tmp_path: Path, home: Path) -> None:
    def fail(sql: str) -> None:
        if "FROM norms" in sql:
            raise StorageError("no")

    before_each_read(database, fail)
    folder = tmp_path / "copies"
    folder.mkdir()
    with pytest.raises(StorageError):
        backup(database.engines, home, folder / "copia.zip")
    assert list(folder.iterdir()) == []


def test_an_existing_file_the_home_and_an_absent_folder_are_refused(
    database: Database, tmp_path: Path, home: Path
) -> None:
    (tmp_path / "copia.zip").write_text("otra cosa")
    for target in (tmp_path / "copia.zip", home / "copia.zip", tmp_path / "no" / "copia.zip"):
        with pytest.raises(InputError):
            backup(database.engines, home, target)
    assert (tmp_path / "copia.zip").read_text() == "otra cosa"
    assert list(home.iterdir()) == []


# Where it is restored


def test_a_database_with_anything_in_it_is_left_alone(source: Source, database: Database, home: Path) -> None:
    ask(database, "¿Ya estaba?")
    with pytest.raises(InputError, match="no está vacía"):
        restore(database.engines, home, source.archive)
    assert files(home) == {}
    assert database.corpus.norms() == []


def test_a_home_with_anything_in_it_is_left_alone(source: Source, database: Database, home: Path) -> None:
    (home / "enriched").mkdir()
    (home / "enriched" / "n-1.jsonl").write_text("otra cosa")
    with pytest.raises(InputError, match=r"enriched/n-1\.jsonl"):
        restore(database.engines, home, source.archive)
    assert files(home) == {"enriched/n-1.jsonl": b"otra cosa"}
    assert database.corpus.norms() == []


def test_a_restore_that_fails_leaves_database_and_home_empty(
    source: Source, database: Database, home: Path
) -> None:
    before_each_read(database, lambda sql: os.close(-1) if sql.startswith("INSERT INTO traces") else None)
    with pytest.raises(OSError):
        restore(database.engines, home, source.archive)
    assert files(home) == {}
    assert database.corpus.norms() == [] and database.jobs.jobs() == []


def test_a_disk_that_refuses_a_file_leaves_neither_files_nor_rows(
    source: Source, database: Database, home: Path
) -> None:
    (home / "enriched" / "n-1.jsonl").mkdir(parents=True)  # nothing can be written in its place
    with pytest.raises(InputError, match=r"enriched/n-1\.jsonl"):
        restore(database.engines, home, source.archive)
    assert files(home) == {}
    assert database.corpus.norms() == []


KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from service.backup.backup import restore
from storage.stores import open_database
database = open_database(sys.argv[1])
def die(*arguments):
    if arguments[2].startswith(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
def watch(happened, arguments):
    if happened == "os.rename" and [".restoring" in str(one) for one in arguments[:2]] == [True, False]:
        sys.argv[2] == "NO FILE" and os.kill(os.getpid(), signal.SIGKILL)
        sys.argv[2] = sys.argv[2].replace("ONE", "NO")
sys.addaudithook(watch)
event.listen(database.engines.engine, "after_cursor_execute", die)
event.listen(database.engines.engine, "commit", lambda connection: die(0, 0, "COMMIT"))
restore(database.engines, Path(sys.argv[3]), Path(sys.argv[4]))
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.parametrize("moment", ["INSERT INTO traces", "COMMIT", "NO FILE", "ONE FILE"])
def test_killed_at_any_moment_it_leaves_the_old_home_or_after_the_next_start_the_new_one(
    source: Source, database_url: str, home: Path, moment: str
) -> None:
    open_database(database_url).close()
    arguments = [database_url, moment, str(home), str(source.archive)]
    assert Child(KILLED, *arguments).wait() == (-signal.SIGKILL, "")
    with closing(open_database(database_url)) as database:
        settled(database, home)
        stored = "FILE" in moment
        assert bool(files(home)) == any(contents(database_url).values()) == stored
        if not stored:
            restore(database.engines, home, source.archive)
    assert contents(database_url) == as_restored(contents(source.url))
    assert files(home) == files(source.home)


def test_a_program_opened_after_a_killed_restore_has_nothing_of_it(source: Source, home: Path) -> None:
    url = f"sqlite:///{home / 'articulado.db'}"
    open_database(url).close()
    assert Child(KILLED, url, "COMMIT", str(home), str(source.archive)).wait()[0] == -signal.SIGKILL
    assert files(home)
    new_program(home).close()
    assert files(home) == {}
