"""A new database, or one that the migrations brought on, has exactly the tables of the models."""

import hashlib
from contextlib import closing

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, inspect, text

from core.errors import ConfigurationError, StorageError
from storage import migrate
from storage.backup import filling, snapshot
from storage.base.engine import MIGRATION_LOCK, Engines
from storage.migrate import config, head, upgrade
from storage.stores import open_database
from storage.tables.declarative import Base
from tests.databases import new_database
from tests.factories import chunks_of, make_norm
from tests.processes import Child

pytest_plugins = ("tests.postgres",)


@pytest.fixture
def engines(database_url):
    made = Engines(database_url)
    yield made
    made.close()


def of_the_models(name):
    """False for what the database keeps by itself (`storage.chat.message_words`)."""
    return "message_words" not in name


def differences(engines):
    opts = {"include_object": lambda _object, name, *_rest: of_the_models(name)}
    with engines.engine.connect() as connection:
        return compare_metadata(MigrationContext.configure(connection, opts=opts), Base.metadata)


def shape(engines):
    """Hash of every table with its columns, keys and indexes: the same on both databases."""
    there, lines = inspect(engines.engine), []
    for table in sorted(filter(of_the_models, there.get_table_names())):
        lines += [
            (table, one["name"], one["type"].python_type.__name__, one["nullable"])
            for one in there.get_columns(table)
            if of_the_models(one["name"])
        ]
        lines.append((table, there.get_pk_constraint(table)["constrained_columns"]))
        lines += [
            (table, one["constrained_columns"], one["referred_table"], one["options"].get("ondelete"))
            for one in there.get_foreign_keys(table)
        ]
        lines += [
            (table, one["name"], one["column_names"], bool(one["unique"]))
            for one in there.get_indexes(table)
            if of_the_models(one["name"])
        ]
    return hashlib.sha256("\n".join(sorted(map(repr, lines))).encode()).hexdigest()[:16]


def revisions():
    """Every migration, the last first."""
    return [one.module for one in ScriptDirectory.from_config(config()).walk_revisions()]


def test_a_new_database_has_exactly_the_tables_of_the_models(engines):
    upgrade(engines)
    assert differences(engines) == []
    names = {name for name in inspect(engines.engine).get_table_names() if of_the_models(name)}
    assert names == {*Base.metadata.tables, "alembic_version"}


def test_the_migrations_lead_from_each_earlier_schema_to_the_tables_of_the_models(engines):
    """Another hash of the last schema says that tables have changed: docs/how-to-add.md, «A migration»."""
    upgrade(engines)
    for migration in revisions():
        if migration.revision != head():
            with engines.connection(MIGRATION_LOCK) as connection:
                command.downgrade(config(connection), migration.revision)
        assert shape(engines) == migration.schema, migration.revision
    upgrade(engines)
    assert differences(engines) == []


@pytest.fixture
def next_migration(tmp_path, monkeypatch):
    """One more migration than there are, which gives norms a colour."""
    (tmp_path / "v9000_colours.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\n"
        f"revision, down_revision = '9000', {head()!r}\n"
        "def upgrade(): op.add_column('norms', sa.Column('colour', sa.Text(), server_default='red'))\n"
        "def downgrade(): op.drop_column('norms', 'colour')\n"
    )

    def add():
        monkeypatch.setattr("storage.migrate.MIGRATIONS", f"{migrate.MIGRATIONS}\n{tmp_path}")
        head.cache_clear()

    yield add
    head.cache_clear()


def test_a_migration_is_run_on_what_was_stored_before_it(database_url, next_migration):
    document = make_norm()
    first = open_database(database_url)
    first.corpus_writer.save(document, chunks_of(document), {})
    first.close()
    next_migration()
    second = open_database(database_url)
    with second.engines.engine.connect() as connection:
        assert connection.execute(text("SELECT id, colour FROM norms")).all() == [("N-1", "red")]
    second.close()


def test_rows_of_an_earlier_revision_are_filled_in_before_it(database_url, next_migration, tmp_path):
    document = make_norm()
    with closing(new_database(tmp_path / "earlier.db")) as earlier:
        earlier.corpus_writer.save(document, chunks_of(document), {})
        with snapshot(earlier.engines) as taken:
            rows = {name: list(taken.lines(name)) for name in taken.tables}
    engines, before = Engines(database_url), head()
    upgrade(engines)
    next_migration()
    upgrade(engines)
    with filling(engines, before, rows, {}) as filled:
        for name in filled.tables:
            filled.load(name, rows[name])
    with engines.engine.connect() as connection:
        assert connection.execute(text("SELECT id, colour FROM norms")).all() == [("N-1", "red")]
    engines.close()


def test_opening_again_keeps_what_was_stored(database_url):
    document = make_norm()
    first = open_database(database_url)
    first.corpus_writer.save(document, chunks_of(document), {})
    first.close()
    second = open_database(database_url)
    assert [norm.id for norm in second.corpus.norms()] == ["N-1"]
    second.close()


def test_a_migration_that_fails_leaves_no_table_behind(engines):
    def refuse_chunks(_connection, _cursor, statement, *_rest):
        if "CREATE TABLE chunks" in statement:
            raise RuntimeError("out of space")

    event.listen(engines.engine, "before_cursor_execute", refuse_chunks)
    with pytest.raises(RuntimeError):
        upgrade(engines)
    assert inspect(engines.engine).get_table_names() == []


def test_a_database_of_a_newer_version_is_refused_with_a_clear_message(engines):
    claim(engines, "9999")
    with pytest.raises(StorageError, match="otra versión"):
        upgrade(engines)


@pytest.mark.parametrize("revision", ["0001", "0020"])
def test_a_database_from_before_all_migrations_is_refused_and_told_the_way(engines, revision):
    claim(engines, revision)
    with pytest.raises(StorageError) as caught:
        upgrade(engines)
    assert str(caught.value) == (
        "La base de datos es de una versión anterior del programa y no se ha tocado: haga una copia con esa "
        "versión («python cli.py backup COPIA.zip») y restáurela con esta en una carpeta y una base de datos "
        "nuevas («python cli.py restore COPIA.zip»)."
    )


def claim(engines, revision):
    """Let the database say that it is of that revision."""
    upgrade(engines)
    with engines.engine.begin() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))


@pytest.mark.slow
def test_several_processes_may_start_at_once_on_an_empty_database(database_url):
    program = "import sys; from storage.stores import open_database; open_database(sys.argv[1]).close()"
    started = [Child(program, database_url) for _ in range(6)]
    assert [child.wait() for child in started] == [(0, "")] * 6
    engines = Engines(database_url)
    assert differences(engines) == []
    engines.close()


@pytest.mark.parametrize("url", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://u:secret@h/d"])
def test_an_unusable_url_is_a_configuration_error_that_does_not_repeat_it(url):
    with pytest.raises(ConfigurationError) as caught:
        open_database(url)
    assert "secret" not in str(caught.value)


def test_a_server_that_does_not_answer_is_a_storage_error_without_the_password():
    with pytest.raises(StorageError) as caught:
        open_database("postgresql://app:secret@127.0.0.1:1/none")
    assert "secret" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        open_database(f"sqlite:///{tmp_path / 'file' / 'articulado.db'}")
