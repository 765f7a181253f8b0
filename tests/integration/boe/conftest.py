"""The BOE's API replayed over real HTTP, and a library that takes norms from it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from law.norms import Document
from loading.boe.boe_client import BoeClient
from loading.boe.boe_copies import Copies
from loading.boe.boe_update import BoeLibrary
from loading.ingestion.ingest import Ingested, store_document
from tests.boe_server import BoeServer, write_norm
from tests.fakes import MemoryCorpus

ID, OTHER, REFORM = "BOE-A-2001-1", "BOE-A-2001-2", "BOE-A-2021-9"
FIRST = ("20010201", ID, "Vacaciones.\n1. Treinta días de descanso inventado al año.")
AMENDED = ("20210501", REFORM, "Vacaciones.\n1. Treinta y un días de descanso inventado al año.")
GONE = ("20210501", REFORM, "Horas.\n(Derogado)")
HOURS = ("20010201", ID, "Horas.\n1. Las horas inventadas se cuentan una a una.")


@pytest.fixture
def served(tmp_path: Path) -> Path:
    root = tmp_path / "served"
    write_norm(root, ID, {"1": [FIRST], "2": [HOURS]})
    write_norm(
        root,
        OTHER,
        {"1": [FIRST]},
        title="Ley 2/2001, de 2 de enero, de otras pruebas",
        numero_oficial="2/2001",
    )
    return root


@pytest.fixture
def server(served: Path) -> Iterator[BoeServer]:
    with BoeServer(served) as running:
        yield running


class Waits(list[float]):
    """A `sleep` that only remembers, and the clock that nothing else moves."""

    __call__ = list.append

    def clock(self) -> float:
        return sum(self)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def client(server: BoeServer, waits: Waits) -> Iterator[BoeClient]:
    made = BoeClient(server.url, rate=1000, timeout=5, sleep=waits, clock=waits.clock)
    yield made
    made.close()


@pytest.fixture
def copies(tmp_path: Path, client: BoeClient) -> Copies:
    return Copies(tmp_path / "home" / "boe", client)


@pytest.fixture
def corpus() -> MemoryCorpus:
    return MemoryCorpus()


@pytest.fixture
def brought() -> list[str]:
    """The norms that were loaded, each time."""
    return []


@pytest.fixture
def library(copies: Copies, corpus: MemoryCorpus, brought: list[str]) -> BoeLibrary:
    def put(folder: Path, document: Document) -> Ingested:
        brought.append(folder.name)
        return store_document(folder, document, corpus, corpus)

    return BoeLibrary(copies, corpus, put)


def reform(served: Path) -> None:
    write_norm(
        served,
        ID,
        {
            "1": [FIRST, AMENDED],
            "2": [HOURS, GONE],
            "3": [("20210501", REFORM, "Nuevo.\nTexto nuevo inventado.")],
        },
        updated="20210430T000000Z",
    )
