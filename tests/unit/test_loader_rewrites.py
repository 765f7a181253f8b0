"""Rewritten readers, which take no more than their share of time, agree with the old on small texts."""

import itertools
import random
import re
from pathlib import Path

import pytest

from core.errors import InputError
from loading.chunking.chunk import chunk_document
from loading.formats import load
from loading.formats.encoding import MOST_MARKS, clean
from loading.formats.generated_ids import free
from loading.formats.headings import section_name
from loading.formats.page_furniture import without_index
from tests import word_files
from tests.bombs import aliases

RULE = "─━—–\\-=_*#~"
DELIMITER = re.compile(rf"[{RULE}]{{3,}}\s*(?P<name>[^\s{RULE}].*?)\s*[{RULE}]{{3,}}")
LEADER = re.compile(r"(?:\.\s?){5,}\s*\d{1,5}\s*$|(?:\s\.){4,}\s*\d{1,5}\s*$")


def samples(signs: str, longest: int) -> list[str]:
    dice = random.Random(7)
    return ["".join(dice.choices(signs, k=dice.randint(0, longest))) for _ in range(20_000)]


def test_the_name_in_a_rule_is_the_one_that_the_pattern_finds() -> None:
    for line in samples("--═=─ ab\t", 14):
        found = DELIMITER.fullmatch(line.strip())
        assert section_name(line) == (found["name"] if found else None), line


def test_a_line_of_an_index_is_the_one_that_the_pattern_finds() -> None:
    for line in samples("a.. ..12 ", 16):
        found = LEADER.search(line)
        assert (without_index([[f"{line}"] * 3]) == [[]]) == (found is not None), line


@pytest.mark.parametrize("count", [3, 300])
def test_repeated_names_count_on(count: int) -> None:
    taken: list[str] = []
    for _ in range(count):
        taken.append(free("hechos", taken))
    assert taken == ["hechos", *(f"hechos-{n}" for n in range(2, count + 1))]


def test_comments_one_after_another_are_all_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# Ley\n\n#### Artículo 1\n<!-- url: u --> <!-- b -->\nUno <!-- c --> dos <!-- abierto\n")
    (block,) = load(path)[0].blocks
    assert block.attributes["url"] == "u"
    assert block.versions[0].text == "Artículo 1\nUno dos <!-- abierto"


@pytest.mark.parametrize(
    ("front", "told"),
    [
        (aliases(2), "no se admiten anclas ni alias"),
        (b"---\ntitle: &a Ley\n---\nTexto.", "no se admiten anclas ni alias"),
        (b"---\ntitle: " + b"[" * 21 + b"]" * 21 + b"\n---\nTexto.", "tiene más de 20 niveles"),
        (b"---\ntitle: " + b"x" * 20_001 + b"\n---\nTexto.", "tiene más de 20000 caracteres"),
    ],
)
def test_a_front_matter_that_may_grow_is_refused(tmp_path: Path, front: bytes, told: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(front)
    with pytest.raises(InputError, match=rf"^a\.md: no se puede leer su cabecera YAML \({told}"):
        load(path)


def test_a_letter_keeps_the_marks_that_a_language_could_give_it() -> None:
    assert clean("e\u0301") == "é"
    assert clean("═" * 200) == "═" * 200
    assert len(clean("e" + "\u0323" * 1000 + "x")) <= MOST_MARKS + 2


def test_a_cell_over_thousands_of_rows_is_that_of_each(tmp_path: Path) -> None:
    cell = "<w:tc><w:tcPr><w:vMerge{}/></w:tcPr>{}</w:tc><w:tc>{}</w:tc>"
    texts = [word_files.p(f"Fila {n}") for n in range(2000)]
    rows = [cell.format("", word_files.p(), text) for text in texts]
    rows[0] = cell.format(' w:val="restart"', word_files.p("Grupo"), texts[0])
    path = tmp_path / "a.docx"
    path.write_bytes(
        word_files.word_xml("<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>")
    )
    text = load(path)[0].blocks[0].versions[0].text
    assert text.count("| Grupo | Fila ") == 2000


def test_a_long_line_is_cut_into_parts_that_cover_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    words = " ".join(f"palabra{n}" for n in range(5000))
    path.write_text(words)
    chunks = chunk_document(load(path)[0])
    assert chunks[0].start == 0
    assert chunks[-1].end == len(words)
    assert all(after.start <= before.end + 1 for before, after in itertools.pairwise(chunks))
