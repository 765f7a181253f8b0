"""The migrations make exactly the tables of the models, on both databases and under concurrency."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, inspect, text

from core.errors import ConfigurationError, StorageError
from storage.base.engine import Engines
from storage.migrate import downgrade, upgrade
from storage.stores import open_database
from storage.tables.core import Base
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


def tables(engines):
    names = inspect(engines.engine).get_table_names()
    return {name for name in names if of_the_models(name)} - {"alembic_version"}


def test_the_migrations_make_exactly_the_tables_of_the_models(engines):
    upgrade(engines)
    assert differences(engines) == []
    assert tables(engines) == set(Base.metadata.tables)


def test_down_to_nothing_and_up_again_gives_the_same_tables(engines):
    upgrade(engines)
    downgrade(engines, "base")
    assert tables(engines) == set()
    upgrade(engines)
    assert differences(engines) == []


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
    upgrade(engines)
    with engines.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match="otra versión"):
        upgrade(engines)


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
