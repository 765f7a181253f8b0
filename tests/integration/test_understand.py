"""Query understanding within a run: the day of the law, follow-ups, what is refused and why."""

import asyncio
from datetime import date

import pytest

from models.chat import Turn
from rag.run.pipeline import retrieve, run_stages
from rag.shared.answer_contract import ABSTENTION
from rag.shared.state import State
from rag.stages.understand import understand

TODAY = date(2026, 6, 1)
VACATIONS = "¿Cuántos días de vacaciones tenía un trabajador {when}?"
DISMISSED = "Me despidieron el 3 de enero de {year}. ¿Cuántas vacaciones podré coger?"


def ask(program, question, **options):
    return asyncio.run(run_stages(question, program.services, today=TODAY, **options))


def test_a_day_named_in_the_question_is_applied_and_told(program):
    outcome = ask(program, VACATIONS.format(when="el 3 de mayo de 2021"))
    assert outcome.trace.as_of == outcome.answer.as_of == date(2021, 5, 3)
    assert "03/05/2021" in outcome.answer.notes
    assert outcome.trace.stage("understand").as_of_from == "question"


@pytest.mark.parametrize(
    ("question", "chosen", "others", "told"),
    [
        ("¿Cuántos días de vacaciones me corresponden?", None, [], ""),
        (VACATIONS.format(when="en 2021"), date(2025, 1, 1), [date(2021, 7, 2)], "elegida, 01/01/2025"),
        ("¿Qué permiso había antes de la reforma?", None, [date(2023, 6, 29)], "(hasta el 29/06/2023)"),
        ("¿Qué había antes del Real Decreto-ley 99/2031?", None, [], "No se conoce la fecha"),
        ("Entré el 3 de mayo de 2021. ¿Cuántas vacaciones tengo?", None, [date(2021, 5, 3)], ""),
        (DISMISSED.format(year=2024), None, [date(2024, 1, 3)], "un derecho de ahora o por venir"),
        (DISMISSED.format(year=TODAY.year), None, [date(TODAY.year, 1, 3)], ""),
        ("¿Cuántos días de vacaciones me corresponderán en 2031?", None, [], "normativa futura"),
    ],
)
def test_a_day_that_is_not_applied_is_told_where_it_may_be_meant(program, question, chosen, others, told):
    state = State(question, chosen or TODAY, as_of_given=chosen is not None, today=TODAY)
    record = asyncio.run(understand(state, program.services))
    assert (state.as_of, record.as_of_from) == ((chosen, "reader") if chosen else (TODAY, "today"))
    assert {*others} <= {*state.other_days}
    assert [told in one.says for one in state.notices] == [True] * bool(told)


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


def test_a_word_typed_wrong_is_read_right_and_told(program):
    outcome = ask(program, "¿Cuántos días de bacaciones anuales corresponden al trabajdor?")
    assert "vacaciones anuales" in outcome.trace.stage("decompose").queries[0]
    told = "Se ha leído «vacaciones» donde escribió «bacaciones» y «trabajador» donde escribió «trabajdor»."
    assert told in outcome.answer.notes
    assert outcome.trace.question.endswith("trabajdor?")


def test_a_follow_up_reads_the_question_before_it_without_its_typing_errors(program):
    history = [Turn(role="user", text="¿Cuántas bacaciones tengo?"), Turn(role="assistant", text="Treinta.")]
    outcome = ask(program, "¿Y con cuánta antelación lo sabía?", history=history)
    assert "vacaciones" in outcome.trace.stage("decompose").queries[0]
    assert "Se ha leído" not in (outcome.answer.notes or "")


def test_a_word_that_a_loaded_text_has_is_left_as_it_is(program, monkeypatch):
    monkeypatch.setattr("rag.stages.understand.rarities", lambda stems, *_: dict.fromkeys(stems, 3.0))
    outcome = ask(program, "¿Cuántos días de bacaciones anuales corresponden al trabajador?")
    assert "bacaciones" in outcome.trace.stage("decompose").queries[0]
    assert "Se ha leído" not in (outcome.answer.notes or "")
