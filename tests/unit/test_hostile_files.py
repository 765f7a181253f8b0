"""Hostile text in office files: every word comes out as text, and nothing that a database rejects."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from core.errors import ArticuladoError
from loading.formats import load
from loading.formats.encoding import clean, one_line
from tests.hostile import TEXTS
from tests.odt_files import cell, h, listed, odt, p, tabled
from tests.office_files import Drawn, pdf
from tests.pdf_drawings import table, text
from tests.sheet_files import book, rows, sheet
from text.legible import legible

NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
SAID = [NO_XML.sub("", text) for text in TEXTS]


def as_xlsx(texts: list[str]) -> bytes:
    return book({"Textos": sheet(rows(*[(f"T{n}: {said}", "x") for n, said in enumerate(texts)]))})


def as_odt(texts: list[str]) -> bytes:
    return odt(*[p(f"T{n}: {escape(said)}") for n, said in enumerate(texts)])


@pytest.mark.parametrize(("made", "suffix"), [(as_xlsx, "xlsx"), (as_odt, "odt")])
def test_hostile_text_stays_text(tmp_path: Path, made: Callable[[list[str]], bytes], suffix: str) -> None:
    path = tmp_path / f"textos.{suffix}"
    path.write_bytes(made(SAID))
    found = "\n".join(block.versions[0].text for document in load(path) for block in document.blocks)
    assert found == clean(found)
    plain = found.replace("\\|", "|")
    missing = [
        said for n, said in enumerate(SAID) if one_line(legible(clean(f"T{n}: {said}")).text) not in plain
    ]
    assert missing == []


FILES = {
    "xlsx": book({"Una": sheet(rows(("Grupo", "Euros"), ("Uno", 10)), merged=["A1:B1"])}),
    "odt": odt(h("Artículo 1. Uno."), listed(p("Dos.")), tabled(cell("Grupo") + cell("Euros"))),
    "pdf": pdf([Drawn(text(50, 760, "Artículo 1. Uno.") + table([("Grupo", "Euros"), ("Uno", "10")]))] * 3),
}


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("suffix", FILES)
def test_damaged_bytes_are_read_or_told_and_never_a_crash(tmp_path: Path, suffix: str, seed: int) -> None:
    dice = random.Random(seed)
    data = bytearray(FILES[suffix])
    for _ in range(dice.randint(1, 12)):
        at = dice.randrange(len(data))
        match dice.randrange(3):
            case 0:
                data[at] ^= 1 << dice.randrange(8)
            case 1:
                del data[at : at + dice.randint(1, 40)]
            case _:
                data[at:at] = dice.randbytes(dice.randint(1, 8))
    path = tmp_path / f"archivo.{suffix}"
    path.write_bytes(data)
    try:
        found = load(path)
    except ArticuladoError as error:
        assert str(error).startswith("archivo.") and "\n" not in str(error)
    else:
        assert all(document.blocks for document in found)
