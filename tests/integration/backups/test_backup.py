"""Backups: what comes back is what there was, on either database, whatever happens meanwhile."""

import asyncio
import json
import sqlite3
import stat
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import func, select

import cli
from service import config
from service.backup.backup import backup, restore, verify
from service.contract.search import hits_of
from service.program.assembly import App
from storage import former
from storage.stores import Database, open_database
from storage.tables.declarative import Base
from tests.backups import (
    TABLES,
    Source,
    as_restored,
    ask,
    contents,
    files,
    furnish,
    make_source,
)
from tests.conftest import DATA, ROOT, Maker
from tests.factories import ids, make_norm, save

pytest_plugins = ("tests.postgres",)
KINDS = ("sqlite", "postgresql")
FORMER = ROOT / "tests" / "archives" / "schema_0020.zip"


def new_url(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if kind == "sqlite":
        return f"sqlite:///{folder / 'articulado.db'}"
    url: str = request.getfixturevalue("postgres").create()
    return url


@pytest.fixture(scope="module", params=KINDS)
def either(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, source: Source
) -> Source:
    """One on each database."""
    if request.param == "sqlite":
        return source
    home = tmp_path_factory.mktemp("source")
    return make_source(
        new_url("postgresql", home, request), home, tmp_path_factory.mktemp("copies") / "copia.zip"
    )


# What comes back


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_and_every_file_comes_back_on_either_database(
    either: Source, kind: str, tmp_path: Path, home: Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(kind, tmp_path, request)
    with closing(open_database(url)) as database:
        manifest, skipped = restore(database.engines, home, either.archive)
    assert skipped == {}

    before, after = as_restored(contents(either.url)), contents(url)
    assert after.keys() == before.keys()
    assert all(before.values()), "a table was left empty: the test says nothing of it"
    for table, rows in before.items():
        assert after[table] == rows, table
    assert dict(manifest.tables) == {table: len(rows) for table, rows in before.items()}
    assert files(home) == files(either.home) != {}


def test_sqlite_gets_its_bytes_back_one_by_one(tmp_path: Path) -> None:
    homes = [tmp_path / "one", tmp_path / "two"]
    found = []
    for made in homes:
        made.mkdir()
    with closing(open_database(f"sqlite:///{homes[0] / 'articulado.db'}")) as database:
        furnish(database, homes[0])
        database.ledger.reset_index_state()
        backup(database.engines, homes[0], tmp_path / "copia.zip")
    with closing(open_database(f"sqlite:///{homes[1] / 'articulado.db'}")) as database:
        restore(database.engines, homes[1], tmp_path / "copia.zip")
    for made in homes:
        with closing(sqlite3.connect(made / "articulado.db")) as raw:
            raw.text_factory = bytes
            found.append(
                {table.name: sorted(raw.execute(f"SELECT * FROM {table.name}"), key=repr) for table in TABLES}
            )
            found[-1]["sequences"] = sorted(
                raw.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
            )
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_number_that_was_given_is_not_given_again(
    either: Source, kind: str, tmp_path: Path, home: Path, request: pytest.FixtureRequest
) -> None:
    """The last conversation was deleted: who looked at its answers is still on record by their numbers."""
    with closing(open_database(new_url(kind, tmp_path, request))) as database:
        restore(database.engines, home, either.archive)
        _, answer = ask(database, "¿Otra?")
    assert answer == 6


def test_what_marks_itself_as_passing_stays_out(source: Source) -> None:
    left_out = {table.name for table in Base.metadata.sorted_tables} - {table.name for table in TABLES}
    assert left_out >= {"leases", "index_tombstones"}
    assert not left_out & set(verify(source.archive).tables)


def test_without_vectors_all_of_them_are_to_be_made_again(
    database: Database, tmp_path: Path, home: Path
) -> None:
    save(database.corpus_writer, make_norm())
    database.vectors.put("m", {"a": (1.0,)})
    database.ledger.mark_embedded(database.corpus.ids(), "m")  # type: ignore[arg-type]
    database.ledger.mark_passages(database.corpus.ids(), "m")  # type: ignore[arg-type]
    backup(database.engines, home, tmp_path / "copia.zip", vectors=False)
    with closing(open_database(f"sqlite:///{tmp_path / 'new.db'}")) as restored:
        manifest, _ = restore(restored.engines, home, tmp_path / "copia.zip")
        assert restored.vectors.get("m", ["a"]) == {}
        assert ids(restored.ledger.to_embed("m")) == sorted(database.corpus.ids())
        assert restored.ledger.passages_left("m") == len(database.corpus.ids())
    assert not manifest.vectors


def test_after_it_every_chunk_waits_for_the_index(source: Source, database: Database, home: Path) -> None:
    restore(database.engines, home, source.archive)
    assert set(ids(database.ledger.pending_index(dense=False))) == database.corpus.ids() != set()
    assert database.ledger.stale_index_ids() == []


SINCE = {"assignments", "given_facts", "kept_drafts", "kept_terms"}
"""Tables that came after the first schema."""


def test_a_backup_from_before_all_migrations_is_fitted_to_todays_tables(
    database: Database, home: Path
) -> None:
    """Made by the last program of revision 0020, with something in every table, all of it invented."""
    manifest, skipped = restore(database.engines, home, FORMER)
    assert skipped == {"watches": 1, "question_news": 1, "digests": 2}
    assert manifest.revision == former.REVISION
    with database.engines.engine.connect() as connection:
        for table in (one for one in TABLES if one.name not in SINCE):
            rows = connection.scalar(select(func.count()).select_from(table))
            assert rows == manifest.tables[table.name] - skipped.get(table.name, 0) > 0, table.name
    assert [one.kind.value for one in database.watches.watches("ana")] == ["norm", "article", "matter"]
    news = database.news.news("ana").items
    assert [(one.event.label, one.answer_count, one.watched) for one in news] == [
        ("1", 1, True),
        ("2", 0, True),
    ]
    assert [one.question for one in news[0].answers] == ["¿Qué plazo hay?"]
    assert database.digests.problem() is None
    assert len(database.conversations.search("ana", "plazo")) == 1
    assert ask(database, "¿Otra?")[1] == 8
    assert "uploads" in {path.partition("/")[0] for path in files(home)}


def test_the_same_is_found_before_and_after(make_program: Maker, tmp_path: Path) -> None:
    before, after = make_program([DATA]), make_program()
    backup(before.database.engines, before.home, tmp_path / "copia.zip")
    restore(after.database.engines, after.home, tmp_path / "copia.zip")
    report = after.keeper.reindex()
    assert report.from_cache == report.dense == before.database.corpus.counts().chunks
    for query in ("vacaciones", "despido improcedente", "art. 6 bis de la LTF", "baja médica"):
        assert _ranked(before, query) == _ranked(after, query) != []


def _ranked(program: App, query: str, mode: str = "hybrid") -> list[tuple[str, float]]:
    hits, _ = asyncio.run(hits_of(program.services, query, date(2026, 1, 1), mode))
    return [(hit.chunk.id, hit.score) for hit in hits]


# On the command line


def run(monkeypatch: pytest.MonkeyPatch, home: Path, *arguments: str) -> int:
    config.settings.cache_clear()
    with monkeypatch.context() as patch:
        patch.setenv("ARTICULADO_HOME", str(home))
        patch.setenv("EMBEDDINGS_PROVIDER", "none")
        try:
            return cli.main(arguments)
        finally:
            config.settings.cache_clear()


def test_the_commands_print_one_document_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    one, two, archive = tmp_path / "one", tmp_path / "two", str(tmp_path / "copia.zip")
    assert run(monkeypatch, one, "ingest", str(ROOT / "tests" / "data"), "--json") == 0
    capsys.readouterr()
    printed = []
    for home, *arguments in (
        (one, "backup", archive),
        (two, "restore", archive, "--verify-only"),
        (two, "restore", archive),
    ):
        assert run(monkeypatch, home, *arguments, "--json") == 0
        printed.append(json.loads(capsys.readouterr().out))
        assert two.exists() == ("--verify-only" not in arguments and home == two)
    assert printed[0] == printed[1] == printed[2]
    assert printed[0]["tables"]["norms"] == 3
    assert run(monkeypatch, two, "search", "vacaciones") == 0
    assert "Vacaciones anuales" in capsys.readouterr().out
    assert run(monkeypatch, two, "doctor") == 0
    assert run(monkeypatch, two, "restore", archive) == 1
    assert "no está vacía" in capsys.readouterr().err
    assert stat.S_IMODE(two.stat().st_mode) == 0o700


def test_what_a_backup_has_that_there_is_no_place_for_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(monkeypatch, tmp_path / "home", "restore", str(FORMER)) == 0
    told = capsys.readouterr().out
    assert "No restaurado (1): vigilancias de preguntas, que el programa ya no repite por sí mismo\n" in told
    assert "No restaurado (1): diferencias halladas al repetir esas preguntas\n" in told
    assert "No restaurado (2): envíos a un webhook, que ya no se hacen\n" in told
