"""Sections of judgments, orders and criteria: where each begins, and its type."""

from pathlib import Path

import pytest

from law.norms import Document
from loading.chunking.chunk import chunk_document
from loading.formats import load
from loading.formats.broken_lines import Paragraph
from loading.formats.ruling_sections import without_running_lines
from tests.case_files import texts
from tests.office_files import pdf

CASES = texts("ruling_sections")

HEAD = """\
TRIBUNAL SUPREMO
Sala de lo Social
SENTENCIA Nº 77/2031
En Madrid, a 12 de marzo de 2031.
EN NOMBRE DE S.M. EL REY
"""
PARTS = """\
ANTECEDENTES DE HECHO
PRIMERO.- Se presentó demanda.
SEGUNDO.- La sentencia declaró probados estos hechos:
{facts}
TERCERO.- Se interpuso recurso.
FUNDAMENTOS DE DERECHO
PRIMERO.- La luz no descansa.
DÉCIMO PRIMERO.- Procede estimar.
FALLO
Estimamos el recurso.
"""
QUOTED = "«PRIMERO.- El torrero vela.\nSEGUNDO.- La boya suena.\nTERCERO.- La niebla vuelve».\n"
COPIED = "Primero.- El torrero vela.\nSegundo.- La boya suena.\nTercero.- La niebla vuelve.\n"
RESTARTED = "PRIMERO.- El torrero vela.\nSEGUNDO.- La boya suena.\nTERCERO.- La niebla.\nCUARTO.- El faro.\n"
WANTED = """\
cabecera: Encabezamiento
antecedentes: ANTECEDENTES DE HECHO · Primero
antecedentes: ANTECEDENTES DE HECHO · Segundo
antecedentes: ANTECEDENTES DE HECHO · Tercero
fundamentos: FUNDAMENTOS DE DERECHO · Primero
fundamentos: FUNDAMENTOS DE DERECHO · Décimo primero
fallo: FALLO"""


def read(tmp_path: Path, text: str, collection: str = "sentencias") -> Document:
    path = tmp_path / "documento.txt"
    path.write_text(text, "utf-8")
    return load(path, collection)[0]


def told(document: Document) -> str:
    return "\n".join(f"{block.attributes['section_type']}: {block.title}" for block in document.blocks)


def spaced(text: str) -> str:
    """The headings of `text` with a blank after each letter and three between words."""
    lines = text.split("\n")
    return "\n".join("   ".join(" ".join(w) for w in x.split()) if x.isupper() else x for x in lines)


@pytest.mark.parametrize("facts", [QUOTED, COPIED, RESTARTED], ids=["quoted", "small letters", "restarted"])
@pytest.mark.parametrize("form", [str, spaced], ids=["plain", "spaced capitals"])
def test_facts_that_a_ruling_copies_are_no_parts_of_it(tmp_path: Path, facts: str, form: type[str]) -> None:
    document = read(tmp_path, HEAD + form(PARTS.format(facts=facts)))
    assert told(document) == WANTED
    assert facts.split("\n")[1] in document.blocks[2].versions[0].text


def test_the_type_of_a_section_reaches_its_chunks(tmp_path: Path) -> None:
    chunks = chunk_document(read(tmp_path, HEAD + PARTS.format(facts="")))
    assert {chunk.section_type for chunk in chunks} == {"cabecera", "antecedentes", "fundamentos", "fallo"}


@pytest.mark.parametrize(
    "heading",
    [
        "VOTO PARTICULAR\nque formula la Excma. Sra. D.ª Marina del Faro Sereno.",
        "VOTO PARTICULAR QUE FORMULA LA EXCMA. SRA. MAGISTRADA D.ª MARINA DEL FARO SERENO",
    ],
)
def test_a_vote_is_one_section_with_its_magistrate(tmp_path: Path, heading: str) -> None:
    vote = f"{heading}\n\nANTECEDENTES DE HECHO\n\nPRIMERO.- Discrepo.\n\nFALLO\n\nDebió desestimarse.\n"
    document = read(tmp_path, f"{HEAD}{PARTS.format(facts='')}\n{vote}")
    assert told(document) == f"{WANTED}\nvoto: VOTO PARTICULAR · Marina del Faro Sereno"
    assert document.blocks[-1].versions[0].text.endswith("Debió desestimarse.")


@pytest.mark.parametrize(("text", "parts"), [one[1:] for one in CASES], ids=[one[0] for one in CASES])
def test_a_ruling_is_read_into_its_parts(tmp_path: Path, text: str, parts: list[str]) -> None:
    assert told(read(tmp_path, f"{text}\n")).split("\n") == parts


def test_a_heading_above_another_is_part_of_its_text(tmp_path: Path) -> None:
    document = read(tmp_path, CASES[0][1])
    assert (
        document.blocks[4].versions[0].text.startswith("Sobre las cuestiones prejudiciales\nSobre la primera")
    )


def test_the_parts_of_a_criterion_have_their_type(tmp_path: Path) -> None:
    head = (
        "INSTITUTO NACIONAL DE LA SEGURIDAD SOCIAL\n\nCriterio de gestión:\n\n5/2031\n\nAsunto:\n\nNiebla\n\n"
    )
    text = f"{head}CONSULTA\n\n¿Hay recargo?\n\nCRITERIO DE GESTIÓN\n\nLo hay.\n\nFUNDAMENTO\n\nLa ley.\n"
    assert told(read(tmp_path, text, "criterios_inss")).split("\n") == [
        "cabecera: Encabezamiento",
        "asunto: CONSULTA",
        "criterio: CRITERIO DE GESTIÓN",
        "fundamento: FUNDAMENTO",
    ]


def test_a_ruling_without_headings_is_named_as_itself(tmp_path: Path) -> None:
    document = read(tmp_path, f"{HEAD}Estimamos el recurso.\n")
    assert [block.title for block in document.blocks] == ["STS 77/2031, de 12 de marzo de 2031"]


def test_a_line_that_pages_repeat_with_their_number_is_no_text(tmp_path: Path) -> None:
    line = "Documento sin valor oficial."
    one = [
        f"{line} 1",
        *HEAD.split("\n"),
        "FUNDAMENTOS DE DERECHO",
        "PRIMERO.- La luz que guía a los barcos de la",
    ]
    path = tmp_path / "documento.pdf"
    path.write_bytes(pdf([one, [f"{line} 2 bahía no descansa.", "FALLO", "Estimamos."]]))
    document = load(path, "sentencias")[0]
    assert (
        document.blocks[1].versions[0].text
        == "PRIMERO.- La luz que guía a los barcos de la bahía no descansa."
    )
    assert document.blocks[1].attributes["pages"].endswith(":2")
    assert all(line not in block.versions[0].text for block in document.blocks)


def test_marks_of_pages_do_not_divide_a_paragraph() -> None:
    texts = [
        "La luz guía a los barcos de la",
        "- 2 -",
        "bahía.",
        "- 3 - y del puerto.",
        "- 4 -",
        "La boya suena.",
    ]
    found = [paragraph.text for paragraph in without_running_lines([Paragraph(text) for text in texts])]
    assert found == ["La luz guía a los barcos de la bahía.", "y del puerto.", "La boya suena."]
