"""Past days of which the corpus has nothing: today's law is tried, told, and never with high confidence."""

import asyncio
from datetime import date

from bootstrap import App
from rag.pipeline import run
from rag.stages.past import CEILING
from rag.types import Answer

TODAY = date(2026, 6, 1)
LONG_AGO = date(1999, 7, 2)
VACATIONS = "¿Cuántos días de vacaciones tenía un trabajador en 1999?"


def ask(program: App, question: str, as_of: date | None = None) -> Answer:
    return asyncio.run(run(question, program.services, today=TODAY, as_of=as_of)).answer


def test_where_a_past_day_has_nothing_todays_law_is_tried_before_refusing(program: App) -> None:
    answer = ask(program, VACATIONS)
    assert not answer.refusal
    assert (answer.as_of, answer.other_days) == (TODAY, (LONG_AGO,))
    assert "nada vigente a 02/07/1999" in (answer.notes or "")
    assert "Se ha aplicado la normativa vigente a 02/07/1999" not in (answer.notes or "")
    assert answer.confidence <= CEILING


def test_a_day_that_the_reader_chose_is_never_left(program: App) -> None:
    answer = ask(program, VACATIONS, LONG_AGO)
    assert answer.refusal
    assert answer.as_of == LONG_AGO


def test_a_question_of_another_matter_is_not_tried_again(program: App) -> None:
    answer = ask(program, "¿Me podía subir el alquiler el casero en 1999?")
    assert answer.refusal
    assert answer.as_of == LONG_AGO


def test_a_day_before_the_norm_that_is_named_is_told_with_its_first_day(program: App) -> None:
    norm = next(norm for norm in program.corpus.norms() if norm.alias == "LTF")
    question = "¿Qué decía de las vacaciones el artículo 2 de la LTF en 1999?"
    answer = ask(program, question)
    chosen = ask(program, question, LONG_AGO)
    assert norm.valid_from is not None
    assert answer.as_of == TODAY
    assert f"anteriores al {norm.valid_from:%d/%m/%Y}" in (answer.notes or "")
    assert answer.confidence <= CEILING
    assert "Se ha aplicado la normativa vigente a 02/07/1999" not in (answer.notes or "")
    assert chosen.as_of == LONG_AGO
    assert f"anteriores al {norm.valid_from:%d/%m/%Y}" in (chosen.notes or "")
