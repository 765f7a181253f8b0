"""Documents that a question points to by their metadata. Every contract is invented."""

import pytest

from law.document_metadata import Records
from law.norms import Norm
from rag.question.asked_documents import may_point, pointed
from tests.case_files import pairs


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


@pytest.mark.parametrize(("question", "expected"), pairs("asked_contracts"))
def test_a_question_points_to_the_contracts_that_it_describes(question, expected):
    assert " ".join(one[-1] for one in ids(question)) == expected


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


def test_conditions_are_told_in_spanish():
    assert pointed("contratos de más de 1.500.000 euros", Records(ALL)).conditions == (
        "importe superior a 1.500.000,00 €",
    )
    assert pointed("contratos firmados en mayo de 2031", Records(ALL)).conditions == (
        "fecha de firma desde 01/05/2031 hasta 31/05/2031",
    )
