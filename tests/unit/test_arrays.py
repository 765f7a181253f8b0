"""Arrays of a data file."""

from pathlib import Path

import numpy as np
import pytest

from rag.index import arrays as reader

CLASH = SystemError("AST constructor recursion depth mismatch (before=51, after=48)")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    np.savez(tmp_path / "some.npz", one=np.arange(3), name="x")
    return tmp_path / "some.npz"


def test_the_arrays_are_read_by_name(file: Path) -> None:
    found = reader.arrays(file)
    assert (found["one"].tolist(), str(found["name"])) == ([0, 1, 2], "x")


@pytest.mark.parametrize(("clashes", "read"), [(reader.TRIES - 1, True), (reader.TRIES, False)])
def test_a_clash_of_two_parsers_is_tried_again(
    file: Path, monkeypatch: pytest.MonkeyPatch, clashes: int, read: bool
) -> None:
    failures = [CLASH] * clashes
    load = np.load

    def clashing(*given: object, **more: object) -> object:
        if failures:
            raise failures.pop()
        return load(*given, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(np, "load", clashing)
    if read:
        assert reader.arrays(file)["one"].tolist() == [0, 1, 2]
        return
    with pytest.raises(SystemError):
        reader.arrays(file)
