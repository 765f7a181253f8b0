"""An installation with its backup, an empty home, and an open database of either kind."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage.stores import Database, open_database
from tests.backups import Source, make_source


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    home = tmp_path_factory.mktemp("source")
    return make_source(
        f"sqlite:///{home / 'articulado.db'}", home, tmp_path_factory.mktemp("copies") / "copia.zip"
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir(mode=0o700)
    return made


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    with closing(open_database(database_url)) as opened:
        yield opened
