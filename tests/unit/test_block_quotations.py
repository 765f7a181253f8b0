"""Quotations without marks, as paragraphs of a brief: in Markdown and in the styles of Word."""

import io
from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE

from rag.briefs.quotations import block_quotations
from rag.loaders import load
from rag.types import BRIEF

WORDS = "la acción inventada caduca a los veinte días"


def told(text: str) -> list[str]:
    found = block_quotations(text)
    assert all(text[span.start : span.end] == span.text for span in found)
    return [span.text for span in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(f"> {WORDS}", [WORDS], id="alone"),
        pytest.param(f"Dice:\n\n> {WORDS}  \n\nFin.", [WORDS], id="between"),
        pytest.param(f"> {WORDS}\n\n>  {WORDS} \n", [WORDS, WORDS], id="two"),
        pytest.param(f"> {WORDS}\n> {WORDS}", [], id="lines of a mail"),
        pytest.param(f">{WORDS}", [], id="no blank"),
        pytest.param(f"Si 3 > 2, {WORDS}", [], id="a sign in a line"),
    ],
)
def test_a_paragraph_of_one_line_with_its_mark_is_a_quotation(text: str, expected: list[str]) -> None:
    assert told(text) == expected


def brief(tmp_path: Path, document) -> str:
    path = tmp_path / "escrito.docx"
    document.save(path)
    (found,) = load(path, BRIEF, "escrito.docx")
    return found.blocks[0].versions[0].text


@pytest.fixture
def document():
    return docx.Document()


@pytest.mark.parametrize("style", ["Quote", "Intense Quote"])
def test_a_paragraph_in_a_style_of_quotations_is_marked(tmp_path, document, style):
    document.add_paragraph("Dice el art. 59.3 ET:")
    document.add_paragraph(WORDS, style=style)
    assert brief(tmp_path, document) == f"Dice el art. 59.3 ET:\n\n> {WORDS}"


def test_a_style_of_the_firm_that_is_based_on_that_of_quotations_is_one(tmp_path, document):
    own = document.styles.add_style("Cita del despacho", WD_STYLE_TYPE.PARAGRAPH)
    own.base_style = document.styles["Quote"]
    document.add_paragraph(WORDS, style="Cita del despacho")
    assert brief(tmp_path, document) == f"> {WORDS}"


def test_a_quotation_that_has_marks_gets_no_others(tmp_path, document):
    document.add_paragraph(f"«{WORDS}»", style="Quote")
    assert brief(tmp_path, document) == f"«{WORDS}»"


def test_what_is_only_indented_is_no_quotation(tmp_path, document):
    document.add_paragraph(WORDS).paragraph_format.left_indent = 720_000
    assert brief(tmp_path, document) == WORDS


def test_the_text_of_a_brief_is_whole_whatever_it_looks_like(tmp_path, document):
    said = ["Dictamen", "Artículo 1. Uno.", "Lo primero.", "Artículo 2. Dos.", "Lo segundo.", "FALLO"]
    document.core_properties.title = "Dictamen"
    for one in said:
        document.add_paragraph(one)
    assert brief(tmp_path, document).split("\n\n") == said


def test_the_law_that_is_loaded_gets_no_marks(tmp_path, document):
    document.add_paragraph("Contrato de trabajo entre las partes que lo firman.")
    document.add_paragraph(WORDS, style="Quote")
    stream = io.BytesIO()
    document.save(stream)
    path = tmp_path / "contrato.docx"
    path.write_bytes(stream.getvalue())
    text = "".join(version.text for one in load(path) for block in one.blocks for version in block.versions)
    assert WORDS in text and ">" not in text


def test_the_markdown_of_a_brief_is_read_as_it_is(tmp_path):
    path = tmp_path / "escrito.md"
    path.write_text(f"---\ncollection: x\n---\n\nDice:\n\n> {WORDS}\n")
    (found,) = load(path, BRIEF)
    assert found.blocks[0].versions[0].text.endswith(f"Dice:\n\n> {WORDS}")
