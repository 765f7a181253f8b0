"""The index of documents over both adapters: no search sees beyond its scope, whatever it asks for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from casework.matters.paper_fragments import Fragment, Scope
from casework.matters.paper_index import MatterIndex
from core.errors import IndexHeld
from index.edge import EdgeIndex
from index.server import ServerIndex
from index.server_options import ServerOptions

PLACES = {"m:uno": "carta de despido", "m:dos": "carta de despido ajena", "c:tres": "nómina de la carta"}
VECTOR = (1.0, 0.0, 0.0, 0.0)


def filled(index: MatterIndex) -> MatterIndex:
    index.open("m", 4)
    for place, text in PLACES.items():
        fragments = [Fragment(number=number, text=f"{text} {number}") for number in (1, 2)]
        index.put(place, f"doc-{place[2:]}", fragments, [VECTOR, VECTOR])
    return index


@pytest.fixture(params=["edge", "server"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MatterIndex]:
    inner = EdgeIndex(tmp_path) if request.param == "edge" else ServerIndex(ServerOptions(url=":memory:"))
    made = filled(MatterIndex(inner))
    yield made
    made.close()


def seen(index: MatterIndex, scope: Scope) -> set[str]:
    found = index.search(scope, ["carta", "despido", "nómina"], [VECTOR], 50)
    return {one.partition("/")[0] for ranking in found for one in ranking}


def test_a_search_finds_what_is_in_its_scope_and_nothing_else(index: MatterIndex) -> None:
    assert seen(index, Scope(matter="uno")) == {"doc-uno"}
    assert seen(index, Scope(conversation="tres")) == {"doc-tres"}
    assert seen(index, Scope(matter="dos", conversation="tres")) == {"doc-dos", "doc-tres"}


@pytest.mark.parametrize("forged", ["m:uno", "c:tres", "*", "uno' OR 1=1", "unoo", "UNO", "uno ", "u"])
def test_a_forged_scope_sees_nothing(index: MatterIndex, forged: str) -> None:
    assert seen(index, Scope(matter=forged)) == set()
    assert seen(index, Scope(conversation=forged)) == set()


def test_what_is_deleted_is_found_no_more(index: MatterIndex) -> None:
    index.delete(["doc-uno/1"])
    assert index.held() == {"doc-uno": {2}, "doc-dos": {1, 2}, "doc-tres": {1, 2}}
    index.delete(["doc-uno/2"])
    assert seen(index, Scope(matter="uno")) == set()


def test_putting_a_document_again_replaces_it(index: MatterIndex) -> None:
    index.put("m:dos", "doc-uno", [Fragment(number=1, text="carta"), Fragment(number=2, text="carta")])
    assert seen(index, Scope(matter="uno")) == set()
    assert seen(index, Scope(matter="dos")) == {"doc-uno", "doc-dos"}


def test_one_of_another_model_or_damaged_is_made_anew_and_one_in_use_is_left_alone(tmp_path: Path) -> None:
    first = filled(MatterIndex(EdgeIndex(tmp_path)))
    second = MatterIndex(EdgeIndex(tmp_path))
    with pytest.raises(IndexHeld):
        second.open("m", 4)
    first.close()
    second.open("m", 4)
    assert len(second.held()) == 3
    second.close()
    other = MatterIndex(EdgeIndex(tmp_path))
    other.open("otro", 8)
    assert other.held() == {}
    other.close()
