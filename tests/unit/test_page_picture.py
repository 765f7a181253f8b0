"""Pages as pictures with quotations marked, of real, damaged and hostile files, in the confined process."""

import base64
import io
import stat
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import InputError
from loading.formats.pictured_page import PagePicture, PicturedPassage
from loading.parsing.file_reader import FileReader
from loading.parsing.limits import Limits
from tests.bombs import drawing, swollen
from tests.matter_files import NOTICE, REASON, letter, payslip
from tests.office_files import Drawn, pdf

SEEN = "Texto que se ve en la hoja."


@pytest.fixture(scope="module")
def reader() -> Iterator[FileReader]:
    made = FileReader(Limits(seconds=20, memory_mb=900))
    yield made
    for process in list(made._idle):
        made._retire(process)


def pictured(
    reader: FileReader, folder: Path, content: bytes, *quotes: str, page: int = 1, around: str = ""
) -> PicturedPassage:
    path = folder / "fichero"
    path.write_bytes(content)
    return reader.picture(path, "carta.pdf", page, quotes, around or "\n".join(quotes))


def image_of(page: PagePicture) -> Image.Image:
    shown = Image.open(io.BytesIO(base64.b64decode(page.data)))
    assert shown.size == (page.width, page.height)
    return shown


def ink(page: PagePicture) -> list[float]:
    """Share of dark pixels in each mark."""
    pixels = np.asarray(image_of(page).convert("L")) < 128
    found = []
    for mark in page.marks:
        left, right = round(mark.left * page.width), round((mark.left + mark.width) * page.width)
        upper, lower = round(mark.top * page.height), round((mark.top + mark.height) * page.height)
        found.append(float(pixels[upper:lower, left:right].mean()))
    return found


def written(x: int, y: int, text: str, more: str = "") -> str:
    return f"BT /F1 10 Tf {more} {x} {y} Td ({text}) Tj ET "


def test_a_quotation_is_marked_line_by_line_where_its_letters_are(reader: FileReader, tmp_path: Path) -> None:
    found = pictured(reader, tmp_path, letter(), REASON)
    (page,) = found.pages
    assert (page.number, page.width, found.lost) == (1, 1400, 0)
    assert len(page.marks) == 3
    assert all(0.03 < share < 0.5 for share in ink(page))
    # Three lines after the three that begin the letter, 14 points apart from 42 points below the upper edge.
    assert [round(mark.top * 842 / 14) for mark in page.marks] == [5, 6, 7]


def test_the_page_asked_for_is_shown_and_what_is_not_there_counted(
    reader: FileReader, tmp_path: Path
) -> None:
    found = pictured(reader, tmp_path, letter(), NOTICE, "El despido es improcedente.", page=2)
    assert [page.number for page in found.pages] == [2]
    assert found.lost == 1
    assert len(found.pages[0].marks) == 3
    alone = pictured(reader, tmp_path, letter(), "El despido es improcedente.")
    assert (alone.pages[0].marks, alone.lost) == ((), 1)
    assert pictured(reader, tmp_path, letter()).lost == 0


def test_a_quotation_over_two_pages_shows_both(reader: FileReader, tmp_path: Path) -> None:
    content = pdf([["Antes.", "La empresa le comunica"], ["Faros, S.L.", "su despido disciplinario."]])
    found = pictured(reader, tmp_path, content, "La empresa le comunica su despido disciplinario.")
    assert [(page.number, len(page.marks)) for page in found.pages] == [(1, 1), (2, 1)]
    assert found.lost == 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("white", "1 1 1 rg " + written(40, 700, "Texto que no se ve.") + "0 0 0 rg "),
        ("blacked out", written(40, 700, "Texto que no se ve.") + "30 690 300 30 re f "),
        ("below the page", written(40, -60, "Texto que no se ve.")),
        ("no ink", written(40, 700, "Texto que no se ve.", "3 Tr")),
    ],
)
def test_what_nobody_sees_on_the_page_is_not_marked(
    reader: FileReader, tmp_path: Path, name: str, content: str
) -> None:
    content = content + written(40, 500, SEEN, "0 Tr")
    found = pictured(reader, tmp_path, pdf([Drawn(content)]), "Texto que no se ve.", SEEN)
    assert found.lost == 1, name
    assert len(found.pages[0].marks) == 1
    assert 0.03 < ink(found.pages[0])[0] < 0.5


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_marks_follow_a_page_that_is_turned(reader: FileReader, tmp_path: Path, turned: int) -> None:
    found = pictured(reader, tmp_path, pdf([Drawn(written(100, 700, SEEN), turned)]), SEEN)
    (page,) = found.pages
    assert found.lost == 0
    pixels = np.asarray(image_of(page).convert("L")) < 128
    covered = np.zeros_like(pixels)
    for mark in page.marks:
        left, right = round(mark.left * page.width), round((mark.left + mark.width) * page.width)
        upper, lower = round(mark.top * page.height), round((mark.top + mark.height) * page.height)
        covered[upper : lower + 1, left : right + 1] = True
    assert pixels.any()
    assert (pixels & ~covered).sum() <= pixels.sum() * 0.05, "all the ink of the page is under the marks"
    assert covered.mean() < 0.02


def sized(width: int, height: int) -> bytes:
    size = f"MediaBox[0 0 {width} {height}]".encode()
    return pdf([Drawn(written(40, 40, SEEN))]).replace(b"MediaBox[0 0 595 842]", size)


@pytest.mark.parametrize(
    ("width", "height"), [(14400, 14400), (400, 14400), (14400, 100), (999999, 999999), (1, 1)]
)
def test_a_page_of_any_size_is_a_picture_of_bounded_size(
    reader: FileReader, tmp_path: Path, width: int, height: int
) -> None:
    (page,) = pictured(reader, tmp_path, sized(width, height), SEEN).pages
    assert page.width * page.height <= 4_200_000
    assert page.width <= 1401


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (pdf([["Texto de la carta."]], password="x"), "está protegido con contraseña"),
        (b"%PDF-1.4 roto", "el PDF está dañado"),
        (b"\x89PNG\r\n\x1a\n" + bytes(64), "la página 1 no se puede mostrar como imagen"),
        (b"\xff\xd8\xff" + bytes(64), "la página 1 no se puede mostrar como imagen"),
    ],
)
def test_what_cannot_be_drawn_says_so_in_one_sentence(
    reader: FileReader, tmp_path: Path, content: bytes, told: str
) -> None:
    with pytest.raises(InputError, match=rf"^carta\.pdf: {told}.*\.$"):
        pictured(reader, tmp_path, content, SEEN)


def test_a_page_that_is_not_there_says_so(reader: FileReader, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="la página 9 no se puede mostrar"):
        pictured(reader, tmp_path, letter(), REASON, page=9)


@pytest.mark.parametrize("content", [payslip(), b"Texto llano de una carta."])
def test_a_file_without_pages_has_no_picture(reader: FileReader, tmp_path: Path, content: bytes) -> None:
    assert pictured(reader, tmp_path, content, SEEN) == PicturedPassage()


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("1", (width, height), 1).save(out, "PNG")
    return out.getvalue()


def test_a_picture_that_would_take_gigabytes_is_refused_before_it_is_decoded(
    reader: FileReader, tmp_path: Path
) -> None:
    bomb = png(9000, 9000)
    assert len(bomb) < 100_000
    with pytest.raises(InputError, match="demasiado grande para mostrarla"):
        pictured(reader, tmp_path, bomb, SEEN)


@pytest.mark.parametrize("name", ["swollen", "drawing"])
def test_a_page_that_is_too_much_ends_its_process_and_nothing_else(tmp_path: Path, name: str) -> None:
    content = swollen(700) if name == "swollen" else drawing(3_000_000)
    small = FileReader(Limits(seconds=1 if name == "drawing" else 10, memory_mb=500))
    try:
        found = pictured(small, tmp_path, content, SEEN)
    except InputError as error:
        assert str(error).startswith("carta.pdf: ") and str(error).endswith(".")
    else:
        assert found.lost == 1 and not found.pages[0].marks
    finally:
        for process in list(small._idle):
            small._retire(process)


@pytest.fixture
def ocr(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A `tesseract` with Spanish that sees one line of two words, of which the picture has the ink."""
    folder = tmp_path / "bin"
    folder.mkdir()
    rows = (f"5 {page} 1 1 1 {word} {left} 20 40 10 96 {text}" for page, word, left, text in WORDS)
    told = folder / "said.tsv"
    told.write_text("\n".join(("level …", *rows)).replace(" ", "\t"))
    command = folder / "tesseract"
    command.write_text(
        f"#!/bin/sh\n[ \"$1\" = --list-langs ] && echo spa && exit 0\ncat > /dev/null\ncat '{told}'\n"
    )
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return command


WORDS = ((1, 1, 10, "Salario"), (1, 2, 60, "base"), (2, 1, 10, "Otra"))


def picture() -> bytes:
    """A picture of 200 by 100 with ink at the two words."""
    shown = Image.new("RGB", (200, 100), "white")
    for left in (10, 60):
        shown.paste("black", (left + 2, 22, left + 20, 28))
    out = io.BytesIO()
    shown.save(out, "PNG")
    return out.getvalue()


def test_a_picture_is_marked_at_the_words_that_ocr_sees(ocr: Path, tmp_path: Path) -> None:
    fresh = FileReader(Limits(seconds=20, memory_mb=900))
    try:
        found = pictured(fresh, tmp_path, picture(), "Salario base", "Otra")
    finally:
        for process in list(fresh._idle):
            fresh._retire(process)
    (page,) = found.pages
    assert (page.width, page.height, found.lost) == (200, 100, 1)
    (mark,) = page.marks
    assert (mark.left, mark.top) == pytest.approx((0.05, 0.2))
    assert (mark.width, mark.height) == pytest.approx((0.45, 0.1))


def test_without_ocr_a_picture_is_shown_whole(
    reader: FileReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    fresh = FileReader(Limits(seconds=20, memory_mb=900))
    try:
        found = pictured(fresh, tmp_path, picture(), "Salario base")
    finally:
        for process in list(fresh._idle):
            fresh._retire(process)
    assert (found.pages[0].marks, found.lost) == ((), 1)
