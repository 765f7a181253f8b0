"""The folder of the embedded index: held, damaged, killed, closed."""

import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from core.errors import IndexMismatch, IndexUnavailable
from index.edge import FIELDS_FROM, EdgeIndex
from index.payload import FIELDS
from index.points import IndexFilter
from tests.contract.index.conftest import PRINT, found, lexical, name, point
from tests.processes import Child

OPENER = """
import sys
from pathlib import Path
from index.edge import EdgeIndex
from index.points import Fingerprint
EdgeIndex(Path(sys.argv[1])).open(Fingerprint.model_validate_json(sys.argv[2]))
"""


@pytest.mark.slow
def test_a_process_that_tries_to_open_a_held_folder_harms_nothing(tmp_path: Path) -> None:
    """The engine's own lock comes too late: it cuts files of the index that is in use."""
    first = EdgeIndex(tmp_path)
    first.open(PRINT)
    for start in range(0, 3000, 200):
        first.upsert([point(str(i), f"despido {i}") for i in range(start, start + 200)])
        if start % 1000 == 400:
            code, errors = Child(OPENER, str(tmp_path), PRINT.model_dump_json()).wait()
            assert code == 1 and "Otro proceso" in errors
    first.close()
    first.open(PRINT)
    assert first.count() == 3000
    first.close()


def test_a_second_opener_of_a_folder_is_told_who_holds_it(tmp_path: Path) -> None:
    first = EdgeIndex(tmp_path)
    first.open(PRINT)
    first.upsert([point("1")])

    second = EdgeIndex(tmp_path)
    for attempt in (second.open, second.reset):
        with pytest.raises(IndexUnavailable, match="Otro proceso"):
            attempt(PRINT)

    assert found(first, lexical("despido")) == [name("1")]
    first.close()
    second.open(PRINT)
    assert second.count() == 1
    second.close()


@pytest.mark.parametrize(
    "damage", ["edge_config.json", "segment.json", "fingerprint.json", "everything"], ids=str
)
def test_a_damaged_folder_says_reindex_and_reset_mends_it(tmp_path: Path, damage: str) -> None:
    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    index.upsert([point("1")])
    index.close()
    for path in tmp_path.rglob("*"):
        if path.is_file() and damage in (path.name, "everything"):
            path.write_bytes(b"\xff\x00 not what it was")

    broken = EdgeIndex(tmp_path)
    with pytest.raises(IndexUnavailable, match=r"python cli\.py reindex"):
        broken.open(PRINT)
    broken.reset(PRINT)
    broken.upsert([point("1")])
    assert found(broken, lexical("despido")) == [name("1")]
    broken.close()


@pytest.mark.parametrize("place", ["", "shard", "fingerprint.json"])
def test_what_lies_in_the_place_of_the_index_is_replaced_by_reset(tmp_path: Path, place: str) -> None:
    path = tmp_path / "index" / place
    path.parent.mkdir(exist_ok=True)
    path.mkdir() if place.endswith(".json") else path.write_text("no es un índice")
    index = EdgeIndex(tmp_path / "index")
    with suppress(IndexUnavailable):
        index.open(PRINT)
    index.reset(PRINT)
    index.upsert([point("1")])
    assert found(index, lexical("despido")) == [name("1")]
    index.close()


def test_a_build_cut_short_says_reindex(tmp_path: Path) -> None:
    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    index.close()
    (tmp_path / "fingerprint.json").unlink()

    with pytest.raises(IndexMismatch, match=r"python cli\.py reindex"):
        EdgeIndex(tmp_path).open(PRINT)


def test_a_folder_of_which_only_what_the_engine_wrote_again_is_left_is_made_anew(tmp_path: Path) -> None:
    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    index.upsert([point("1")])
    (tmp_path / "fingerprint.json").unlink()
    (tmp_path / "shard" / "edge_config.json").write_text("{}")

    index.open(PRINT)
    assert index.count() == 0
    index.upsert([point("2")])
    assert found(index, lexical("despido")) == [name("2")]
    index.close()


WRITER = """
import sys
from pathlib import Path
from index.edge import FIELDS_FROM, EdgeIndex
from index.payload import FIELDS
from index.points import IndexFilter
from tests.contract.index.conftest import PRINT, point

index = EdgeIndex(Path(sys.argv[1]))
index.open(PRINT)
for number in range(10_000):
    index.upsert([point(str(number))])
    print(number, flush=True)
"""


@pytest.mark.slow
def test_a_killed_process_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    writer = Child(WRITER, str(tmp_path))
    acknowledged = [next(writer.out) for _ in range(60)]
    writer.kill()
    acknowledged += list(writer.out)
    assert writer.wait() == (-signal.SIGKILL, "")

    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    assert index.ids() >= {name(str(int(line))) for line in acknowledged}
    assert found(index, lexical("despido", limit=1)) == [name("0")]
    index.close()


class Told:
    """A shard that notes what is asked of it."""

    def __init__(self, shard: object) -> None:
        self.shard, self.asked = shard, []

    def __getattr__(self, name: str) -> object:
        self.asked.append(name)
        return getattr(self.shard, name)


def test_a_close_that_takes_long_is_told_with_its_duration(tmp_path, monkeypatch, caplog):
    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    index.close()
    assert "closing the index took" not in caplog.text
    index.open(PRINT)
    monkeypatch.setattr("index.edge.SLOW_SECONDS", -1.0)
    index.close()
    assert re.search(r"closing the index took \d+\.\d s", caplog.text)


def indexed_fields(index: EdgeIndex) -> set[str]:
    return set(index._shard().info().payload_schema)


def test_fields_are_indexed_once_there_are_many_points(tmp_path: Path) -> None:
    """Searches of the same points with the same conditions find the same before and after."""
    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    points = [point(str(number), f"despido {number}") for number in range(FIELDS_FROM)]
    index.upsert(points[:-1])
    assert indexed_fields(index) == set()
    query = lexical("despido", where=IndexFilter(labels=("3", "77")))
    few = found(index, query)
    assert sorted(few) == sorted([name("3"), name("77")])
    index.upsert(points[-1:])
    assert indexed_fields(index) == FIELDS.keys()
    assert found(index, query) == few
    index.close()


def test_what_a_killed_process_did_not_index_is_indexed_with_the_next_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = EdgeIndex(tmp_path)
    index.open(PRINT)
    index.upsert([point("1")])
    index.close()
    monkeypatch.setattr("index.edge.FIELDS_FROM", 2)
    index.open(PRINT)
    assert indexed_fields(index) == set()
    index.upsert([point("2")])
    assert indexed_fields(index) == FIELDS.keys()
    index.close()
