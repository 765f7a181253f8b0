"""The real norms in ../shared/boe, ingested once a run. Every worker has a copy and its tests leave it so."""

import os
import pickle
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import portalocker
import pytest

from loading.indexing.index_sync import IndexReport
from loading.ingestion.ingest import IngestReport
from service.program.assembly import App
from tests.homes import new_program


@dataclass(frozen=True)
class RealLaw:
    """A program with every norm in it, without vectors, and what its ingestion reported."""

    program: App
    report: IngestReport
    index: IndexReport


@pytest.fixture(scope="session")
def real_law(boe: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealLaw]:
    own = tmp_path_factory.getbasetemp()
    # The folder of a worker of xdist lies in that of the run.
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "real-law"
    with portalocker.Lock(f"{shared}.lock", timeout=170):
        if not (shared / "reports").exists():
            _ingest(boe, shared)
    program = new_program(shutil.copytree(shared / "home", own / "law"))
    yield RealLaw(program, *pickle.loads((shared / "reports").read_bytes()))
    program.close()


def _ingest(boe: Path, folder: Path) -> None:
    program = new_program(folder / "home")
    reports = program.loading.ingest([boe])
    program.close()
    (folder / "reports").write_bytes(pickle.dumps(reports))
