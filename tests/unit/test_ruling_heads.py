"""Heads of judgments and orders: the cases of tests/cases/ruling_heads.md, days, speakers and collections."""

from datetime import date
from pathlib import Path

import pytest

from core.errors import InputError
from law.norms import Norm
from loading.formats import load
from tests.case_files import texts

BODY = """
ANTECEDENTES DE HECHO
PRIMERO.- La sentencia nº 31/2029, de 2 de febrero de 2029, del Juzgado de lo Social nº 4 de Lugo
(autos 5/2028) estimó la demanda. En Lugo, a 3 de marzo de 2027, se firmó el contrato.
FUNDAMENTOS DE DERECHO
PRIMERO.- Véase la STS 900/2030, de 1 de octubre (rcud 77/2026), Roj: STS 4000/2030, ECLI:ES:TS:2030:4000.
FALLO
Estimamos el recurso núm. 66/2025 de la parte.
"""
CENDOJ = """\
Roj: STS 4321/2031 - ECLI:ES:TS:2031:4321
Id Cendoj: 28079140012031100001
Órgano: Tribunal Supremo. Sala de lo Social
Sede: Madrid
Sección: 1
Fecha: 12/03/2031
Nº de Recurso: 900/2029
Nº de Resolución: 77/2031
Procedimiento: Recurso de casación
Ponente: MARINA DEL FARO SERENO
Tipo de Resolución: Sentencia
"""


HEADS = texts("ruling_heads")


def changed(words: dict[str, str]) -> str:
    """The head of the collection with other words."""
    head = CENDOJ
    for old, new in words.items():
        head = head.replace(old, new)
    return head


def read(tmp_path: Path, text: str) -> Norm:
    path = tmp_path / "resolucion.txt"
    path.write_text(text, "utf-8")
    return load(path, "sentencias")[0].norm


@pytest.mark.parametrize(("head", "facts"), [one[1:] for one in HEADS], ids=[one[0] for one in HEADS])
def test_a_head_gives_the_facts_of_its_own_ruling(tmp_path: Path, head: str, facts: list[str]) -> None:
    norm = read(tmp_path, f"{head}\n{BODY}")
    told = {"nombre": norm.alias, "tribunal": norm.extra["court"], "recurso": norm.extra.get("recurso", "")}
    assert [f"{name}: {fact}" for name, fact in told.items() if fact] == facts
    assert norm.published == date(2031, 3, 12)


def test_a_day_of_the_closing_formula_is_that_of_the_ruling(tmp_path: Path) -> None:
    head = "TRIBUNAL CONSTITUCIONAL\nPLENO\nSentencia 77/2031\n"
    norm = read(tmp_path, f"{head}{BODY}Dada en Madrid, a doce de marzo de dos mil treinta y uno.\n")
    assert norm.title == "STC 77/2031, de 12 de marzo de 2031"


def test_a_ruling_without_its_own_day_has_none(tmp_path: Path) -> None:
    norm = read(tmp_path, f"TRIBUNAL SUPREMO\nSentencia núm. 77/2031\n{BODY}")
    assert (norm.title, norm.published) == ("STS 77/2031", None)


def test_a_ruling_without_number_is_named_by_its_day_and_appeal(tmp_path: Path) -> None:
    head = "TRIBUNAL SUPREMO\nRecurso núm.: 900/2029\nEn Madrid, a 12 de marzo de 2031.\n"
    assert read(tmp_path, head + BODY).law == "STS de 12 de marzo de 2031 (rec. 900/2029)"


@pytest.mark.parametrize(
    ("words", "day"),
    [("veintidós de Enero de dos mil trece", 22), ("treinta y uno de enero de dos mil trece", 31)],
)
def test_a_day_in_words_is_that_of_the_ruling(tmp_path: Path, words: str, day: int) -> None:
    head = f"TRIBUNAL SUPREMO\nId Cendoj: 28079140012013100048\nEn la Villa de Madrid, a {words}.\n"
    norm = read(tmp_path, head + BODY)
    assert (norm.published, norm.extra["cendoj"]) == (date(2013, 1, day), "28079140012013100048")


@pytest.mark.parametrize("head", [CENDOJ, "TRIBUNAL SUPREMO\nSentencia núm. 77/2031\n"])
def test_a_judgment_loaded_as_law_is_put_among_the_judgments_and_says_so(tmp_path: Path, head: str) -> None:
    path = tmp_path / "documento.txt"
    path.write_text(head + BODY, "utf-8")
    (document,) = load(path, "normativa")
    assert (document.norm.collection, document.norm.number) == ("sentencias", "77/2031")
    assert any("se guarda con los de su clase" in warning for warning in document.warnings)


def test_a_law_that_speaks_of_judgments_stays_law(tmp_path: Path) -> None:
    path = tmp_path / "ley.txt"
    law = "Artículo 1. Objeto.\nLa sentencia núm. 77/2031 del Tribunal Supremo se cumplirá.\n"
    path.write_text(f"Ley 3/2031, de 1 de enero, de fallos\n{law}Artículo 2. Fallo.\nUno.\n", "utf-8")
    (document,) = load(path, "normativa")
    assert document.norm.collection == "normativa"


LISTED = """\
Buscador de jurisprudencia
Resultados 1 a 2 de 243
{first}
Órgano: Tribunal Supremo. Sala de lo Social
Resumen: Un torrero apagó el faro.
{second}
Órgano: Tribunal Supremo. Sala de lo Social
Resumen: Plus de niebla.
"""


@pytest.mark.parametrize("collection", ["normativa", "sentencias"])
@pytest.mark.parametrize(
    "form",
    [
        "Roj: STS {n}/2031 - ECLI:ES:TS:2031:{n}",
        "{n}. STS {n}/2031 - ECLI:ES:TS:2031:{n}",
        "STSJ M {n}/2031 - ECLI:ES:TSJM:2031:{n}",
    ],
)
def test_a_page_of_search_results_is_no_ruling(tmp_path: Path, form: str, collection: str) -> None:
    path = tmp_path / "resultados.txt"
    path.write_text(LISTED.format(first=form.format(n=4), second=form.format(n=5)), "utf-8")
    with pytest.raises(InputError, match="lista de 2 resoluciones"):
        load(path, collection)


def test_a_ruling_that_ends_with_those_it_cites_is_one(tmp_path: Path) -> None:
    cited = "\n".join(f"STS {n}/2030 - ECLI:ES:TS:2030:{n}" for n in (1, 2, 3))
    assert read(tmp_path, f"{CENDOJ}{BODY}{cited}").extra["ecli"] == "ECLI:ES:TS:2031:4321"


def test_roj_comunidad_seat_and_speaker_are_told(tmp_path: Path) -> None:
    superior = {"STS 4321": "STSJ MU 4321", ":TS:": ":TSJMU:", "Supremo": "Superior de Justicia"}
    norm = read(tmp_path, changed(superior | {"Madrid": "Cartagena"}) + BODY)
    assert norm.id == "ecli-es-tsjmu-2031-4321" and norm.territory == "estatal"
    assert norm.extra == {
        "court": "Tribunal Superior de Justicia de Murcia",
        "chamber": "Sala de lo Social",
        "date": "2031-03-12",
        "ecli": "ECLI:ES:TSJMU:2031:4321",
        "ponente": "Marina del Faro Sereno",
        "recurso": "900/2029",
        "roj": "STSJ MU 4321/2031",
        "cendoj": "28079140012031100001",
        "comunidad": "Región de Murcia",
        "sede": "Cartagena",
    }


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("Ponente: Excma. Sra. D.ª Marina del Faro Sereno", "Marina del Faro Sereno"),
        ("Ha sido ponente el magistrado don Luis Niebla Faro.", "Luis Niebla Faro"),
        ("Vistos por mí, Dña. MARINA DEL FARO SERENO, Magistrada-Juez", "Marina del Faro Sereno"),
        ("siendo Magistrado-Ponente el Ilmo. Sr. D. LUIS NIEBLA FARO.", "Luis Niebla Faro"),
        ("integrado por la Sra. I. Niebla (Ponente) y el Sr. P. Faro,", "I. Niebla"),
    ],
)
def test_the_speaker_is_known_in_each_form(tmp_path: Path, line: str, speaker: str) -> None:
    head = f"TRIBUNAL SUPREMO\nPLENO\nSentencia núm. 77/2031\n{line}\n"
    extra = read(tmp_path, head + BODY).extra
    assert (extra["ponente"], extra["chamber"]) == (speaker, "Pleno")
