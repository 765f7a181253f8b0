"""Adapters of the VectorIndex port: the embedded engine, a client's memory mode, a server over HTTP."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from index.edge import EdgeIndex
from index.points import Fingerprint, IndexFilter, IndexPoint, IndexQuery
from index.server import ServerIndex
from index.server_options import MEMORY, ServerOptions
from index.sparse import document_vector, query_vector
from index.vector_index import VectorIndex
from law.chunks import Chunk
from tests.factories import make_chunk
from tests.qdrant_stub import qdrant_stub

PRINT = Fingerprint(embedding="prueba", dimensions=4, chunker="c1")
EAST, NORTH = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0)

Make = Callable[[], VectorIndex]


def served(url: str, **options: object) -> ServerIndex:
    return ServerIndex(ServerOptions.model_validate({"url": url, **options}))


@pytest.fixture(params=["edge", "edge-large", "memory", "server"])
def make(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Makes adapters that look at the same place, as successive runs of the program would.

    The embedded engine also with its fields indexed, as it has them from many points on.
    """
    if request.param == "edge-large":
        monkeypatch.setattr("index.edge.FIELDS_FROM", 0)
    if request.param.startswith("edge"):
        yield lambda: EdgeIndex(tmp_path / "index")
    elif request.param == "memory":
        yield lambda: served(MEMORY)
    else:
        with qdrant_stub() as url:
            yield lambda: served(url)


@pytest.fixture
def index(make: Make) -> Iterator[VectorIndex]:
    opened = make()
    opened.open(PRINT)
    yield opened
    opened.close()


def point(chunk: Chunk | str, text: str = "despido", dense: tuple[float, ...] | None = EAST) -> IndexPoint:
    made = make_chunk(label=chunk) if isinstance(chunk, str) else chunk
    return IndexPoint(chunk=made, sparse=document_vector(text), dense=dense)


def lexical(text: str, limit: int = 10, where: IndexFilter | None = None) -> IndexQuery:
    return IndexQuery(sparse=query_vector(text), limit=limit, where=where or IndexFilter())


def near(vector: tuple[float, ...], limit: int = 10, where: IndexFilter | None = None) -> IndexQuery:
    return IndexQuery(dense=vector, limit=limit, where=where or IndexFilter())


def found(index: VectorIndex, query: IndexQuery) -> list[str]:
    return [hit.id for hit in index.search([query])[0]]


def name(label: str) -> str:
    return make_chunk(label=label).id
