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


def test_the_other_days_of_a_question_about_the_last_one_are_kept() -> None:
    scope = time_scope("Mi padre murió en 2015 y mi madre en 2020, ¿qué pensión había entonces?", TODAY)
    assert scope is not None
    assert (scope.as_of, scope.days) == (date(2020, 7, 1), (date(2015, 7, 2),))


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
