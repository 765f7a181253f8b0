"""Personal data found in text, and legal text in which there is none."""

import pytest

from lab.masking import GROUPS, law, measure, questions, sentences
from masking.found import find
from masking.vault import Vault
from tests.growth import assert_linear


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in find(text)]


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("DNI", "12345678Z"),
        ("DNI", "12345678z"),
        ("DNI", "12.345.678-Z"),
        ("DNI", "12.345.678 Z"),
        ("DNI", "12 345 678 Z"),
        ("DNI", "12345678-z"),
        ("DNI", "12345678\u00a0Z"),
        ("DNI", "12.345.678‑Z"),
        ("DNI", "1234567L"),
        ("DNI", "１２３４５６７８Z"),
        ("DNI", "١٢٣٤٥٦٧٨Z"),
        ("NIE", "X1234567L"),
        ("NIE", "x1234567l"),
        ("NIE", "X-1.234.567-L"),
        ("NIE", "Y-1234567-X"),
        ("CIF", "B12345674"),
        ("CIF", "B-12345674"),
        ("CIF", "b12345674"),
        ("CIF", "B-12.345.674"),
        ("IBAN", "ES9121000418450200051332"),
        ("IBAN", "ES91 2100 0418 4502 0005 1332"),
        ("IBAN", "es91-2100-0418-4502-0005-1332"),
        ("IBAN", "ES91 2100 0418\n4502 0005 1332"),
        ("IBAN", "DE89 3704 0044 0532 0130 00"),
        ("IBAN", "GB29NWBK60161331926819"),
        ("CUENTA", "2100 0418 45 0200051332"),
        ("CUENTA", "2100-0418-45-0200051332"),
        ("NUSS", "281234567840"),
        ("NUSS", "28/12345678/40"),
        ("NUSS", "28 12345678 40"),
        ("TELEFONO", "612345678"),
        ("TELEFONO", "612 345 678"),
        ("TELEFONO", "612 34 56 78"),
        ("TELEFONO", "91 234 56 78"),
        ("TELEFONO", "971-23-45-67"),
        ("TELEFONO", "+34 612 345 678"),
        ("TELEFONO", "+34612345678"),
        ("TELEFONO", "0034 912345678"),
        ("TELEFONO", "(+34) 612.345.678"),
        ("TELEFONO", "+33 1 23 45 67 89"),
        ("EMAIL", "ana.perez+casa@correo.example.es"),
        ("EMAIL", "JOSÉ_PÉREZ@Firma.es"),
    ],
)
@pytest.mark.parametrize("frame", ["{}", "Escribo ({}), gracias.", "dato:{};", "«{}»", "Es {}.\nY sigue."])
def test_an_identifier_is_found_in_every_usual_spelling(kind: str, written: str, frame: str) -> None:
    assert found(frame.format(written)) == [(kind, written)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("DNI 12345678", [("DNI", "12345678")]),
        ("con D.N.I. n.º 12.345.678-A y", [("DNI", "12.345.678-A")]),
        ("NIF núm. 12345678A", [("DNI", "12345678A")]),
        ("CIF: B-12345678", [("CIF", "B-12345678")]),
        ("IBAN ES00 2100 0418 4502 0005 1332", [("IBAN", "ES00 2100 0418 4502 0005 1332")]),
        ("NAF 28/12345678/99", [("NUSS", "28/12345678/99")]),
        ("n.º de afiliación a la Seguridad Social: 281234567899", [("NUSS", "281234567899")]),
        ("teléfono 612.345.678", [("TELEFONO", "612.345.678")]),
        ("tel.612345678", [("TELEFONO", "612345678")]),
        ("nº12345678Z", [("DNI", "12345678Z")]),
    ],
)
def test_a_number_called_by_its_name_counts_even_mistyped(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("mi cuenta es ES91 2100 0418…", "NUMERO"),
        ("mi DNI es 123456", "DNI"),
        ("llámame al 612 34 5…", "NUMERO"),
        ("escríbame a ana.perez@corr", "EMAIL"),
    ],
)
def test_a_number_cut_short_by_an_excerpt_gives_nothing_away(text: str, kind: str) -> None:
    assert [one for one, _ in found(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "cuántos niveles permite la ley 32/2006",
        "medios que enumera el RD 171/2004",
        "la STS 225/2021",
        "la mutua me llamo ayer para que fuera",
    ],
)
def test_numbers_of_norms_and_calls_without_an_accent_are_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "El artículo 48.4 de la Ley 8/2015, de 30 de octubre, y el Real Decreto 295/2009.",
        "BOE-A-2015-11430, páginas 100224 a 100308, y ECLI:ES:TS:2019:1234.",
        "Una multa de 612.345.678 euros, de 655 000 000 pesetas o de 900000000 €.",
        "Entre 7.501 y 30.000 euros; 187.515,00 euros; 1.234.567,89.",
        "El 12-11-2020, el 12/11/2020 y el 2020-11-12 a las 12:34:56.",
        "Recurso 1234/2019, sentencia 12/2020, expediente 2019/000123.",
        "los apartados 1.2.3, 4.5.6 y 7.8.9; 100.000 a; 2.345.678 y",
        "CNAE 6201, grupo 1, 35 horas, 40 por 100, 1.826 horas y 27 minutos.",
        "C-55/18, asunto 612/345, factura 2024-000612.",
        "teléfono de la empresa; correo electrónico; el DNI y el NIE.",
    ],
)
def test_figures_of_the_law_are_nobody_s_data(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("Me llamo Ana Pérez Gómez y trabajo", "PERSONA", "Ana Pérez Gómez"),
        ("me llamo ana pérez y trabajo", "PERSONA", "ana pérez"),
        ("Mi nombre es María del Carmen Ortiz.", "PERSONA", "María del Carmen Ortiz"),
        ("mi clienta Lucía Martín quiere", "PERSONA", "Lucía Martín"),
        ("nuestro representado, don José Luis de la Fuente,", "PERSONA", "José Luis de la Fuente"),
        ("D. Juan Núñez-Feijoo Díaz, mayor de edad", "PERSONA", "Juan Núñez-Feijoo Díaz"),
        ("Ante mí, D. Juan dijo", "PERSONA", "Juan"),
        ("DÑA. ROSA MARÍA DE LA CRUZ SANZ, con", "PERSONA", "ROSA MARÍA DE LA CRUZ SANZ"),
        ("D.ª Rosa Sanz", "PERSONA", "Rosa Sanz"),
        ("la trabajadora Carmen Vidal fue despedida", "PERSONA", "Carmen Vidal"),
        ("la Sra. Vidal y", "PERSONA", "Vidal"),
        ("el demandante Óscar O'Connor pide", "PERSONA", "Óscar O'Connor"),
        ("mi jefe Luis no me paga", "PERSONA", "Luis"),
        ("demanda contra Pedro Ruiz por", "PERSONA", "Pedro Ruiz"),
        ("una compañera que se llama Fátima", "PERSONA", "Fátima"),
        ("D. Juan\nPérez Gil, de", "PERSONA", "Juan\nPérez Gil"),
        ("contra Construcciones Vega S.L. y", "EMPRESA", "Construcciones Vega S.L."),
        ("Talleres Ruiz e Hijos, S.L.U. (en adelante", "EMPRESA", "Talleres Ruiz e Hijos, S.L.U."),
        ("trabajo en Pérez & Gil SA desde", "EMPRESA", "Pérez & Gil SA"),
        ("LIMPIEZAS DEL SUR, S.A., con", "EMPRESA", "LIMPIEZAS DEL SUR, S.A."),
        ("Servicios Ruiz, Sociedad Limitada", "EMPRESA", "Servicios Ruiz, Sociedad Limitada"),
        ("la empresa Mercapán me debe", "EMPRESA", "Mercapán"),
    ],
)
def test_a_name_that_its_text_announces_is_found(text: str, kind: str, name: str) -> None:
    assert found(text) == [(kind, name)]


@pytest.mark.parametrize(
    "text",
    [
        "La Ley del Estatuto de los Trabajadores y el Tribunal Supremo.",
        "El Instituto Nacional de la Seguridad Social contra la Tesorería General.",
        "Recurso contra Resoluciones del Ministerio de Trabajo y Economía Social.",
        "D. Prestaciones por desempleo\nE. Otras",
        "la empresa Usuaria y la empresa de trabajo temporal",
        "el trabajador Autónomo, la Señora Ministra, el señor Presidente",
        "En Madrid, en enero, la Comunidad Autónoma de Castilla y León.",
        "las llamadas acciones positivas, el llamado Derecho del Trabajo",
        "Don, Doña: ......",
        "Protección contra Incendios y Violencia contra la Mujer",
        "una sociedad limitada, S.L., o anónima, S.A.",
    ],
)
def test_laws_courts_places_and_offices_are_no_names(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("la furgoneta 1234 BCD", [("MATRICULA", "1234 BCD")]),
        ("el turismo J-0932-AB", [("MATRICULA", "J-0932-AB")]),
        ("mi coche es el 1234bcd", [("MATRICULA", "1234bcd")]),
        ("tarjeta 4111 1111 1111 1111, caducidad", [("TARJETA", "4111 1111 1111 1111")]),
        ("con 4111111111111111 y", [("TARJETA", "4111111111111111")]),
        ("pasaporte marroquí n.º QK4819027", [("PASAPORTE", "QK4819027")]),
        ("el PAE482913 y", [("PASAPORTE", "PAE482913")]),
        ("CIP: GALO 1 780403 00 5.", [("SANITARIA", "GALO 1 780403 00 5")]),
        ("tarjeta sanitaria AN0417283955 y", [("SANITARIA", "AN0417283955")]),
        ("nacido el 3/4/1978 en", [("NACIMIENTO", "3/4/1978")]),
        ("F. nac.: 07-12-1983;", [("NACIMIENTO", "07-12-1983")]),
        ("nacida a Reus el 3 d'abril de 1978,", [("NACIMIENTO", "3 d'abril de 1978")]),
        ("Llámeme al 612.345.678", [("TELEFONO", "612.345.678")]),
        ("el de la gestoría 957.41.22.06", [("TELEFONO", "957.41.22.06")]),
        ("Fax (95) 2287164", [("TELEFONO", "(95) 2287164")]),
        ("ana punto perez arroba correo punto es", [("EMAIL", "ana punto perez arroba correo punto es")]),
        ("mi DNI es 12345678 letra Z,", [("DNI", "12345678 letra Z")]),
        (
            "en C/ Larios de Abajo 5, 2.º izda., 29005 Málaga.",
            [("DIRECCION", "C/ Larios de Abajo 5, 2.º izda., 29005 Málaga")],
        ),
        (
            "Rúa do Franco, 12, 2º A, 15702 Santiago",
            [("DIRECCION", "Rúa do Franco, 12, 2º A, 15702 Santiago")],
        ),
        (
            "vivo en calle serrano anguita 11 4ºA madrid",
            [("DIRECCION", "calle serrano anguita 11 4ºA madrid")],
        ),
    ],
)
def test_plates_cards_passports_births_and_addresses_are_found(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Trabajadora: Noelia Campaña Triviño", ["Noelia Campaña Triviño"]),
        ("Un saludo,\nIker Zubizarreta Goñi\nResponsable de nóminas", ["Iker Zubizarreta Goñi"]),
        ("Fdo.: Álvaro Benavides Rosillo\nLetrado", ["Álvaro Benavides Rosillo"]),
        ("TRABAJADOR: CASTILLEJO ROMERA, FCO. JAVIER", ["CASTILLEJO ROMERA, FCO. JAVIER"]),
        ("francisco pulpillo raya, con dni 40538217g", ["francisco pulpillo raya", "40538217g"]),
        ("Matías Bustarviejo Olmo | 12345678Z", ["Matías Bustarviejo Olmo", "12345678Z"]),
        ("Mi clienta, Amparo Lillo Roncero, de 61 años", ["Amparo Lillo Roncero"]),
        ("soy elena, la de la tienda", ["elena"]),
        ("D.ª Rosa Gil y D. Luis Mora", ["Rosa Gil", "Luis Mora"]),
        ("Ana Ruiz y Luis Gil", ["Ana Ruiz", "Luis Gil"]),
        ("despidieron a Josu Agirre", ["Josu Agirre"]),
        ("trabajo en transportes lema sl desde", ["transportes lema sl"]),
        ("la empresa reformas integrales manolín no", ["reformas integrales manolín"]),
        ("Viveros El Aljarafe, S.C.A., pide", ["Viveros El Aljarafe, S.C.A."]),
    ],
)
def test_names_of_signatures_labels_roles_and_rows_are_found(text: str, names: list[str]) -> None:
    assert [value for _, value in found(text)] == names


def test_the_header_of_a_table_tells_what_its_cells_hold() -> None:
    rows = "NOMBRE\tDNI\tF. NAC\tANTIGÜEDAD\nAitor Xyz\t72123456A\t03/04/1978\t01/02/2010\n\nFin\t1/2/2010"
    assert found(rows) == [("PERSONA", "Aitor Xyz"), ("DNI", "72123456A"), ("NACIMIENTO", "03/04/1978")]


@pytest.mark.parametrize(
    "text",
    [
        "la doctrina De Diego Porras y la sentencia López Ribalda",
        "Hay quien llama «Ley García» a esa norma",
        "en la fiesta de la Virgen del Carmen, en San José de la Rinconada",
        "nacidos antes del 1 de enero de 1967; nacido después del 1 de enero de 1960",
        "\nEl Presidente del Gobierno,\nJUAN PÉREZ GIL",
        "el socio trabajador de una SL; el coche de 2015 en buen estado",
        "nos ha dejado a todos en la calle. Tengo 62 años",
        "según el Reglamento europeo 561/2006, el Reglamento (CE) 883/2004 y el Reglamento (UE) n.º 165/2014",
        "El parte se presenta por Delt@, y el alta en Import@ss",
        "Recurso ante el Tribunal Médico Autonómico de Alzada, en tono duro",
        "Dar lugar a las sanciones del artículo 22, en vía administrativa 3",
        "[C1] [Fuente 1 — normativa]\nLey: Ley de Vacaciones\nFuente: https://www.boe.es",
    ],
)
def test_judgments_saints_signers_of_laws_and_labels_are_no_data(text: str) -> None:
    assert found(text) == []


def test_what_follows_on_the_next_line_may_be_a_label() -> None:
    assert found("Ponente: Xoxe Ruiz\nFuente: la web") == [("PERSONA", "Xoxe Ruiz")]


@pytest.mark.slow
def test_the_questions_of_the_evaluation_are_nearly_all_left_alone() -> None:
    asked = questions()
    hits = [(kind, value) for question in asked for kind, value in found(question)]
    # A company whose own agreement is asked about, and a date of birth, are masked like any other.
    hits = [hit for hit in hits if hit[0] not in ("EMPRESA", "NACIMIENTO")]
    assert len(asked) > 24_000
    # Who is named in a story, and five towns («un cliente de Alcaraz»).
    assert len(hits) <= 110
    # «soy manuel» is a name; the others are known faults.
    assert sorted({value for _, value in hits if value[0].islower()}) == [
        "alma",
        "alta médica",
        "aura",
        "eligió",
        "justo entonces",
        "ladron delante de los clientes",
        "lidia",
        "manuel",
        "maximo",
        "máximo",
        "máximo adicional",
        "máximo semanal",
        "niña bonita",
        "polígono de Ajalvir y la jefa nos mandó a casa a",
    ]


@pytest.mark.slow
@pytest.mark.corpus
def test_the_real_law_leaves_as_it_is(boe) -> None:
    texts = list(law())
    words = sum(len(text.split()) for text in texts)
    hits = [hit for text in texts for hit in Vault().mask([text]).values.values()]
    assert words > 1_500_000
    assert len(hits) <= 3 * words / 1_000_000, hits[:40]


@pytest.mark.parametrize(
    ("author", "least", "most_false"),
    [
        ("a", (164, 141, 51, 25), 0),
        ("b", (153, 123, 27, 35), 3),
        ("c", (147, 94, 31, 38), 1),
        ("d", (188, 153, 60, 49), 1),
        ("e", (115, 105, 27, 31), 4),
        ("f", (189, 157, 62, 25), 1),
        ("g", (211, 129, 52, 21), 3),
        ("h", (159, 159, 33, 20), 1),
    ],
)
def test_the_sentences_of_each_author_are_masked_as_measured(
    author: str, least: tuple[int, ...], most_false: int
) -> None:
    counts = measure(sentences(author))
    caught = [counts.of(group)[0] for group in GROUPS]
    assert all(now >= then for now, then in zip(caught, least, strict=True)), caught
    assert counts.false <= most_false, counts.false


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        " \t",
        "S.L. ",
        "Ruiz ",
        "D. ",
        "1234 ",
        "+34 ",
        "calle ",
        "Ana ",
        "nombre: ",
        "a; ",
        "nac\n",
        "nombre; dni\n",
        "nombre; dni\na; b\n",
        "| ",
        "vivo en A ",
        "seis ",
        "arroba ",
        "ana punto ",
        "n.º 1, ",
        "1 de la calle ",
        "edificio A, ",
        "matricula a ",
        "bloque 1 ",
        "ES91 ",
        "12.",
        "Ana, ",
        "ANA, ",
        "ana y ",
        "Fa-\nchadas ",
        "Bar Manolo ",
        "la empresa es ",
        "Ruiz/",
        "A. ",
        "Ruiz Abogados ",
        "polígono 2, 28001 Madrid ",
        "DNI de ",
        "@ana ",
        "DNI: ",
        "DNI\n",
        "DNI 1 ",
        "1 (DNI) ",
        "n. 1",
        "Ana, 1/2/1990, ",
        "nac. 1/2/1990, Ana, ",
        "Olmo 14, ",
        "Olmo, 28001 Madrid ",
        "Olmo 14, 2º B, ",
        "B1O",
        "O0l",
        "1 2 ",
        "J. M. ",
        "el bar es ",
        "Ruiz & ",
        "__",
    ],
)
def test_time_is_linear_in_the_text(piece: str) -> None:
    assert_linear(lambda size: found((piece * size)[:size]), 25_000)
