"""The real norms in ../shared/boe, ingested once a run. Every worker has a copy and its tests leave it so."""

import os
import pickle
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import portalocker
import pytest

from loading.indexing.index_sync import IndexReport
from loading.ingestion.ingest import IngestReport
from service.program.assembly import App
from tests.homes import new_program

LONGEST = 590
"""Seconds that a worker waits for another."""


@dataclass(frozen=True)
class RealLaw:
    """A program with every norm in it, without vectors, and what its ingestion reported."""

    program: App
    report: IngestReport
    index: IndexReport


@pytest.fixture(scope="session")
def ingested(boe: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a home with every norm, which nobody opens, and of the reports of its ingestion."""
    return made_once(tmp_path_factory, "real-law", lambda folder: _ingest(boe, folder))


@pytest.fixture(scope="session")
def real_law(ingested: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealLaw]:
    program = new_program(shutil.copytree(ingested / "home", tmp_path_factory.getbasetemp() / "law"))
    yield RealLaw(program, *pickle.loads((ingested / "reports").read_bytes()))
    program.close()


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that one worker makes and the others wait for."""
    own = factory.getbasetemp()
    # The folder of a worker of xdist lies in that of the run.
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    with portalocker.Lock(f"{shared}.lock", timeout=LONGEST):
        if not (shared / "made").exists():
            make(shared)
            (shared / "made").touch()
    return shared


def _ingest(boe: Path, folder: Path) -> None:
    program = new_program(folder / "home")
    reports = program.loading.ingest([boe])
    program.close()
    (folder / "reports").write_bytes(pickle.dumps(reports))
