"""Heads of judgments and orders as each source writes them, and the facts that must come of each.

All of them are of 12 March 2031.
"""

from datetime import date
from pathlib import Path

import pytest

from law.norms import Norm
from loading.formats import load

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
SUPREME = "STS 77/2031 | Tribunal Supremo | 900/2029"


def changed(words: dict[str, str]) -> str:
    """The head of the collection with other words."""
    head = CENDOJ
    for old, new in words.items():
        head = head.replace(old, new)
    return head


HEADS = [
    ("cendoj", CENDOJ, SUPREME),
    ("cendoj on one line", " ".join(CENDOJ.split("\n")), SUPREME),
    (
        "glued labels",
        "STS 77/2031, 12 de Marzo de 2031\nJurisdicciónEspaña\nNúmero de resolución77/2031\n"
        "Fecha12 Marzo 2031\n"
        "Número de Recurso900/2029\nECLIES:TS:2031:4321\nEmisorTribunal Supremo, sala cuarta, (Social)\n",
        SUPREME,
    ),
    (
        "several appeals",
        "TRIBUNAL SUPREMO\nSala de lo Social\nRecursos núm.: 900/2029, 901/2029 y 12/2030\n"
        "Sentencia núm. 77/2031\n"
        "En Madrid, a 12 de marzo de 2031.\n",
        "STS 77/2031 | Tribunal Supremo | 900/2029, 901/2029, 12/2030",
    ),
    (
        "an order",
        "T R I B U N A L   S U P R E M O\nSala de lo Social\nAUTO\nAuto núm. 5/2031\n"
        "Fecha del auto: 12/03/2031\n"
        "Número del procedimiento: 900/2029\nProcedencia: T.S.J. GALICIA SALA SOCIAL\n",
        "ATS 5/2031 | Tribunal Supremo | 900/2029",
    ),
    (
        "an order of the collection",
        changed({"STS 4321": "ATS 4321", "2031:4321": "2031:4321A", ": Sentencia": ": Auto"}),
        "ATS 77/2031 | Tribunal Supremo | 900/2029",
    ),
    (
        "spaced capitals and day in words",
        "T.S.J. CASTILLA Y LEÓN SALA SOCIAL\nVALLADOLID\nSENTENCIA: 00077/2031\n\n"
        "RECURSO DE SUPLICACION Num.: 900/2029\n\n"
        "S E N T E N C I A  Nº: 77/2031\n\n"
        "En la ciudad de Valladolid, a doce de marzo de dos mil treinta y uno.\n\n"
        "En el recurso de Suplicación número 900/2029 interpuesto frente a la sentencia dictada "
        "por el Juzgado de lo\n"
        "Social nº 1 de León en autos número 33/2028.\n",
        "STSJ Castilla y León 77/2031 | Tribunal Superior de Justicia de Castilla y León | 900/2029",
    ),
    (
        "a superior court that its code tells",
        changed({"STS 4321": "STSJ M 4321", ":TS:": ":TSJM:", "Supremo": "Superior de Justicia"}),
        "STSJ Madrid 77/2031 | Tribunal Superior de Justicia de Madrid | 900/2029",
    ),
    (
        "a superior court that its line tells",
        "SALA DE LO SOCIAL DEL TRIBUNAL SUPERIOR DE JUSTICIA DE LA COMUNIDAD AUTÓNOMA DEL PAÍS VASCO\n"
        "RECURSO Nº: Suplicación 900/2029\nSENTENCIA Nº: 77/2031\n"
        "En la Villa de Bilbao, a 12 de marzo de 2031.\n",
        "STSJ País Vasco 77/2031 | Tribunal Superior de Justicia del País Vasco | 900/2029",
    ),
    (
        "year of two digits",
        "TRIBUNAL SUPERIOR DE JUSTICIA DE ANDALUCÍA\nSALA DE LO SOCIAL - GRANADA\n"
        "Rollo nº 900/29 - AB - Sent. nº 77/31\n"
        "En Granada, a doce de marzo de dos mil treinta y uno.\n",
        "STSJ Andalucía 77/2031 | Tribunal Superior de Justicia de Andalucía | 900/2029",
    ),
    (
        "national court",
        "AUDIENCIA NACIONAL\nSala de lo Social\nSENTENCIA Nº: 77/2031\n"
        "Fecha de Juicio: 1/2/2031\nFecha Sentencia: 12/3/2031\n"
        "Tipo y núm. Procedimiento: CONFLICTOS COLECTIVOS 0000900/2029\nPonente: D. LUIS NIEBLA FARO\n",
        "SAN 77/2031 | Audiencia Nacional | 900/2029",
    ),
    (
        "social court with its town on the next line",
        "JUZGADO DE LO SOCIAL Nº 3\nPALENCIA\nNIG: 34120 44 4 2030 0000111\n"
        "PO PROCEDIMIENTO ORDINARIO 0000900 /2029\n\n"
        "SENTENCIA Nº 77/2031\n\nEn Palencia, a doce de marzo de dos mil treinta y uno.\n",
        "SJS Palencia 77/2031 | Juzgado de lo Social n.º 3 de Palencia | 900/2029",
    ),
    (
        "social court of the collection",
        changed(
            {
                "STS 4321": "SJSO 4321", ":TS:": ":JSO:", "Tribunal Supremo. Sala de lo": "Juzgado de lo",
                "Sede: Madrid": "Sede: Soria", "Sección: 1": "Sección: 2",
            }
        ),
        "SJS Soria 77/2031 | Juzgado de lo Social n.º 2 de Soria | 900/2029",
    ),
    (
        "constitutional court",
        "Sala Segunda. Sentencia 77/2031, de 12 de marzo de 2031. Recurso de amparo 900-2029. "
        "Promovido por doña A.B.\n"
        "ECLI:ES:TC:2031:77\nBOE: núm. 99, de 25 de abril de 2031\n",
        "STC 77/2031 | Tribunal Constitucional | 900-2029",
    ),
    (
        "constitutional court without the year of its day",
        "SENTENCIA 77/2031, de 12 de marzo\nBOE: núm. 99, de 25 de abril de 2031\n"
        "La Sala Primera del Tribunal Constitucional,\n",
        "STC 77/2031 | Tribunal Constitucional | ",
    ),
    (
        "court of justice",
        "SENTENCIA DEL TRIBUNAL DE JUSTICIA (Sala Sexta)\n\nde 12 de marzo de 2031 (*)\n\n"
        "En el asunto C‑77/30,\n\nque tiene por objeto "
        "una petición planteada por el Tribunal Superior de Justicia de Galicia, mediante auto "
        "de 1 de julio de 2030.\n",
        "STJUE C-77/30 | Tribunal de Justicia de la Unión Europea | ",
    ),
    (
        "joined cases",
        "SENTENCIA DEL TRIBUNAL DE JUSTICIA (Gran Sala) de 12 de marzo de 2031\n\n"
        "En los asuntos acumulados C‑77/30 y C‑78/30,\n",
        "STJUE C-77/30 y C-78/30 | Tribunal de Justicia de la Unión Europea | ",
    ),
    (
        "a title of a journal, with abbreviations",
        "Tribunal Supremo, Sala Cuarta, de lo Social, Sentencia 77/2031 de 12 Mar. 2031, Rec. 900/2029\n\n"
        "Ponente: Faro Sereno, Marina.\n\nNº de Sentencia: 77/2031\n\nNº de Recurso: 900/2029\n",
        SUPREME,
    ),
    (
        "a title alone",
        "Audiencia Nacional, Sala de lo Social, Sentencia 77/2031 de 12 Mar. 2031\n",
        "SAN 77/2031 | Audiencia Nacional | ",
    ),
    (
        "a day without its second «de»",
        "TRIBUNAL SUPREMO\nSentencia núm. 77/2031 de 12 marzo\nRJ 2031\\4321\n"
        "Recurso de Casación núm. 900/2029.\n",
        SUPREME,
    ),
    (
        "a superior court in Catalan",
        "TRIBUNAL SUPERIOR DE JUSTÍCIA\n\nCATALUNYA\n\nRecurso de Suplicación: 900/2029\n\n"
        "En Barcelona a 12 de marzo de 2031\n\n"
        "La Sala de lo Social del Tribunal Superior de Justicia de Catalunya, compuesta por los citados\n\n"
        "S E N T E N C I A núm. 77/2031\n",
        "STSJ Cataluña 77/2031 | Tribunal Superior de Justicia de Cataluña | 900/2029",
    ),
    (
        "a superior court with its labels in two languages",
        "RECURSO N.º: Suplicación / Erregutze-arloko errekurtsoa 900/2029\nSENTENCIA N.º: 77/2031\n\n"
        "SALA DE LO SOCIAL DEL TRIBUNAL SUPERIOR DE JUSTICIA DE LA COMUNIDAD AUTÓNOMA DEL PAÍS VASCO\n\n"
        "En la Villa de Bilbao, a 12 de marzo de dos mil treinta y uno.\n",
        "STSJ País Vasco 77/2031 | Tribunal Superior de Justicia del País Vasco | 900/2029",
    ),
    (
        "origin of the appeal",
        "SALA DE LO SOCIAL DEL TRIBUNAL SUPERIOR DE JUSTICIA DE CANARIAS\n\nNº Rollo: 0000900/2029\n\n"
        "Resolución:Sentencia 000077/2031\n\nProc. origen: Despidos Nº proc. origen: 0000456/2028-00\n\n"
        "Órgano origen: Juzgado de lo Social Nº 5 de Arrecife\n\nEn Arrecife, a 12 de marzo de 2031.\n",
        "STSJ Canarias 77/2031 | Tribunal Superior de Justicia de Canarias | 900/2029",
    ),
    (
        "social court as its program heads rulings",
        "JDO. DE LO SOCIAL N. 1\n\nPALENCIA\n\nSENTENCIA: 00077/2031\n\n"
        "DSP DESPIDO/CESES EN GENERAL 0000900 /2029\n\n"
        "En PALENCIA, a doce de marzo de dos mil treinta y uno.\n",
        "SJS Palencia 77/2031 | Juzgado de lo Social n.º 1 de Palencia | 900/2029",
    ),
    (
        "social court with its number in words",
        "JUZGADO DE LO SOCIAL NÚMERO TRES DE LOS DE GIJÓN\nAUTOS Nº 900/29\nSENTENCIA Nº 77/31\n"
        "En la Ciudad de Gijón, a doce de marzo de dos mil treinta y uno.\n",
        "SJS Gijón 77/2031 | Juzgado de lo Social n.º 3 de Gijón | 900/2029",
    ),
    (
        "running title of the court of justice",
        "SENTENCIA DE 12. 3. 2031 – ASUNTO C-77/30\nFARO\n\n"
        "SENTENCIA DEL TRIBUNAL DE JUSTICIA (Gran Sala)\n\n"
        "de 12 de marzo de 2031 *\n\nECLI:EU:C:2031:402\n",
        "STJUE C-77/30 | Tribunal de Justicia de la Unión Europea | ",
    ),
    (
        "no number",
        "TRIBUNAL SUPREMO\nSala de lo Social\nRecurso núm.: 900/2029\nEn Madrid, a 12 de marzo de 2031.\n",
        " | Tribunal Supremo | 900/2029",
    ),
]  # fmt: skip


def read(tmp_path: Path, text: str) -> Norm:
    path = tmp_path / "resolucion.txt"
    path.write_text(text, "utf-8")
    return load(path, "sentencias")[0].norm


@pytest.mark.parametrize(("head", "facts"), [case[1:] for case in HEADS], ids=[case[0] for case in HEADS])
def test_a_head_gives_the_facts_of_its_own_ruling(tmp_path: Path, head: str, facts: str) -> None:
    norm = read(tmp_path, head + BODY)
    told = (norm.alias, norm.extra["court"], norm.extra.get("recurso", ""))
    assert " | ".join(told) == facts
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
    assert any("se guarda con las sentencias" in warning for warning in document.warnings)


def test_a_law_that_speaks_of_judgments_stays_law(tmp_path: Path) -> None:
    path = tmp_path / "ley.txt"
    law = "Artículo 1. Objeto.\nLa sentencia núm. 77/2031 del Tribunal Supremo se cumplirá.\n"
    path.write_text(f"Ley 3/2031, de 1 de enero, de fallos\n{law}Artículo 2. Fallo.\nUno.\n", "utf-8")
    (document,) = load(path, "normativa")
    assert document.norm.collection == "normativa"


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
