"""When the embedded index is rewritten: always while it is small; a large one, when it is worth it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from index import edge
from index.edge import EdgeIndex
from index.points import Fingerprint, IndexPoint
from index.sparse import document_vector
from tests.factories import make_chunk


def norm(number: int, words: str = "despido") -> list[IndexPoint]:
    """Ten chunks with these words."""
    sparse = document_vector(words)
    return [IndexPoint(chunk=make_chunk(f"X-{number}", str(one)), sparse=sparse) for one in range(10)]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[EdgeIndex]:
    """Forty chunks, whole and rewritten."""
    made = EdgeIndex(tmp_path)
    made.open(Fingerprint(embedding="", dimensions=0, chunker="c"))
    for number in range(4):
        made.upsert(norm(number))
    made.optimize()
    yield made
    made.close()


def rewritten(index: EdgeIndex, monkeypatch: pytest.MonkeyPatch) -> bool:
    """True if `optimize` reaches the engine."""
    called: list[bool] = []
    shard = index._shard()

    class Watched:
        def __getattr__(self, name: str) -> object:
            called.append(name == "optimize")
            return getattr(shard, name)

    monkeypatch.setattr(index, "_open_shard", Watched())
    index.optimize()
    return any(called)


def test_a_small_index_is_rewritten_after_each_change(
    index: EdgeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.upsert(norm(0)[:1])
    assert rewritten(index, monkeypatch)


@pytest.mark.parametrize(("replaced", "expected"), [(1, False), (2, True)])
def test_a_large_index_is_rewritten_when_a_share_of_it_was_replaced(
    index: EdgeIndex, monkeypatch: pytest.MonkeyPatch, replaced: int, expected: bool
) -> None:
    monkeypatch.setattr(edge, "LARGE", 40)
    index.upsert(norm(0)[:replaced])
    assert rewritten(index, monkeypatch) is expected


def test_what_was_deleted_is_gone_from_a_large_index_too(
    index: EdgeIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "LARGE", 1)
    index.delete([norm(0)[0].chunk.id])
    assert rewritten(index, monkeypatch)
    assert not rewritten(index, monkeypatch)


def test_a_large_index_that_was_opened_is_rewritten_once(
    index: EdgeIndex, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(edge, "LARGE", 1)
    index.close()
    again = EdgeIndex(tmp_path)
    again.open(Fingerprint(embedding="", dimensions=0, chunker="c"))
    assert rewritten(again, monkeypatch)
    assert not rewritten(again, monkeypatch)
    again.close()
