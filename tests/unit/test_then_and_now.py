"""Questions about the law of a past day and that of today, and those about one of them only."""

from datetime import date

import pytest

from law.holdings import Holdings
from models.chat import Turn
from rag.question.asked_day import time_scope
from rag.question.question_reading import understand
from rag.question.understanding import BOTH

HOLDINGS = Holdings()

TODAY = date(2026, 11, 28)
JULY_2019 = date(2019, 7, 2)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("Me despidieron en 2019 por faltas de asistencia, ¿era legal? ¿y hoy podrían?", JULY_2019),
        ("me despidieron en 2019 por faltas de asistencia era legal y hoy podrian", JULY_2019),
        ("Lo despidieron en 2019. ¿Qué exigía entonces la ley? ¿Se le podría despedir hoy?", JULY_2019),
        ("En 2019 despidieron a mi hermano. ¿Era legal? ¿Podrían hacerlo ahora?", JULY_2019),
        ("¿Cuántas semanas de paternidad había en 2019 y cuántas hay hoy?", JULY_2019),
        ("¿Cuántas semanas tiene hoy el padre? ¿Y en 2019?", JULY_2019),
        ("¿Cuánto era el SMI en 2019? ¿Y ahora?", JULY_2019),
        ("¿Qué decía el artículo 52.d ET en 2019 y qué dice actualmente?", JULY_2019),
        ("¿Sigue existiendo el despido por faltas de asistencia que había en 2019?", JULY_2019),
        ("Diferencia entre el permiso de paternidad de 2019 y el actual", JULY_2019),
        ("¿Qué diferencia hay entre el permiso de paternidad de 2019 y el actual?", JULY_2019),
        ("¿Ha cambiado el artículo 48.4 ET respecto de 2019?", JULY_2019),
        ("¿Ha cambiado el permiso de paternidad desde 2019?", date(2018, 12, 31)),
        ("¿Qué cambios hay en el permiso desde el 1 de marzo de 2019?", date(2019, 2, 28)),
        ("¿Qué duraba la obra antes de la reforma laboral de 2021 y cuánto ahora?", date(2021, 12, 30)),
        ("Se jubiló en 2019 con 65 años, ¿podría jubilarse hoy con la misma edad?", JULY_2019),
        ("¿Qué edad se pedía el 3 de mayo de 2019 y cuál se pide hoy?", date(2019, 5, 3)),
        (
            "El hijo de mi cliente nació el 10 de mayo de 2019. ¿Cuántas semanas de suspensión por "
            "nacimiento le correspondían entonces y cuántas tendría si naciera hoy?",
            date(2019, 5, 10),
        ),
    ],
)
def test_a_question_about_then_and_now_keeps_the_law_of_today_and_the_other_day(
    question: str, day: date
) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert (scope.kind, scope.as_of, scope.days) == (BOTH, None, (day,))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Me despidieron en 2019 por faltas de asistencia, ¿era legal?", "event"),
        ("¿Cuántas semanas tenía el padre en 2018?", "year"),
        ("¿Qué cambió en 2019?", "year"),
        ("El 15 de febrero de 2022 firmé un contrato. ¿Lo permitía la ley vigente aquel día?", "day"),
        ("¿Qué ha cambiado este año?", None),
        ("¿Me pueden despedir hoy por faltas de asistencia?", None),
        ("Me despidieron el 14 de octubre de 2019. ¿Qué plazo hay hoy para reclamar?", "since"),
        ("¿Qué indemnización me toca hoy si entré en 2005?", "since"),
        ("Entré el 1 de marzo de 2005 y hoy me han despedido. ¿Qué me corresponde?", "since"),
        ("El 5 de enero de 2021 firmé un contrato por obra. ¿Qué contratos permite hoy la ley?", "since"),
        ("Cobro el paro desde 2024, ¿sigue siendo compatible con trabajar?", "since"),
        ("Firmé el contrato en 2018 y hoy me dicen que era indefinido, ¿es correcto?", "since"),
        ("Mi hija nació en 2018 y ahora leo que son cinco semanas. ¿Cuántas me tocaban?", "year"),
        ("Me operaron en 2022. ¿Puedo coger la baja otra vez?", "right"),
    ],
)
def test_a_question_about_one_of_them_only_is_about_no_other(question: str, kind: str | None) -> None:
    scope = time_scope(question, TODAY)
    assert (scope.kind if scope else None) == kind


@pytest.mark.parametrize(
    "question",
    [
        "Me despidieron en un ERE en 2024, ¿desde qué edad podré jubilarme?",
        "Fui despedida en un ERE en 2024. ¿Desde qué edad puede jubilarse una persona en mi caso?",
        "Me despidieron en 2024. ¿A qué edad podrá jubilarse mi marido?",
    ],
)
def test_a_pension_still_to_come_is_no_effect_of_a_dismissal(question: str) -> None:
    scope = time_scope(question, TODAY)
    assert scope is not None
    assert (scope.kind, scope.as_of, scope.days) == ("right", None, (date(2024, 7, 1),))


def test_the_year_told_with_a_pension_is_that_of_its_law() -> None:
    scope = time_scope("¿Cuántos años cotizados hacen falta para jubilarse en 2019?", TODAY)
    assert scope is not None
    assert scope.as_of == JULY_2019


def test_the_story_behind_a_question_tells_the_other_day() -> None:
    told = "Me despidieron en 2019 por faltas de asistencia. ¿Era legal? ¿Y hoy podrían?"
    read = understand("¿Era legal y podrían hacerlo hoy?", (), TODAY, HOLDINGS, background=told)
    assert read.time is not None
    assert (read.time.kind, read.time.days) == (BOTH, (JULY_2019,))


def test_a_follow_up_about_today_compares_it_with_the_day_before() -> None:
    history = [Turn(role="user", text="¿Cuántas semanas había en 2019?"), Turn(role="assistant", text="Ocho")]
    read = understand("¿Y hoy?", history, TODAY, HOLDINGS)
    assert read.time is not None
    assert (read.time.kind, read.time.days) == (BOTH, (JULY_2019,))


def test_a_question_about_today_of_a_story_of_then_is_answered_with_the_law_of_today() -> None:
    read = time_scope("Me despidieron en 2019 por faltas.", TODAY, "¿Me podrían despedir hoy por lo mismo?")
    assert read is not None
    assert (read.as_of, read.days) == (None, (JULY_2019,))


EMAIL = (
    "Te traslado varias dudas de un cliente.\n1. ¿Con cuánta antelación se preavisa un despido objetivo?\n"
    "2. ¿Qué indemnización le correspondía a un trabajador despedido el 2 de noviembre de 2019?"
)


@pytest.mark.parametrize(
    ("question", "background", "day"),
    [
        ("¿Con cuánta antelación se preavisa un despido objetivo?", EMAIL, None),
        ("¿Qué indemnización tuvo el despedido el 2 de noviembre de 2019?", EMAIL, date(2019, 11, 2)),
        (
            "¿Qué indemnización le corresponde?",
            "La despidieron el 2 de noviembre de 2019.",
            date(2019, 11, 2),
        ),
    ],
)
def test_the_day_of_one_question_of_a_text_is_not_that_of_the_others(
    question: str, background: str, day: date | None
) -> None:
    time = understand(question, (), TODAY, HOLDINGS, background=background).time
    assert (time.as_of if time else None) == day
