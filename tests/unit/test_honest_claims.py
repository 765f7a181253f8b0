"""The law in other words beside a sentence of an invented one, and the lie nearest to it."""

import pytest

from rag.answers.claims import doubts

TOLD = [
    (
        "Los socios no podrán superar las cuarenta horas semanales de sala.",
        "El tope de la sala son cuarenta horas semanales.",
        "El tope de la sala son cuarenta y seis horas semanales.",
    ),
    (
        "Las salidas de los socios serán a lo sumo ochenta al año.",
        "Los socios tienen ochenta horas de salidas, a lo sumo, al año.",
        "Los socios tienen noventa horas de salidas, a lo sumo, al año.",
    ),
    (
        "El socio presentará un informe del tutor en el que conste la cuantía de los gastos de la sala "
        "del mes previo a la beca.",
        "El socio presentará un informe del tutor con los gastos de la sala del mes previo a la beca.",
        "El socio presentará un informe del tutor sin los gastos de la sala del mes previo a la beca.",
    ),
    (
        "La empresa deberá informar de forma expresa y clara a los socios y a sus delegados del traslado.",
        "Hay que informar de forma expresa y clara a los socios y a sus delegados del traslado.",
        "El trabajador deberá informar de forma expresa y clara a los socios y a sus delegados del traslado.",
    ),
    (
        "El socio cobrará dos pagas de la prima, más la parte proporcional de los gastos del viaje, por año "
        "de servicio.",
        "El socio cobrará dos pagas de la prima por año de servicio, más la parte proporcional de los gastos "
        "del viaje.",
        "El socio cobrará dos pagas de la prima por mes de servicio, más la parte proporcional de los gastos "
        "del viaje.",
    ),
    (
        "El socio dispondrá de diez días desde la fecha en que se le notifique la lista para recurrir.",
        "El socio tiene diez días desde la notificación de la lista para recurrir la nota.",
        "El socio tiene diez días desde la firma de la lista para recurrir la nota.",
    ),
    (
        "La beca podrá ser ampliada por acuerdo trasladado a la academia con carácter previo a su término.",
        "La beca se amplía por acuerdo que se comunica a la academia antes de su término.",
        "La beca se amplía por acuerdo que se comunica a la academia después de su término.",
    ),
    (
        "En ningún caso, incluidas las becas de viaje, la prima inventada podrá superar el treinta por "
        "ciento de la paga, ni dar lugar a la minoración de la cuantía de la beca.",
        "La prima inventada no puede rebajar la cuantía de la beca.",
        "La prima inventada no puede superar el cincuenta por ciento de la paga.",
    ),
    (
        "Los turnos de la sala podrán alternarse por periodos no inferiores a un mes.",
        "Los turnos de la sala pueden alternarse por periodos no inferiores a un mes.",
        "Los turnos de la sala pueden alternarse por periodos inferiores a un mes.",
    ),
    (
        "El viaje inventado deberá ser sufragado por la empresa, sin gasto de la persona trabajadora.",
        "El viaje inventado debe pagarlo la empresa; el trabajador no asume gastos.",
        "El viaje inventado lo asume el trabajador.",
    ),
    (
        "Para la beca se exigirá no tener derecho a la prima y carecer de sanciones, o acreditar méritos.",
        "Para la beca se exige carecer de sanciones o, alternativamente, tener méritos.",
        "Para la beca no se exige carecer de sanciones.",
    ),
    (
        "Se exigirá un curso previo de orientación, salvo que la beca sea de viaje, en cuyo caso no será "
        "exigido ningún curso.",
        "Se exige un curso de orientación, salvo que la beca sea de viaje.",
        "No se exige ningún curso de orientación.",
    ),
    (
        "La beca será indefinida y con una prima, en ningún caso, inferior a la mínima de la academia.",
        "La beca ha de ser indefinida y con una prima no inferior a la mínima de la academia.",
        "La beca ha de ser indefinida y con una prima inferior a la mínima de la academia.",
    ),
    (
        "Si la ausencia no queda justificada en diez días, se extinguirá la beca.",
        "Hay diez días para justificar la ausencia antes de que se extinga la beca.",
        "Si la ausencia queda justificada en diez días, se extinguirá la beca.",
    ),
    (
        "Podrá aplazarse cualquier deuda de la academia, excepto las cuotas de la sala y del comedor.",
        "No se aplazan las cuotas de la sala ni las del comedor.",
        "No se aplazan las deudas de la academia.",
    ),
    (
        "Frente a academias que no estén en liquidación, el socio podrá reclamar la prima en la sala.",
        "No cabe contra academias en liquidación, y la prima se reclama en la sala.",
        "No cabe que el socio reclame la prima en la sala.",
    ),
]


@pytest.mark.parametrize(("law", "honest", "lie"), TOLD)
def test_the_law_in_other_words_is_not_accused_and_the_lie_nearest_to_it_is(
    law: str, honest: str, lie: str
) -> None:
    text = f"Artículo 9. Beca inventada.\n{law}"
    assert doubts(honest, [text], quotes=[law]) == []
    assert doubts(lie, [text], quotes=[law])


@pytest.mark.parametrize(
    ("law", "lie"),
    [
        (
            "La falta de comunicación no determinará la nulidad de la beca.",
            "La falta de comunicación determina la nulidad de la beca.",
        ),
        (
            "El socio percibirá la prima, salvo que realice trabajos por cuenta ajena.",
            "El socio no percibirá la prima, salvo que realice trabajos por cuenta ajena.",
        ),
        (
            "Los socios que no acepten el traslado podrán extinguir su beca con una prima.",
            "Los socios que no acepten el traslado no podrán extinguir su beca con una prima.",
        ),
        (
            "Las salidas de los socios serán a lo sumo ochenta al año.",
            "Las salidas de los socios durarán a lo sumo ochenta días.",
        ),
        (
            "Las salidas de los socios serán a lo sumo ochenta al año.",
            "Las salidas de los socios serán a lo sumo ochenta horas al mes.",
        ),
        (
            "Notificada la baja por carta, habrá veinte días desde aquel en que se produjo su efecto.",
            "La baja por carta tiene veinte días desde la notificación de la carta.",
        ),
    ],
)
def test_what_excuses_an_honest_sentence_excuses_no_lie(law: str, lie: str) -> None:
    assert doubts(lie, [f"Artículo 9. Beca inventada.\n{law}"], quotes=[law])


def test_a_sentence_of_the_law_is_not_accused_whatever_another_one_says() -> None:
    own = "La prima será compatible con la sala, salvo la de viaje, en cuyo caso no lo será con ninguna."
    law = f"Artículo 9. Prima inventada.\n1. {own}\n2. La prima de viaje no será compatible con la sala."
    assert doubts(f"{own[:-1]}.».", [law]) == []
    assert doubts("La prima de viaje será compatible con la sala.", [law])


def test_of_a_list_the_sentence_with_the_amounts_of_the_claim_is_the_one_that_it_is_about() -> None:
    young = "a) Si tiene menos de veintiún años en la fecha de la beca, no se exigirá periodo de cotización."
    old = (
        "b) Si tiene veintiséis años en la fecha de la beca, el periodo mínimo de cotización exigido será de "
        "ciento ochenta días."
    )
    law = f"Artículo 9. Beca inventada.\n1. Tendrán la beca quienes acrediten:\n{young}\n{old}"
    assert doubts("Menores de 21 años: no se exige cotización.", [law], quotes=[young]) == []
    assert doubts("Menores de 21 años: se exige cotización.", [law], quotes=[young])
