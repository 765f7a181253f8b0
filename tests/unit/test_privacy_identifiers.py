"""Identifiers, births and addresses as people write, mistype and dictate them, and what of them is masked."""

import pytest

from masking.found import find


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find(text)]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("con 1234567-X no sale; mi DNI es 1234567-X", ["1234567-X", "1234567-X"]),
        ("D.N.I. / N.I.E.: 05.123.456-P", ["05.123.456-P"]),
        ("con documento 12345678 expedido en Lugo", ["12345678"]),
        ("le pide el 87654321-A", ["87654321-A"]),
        ("mi DNI 12345678 — letra zeta", ["12345678 — letra zeta"]),
        ("empleada (Z 1120384 - J), 20 h", ["Z 1120384 - J"]),
        ("N.º de identificación de extranjero: X-012345-J", ["X-012345-J"]),
        ("factura de B12345678 sin pagar", ["B12345678"]),
        ("IBAN: ES91 2100\n0418 4502\n0005 1332", ["ES91 2100\n0418 4502\n0005 1332"]),
        ("cuenta ES 91 2100 0418 45 0200051332,", ["ES 91 2100 0418 45 0200051332"]),
        ("la cuenta bancaria 2100 0418 99 0200051332", ["2100 0418 99 0200051332"]),
        ("CCC 0111-41-1234567-89 de la empresa", ["0111-41-1234567-89"]),
        ("Código Cuenta de Cotización: 0111 08 123456789", ["0111 08 123456789"]),
        ("Núm. Seg. Social 08-12345678-90", ["08-12345678-90"]),
        ("la visa 4548 8120 3377 5163 340 €", ["4548 8120 3377 5163"]),
        ("📞 (0034)-93.218.44.07 es el de la oficina", ["(0034)-93.218.44.07"]),
        ("escríbame a juan.perez @ correo.example", ["juan.perez @ correo.example"]),
        ("ana_maria (at) correo (dot) es", ["ana_maria (at) correo (dot) es"]),
        ("matrícula: AB-123-CD (Francia)", ["AB-123-CD"]),
        ("pasaporte AB 1234567, de Rumanía", ["AB 1234567"]),
        ("CIP del Sergas es 720314LGOT2017", ["720314LGOT2017"]),
        ("la tarjeta de Osakidetza TIS 04471932", ["04471932"]),
        ("CIPA 2234567890, Madrid", ["2234567890"]),
    ],
)
def test_an_identifier_that_is_mistyped_or_oddly_spaced_is_masked(text: str, masked: list[str]) -> None:
    assert found(text) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (
            "al seis cinco cuatro, treinta y dos, once, cero nueve",
            ["seis cinco cuatro, treinta y dos, once, cero nueve"],
        ),
        (
            "DNI uno dos tres cuatro cinco seis siete ocho zeta",
            ["uno dos tres cuatro cinco seis siete ocho zeta"],
        ),
        ("la matrícula es 4512 be ce de", ["4512 be ce de"]),
        (
            "pepa punto lopez guion bajo 82 arroba correo punto es",
            ["pepa punto lopez guion bajo 82 arroba correo punto es"],
        ),
        ("trabajo seis o siete días, dos horas, tres, cuatro y hasta cinco", []),
        ("treinta y tres, cuarenta y cinco, veinte o doce días", []),
    ],
)
def test_a_dictated_identifier_is_masked_and_counted_things_are_not(text: str, masked: list[str]) -> None:
    assert found(text) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("trabajador nacido 1995.07.23", ["1995.07.23"]),
        ("jaiotza-data 1966-12-08", ["1966-12-08"]),
        ("F.N. 1990 05 12", ["1990 05 12"]),
        ("nacido el uno del once del cincuenta y ocho", ["uno del once del cincuenta y ocho"]),
        (
            "nací el cinco de marzo de mil novecientos setenta y dos",
            ["cinco de marzo de mil novecientos setenta y dos"],
        ),
        ("Fecha de nacimiento\n12/03/1980", ["12/03/1980"]),
        ("¿cuántas semanas por nacimiento habrá el 1 de marzo de 2028?", []),
    ],
)
def test_a_birth_is_masked_in_any_order_and_in_words(text: str, masked: list[str]) -> None:
    assert found(text) == masked


@pytest.mark.parametrize(
    "address",
    [
        "número 12 de la calle Feria de Sevilla",
        "12, calle de las Lilas, 28012 Madrid",
        "Apartado de Correos 1.234, 28080 Madrid",
        "Apdo. 215, 07080 Palma",
        "Edificio Azahar, portal 3, 5.º D, avenida de la Constitución 44, 18001 Granada",
        "Zumalakarregi kalea 15, 3. ezk., 20008 Donostia",
        "bloque 7 puerta 12 del barrio de Otxarkoaga",
        "Caserío Goikoetxe, barrio Arteaga 4, 48170 Zamudio",
        "C/Urzaiz nº201-6ºD Vigo",
        "Plaza Txillarre 3-1.ºC, 20006 Donostia/San Sebastián",
        "Ronda de Sant Pere 70, pral., 08010 Barcelona",
        "Carrer de la Riera 88, àtic\n08830 Sant Boi de Llobregat",
        "rúa do progreso 41 segundo b ourense 32003",
        "gran via 612 de bcn",
        "Pza. Mayor s/n, 40100 Real Sitio de San Ildefonso",
    ],
)
def test_an_address_is_masked_whole_in_any_order(address: str) -> None:
    assert found(f"el centro está en {address}, según dicen") == [address]


@pytest.mark.parametrize(
    "text",
    [
        "código de convenio 99002755011981",
        "expediente 28/2024/1234567",
        "autos 123/2024 y recurso n.º 1234567",
        "el apartado 3 del artículo 12, en el edificio de los juzgados de Plaza de Castilla",
        "DNI de 12 de marzo de 2024 y la seguridad social de 2019",
    ],
)
def test_numbers_of_agreements_and_files_are_left_alone(text: str) -> None:
    assert found(text) == []
