"""Shared fixtures: a whole program over an invented corpus, offline or against a scripted model server."""

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from service.config import Settings
from service.program.assembly import App
from tests.databases import lay_tables
from tests.fakes import HashEmbedder
from tests.homes import DATA, Stock, new_program, stock
from tests.once import do_once
from tests.real_law import ingested, real_law  # noqa: F401
from tests.scripted import model_program, server  # noqa: F401
from tests.temporary import use_memory

use_memory()
# Until every test is collected: what that makes stays, and looking for circles in it takes as long again.
gc.disable()

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
BOE = SHARED / "boe"

# A setting of the developer's own environment must not reach a test, least of all a real key.
for name in Settings.model_fields:
    os.environ.pop(name.upper(), None)


LONGEST_FIRST = ("frozen", "e2e", "integration", "contract", "pages")
"""Folders in the order in which their files are run; the other files are short."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With the short files last no worker waits long for another; files and folders stay whole.

    One file of the real law is the first of all: by the time that others come, it is ingested.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    law = next((item.path for item in items if "ingested" in getattr(item, "fixturenames", ())), None)

    def place(item: pytest.Item) -> tuple[bool, int, bool]:
        folder = item.path.relative_to(ROOT / "tests").parts[0]
        at = LONGEST_FIRST.index(folder) if folder in LONGEST_FIRST else len(LONGEST_FIRST)
        return item.path != law, at, item.path not in slow

    items.sort(key=place)


def pytest_collection_finish() -> None:
    do_once()
    # No later look goes through the million objects of the collection.
    gc.freeze()
    gc.enable()


MAIN = sys.modules["__main__"]


def pytest_runtest_setup() -> None:
    """A page that was drawn leaves app.py as the main module, which each new process would run first."""
    sys.modules["__main__"] = MAIN


@pytest.fixture(scope="session")
def boe() -> Path:
    """The folder of real norms; tests that read it skip where it is absent."""
    if not BOE.is_dir():
        pytest.skip("the real norms (../shared/boe) are not here")
    return BOE


Maker = Callable[..., App]
STORED_BY = {"database_url", "qdrant_url", "normalize_documents"}
"""Settings with which the corpus is stored otherwise, or elsewhere."""


@pytest.fixture
def make_program(tmp_path: Path) -> Iterator[Maker]:
    """Build programs on a home of their own: `make_program(corpus=[paths], **settings)`.

    With an embedder of its own the corpus is ingested, unless `laid_by` gives what that embedder makes of it.
    """
    made: list[App] = []

    def make(
        corpus: Sequence[Path] = (),
        *,
        embedder: object = None,
        laid_by: Callable[[], Stock] | None = None,
        **values: object,
    ) -> App:
        home = tmp_path / f"home{len(made)}"
        laid_by = laid_by or (stock if embedder is None else None)
        usual = not values.keys() & STORED_BY and [*corpus[:1]] == [DATA]
        laid = laid_by() if laid_by is not None and usual else None
        if laid:
            home.mkdir(mode=0o700)
            (home / "articulado.db").write_bytes(laid.database)
        elif "database_url" not in values:
            lay_tables(home / "articulado.db")
        program = new_program(home, **values)
        program.models.embedder = HashEmbedder() if embedder is None else embedder
        made.append(program)
        if laid:
            laid.fill(program)
        if rest := corpus[laid is not None :]:
            program.loading.ingest([*rest])
        return program

    yield make
    for program in made:
        program.close()


@pytest.fixture
def program(make_program: Maker) -> App:
    """An offline program with the invented corpus."""
    return make_program([DATA])
