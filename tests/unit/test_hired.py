"""The first day of the work that a question tells of: never later than its words allow."""

from datetime import date

import pytest

from rag.question.asked_day import time_scope
from rag.question.hiring_day import hired

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Trabajadora contratada el 1 de marzo de 2008, despedida el 30 de septiembre de 2025", "2008-03-01"),
        ("Trabajador indefinido a jornada completa desde el 1 de junio de 2016", "2016-06-01"),
        ("Entré en la empresa en 2009 y me hicieron indefinido en 2016", "2009-01-01"),
        ("Me contrataron hace cuatro años y me despiden", "2022-11-28"),
        ("Contrato de 2012. ¿Qué indemnización?", "2012-01-01"),
        ("Antigüedad: 01/03/2005", "2005-03-01"),
        # Four years are nearly five at most.
        ("Empleada de hogar con cuatro años de antigüedad a la que despiden", "2021-11-29"),
        ("llevo 4 años limpiando en un piso y me echan", "2021-11-29"),
        ("llevo 18 meses trabajando en un bar", "2025-05-07"),
        # Years of work before a dismissal of then.
        ("Me despidieron el 3 de mayo de 2014, llevaba cuatro años trabajando. ¿Era legal?", "2009-05-04"),
    ],
)
def test_the_beginning_of_the_work_is_read(text: str, day: str) -> None:
    assert hired(text, time_scope(text, TODAY), TODAY) == date.fromisoformat(day)


@pytest.mark.parametrize(
    "text",
    [
        "Trabajador despedido el 3 de mayo de 2021",
        "Mi contrato de obra terminó en 2021",
        "Contrato anterior al 12 de febrero de 2012, ¿qué indemnización?",
        "Llevo más de diez años trabajando aquí",
        "Llevo cuatro años cobrando el paro",
        "Llevo casi 18 meses de baja",
        "entre 2015 y 2020 me pagaban el plus",
        "Mi empresa entró en concurso el 15 de mayo de 2020",
        "He pedido el ingreso mínimo hace 5 meses",
        "¿Cuántos días de vacaciones tengo?",
    ],
)
def test_other_days_and_open_words_tell_no_beginning(text: str) -> None:
    assert hired(text, time_scope(text, TODAY), TODAY) is None
