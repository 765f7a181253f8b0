"""Quotations without marks, as paragraphs of a brief: in Markdown and in the styles of Word."""

import io
from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE

from casework.briefs.quotations import block_quotations
from law.norms import BRIEF
from loading.formats import load
from tests.odt_files import note, odt, p

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


STYLES = (
    '<style:style style:name="Quotations" style:family="paragraph"/>'
    '<style:style style:name="Intense_20_Quote" style:display-name="Intense Quote"/>'
    '<style:style style:name="Texto_20_de_20_bloque"/>'
    '<style:style style:name="Sangr_ed_a" style:display-name="Sangría"/>'
    '<style:style style:name="P3" style:parent-style-name="P2"/>'
    '<style:style style:name="P2" style:parent-style-name="Quotations"/>'
    '<style:style style:name="A" style:parent-style-name="B"/>'
    '<style:style style:name="B" style:parent-style-name="A"/>'
)


def written(tmp_path: Path, *body: str, collection: str = BRIEF) -> str:
    path = tmp_path / "escrito.odt"
    path.write_bytes(odt(*body, shared=STYLES))
    (found,) = load(path, collection, "escrito.odt")
    return "\n\n".join(version.text for block in found.blocks for version in block.versions)


@pytest.mark.parametrize("style", ["Quotations", "Intense_20_Quote", "Texto_20_de_20_bloque", "P2", "P3"])
def test_a_paragraph_of_libreoffice_in_a_style_of_quotations_or_one_based_on_it_is_marked(tmp_path, style):
    body = (p("Dice el art. 59.3 ET:"), p(WORDS, style=style))
    assert written(tmp_path, *body) == f"Dice el art. 59.3 ET:\n\n> {WORDS}"


@pytest.mark.parametrize("style", ["Standard", "Sangr_ed_a", "A", "no such style"])
def test_a_paragraph_of_libreoffice_in_another_style_is_not(tmp_path, style):
    assert written(tmp_path, p(WORDS, style=style)) == WORDS


def test_a_quotation_of_libreoffice_that_has_marks_gets_no_others(tmp_path):
    assert written(tmp_path, p(f"«{WORDS}»", style="Quotations")) == f"«{WORDS}»"


def test_a_short_note_of_libreoffice_stands_where_its_mark_is_and_a_long_one_after_its_paragraph(tmp_path):
    long = "Véase " + "y " * 300 + "más."
    said = written(tmp_path, p(f"«{WORDS}»", note("Art. 59.3 ET."), ", sin más.", note(long)))
    assert said.startswith(f"«{WORDS}» (Art. 59.3 ET.), sin más.\n\nNota al pie 2: Véase y y")


def test_a_law_of_libreoffice_that_is_loaded_gets_no_marks_and_keeps_its_notes_apart(tmp_path):
    body = (p("Artículo 1. Objeto."), p(WORDS, note("Nota."), style="Quotations"))
    assert written(tmp_path, *body, collection="normativa").endswith(f"{WORDS}\nNota al pie 1: Nota.")


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
