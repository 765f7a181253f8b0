"""The real law with its vectors, rulings and agreements, made once a run from that of the other tests."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.frozen.program import fill
from tests.frozen.seams import Law
from tests.real_law import made_once


@pytest.fixture(scope="session")
def law(ingested: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Law]:
    def make(folder: Path) -> None:
        # An index without room for vectors is made anew.
        fill(shutil.copytree(ingested / "home", folder / "home", ignore=shutil.ignore_patterns("index")))

    shared = made_once(tmp_path_factory, "frozen-law", make)
    with Law.at(shared / "home", tmp_path_factory.mktemp("frozen")) as opened:
        yield opened
