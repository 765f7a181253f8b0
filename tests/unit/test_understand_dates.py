"""The day whose law a question asks about."""

from datetime import date

import pytest

from rag.question.asked_day import time_scope

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("question", "as_of"),
    [
        ("¿Cuántos días de vacaciones había en 2019?", "2019-07-02"),
        ("¿Cuántos días de vacaciones había en el año 2019?", "2019-07-02"),
        ("Indemnización por despido durante 2014", "2014-07-02"),
        ("¿Cuál era el SMI de 2025?", "2025-07-02"),
        ("salario mínimo 2024", "2024-07-01"),
        ("salario minimo 2024?", "2024-07-01"),
        ("¿Qué decía la ley en 2019 sobre el teletrabajo?", "2019-07-02"),
        ("¿Qué permiso había en marzo de 2018?", "2018-03-16"),
        ("¿Qué permiso había en Marzo del 2018?", "2018-03-16"),
        ("En setiembre de 2020, ¿qué duraba?", "2020-09-15"),
        ("¿Qué regía el 3 de mayo de 2021?", "2021-05-03"),
        ("¿Qué regía el 3 de mayo del 2021?", "2021-05-03"),
        ("¿Qué regía el 1º de enero de 2021?", "2021-01-01"),
        ("redacción vigente a 1/2/2020", "2020-02-01"),
        ("redacción vigente a 01-02-2020", "2020-02-01"),
        ("redacción vigente a 2019-06-01", "2019-06-01"),
        ("¿Qué plazo había en enero del año pasado?", "2025-01-16"),
        ("¿Cuánto se cobraba el año pasado?", "2025-07-02"),
        ("¿Cuánto se cobraba el mes pasado?", "2026-10-16"),
        ("El pasado enero me despidieron", "2026-01-16"),
        ("El pasado diciembre me despidieron", "2025-12-16"),
        ("¿Y hace dos años?", "2024-11-21"),
        ("¿Cuántos días había hace 3 años?", "2023-11-21"),
        ("Me despidieron hace tres meses", "2026-08-21"),
        ("Me despidieron hace 2 semanas", "2026-11-07"),
        ("Me despidieron hace once meses", "2025-12-21"),
        ("Me despidieron hace dieciséis meses", "2025-07-21"),
        ("Me despidieron ayer", "2026-11-20"),
        ("¿Qué contratos había antes de la reforma laboral?", "2021-12-30"),
        ("¿Qué contratos había antes de la reforma laboral de 2021?", "2021-12-30"),
        ("¿Cuál era la indemnización antes de la reforma laboral de 2012?", "2012-02-11"),
        ("¿A qué edad se jubilaba uno antes de la reforma de las pensiones de 2011?", "2012-12-31"),
        ("¿Cómo era el teletrabajo antes de la pandemia?", "2020-03-13"),
        ("¿Qué había antes de 2024?", "2023-12-31"),
        ("¿Qué había antes del año 2024?", "2023-12-31"),
        ("¿Qué había antes de marzo de 2021?", "2021-02-28"),
        ("¿Qué había antes del 8 de marzo de 2019?", "2019-03-07"),
        ("Me jubilé en 2020, ¿qué base me corresponde?", "2020-07-01"),
        ("Mi padre falleció en julio de 2019", "2019-07-16"),
        ("Me despidieron en mayo de 2018", "2018-05-16"),
        ("Nací en 1960 y me jubilé en 2020", "2020-07-01"),
        ("¿Qué hay en 2026?", "2026-11-21"),
        ("¿Qué hay en noviembre de 2026?", "2026-11-21"),
        ("Según la Ley 39/2015, ¿qué plazo había en 2019?", "2019-07-02"),
    ],
)
def test_a_question_names_its_day(question: str, as_of: str) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert scope.as_of == date.fromisoformat(as_of)
    assert question[scope.start : scope.end].strip() == scope.text


KEEP_TODAY = [
    "Entré el 1 de marzo de 2005 y me han despedido hoy, ¿qué indemnización me corresponde?",
    "Entré el 1 de marzo de 2005 y me han despedido. ¿Qué indemnización me corresponde?",
    "Antigüedad 01/03/2005. ¿Qué indemnización me corresponde por despido improcedente?",
    "Antigüedad: 01.03.2005, salario 1.800 euros, ¿cuánto me toca?",
    "Nací el 4 de mayo de 1962. ¿Cuándo me puedo jubilar?",
    "naci el 4 de mayo de 1962 a que edad me jubilo",
    "Coticé hasta el 30 de junio de 2019. ¿Me queda paro?",
    "Tengo cotizaciones hasta el 30 de junio de 2019, ¿puedo jubilarme?",
    "Fecha de nacimiento: 12/10/1959. ¿Qué años cotizados necesito?",
    "¿Qué indemnización tengo si entré a trabajar el 1/3/2005?",
    "Con contrato de 2 de mayo de 2011, ¿qué indemnización me toca si me echan?",
    "El 5 de enero de 2021 firmé un contrato por obra. ¿Cuándo acaba?",
    "Mi empresa entró en concurso el 15 de mayo de 2020. ¿Qué paga el FOGASA?",
    "Mi empresa cerró el 15 de mayo de 2020 y ahora reclamo al FOGASA: ¿qué límite hay?",
    "Me despidieron el 14 de octubre de 2019. ¿Qué plazo hay hoy para reclamar?",
    "Trabajo a tiempo parcial desde el 3 de junio de 2019. ¿Tengo horas complementarias?",
    "Mi hijo nació el 3 de mayo de 2019. ¿Puedo pedir reducción de jornada?",
    "Trabajador con fecha de nacimiento 3 de mayo de 1980: permiso por nacimiento",
    "Mi contrato es anterior al 12 de febrero de 2012: ¿qué indemnización por despido tengo?",
    "Entré antes de la reforma de 2012. ¿Qué indemnización por despido tengo?",
    "Me divorcié el 3 de mayo de 2017 y mi ex ha muerto. ¿Tengo pensión de viudedad?",
    "me divorcie hace 9 años y mi ex se ha muerto, ¿tengo viudedad?",
    "Me di de alta de autónomo el 12/04/2019. ¿Puedo pedir el cese de actividad?",
    "Me despidieron en 2019 y ahora me han vuelto a despedir. ¿Qué plazo tengo?",
    "Me jubilé el 4 de mayo de 2020 y ahora me reclaman lo cobrado. ¿Cuándo prescribe?",
]


@pytest.mark.parametrize("question", KEEP_TODAY)
def test_hire_birth_and_contributions_and_every_date_beside_today_keep_the_law_of_today(
    question: str,
) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert (scope.as_of, scope.kind) == (None, "since")


@pytest.mark.parametrize(
    ("question", "as_of"),
    [
        ("Me contrataron el 2 de mayo de 2011 y me despidieron el 14 de octubre de 2019", "2019-10-14"),
        (
            "Me contrataron el 2 de mayo de 2011 y me despidieron el 14 de octubre de 2019. ¿Se podía?",
            "2019-10-14",
        ),
        ("Entré el 1 de marzo de 2005. Me despidieron el 3 de mayo de 2021. ¿Fue procedente?", "2021-05-03"),
        ("¿Cuánto podía durar un contrato de obra firmado el 5 de mayo de 2020?", "2020-05-05"),
        ("Me contrataron en prácticas el 3/06/2019: ¿qué duración máxima permitía la ley?", "2019-06-03"),
        ("El 15 de febrero de 2022 firmé un contrato. ¿Lo permitía la ley vigente aquel día?", "2022-02-15"),
        ("Con la ley vigente el 2 de marzo de 2020, ¿qué parte de la pensión se cobra?", "2020-03-02"),
        ("En 2019, ¿cuántos días de vacaciones hay?", "2019-07-02"),
        ("Mi hijo nació el 3 de mayo de 2019. ¿Cuántas semanas de permiso de paternidad hay?", "2019-05-03"),
        ("semanas de permiso del padre por nacimiento el 3 de septiembre de 2020", "2020-09-03"),
        ("duración del permiso por nacimiento en septiembre de 2020 para el padre", "2020-09-15"),
        ("¿Qué cuota tenía el alta de autónomo el 12 de abril de 2019?", "2019-04-12"),
        ("Trabajé desde 2010 hasta 2019 y me jubilé el 1 de julio de 2024. ¿Qué base tengo?", "2024-07-01"),
        ("Trabajé entre 2010 y 2019 y me jubilé el 1 de julio de 2024. ¿Qué base tengo?", "2024-07-01"),
        ("Me dieron la incapacidad permanente el 5 de marzo de 2023. ¿Cuánto cobro?", "2023-03-05"),
        ("Me notificaron el despido el 3 de mayo de 2021, ¿qué plazo tengo?", "2021-05-03"),
        ("¿Cuál era la indemnización antes de la reforma laboral de Zapatero?", "2010-06-17"),
        ("¿Qué permisos había antes del RDL 5/2023?", "2023-06-29"),
        ("¿Qué subsidio había antes del Real Decreto-ley 7/2023?", "2023-12-20"),
        ("¿Qué permisos había antes del Real Decreto-ley 5/2023, de 28 de junio?", "2023-06-29"),
        ("¿Se extinguía el contrato antes de la Ley 2/2025?", "2025-04-30"),
        ("¿Qué permiso de paternidad había antes de la reforma de los permisos de 2019?", "2019-03-07"),
        ("¿Qué contratos temporales había antes de la reforma?", "2021-12-30"),
        ("¿Cómo era el subsidio por desempleo antes de la reforma de 2024?", "2024-05-22"),
        ("¿Qué decía el artículo 15 antes de la última reforma laboral?", "2021-12-30"),
        ("Bebé nacido el 3 de abril de 2022. ¿Cuántas semanas eran para el padre?", "2022-04-03"),
        ("Contrato firmado el 7 de mayo de 2020. ¿Qué duración admitía la ley?", "2020-05-07"),
        ("Reclamo la nómina del 5 de junio de 2023. ¿Cuánto era el mínimo ese mes?", "2023-06-05"),
        ("Una falta de 2021: cogió la baja el 4 de mayo de 2021. ¿Qué plazo tenía?", "2021-05-04"),
        (
            "El 9 de marzo de 2022 operaron a mi padre. Ahora leo que son más. ¿Qué días tocaban?",
            "2022-03-09",
        ),
        ("Mi hija nació el 8 de julio de 2018 y ahora discuto las semanas de paternidad", "2018-07-08"),
        (
            "Cuotas de abril de 2018, pagadas el 4 de junio de 2018. ¿Qué recargo había entonces?",
            "2018-06-04",
        ),
        ("Salió en mayo de 2023 y pidió la ayuda el 3 de abril de 2024. ¿La tenía aquel día?", "2024-04-03"),
    ],
)
def test_a_past_day_is_the_laws_when_it_is_asked_for_or_the_hecho_causante(question: str, as_of: str) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert scope.as_of == date.fromisoformat(as_of)
    assert question[scope.start : scope.end].strip() == scope.text


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("¿Y antes de la reforma?", ["2010-06-17", "2012-02-11", "2021-12-30"]),
        ("¿Qué indemnización por despido había antes de la reforma laboral?", ["2010-06-17", "2012-02-11"]),
        (
            "¿A qué edad se jubilaba uno antes de la reforma de las pensiones?",
            ["2012-12-31", "2021-12-29", "2023-03-17", "2024-12-24"],
        ),
        ("¿Qué permisos había antes de la reforma?", ["2019-03-07", "2023-06-29", "2025-07-30"]),
        ("¿Qué había antes del Real Decreto-ley 99/2031?", []),
    ],
)
def test_of_several_possible_reforms_none_is_chosen(question: str, days: list[str]) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert (scope.as_of, scope.kind) == (None, "reforms")
    assert [day.isoformat() for day in scope.days] == days
    assert len(scope.laws) == len(days)


def test_the_days_that_are_named_and_not_applied_are_kept() -> None:
    hired = time_scope("Entré el 1 de marzo de 2005 y hoy me han despedido", TODAY)
    several = time_scope("¿Qué cambió entre el 10 de mayo de 2022 y el 3 de mayo de 2024?", TODAY)
    assert hired is not None
    assert several is not None
    assert hired.days == (date(2005, 3, 1),)
    assert several.days == (date(2022, 5, 10), date(2024, 5, 3))


@pytest.mark.parametrize(
    "question",
    [
        "¿Cuántos días de vacaciones tengo?",
        "¿Qué dice la Ley 39/2015?",
        "¿Qué dice la ley 39/2015, de 1 de octubre?",
        "¿Qué dice el RD 295/2009?",
        "¿Qué dice la Ley 31/1995, de 8 de noviembre?",
        "¿Qué dice la Orden TAS/2865/2003?",
        "¿Qué dice la Ley de Empleo de 2003?",
        "El Estatuto de los Trabajadores de 1980",
        "¿Qué dice la Constitución de 1978 sobre la huelga?",
        "¿Qué cambió la reforma laboral de 2021?",
        "¿Qué dice la STS 123/2019?",
        "LGSS 2015",
        "¿Qué permiso necesito antes de la reforma de mi local?",
        "Me deben 2000 euros de nómina",
        "Una empresa de 2000 trabajadores",
        "He hecho 1990 horas este año",
        "En agosto me tocan las vacaciones",
        "¿Qué regía el 31/02/2020?",
        "Trabajo aquí hace dos años",
        "Hace dos años que no me suben el sueldo",
        "el artículo 2010 de algo",
    ],
)
def test_what_is_no_date_of_the_law_is_left_alone(question: str) -> None:
    assert time_scope(question, TODAY) is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Trabajo desde 2015 en la empresa", "since"),
        ("Trabajo desde el 3 de mayo de 2015", "since"),
        ("A partir de 2021, ¿qué contratos hay?", "since"),
        ("Llevo de baja desde hace dos años", "since"),
        ("Nací en 1960, ¿cuándo me jubilo?", "since"),
        ("Me contrataron en 2012, ¿cuál es mi indemnización?", "since"),
        ("¿Qué cambió entre 2018 y 2023?", "several"),
        ("Trabajé de 2015 a 2019", "since"),
        ("He trabajado del 1 de enero de 2015 al 30 de junio de 2019, ¿tengo paro?", "since"),
        ("¿Qué SMI habrá en 2027?", "future"),
        ("¿Cuánto subirán las pensiones el año que viene?", "future"),
    ],
)
def test_a_time_that_is_no_day_of_the_law_is_told_but_not_applied(question: str, kind: str) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert (scope.as_of, scope.kind) == (None, kind)


def test_the_other_days_of_a_question_about_the_last_one_are_kept() -> None:
    scope = time_scope("Mi padre murió en 2015 y mi madre en 2020, ¿qué pensión había entonces?", TODAY)
    assert scope is not None
    assert (scope.as_of, scope.days) == (date(2020, 7, 1), (date(2015, 7, 2),))
