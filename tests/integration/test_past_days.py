"""Past days of which the corpus has nothing: today's law is tried, told, and never with high confidence."""

import asyncio
from datetime import date

import pytest

from bootstrap import App
from rag.pipeline import run
from rag.stages.past import CEILING
from rag.types import Answer
from tests.real_law import RealLaw

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


NOTHING_THEN = "no hay cargada ninguna redacción vigente a"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "day", "article"),
    [
        ("¿Qué recurso cabe contra una sentencia de despido?", "2005-05-05", "LRJS · Artículo 191"),
        ("¿Qué requisitos tiene el ingreso mínimo vital?", "2018-05-05", "LIMV · Artículo 10"),
        ("¿Qué permiso de paternidad había en 2008?", "", ""),
    ],
)
def test_a_day_before_every_wording_of_what_governs_today_is_told(
    real_law: RealLaw, question: str, day: str, article: str
) -> None:
    answer = ask(real_law.program, question, date.fromisoformat(day) if day else None)
    assert f"{article}», {NOTHING_THEN}" in (answer.notes or "")
    assert answer.confidence <= CEILING


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("¿Cuántos días de permiso hay por hospitalización de un familiar?", "2022-05-10"),
        ("¿Cuánto es el salario mínimo interprofesional?", "2025-05-05"),
        ("¿Cuántas horas puede conducir un camionero?", "2005-05-05"),
        ("¿Cómo se convoca una huelga?", "1990-05-05"),
        ("¿Cuántos días de vacaciones hay?", "2026-06-01"),
    ],
)
def test_a_day_with_the_wording_of_what_governs_or_with_its_own_norm_says_nothing(
    real_law: RealLaw, question: str, day: str
) -> None:
    answer = ask(real_law.program, question, date.fromisoformat(day))
    assert not answer.refusal
    assert NOTHING_THEN not in (answer.notes or "")
    assert "No están cargadas" not in (answer.notes or "")


@pytest.mark.corpus
@pytest.mark.slow
def test_a_day_that_the_question_names_before_the_whole_norm_is_tried_with_todays_law(
    real_law: RealLaw,
) -> None:
    answer = ask(real_law.program, "¿Qué recurso cabía contra una sentencia de despido en 2005?")
    assert answer.as_of == TODAY
    assert "No están cargadas las redacciones de LRJS anteriores al 11/12/2011" in (answer.notes or "")
    assert answer.confidence <= CEILING
