"""Documents without articles: contracts, judgments, criteria, and texts cut by size."""

from pathlib import Path

import pytest

from law.norms import Document
from loading.chunking.chunk import SECTION_LIMIT, chunk_document
from loading.formats import discover, load
from tests.case_files import texts
from tests.office_files import pdf
from text.token_count import count_tokens

CASES = texts("document_facts")
CONTRACT, JUDGMENT, CRITERION = (text for _, text, _ in CASES)


def read(tmp_path: Path, text: str, name: str, collection: str = "normativa") -> Document:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    (found,) = load(path, collection)
    return found


@pytest.mark.parametrize(("source", "text", "facts"), CASES, ids=[one[0] for one in CASES])
def test_a_document_says_what_it_is(tmp_path: Path, source: str, text: str, facts: list[str]) -> None:
    collection, _, name = source.partition(" · ")
    norm = read(tmp_path, text, name, collection).norm
    told = {"id": norm.id, "norma": norm.law, "título": norm.title, "clase": norm.rank, "número": norm.number}
    told |= {"estado": norm.status, "publicación": norm.published, **norm.extra}
    assert [f"{name}: {value}" for name, value in told.items() if value] == facts
    assert norm.collection == collection


def test_the_sections_of_a_contract_have_their_subject(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT, "contrato.txt")
    assert [(b.title, b.attributes["section_type"]) for b in found.blocks[1:]] == [
        ("PARTES CONTRATANTES", "partes"),
        ("FECHAS RELEVANTES", "plazos"),
        ("IMPORTE Y CONDICIONES ECONOMICAS", "economicas"),
        ("GARANTIAS Y AVALES", "garantias"),
    ]
    chunks = {chunk.section: chunk for chunk in chunk_document(found)}
    assert chunks["GARANTIAS Y AVALES"].section_type == "garantias"


def test_a_last_line_in_capitals_is_text_of_what_stands_before_it(tmp_path: Path) -> None:
    found = read(tmp_path, "NÓMINA DE OCTUBRE\nSalario base 1.200,00\nLÍQUIDO 1.272,83\n", "nomina.txt")
    assert found.blocks[-1].versions[-1].text.endswith("LÍQUIDO 1.272,83")


def test_short_sections_of_a_contract_stay_apart(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT, "contrato.txt")
    texts = [chunk.text for chunk in chunk_document(found)]
    assert (
        len(texts) == 5
        and texts[3] == "Importe total (IVA incluido): 1.250.000,50 EUR\nForma de pago: Mensual"
    )


@pytest.mark.parametrize(
    ("head", "court"),
    [
        ("JUZGADO DE LO SOCIAL N.º 2 DE VILLA ALTA", "Juzgado de lo Social n.º 2 de Villa Alta"),
        (
            "SECCIÓN DE LO SOCIAL DEL TRIBUNAL DE INSTANCIA DE VILLA ALTA",
            "Sección de lo Social del Tribunal de Instancia de Villa Alta",
        ),
    ],
    ids=["until 2025", "since 2025"],
)
def test_a_court_of_first_instance_is_known_by_either_name(tmp_path: Path, head: str, court: str) -> None:
    text = JUDGMENT.replace("T R I B U N A L S U P R E M O", head).replace("ES:TS:", "ES:JSO:")
    assert read(tmp_path, text, "cualquiera.txt", "sentencias").norm.extra["court"] == court


def test_the_grounds_of_a_judgment_are_sections_of_their_own(tmp_path: Path) -> None:
    blocks = read(tmp_path, JUDGMENT, "cualquiera.txt", "sentencias").blocks
    assert [block.title for block in blocks[1:]] == [
        "ANTECEDENTES DE HECHO · Primero",
        "ANTECEDENTES DE HECHO · Segundo",
        "FUNDAMENTOS DE DERECHO · Primero",
        "FUNDAMENTOS DE DERECHO · Segundo",
        "FALLO",
    ]
    assert blocks[3].path == ("FUNDAMENTOS DE DERECHO",)
    assert "Artículo 37. del convenio." in blocks[3].versions[0].text
    assert not any(block.label for block in blocks)


def test_a_judgment_is_recognised_in_any_collection_by_its_ecli(tmp_path: Path) -> None:
    assert read(tmp_path, JUDGMENT, "cualquiera.txt").norm.rank == "Sentencia"


def test_the_parts_of_a_criterion_are_sections(tmp_path: Path) -> None:
    blocks = read(tmp_path, CRITERION, "criterio.txt", "criterios_inss").blocks
    assert [block.title for block in blocks][-2:] == ["SUPUESTO", "CRITERIO"]


def test_a_heading_of_two_lines_is_one(tmp_path: Path) -> None:
    text = "Informe\n\nLUZ DE LOS FAROS\n\nY DE LAS BOYAS\n\nAlumbran.\n\nSONIDO DE LA NIEBLA\n\nSuena."
    blocks = read(tmp_path, text, "informe.txt").blocks
    assert [block.versions[0].text for block in blocks] == [
        "LUZ DE LOS FAROS\nY DE LAS BOYAS\nAlumbran.",
        "SONIDO DE LA NIEBLA\nSuena.",
    ]


def test_a_long_text_without_headings_is_cut_by_size(tmp_path: Path) -> None:
    sentence = "El torrero cobra 1.250.000,00 pesetas con arreglo al art. 48 de la ley y no duerme. "
    found = read(tmp_path, f"Informe sobre los faros\n\n{sentence * 200}", "informe.txt")
    chunks = chunk_document(found)
    assert len(chunks) > 3
    assert all(count_tokens(chunk.text) <= SECTION_LIMIT for chunk in chunks)
    assert all(chunk.text.endswith("no duerme.") for chunk in chunks)
    assert all(chunk.text.startswith("El torrero") for chunk in chunks[1:])


def test_sections_of_a_pdf_know_their_page(tmp_path: Path) -> None:
    path = tmp_path / "FAR_2031_007.pdf"
    lines = CONTRACT.replace("─", "-").splitlines()
    path.write_bytes(pdf([lines[:14], lines[14:]]))
    chunks = chunk_document(load(path, "contratos")[0])
    assert [chunk.page for chunk in chunks] == [1, 1, 2, 2, 2]


@pytest.mark.slow
@pytest.mark.skipif(
    not (Path(__file__).parents[3] / "shared" / "contracts").is_dir(),
    reason="there is no ../shared/contracts",
)
def test_twenty_real_contracts_give_all_their_fields() -> None:
    folder = Path(__file__).parents[3] / "shared" / "contracts"
    files = discover([folder])
    assert len(files) == 20
    wanted = {"num_contrato", "contratista", "importe", "importe_eur", "fecha_inicio_iso", "fecha_fin_iso"}
    for path in files:
        (found,) = load(path, "contratos")
        assert wanted <= found.norm.extra.keys(), path.name
        assert path.name.startswith(found.norm.number)
        assert {"garantias", "economicas", "partes"} <= {b.attributes["section_type"] for b in found.blocks}
        assert all(chunk.page for chunk in chunk_document(found))


def test_two_delimiter_lines_in_a_row_are_no_error(tmp_path):
    path = tmp_path / "c.txt"
    path.write_text("Contrato\n\n─── UNO ───\n─── DOS ───\nTexto de la sección inventada.\n", "utf-8")
    (document,) = load(path)
    assert any("Texto de la sección" in version.text for b in document.blocks for version in b.versions)
