"""Events of the past and a request of now: the law of which day answers, decided by law."""

from datetime import date

import pytest

from rag.question.asked_day import time_scope

TODAY = date(2026, 11, 21)
OF_TODAY = [
    "Tuve un hijo en 2020. ¿Hasta qué edad puedo pedir reducción de jornada?",
    "Me reconocieron una discapacidad en 2018. ¿Qué derechos tengo?",
    "En 2019 pedí una excedencia y quiero volver",
    "Me operaron en 2022. ¿Puedo coger la baja otra vez?",
    "Dimití en 2020. ¿Cuándo puedo cobrar el paro?",
    "Divorciada en 2005, ¿tengo viudedad si no cobraba pensión compensatoria?",
    "Me jubilé en 2019. ¿Puedo trabajar a media jornada cobrando la pensión?",
    "Enviudé en 2016 y me voy a casar otra vez. ¿Pierdo la pensión?",
    "Me despidieron en 2021. ¿Puedo capitalizar el paro para montar un negocio?",
    "Sufrí un infarto en 2021. ¿Me pueden despedir por estar de baja?",
    "Me concedieron la incapacidad permanente total en 2015. ¿Puedo trabajar de otra cosa?",
    "Hace tres años me denegaron la incapacidad. ¿Puedo volver a solicitarla?",
    "Tuve gemelos en 2021, ¿tengo derecho a excedencia por cuidado de hijos?",
    "Me sancionaron en 2022 con una amonestación. ¿Me la pueden tener en cuenta para despedirme?",
    "Mi marido falleció en 2018. ¿Sigo cobrando la viudedad si me caso?",
    "Cesé como autónomo en 2020. ¿Qué requisitos hay para darme de alta con cuota reducida?",
    "Mi madre quedó inválida en 2014; ¿qué permisos tengo para cuidarla?",
    "Me dieron la baja en 2023 por depresión. ¿Tendría paro si dejo la empresa?",
    "Pedí una reducción de jornada en 2022. ¿Podré volver a jornada completa cuando quiera?",
    "Me hospitalizaron en 2020. ¿Cuántos días le dan a mi marido si me vuelven a ingresar?",
    "Murió mi padre en 2012. ¿Tengo días de permiso por la boda de mi hermano?",
    "Me echaron en 2018 y volví a entrar en 2020. ¿Cuántos días de vacaciones me corresponden?",
    "Di a luz en 2019. ¿Me corresponde el permiso parental de ocho semanas?",
    "¿Tengo derecho a paro si dimití en 2020?",
    "¿Puedo pedir la adaptación de jornada por el hijo que tuve en 2020?",
    "me operaron en 2022 puedo coger la baja otra vez",
    "dimiti en 2020 cuando puedo cobrar el paro",
    "Me accidenté en 2019 y me han quedado dolores. ¿Puede la empresa cambiarme de puesto?",
    "Mi mujer tuvo un niño en 2022. ¿Cuántas horas de reducción puedo pedir?",
    "Solicité el teletrabajo en 2021. ¿Me lo pueden quitar?",
    "Mi padre falleció en 2012. ¿Qué permiso tengo si muere mi madre?",
    "Me reconocieron un grado de discapacidad en 2016, ¿cuántos años antes puedo jubilarme?",
    "Me despidieron en 2020 y me volvieron a contratar. ¿Tengo derecho a un ascenso?",
    "Me quedé embarazada en 2022 y pedí la lactancia. ¿Puedo acumularla con un segundo hijo?",
    "Me concedieron una excedencia en 2021. ¿Me tienen que guardar el puesto?",
    "Tuve un accidente en 2018 y no puedo con mi trabajo. ¿Me tienen que adaptar el puesto?",
    "Se jubiló mi padre en 2010 y está enfermo. ¿Qué permisos tengo para cuidarle?",
    "Me sancionaron en 2020. ¿Cuántos días de vacaciones tengo?",
    "Tuve una hija en 2019. ¿Puede la empresa negarme la reducción de jornada?",
    "Sufrí acoso en 2021 y me fui. ¿Tengo paro?",
    "Mi mujer dio a luz en 2021. ¿Podemos pedir los dos la jornada reducida?",
    "Me tuvieron que operar y pedí la baja en 2021, ¿me pueden obligar a trabajar?",
    "Me jubilé en 2015 y ha muerto mi mujer. ¿Tengo que dejar el piso de la empresa?",
    "Mi hijo nació en 2018. ¿Me corresponde el permiso parental?",
]
OF_THAT_DAY = [
    "Me despidieron en 2010, ¿qué indemnización me correspondía?",
    "Me despidieron en 2010. ¿Qué indemnización me corresponde por ese despido?",
    "Se jubiló en 2012, ¿qué edad se pedía?",
    "Mi padre murió en 2015, ¿qué viudedad le quedó a mi madre?",
    "Tuve un hijo en 2018, ¿cuántas semanas me tocaban?",
    "Me jubilé en 2020. ¿Cómo se calcula mi base reguladora?",
    "Me notificaron la sanción el 3 de mayo de 2021. ¿Qué plazo tengo para impugnarla?",
    "Me denegaron la incapacidad en 2019. ¿Qué plazo hay para reclamar?",
    "Di a luz el 4 de abril de 2019. ¿Cuántas semanas de baja maternal tengo?",
    "Me sancionaron en 2016 con dos meses de empleo y sueldo. ¿Era legal?",
    "Sufrí un accidente de trabajo en 2014. ¿Qué recargo de prestaciones me corresponde?",
    "Me quedé viudo en 2013. ¿Qué porcentaje de pensión de viudedad me toca?",
    "Operaron a mi madre en 2021. ¿Cuántos días de permiso me correspondían?",
    "Me concedieron la incapacidad permanente absoluta en 2018. ¿Qué porcentaje de la base cobro?",
    "Dimití en 2017 sin preaviso. ¿Qué podía descontarme la empresa?",
    "Solicité el subsidio de mayores de 52 en 2019. ¿Se tenían en cuenta las rentas de mi mujer?",
    "Me despidieron en 2013 estando de baja. ¿Es nulo el despido?",
    "En 2019 mi mujer dio a luz. ¿Cuánto dura mi permiso de paternidad?",
    "Mi marido falleció en 2007 y no estábamos casados. ¿Qué pensión me correspondería?",
    "Pedí la excedencia en 2018. ¿Qué duración mínima tenía?",
    "Me quedé en paro en 2011. ¿Cuánto duraba la prestación?",
    "Me operaron en 2021. ¿Qué porcentaje cobré de baja los primeros días?",
    "¿Qué indemnización me corresponde si me despidieron en 2010?",
    "¿Qué plazo tengo para reclamar si me despidieron el 3 de mayo de 2021?",
    "me jubile en 2020 que base me corresponde",
    "me despidieron en 2010 que indemnizacion me correspondia",
    "Mi padre murió en 2015. ¿Cuánto le tocó de viudedad a mi madre?",
    "Me despidieron en 2014. ¿Qué me corresponde?",
    "¿Cuántos años cotizados hacen falta para jubilarse en 2019?",
    "Enviudé en 2010. ¿Cuánto me corresponde de viudedad?",
    "Tuve un accidente en 2016. ¿Se consideraba laboral el ir al trabajo?",
    "Mi hija nació en 2018. ¿Cuánto duraba el permiso de paternidad?",
    "Me despidieron en 2019. ¿Puedo reclamar todavía contra el despido?",
    "Mi marido sufrió un accidente laboral en 2012. ¿Qué indemnización le corresponde a la viuda?",
    "Mi abuelo se jubiló en 2009. ¿Qué coeficiente reductor tuvo?",
    "Me echaron el 3 de marzo de 2012. ¿Cuántos días por año me tocan?",
    "Despedido en 2012 con carta. ¿Qué preaviso era obligatorio?",
    "Pedí la prestación en 2016. ¿Cuántos meses de paro me corresponden?",
    "Mi madre enviudó en 2001, ¿qué requisitos pedía la ley?",
    "Me sancionaron en 2019. ¿Cuándo prescribe la falta?",
    "¿Sabe si se cobraba la baja desde el primer día cuando me operaron en 2014?",
    "Di a luz en 2017. ¿Cuántas semanas cobra una?",
    "Me declararon en incapacidad permanente total en 2014. ¿Me corresponde el incremento del 20 por ciento?",
    "Me denegaron la pensión en 2018. ¿Ante quién podía reclamar?",
    "Sufrí un infarto camino del trabajo en 2016. ¿Se considera accidente laboral?",
    "Me despidieron en 2012. ¿Me pueden despedir por faltar al trabajo con justificante?",
]


@pytest.mark.parametrize("question", OF_TODAY)
def test_a_right_of_today_keeps_the_law_of_today_whatever_happened_before(question: str) -> None:
    scope = time_scope(question, TODAY)
    assert scope is None or scope.as_of is None


@pytest.mark.parametrize("question", OF_THAT_DAY)
def test_what_follows_from_what_happened_is_judged_by_the_law_of_its_day(question: str) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert scope.as_of is not None
    assert scope.as_of < TODAY


def test_the_day_of_what_happened_before_is_kept_to_ask_again_with_it() -> None:
    scope = time_scope("Me operaron en 2022. ¿Puedo coger la baja otra vez?", TODAY)
    assert scope is not None
    assert (scope.as_of, scope.days) == (None, (date(2022, 7, 2),))


@pytest.mark.parametrize(
    ("asks", "of_that_day"),
    [
        ("¿Puedo capitalizar el paro?", False),
        ("¿Qué indemnización me corresponde?", True),
        ("¿Cuántas horas extraordinarias se pueden hacer?", True),
    ],
)
def test_each_question_of_a_case_is_read_with_its_own_words(asks: str, *, of_that_day: bool) -> None:
    told = (
        "Me despidieron el 3 de mayo de 2021. ¿Puedo capitalizar el paro? ¿Qué indemnización me corresponde?"
    )
    scope = time_scope(told, TODAY, asks)
    assert scope is not None
    assert scope.as_of == (date(2021, 5, 3) if of_that_day else None)
