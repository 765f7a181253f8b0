"""Arrays of a data file."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from index import arrays as reader
from service.config import ROOT

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


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux lists the threads of a process")
@pytest.mark.parametrize(("chosen", "threads"), [({}, 1), ({"OPENBLAS_NUM_THREADS": "2"}, 2)])
def test_products_have_no_threads_of_their_own_unless_they_are_asked_for(
    chosen: dict[str, str], threads: int
) -> None:
    code = "import os, index.arrays; print(len(os.listdir('/proc/self/task')))"
    given = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=given | chosen, capture_output=True, text=True, check=True)
    assert int(done.stdout) == min(threads, os.cpu_count() or 1)
