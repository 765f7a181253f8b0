"""Files written whole or not at all."""

from pathlib import Path

import pytest

from core.whole_files import written_whole


def test_a_file_takes_its_place_when_it_is_whole(tmp_path: Path) -> None:
    place = tmp_path / "uno.txt"
    place.write_text("antes")
    with written_whole(place) as stream:
        stream.write(b"despu")
        assert place.read_text() == "antes"
        stream.write(b"es")
    assert place.read_text() == "despues"
    assert place.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [place]


def test_after_an_error_the_file_stays_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "uno.txt"
    place.write_text("antes")
    with pytest.raises(RuntimeError), written_whole(place) as stream:
        stream.write(b"despues")
        raise RuntimeError
    assert place.read_text() == "antes"
    assert list(tmp_path.iterdir()) == [place]
