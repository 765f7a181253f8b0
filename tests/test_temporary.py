"""Temporary files go to memory only where there is enough of it."""

from pathlib import Path

import pytest

from tests.temporary import has_room

GIB = 2**30


@pytest.fixture
def meminfo(tmp_path: Path) -> Path:
    path = tmp_path / "meminfo"
    path.write_text(f"MemTotal:  9999 kB\nMemAvailable:   {2 * GIB // 1024} kB\n")
    return path


@pytest.mark.parametrize(("room", "enough"), [(1, True), (2 * GIB, True), (2 * GIB + 1, False)])
def test_the_machine_must_have_the_memory_left(
    tmp_path: Path, meminfo: Path, room: int, enough: bool
) -> None:
    assert has_room(tmp_path, meminfo, room) is enough


def test_the_folder_must_have_the_room(tmp_path: Path, meminfo: Path) -> None:
    meminfo.write_text(f"MemAvailable: {2**60} kB\n")
    assert not has_room(tmp_path, meminfo, 2**60)


def test_a_system_without_such_a_folder_keeps_its_disk(tmp_path: Path, meminfo: Path) -> None:
    assert not has_room(tmp_path / "shm", meminfo, 1)
    assert not has_room(tmp_path, tmp_path / "nothing", 1)
