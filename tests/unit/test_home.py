"""The folder of the installation is its owner's alone, or the program does not start."""

import stat
from pathlib import Path

import pytest

from core.errors import ConfigurationError
from service.program import assembly
from service.program.home import close
from tests.factories import settings_of


def mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


def folder_with(tmp_path: Path, bits: int) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    made.chmod(bits)
    return made


def refused(self: Path, bits: int) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_a_new_folder_is_closed(tmp_path: Path) -> None:
    close(tmp_path / "one" / "two")
    assert mode(tmp_path / "one" / "two") == 0o700


@pytest.mark.parametrize("bits", [0o755, 0o750, 0o777, 0o701, 0o704])
def test_a_folder_that_others_can_enter_is_closed_when_the_program_starts(tmp_path: Path, bits: int) -> None:
    home = folder_with(tmp_path, bits)
    chosen = settings_of(articulado_home=home, embeddings_provider="none")
    program = assembly.build(chosen)
    program.close()
    assert mode(home) == 0o700


@pytest.mark.parametrize("bits", [0o755, 0o775, 0o701])
def test_a_folder_of_another_that_stays_open_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    home = folder_with(tmp_path, bits)
    monkeypatch.setattr(Path, "chmod", refused)
    with pytest.raises(ConfigurationError, match="chmod 700"):
        close(home)


def test_a_folder_that_lets_us_in_by_its_group_alone_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = folder_with(tmp_path, 0o2770)
    monkeypatch.setattr(Path, "chmod", refused)
    close(home)


def test_a_folder_that_everybody_shares_is_refused_and_stays_as_it_is(tmp_path: Path) -> None:
    home = folder_with(tmp_path, 0o1777)
    with pytest.raises(ConfigurationError, match="otra carpeta"):
        close(home)
    assert mode(home) == 0o1777
