"""Pictures of a client's papers, with and without OCR; for the law, never."""

import stat
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import DOCUMENT
from loading.formats import load

PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def ocr(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A `tesseract` with Spanish that takes a PNG and says always the same."""
    folder = tmp_path / "bin"
    folder.mkdir()
    command = folder / "tesseract"
    command.write_text(
        '#!/bin/sh\n[ "$1" = --list-langs ] && echo spa && exit 0\ncat > /dev/null\n'
        "printf 'Recibo de salarios.\\nSalario base: 1.873,45 euros.\\n'\n"
    )
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return command


def picture(tmp_path: Path) -> Path:
    path = tmp_path / "nomina.png"
    path.write_bytes(PICTURE)
    return path


def test_a_picture_of_an_expediente_is_read_by_ocr(tmp_path: Path, ocr: Path) -> None:
    (found,) = load(picture(tmp_path), DOCUMENT)
    assert "Salario base: 1.873,45 euros." in "\n".join(one.versions[0].text for one in found.blocks)


def test_a_picture_without_text_says_so_in_one_sentence(tmp_path: Path, ocr: Path) -> None:
    ocr.write_text('#!/bin/sh\n[ "$1" = --list-langs ] && echo spa && exit 0\nexit 0\n')
    with pytest.raises(
        InputError, match=r"^nomina\.png: es una imagen en la que no se lee ningún texto;.*\.$"
    ):
        load(picture(tmp_path), DOCUMENT)


def test_without_ocr_a_picture_asks_for_a_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="es una imagen y necesita OCR"):
        load(picture(tmp_path), DOCUMENT)


def test_the_law_is_taken_from_no_picture(tmp_path: Path, ocr: Path) -> None:
    with pytest.raises(InputError, match="es una imagen y necesita OCR"):
        load(picture(tmp_path), "normativa")
