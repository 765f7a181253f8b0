"""Agent mode: its limits, and models that fail."""

import pytest

from tests.conftest import DATA
from tests.integration.agent.conftest import DONE, READ, SEARCH, ask, cites_vacations, record_of, stages
from tests.model_replies import fails, says
from tests.scripted import QUOTE
from tests.tool_corpus import xml


def test_a_model_that_repeats_a_call_gets_the_result_once_more_and_is_then_stopped(program, server):
    server.script(agent=[says(SEARCH)], answer=[cites_vacations])
    outcome = ask(program)
    record = record_of(outcome)
    assert record.ended == "loop"
    assert server.count("agent") == 3
    calls = [call for one in record.rounds for call in one.calls]
    assert [call.repeated for call in calls] == [False, True]
    assert "♻ Llamada repetida" in record.rounds[1].results
    assert "Resultados encontrados" in record.rounds[1].results
    assert not outcome.answer.refusal
    assert "repetía las mismas búsquedas" in (outcome.answer.notes or "")


def test_a_model_that_never_has_enough_is_stopped_after_six_rounds(program, server):
    server.script(
        agent=[says(xml("lexical_search", query=f"vacaciones {n}")) for n in range(9)],
        answer=[cites_vacations],
    )
    outcome = ask(program)
    assert record_of(outcome).ended == "rounds"
    assert server.count("agent") == 6
    assert not outcome.answer.refusal
    assert outcome.answer.confidence <= 0.7


def test_three_failed_calls_in_a_row_end_the_search_and_the_rest_is_not_run(program, server):
    bad = [xml("file_content", file_name=f"no-existe-{n}.pdf") for n in range(3)]
    server.script(agent=[says(SEARCH + "".join(bad) + READ)], answer=[cites_vacations])
    outcome = ask(program)
    record = record_of(outcome)
    assert record.ended == "failures"
    assert [bool(call.error) for call in record.rounds[0].calls] == [False, True, True, True]
    assert server.count("agent") == 1
    assert not outcome.answer.refusal


def test_a_success_between_failures_starts_the_count_anew(program, server):
    bad = [xml("file_content", file_name=f"no-existe-{n}.pdf") for n in range(4)]
    server.script(agent=[says(bad[0] + bad[1] + SEARCH + bad[2] + bad[3]), DONE], answer=[cites_vacations])
    assert record_of(ask(program)).ended == "done"


def test_a_spent_token_budget_ends_the_search_with_what_was_found(program, server):
    server.script(
        agent=[says(SEARCH, usage=(90_000, 29_000)), says(READ)],
        answer=[cites_vacations],
    )
    outcome = ask(program)
    assert record_of(outcome).ended == "tokens"
    assert server.count("agent") == 1
    assert not outcome.answer.refusal
    assert "presupuesto de tokens" in (outcome.answer.notes or "")


def test_an_endpoint_that_reports_no_tokens_is_counted_by_its_texts(program, server):
    server.script(agent=[says(SEARCH, usage=None), DONE], answer=[cites_vacations])
    assert record_of(ask(program)).rounds[0].tokens > 500


@pytest.mark.slow
def test_a_model_that_answers_too_late_ends_the_search_with_what_was_found(program, server):
    server.script(agent=[says(SEARCH), says(READ, wait=30.0)], answer=[cites_vacations])
    outcome = ask(program, agent_seconds=1.5)
    assert record_of(outcome).ended == "time"
    assert not outcome.answer.refusal
    assert "agotó su tiempo" in (outcome.answer.notes or "")


def test_a_model_that_dies_in_the_second_round_leaves_an_answer_from_what_was_found(program, server):
    server.script(agent=[says(SEARCH), fails(500)], answer=[cites_vacations])
    outcome = ask(program)
    record = record_of(outcome)
    assert (record.ended, len(record.rounds)) == ("model", 1)
    assert record.calls[-1].error
    assert [c.article for c in outcome.answer.citations] == ["2"]
    assert "El modelo falló durante la investigación" in (outcome.answer.notes or "")


def test_when_the_answer_fails_too_the_sentences_found_are_quoted(program, server):
    server.script(agent=[says(SEARCH), fails(500)], answer=[fails(500)])
    outcome = ask(program)
    assert outcome.answer.mode == "offline"
    assert any(QUOTE in citation.quote for citation in outcome.answer.citations)


@pytest.mark.parametrize(
    ("replies", "told"),
    [
        ([fails(400)], "el modelo no respondió"),
        ([DONE], "no encontró ningún texto"),
        ([says(xml("file_content", file_name="nada.md")), DONE], "no encontró ningún texto"),
    ],
    ids=["fails at once", "searches nothing", "finds nothing"],
)
def test_an_investigation_without_fragments_goes_on_as_an_ordinary_question(program, server, replies, told):
    server.script(agent=replies)
    outcome = ask(program)
    assert stages(outcome)[:3] == ["understand", "agent", "decompose"]
    assert told in record_of(outcome).fallback
    assert "se ha seguido la consulta ordinaria" in (outcome.answer.notes or "")
    assert [c.article for c in outcome.answer.citations] == ["2"]


def test_without_a_model_the_question_is_answered_as_ever_and_the_notes_say_so(make_program):
    outcome = ask(make_program([DATA]))
    assert record_of(outcome).ended == "no_model"
    assert "no hay ningún modelo" in (outcome.answer.notes or "")
    assert not outcome.answer.refusal
