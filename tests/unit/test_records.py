"""Documents that a question points to by their metadata. Every contract is invented."""

from datetime import date
from decimal import Decimal

import pytest

from law.document_metadata import Records
from law.labels import fold
from law.norms import Norm
from rag.question.asked_documents import may_point, pointed
from rag.question.ranges import amounts, period


def contract(number: str, name: str, **extra: str) -> Norm:
    return Norm(
        id=number.lower().replace("_", "-"),
        collection="contratos",
        title=f"Contrato de {name} ({number})",
        law=number,
        alias=number,
        extra={"num_contrato": number, **extra},
    )


CONTRACTS = [
    contract(
        "EXP_2030_001",
        "suministro de faroles solares",
        contratista="Luminarias Zafiro S.L.",
        importe_eur="250000.00",
        fecha_firma_iso="2030-03-01",
        fecha_fin_iso="2031-03-01",
    ),
    contract(
        "EXP_2030_002",
        "mantenimiento de faroles del puerto",
        contratista="Zafiro y Asociados S.A.",
        importe_eur="4000000.00",
        fecha_firma_iso="2030-11-20",
        fecha_fin_iso="2033-01-15",
    ),
    contract(
        "EXP_2031_003",
        "obras del teatro municipal",
        contratista="Construcciones Brezal S.A.U.",
        importe_eur="9500000.50",
        fecha_firma_iso="2031-06-30",
        fecha_fin_iso="2032-12-31",
    ),
    contract(
        "EXP_2031_004",
        "limpieza del teatro y de la biblioteca",
        contratista="Servicios Nácar S.L.",
        importe_eur="80000.00",
        fecha_firma_iso="2031-07-01",
        fecha_fin_iso="2032-07-01",
    ),
    contract(
        "EXP_2031_005",
        "transporte de archivos",
        contratista="Portes Veloces GmbH",
        importe_eur="1000000.00",
        fecha_firma_iso="2031-09-09",
        fecha_fin_iso="2032-01-31",
    ),
]
JUDGMENT = Norm(
    id="sts-1", collection="sentencias", title="STS 77/2029", law="STS 77/2029", extra={"numero": "77/2029"}
)
LAW = Norm(id="BOE-A-1", title="Ley 9/2030, del farol", law="Ley 9/2030")
ALL = [LAW, JUDGMENT, *CONTRACTS]


def ids(question: str) -> tuple[str, ...]:
    return pointed(question, Records(ALL)).where.get("contratos", ())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Qué dice el expediente EXP_2030_001?", ("exp-2030-001",)),
        ("¿Qué dice exp-2030/001 del plazo?", ("exp-2030-001",)),
        ("contrato EXP 2031 003", ("exp-2031-003",)),
        ("¿Qué contratos tiene Brezal?", ("exp-2031-003",)),
        ("contratos con Construcciones Brezal", ("exp-2031-003",)),
        ("el contrato de servicios nácar", ("exp-2031-004",)),
        ("¿Qué contratos superan los 5 millones de euros?", ("exp-2031-003",)),
        ("contratos de menos de 100.000 €", ("exp-2031-004",)),
        ("contratos con importe superior a 4.000.000,00 euros", ("exp-2031-003",)),
        (
            "contratos de entre 1 y 4 millones de euros",
            ("exp-2030-002", "exp-2031-005"),
        ),
        ("¿Qué contratos firmados en 2030 hay?", ("exp-2030-001", "exp-2030-002")),
        ("¿Qué contratos terminan antes de febrero de 2032?", ("exp-2030-001", "exp-2031-005")),
        ("contratos que vencen después del 31/12/2032", ("exp-2030-002",)),
        ("contratos firmados entre junio de 2031 y julio de 2031", ("exp-2031-003", "exp-2031-004")),
        ("contratos de más de 5 millones que terminan en 2032", ("exp-2031-003",)),
        ("¿Cuánto dura el contrato de faroles solares?", ("exp-2030-001",)),
        ("¿Quién limpia, según el contrato de limpieza de la biblioteca?", ("exp-2031-004",)),
        ("importe del contrato de obras del teatro", ("exp-2031-003",)),
        ("importe del contrato del teatro", ("exp-2031-003", "exp-2031-004")),
        ("¿Cuántos archivos admite el transporte?", ("exp-2031-005",)),
        ("¿Cuándo abre el teatro?", ()),
        ("¿Qué plazo tiene el contrato de grúas?", ()),
        ("contratos de más de 900 millones de euros", ()),
        ("¿Puede el contrato durar más de 5 años?", ()),
        ("¿Cuántas vacaciones me tocan?", ()),
    ],
)
def test_a_question_points_to_the_contracts_that_it_describes(question, expected):
    assert ids(question) == expected


@pytest.mark.parametrize(
    ("question", "sure"),
    [
        ("contrato EXP_2030_001", True),
        ("contratos de Brezal", True),
        ("¿Qué contratos tienen un importe superior a 5 millones de euros?", True),
        # The law speaks of such contracts too.
        ("¿Y si el contrato se firmó antes de 2031?", False),
        ("contrato con un sueldo de más de 1.000 euros", False),
        ("el contrato de limpieza del teatro", False),
    ],
)
def test_only_what_cannot_be_a_question_about_the_law_is_sure(question, sure):
    assert pointed(question, Records(ALL)).sure is sure


def test_the_number_of_a_judgment_points_to_it_but_may_be_that_of_a_law():
    found = pointed("¿Qué dice la sentencia 77/2029?", Records(ALL))
    assert dict(found.where) == {"sentencias": ("sts-1",)}
    assert not found.sure
    assert pointed("la sentencia 177/2029", Records(ALL)).where == {}


def test_a_question_about_the_law_points_to_nothing():
    assert pointed("¿Qué dice la Ley 9/2030?", Records(ALL)) == pointed("", Records())


def test_a_guarantee_is_a_condition_on_fragments_only_in_contracts():
    assert pointed("¿Qué banco avala el contrato de faroles solares?", Records(ALL)).flags == ()
    assert pointed("¿Qué aval tiene el contrato de faroles solares?", Records(ALL)).flags == ("aval",)
    assert pointed("¿Qué entidad avalista hay en el contrato?", Records([LAW])).flags == ()


def test_a_section_named_as_such_is_a_condition():
    found = pointed("¿Qué dice la sección de garantías del contrato de faroles solares?", Records(ALL))
    assert found.section_types == ("garantias",)


def test_a_question_for_documents_is_told_from_one_for_a_fact():
    assert pointed("¿Qué contratos vencen en 2032?", Records(ALL)).several
    assert not pointed("¿Qué importe tiene el contrato EXP_2030_001?", Records(ALL)).several


@pytest.mark.parametrize(
    ("question", "worth"),
    [("¿Qué dice el contrato?", True), ("la 77/2029", True), ("¿Qué vacaciones tengo?", False)],
)
def test_metadata_are_read_only_for_questions_that_may_name_them(question, worth):
    assert may_point(question) is worth


D = date


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("en 2025", D(2025, 1, 1), D(2025, 12, 31)),
        ("en marzo de 2025", D(2025, 3, 1), D(2025, 3, 31)),
        ("el 5 de mayo de 2025", D(2025, 5, 5), D(2025, 5, 5)),
        ("antes de 2026", None, D(2025, 12, 31)),
        ("antes del 01/03/2026", None, D(2026, 2, 28)),
        ("hasta febrero de 2028", None, D(2028, 2, 29)),
        ("después de junio de 2026", D(2026, 7, 1), None),
        ("desde el 15/06/2026", D(2026, 6, 15), None),
        ("a partir de enero de 2027", D(2027, 1, 1), None),
        ("a lo largo de 2027", D(2027, 1, 1), D(2027, 12, 31)),
        ("entre 2024 y 2025", D(2024, 1, 1), D(2025, 12, 31)),
        ("entre el 1 de mayo de 2024 y el 3 de mayo de 2024", D(2024, 5, 1), D(2024, 5, 3)),
    ],
)
def test_a_period_is_read_after_its_verb(text, first, last):
    found = period(fold(text))
    assert found is not None
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize(
    "text", ["", "pronto", "el 31 de febrero de 2025", "en 13/2025", "Ley 3/2025", "el 45/01/2025"]
)
def test_what_is_no_period_is_none(text):
    assert period(fold(text)) is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("importe de más de 1.250,50 euros", "1250.50", None),
        ("presupuesto inferior a 3 mil euros", None, "3000"),
        ("entre 1 y 2 millones de euros", "1000000", "2000000"),
        ("superior a 100 € e inferior a 200 €", "100", "200"),
    ],
)
def test_amounts_are_read_with_their_unit(text, low, high):
    found = amounts(fold(text))
    assert found is not None
    assert (found.low, found.high) == (low and Decimal(low), high and Decimal(high))


@pytest.mark.parametrize(
    "text",
    ["más de 5 años", "más de 5 años por 100 euros", "importe total", "menos de 50 trabajadores, 3 euros"],
)
def test_numbers_of_something_else_are_no_amount(text):
    assert amounts(fold(text)) is None


def test_conditions_are_told_in_spanish():
    assert pointed("contratos de más de 1.500.000 euros", Records(ALL)).conditions == (
        "importe superior a 1.500.000,00 €",
    )
    assert pointed("contratos firmados en mayo de 2031", Records(ALL)).conditions == (
        "fecha de firma desde 01/05/2031 hasta 31/05/2031",
    )
