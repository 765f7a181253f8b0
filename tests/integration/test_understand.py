"""Query understanding within a run: the day of the law, follow-ups, what is refused and why."""

import asyncio
from datetime import date

import pytest

from models.chat import Turn
from rag.run.pipeline import retrieve, run_stages
from rag.shared.answer_contract import ABSTENTION

TODAY = date(2026, 6, 1)
VACATIONS = "¿Cuántos días de vacaciones tenía un trabajador {when}?"


def ask(program, question, **options):
    return asyncio.run(run_stages(question, program.services, today=TODAY, **options))


def test_a_day_named_in_the_question_is_applied_and_told(program):
    outcome = ask(program, VACATIONS.format(when="el 3 de mayo de 2021"))
    assert outcome.trace.as_of == outcome.answer.as_of == date(2021, 5, 3)
    assert "03/05/2021" in outcome.answer.notes
    assert outcome.trace.stage("understand").as_of_from == "question"


def test_without_a_day_the_law_of_today_is_applied_in_silence(program):
    outcome = ask(program, "¿Cuántos días de vacaciones me corresponden?")
    assert outcome.answer.as_of == TODAY
    assert "normativa vigente a" not in (outcome.answer.notes or "")
    assert outcome.trace.stage("understand").as_of_from == "today"


def test_a_day_that_the_reader_chose_wins_and_the_answer_says_so(program):
    outcome = ask(program, VACATIONS.format(when="en 2021"), as_of=date(2025, 1, 1))
    assert outcome.answer.as_of == date(2025, 1, 1)
    assert "fecha elegida, 01/01/2025" in outcome.answer.notes
    assert outcome.answer.other_days == (date(2021, 7, 2),)


def test_of_several_possible_reforms_none_is_applied_and_their_dates_are_told(program):
    answer = ask(program, "¿Cuántos días de permiso por vacaciones había antes de la reforma?").answer
    assert answer.as_of == TODAY
    assert "Real Decreto-ley 5/2023 (hasta el 29/06/2023)" in answer.notes
    assert date(2023, 6, 29) in answer.other_days


def test_a_reform_that_is_not_known_is_told(program):
    answer = ask(program, "¿Cuántas vacaciones había antes del Real Decreto-ley 99/2031?").answer
    assert answer.as_of == TODAY
    assert "No se conoce la fecha" in answer.notes


def test_a_date_of_hire_is_kept_beside_the_law_of_today(program):
    answer = ask(program, "Entré el 3 de mayo de 2021. ¿Cuántos días de vacaciones tengo?").answer
    assert (answer.as_of, answer.other_days) == (TODAY, (date(2021, 5, 3),))
    assert "normativa vigente a" not in (answer.notes or "")


@pytest.mark.parametrize(("year", "told"), [(2024, True), (TODAY.year, False)])
def test_a_right_of_now_after_something_past_is_told_from_another_year_on(program, year, told):
    answer = ask(program, f"Me despidieron el 3 de enero de {year}. ¿Cuántas vacaciones podré coger?").answer
    assert answer.as_of == TODAY
    assert ("pide un derecho de ahora o por venir" in (answer.notes or "")) is told


def test_a_future_year_is_answered_with_the_law_of_today(program):
    outcome = ask(program, "¿Cuántos días de vacaciones me corresponderán en 2031?")
    assert outcome.answer.as_of == TODAY
    assert "normativa futura" in outcome.answer.notes


def test_a_follow_up_keeps_the_day_of_the_question_it_follows(program):
    history = [Turn(role="user", text=VACATIONS.format(when="en 2021")), Turn(role="assistant", text="31.")]
    kept = ask(program, "¿Y con cuánta antelación lo sabía?", history=history)
    changed = ask(program, "¿Y en 2023?", history=history)
    assert (kept.answer.as_of, changed.answer.as_of) == (date(2021, 7, 2), date(2023, 7, 2))
    assert "vacaciones" in changed.trace.stage("decompose").queries[0]


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("¿Me puede subir el alquiler el casero?", "Arrendamientos Urbanos"),
        ("¿Quién ganó el mundial de fútbol?", "no parece jurídica"),
        ("¿Cuántos días de vacaciones da la ley peruana?", "legislación de Perú"),
        ("¿Cuántos días de vacaciones da el convenio de hostelería?", "REGCON"),
        ("¿Qué ayudas hay en Andalucía para conciliar?", "BOJA"),
    ],
)
def test_what_lies_outside_is_refused_saying_where_it_would_be(program, question, reason):
    answer = ask(program, question).answer
    assert answer.refusal
    assert answer.answer.startswith(ABSTENTION)
    assert reason in answer.answer


def test_a_named_territory_does_not_hide_the_law_of_the_state(program):
    answer = ask(program, "¿Cuántos días de vacaciones tengo en Madrid?").answer
    assert not answer.refusal
    assert "treinta y un días naturales" in answer.answer


def test_retrieval_alone_reads_the_question_too(program):
    state, _ = asyncio.run(retrieve(VACATIONS.format(when="en 2021"), program.services, today=TODAY))
    assert state.as_of == date(2021, 7, 2)
