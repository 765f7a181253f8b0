"""Documents without articles: contracts, judgments, criteria, and texts cut by size."""

from datetime import date
from pathlib import Path

import pytest

from law.norms import Document
from loading.chunking.chunk import SECTION_LIMIT, chunk_document
from loading.formats import discover, load
from tests.office_files import pdf
from text.token_count import count_tokens

CONTRACT = """\
==========================================
CONTRATO DE SUMINISTRO DE LINTERNAS
==========================================
EXPEDIENTE: FAR_2031_007
TIPO DE CONTRATO:
Suministro
─── PARTES CONTRATANTES ───
Organo de Contratacion:
Ministerio del Mar - Direccion General de Luces y Señales del Norte
Contratista:
Luces del Norte S.L.
CIF/NIF Contratista:
B-00000000
─── FECHAS RELEVANTES ───
Fecha de firma:
26/03/2031
Fecha de inicio de ejecucion:
5 de abril de 2031
Fecha de finalizacion:
29/01/2032
--- IMPORTE Y CONDICIONES ECONOMICAS ---
Importe total (IVA incluido):
1.250.000,50 EUR
Forma de pago:
Mensual
=== GARANTIAS Y AVALES ===
Garantia definitiva:
2.0% del importe, mediante aval bancario
─── FIRMAS ───
____________________
"""
JUDGMENT = """\
T R I B U N A L S U P R E M O
Sala de lo Social
Sentencia núm. 77/2031
Fecha de sentencia: 12/03/2031
Tipo de procedimiento: UNIFICACIÓN DE DOCTRINA
Número del procedimiento: 900/2030
N.º de Recurso: 900/2030
Ponente: Excma. Sra. D.ª Marina del Faro Sereno
ECLI:ES:TS:2031:1234
En Villa Alta, a 12 de marzo de 2031.
ANTECEDENTES DE HECHO
PRIMERO.- La torrera pidió su jornada de noche, según el artículo 9 de su convenio.
SEGUNDO.- Se la negaron.
FUNDAMENTOS DE DERECHO
PRIMERO.- Cuestión. La luz no descansa.
Tampoco quien la cuida, según el
Artículo 37. del convenio.
SEGUNDO.- Procede estimar.
FALLO
Estimamos el recurso.
"""
CRITERION = """\
CRITERIO DE GESTIÓN 5/2031
Instituto Nacional de la Seguridad Social
Fecha: 15 de enero de 2031
Estado: Sustituido
Materia: Recargo por niebla en la base de los torreros
SUPUESTO
Un torrero trabaja con niebla.
CRITERIO
Procede el recargo, con arreglo al artículo 48 de la ley de faros.
"""


def read(tmp_path: Path, text: str, name: str, collection: str = "normativa") -> Document:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    (found,) = load(path, collection)
    return found


def test_a_contract_says_who_how_much_and_when(tmp_path: Path) -> None:
    norm = read(tmp_path, CONTRACT, "FAR_2031_007_Linternas_Costeras.txt", "contratos").norm
    assert (norm.id, norm.collection, norm.rank, norm.number) == (
        "far-2031-007",
        "contratos",
        "Contrato",
        "FAR_2031_007",
    )
    assert norm.title == "Contrato de suministro de linternas (FAR_2031_007 Linternas Costeras)"
    assert (norm.law, norm.published) == ("FAR_2031_007 Linternas Costeras", date(2031, 3, 26))
    assert norm.extra == {
        "num_contrato": "FAR_2031_007",
        "tipo_contrato": "Suministro",
        "organo": "Ministerio del Mar - Direccion General de Luces y Señales del Norte",
        "contratista": "Luces del Norte S.L.",
        "fecha_firma": "26/03/2031",
        "fecha_inicio": "5 de abril de 2031",
        "fecha_fin": "29/01/2032",
        "importe": "1.250.000,50 EUR",
        "fecha_firma_iso": "2031-03-26",
        "fecha_inicio_iso": "2031-04-05",
        "fecha_fin_iso": "2032-01-29",
        "importe_eur": "1250000.50",
    }


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


def test_short_sections_of_a_contract_stay_apart(tmp_path: Path) -> None:
    found = read(tmp_path, CONTRACT, "contrato.txt")
    texts = [chunk.text for chunk in chunk_document(found)]
    assert (
        len(texts) == 5
        and texts[3] == "Importe total (IVA incluido): 1.250.000,50 EUR\nForma de pago: Mensual"
    )


def test_a_judgment_says_court_number_date_and_speaker(tmp_path: Path) -> None:
    norm = read(tmp_path, JUDGMENT, "cualquiera.txt", "sentencias").norm
    assert (norm.id, norm.alias, norm.number, norm.rank) == (
        "ecli-es-ts-2031-1234",
        "STS 77/2031",
        "77/2031",
        "Sentencia",
    )
    assert norm.law == "STS 77/2031, de 12 de marzo de 2031"
    assert norm.extra == {
        "court": "Tribunal Supremo",
        "chamber": "Sala de lo Social",
        "date": "2031-03-12",
        "ecli": "ECLI:ES:TS:2031:1234",
        "ponente": "Marina del Faro Sereno",
        "recurso": "900/2030",
    }


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


def test_a_criterion_says_number_date_and_state(tmp_path: Path) -> None:
    norm = read(tmp_path, CRITERION, "criterio.txt", "criterios_inss").norm
    assert (norm.id, norm.law, norm.status) == ("criterio-5-2031", "Criterio 5/2031 del INSS", "Sustituido")
    assert norm.title == "Criterio 5/2031. Recargo por niebla en la base de los torreros"
    assert norm.extra == {
        "criterion_number": "5/2031",
        "date": "2031-01-15",
        "state": "Sustituido",
        "organo": "Instituto Nacional de la Seguridad Social",
    }


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
