"""A calculation within an investigation: what it gave stands under the answer, letter by letter."""

import json
from typing import Any

import pytest

from calculations.catalogue import CALCULATORS
from tests.integration.agent.conftest import DONE, SEARCH, ask, cites_vacations, record_of
from tests.model_replies import Request, as_json, says
from tests.model_server import ModelServer
from tests.tool_corpus import xml

NOTICE = xml("calculation", calculator="preaviso", data="causa: objetivo; comunicacion: 2025-05-01")
TOLD = "Primer día posible de efectos: viernes, 16 de mayo de 2025"
WRONG = xml("calculation", calculator="preaviso", data="causa: objetivo")


def test_a_calculation_is_read_by_the_model_and_stands_under_the_answer(program, server):
    server.script(agent=[says(f"{SEARCH}\n{NOTICE}"), DONE], answer=[cites_vacations])
    outcome = ask(program)
    assert TOLD in record_of(outcome).rounds[0].results
    assert any(TOLD in note and "Calcular" in note for note in (outcome.answer.notes or "").splitlines())
    assert outcome.answer.citations[0].verified


def test_a_calculation_that_lacks_data_tells_the_model_and_nobody_else(program, server):
    server.script(agent=[says(f"{SEARCH}\n{WRONG}"), DONE], answer=[cites_vacations])
    outcome = ask(program)
    assert "Falta un dato: Día en que se comunica" in record_of(outcome).rounds[0].results
    assert "Cálculo" not in (outcome.answer.notes or "")


def asked_last(server: ModelServer) -> str:
    """The message of the question, as the answering model got it."""
    last = server.last("answer").body["messages"][-1]
    assert last["role"] == "user"
    return str(last["content"])


def test_a_calculation_reaches_the_answer_with_its_data_and_what_was_supposed(program, server):
    server.script(agent=[says(f"{SEARCH}\n{NOTICE}"), DONE], answer=[cites_vacations])
    outcome = ask(program, "¿Y las vacaciones con un despido objetivo?")
    asked = asked_last(server)
    assert "\n\n===\n\nCÁLCULOS DE LA CASA" in asked
    assert "\n- Causa: Despido objetivo (15 días)\n" in asked
    assert "\n- Día en que se comunica: 01/05/2025 (dato supuesto)\n" in asked
    assert f"\n- Resultado. {TOLD}" in asked
    assert asked.endswith("\n\n¿Y las vacaciones con un despido objetivo?")
    (note,) = [note for note in (outcome.answer.notes or "").splitlines() if TOLD in note]
    assert "Día en que se comunica: 01/05/2025 (dato supuesto)" in note


def test_what_the_person_told_is_not_supposed(program, server):
    server.script(agent=[says(f"{SEARCH}\n{NOTICE}"), DONE], answer=[cites_vacations])
    ask(program, "Me comunicaron el despido objetivo el 1 de mayo de 2025. ¿Y mis vacaciones?")
    assert "01/05/2025\n" in asked_last(server) and "(dato supuesto)" not in asked_last(server)


def test_a_question_without_calculations_is_sent_as_it_is(program, server):
    server.script(agent=[says(SEARCH), DONE], answer=[cites_vacations])
    ask(program)
    assert "CÁLCULOS" not in asked_last(server)


def test_the_figures_of_a_calculation_are_known(program, server):
    def counts(request: Request) -> Any:
        answer = json.loads(cites_vacations(request).text)
        answer["answer"] += " El primer día de efectos sería el 16 de mayo de 2025, y no 47 días después."
        return as_json(answer)

    server.script(agent=[says(f"{SEARCH}\n{NOTICE}"), DONE], answer=[counts])
    told = ask(program).answer.answer
    assert "«47» no consta en lo leído" in told and "«16" not in told


ASK = xml("calculation", calculator="preaviso")
BAD = [xml("file_content", file_name=f"no-existe-{n}.pdf") for n in range(3)]


@pytest.mark.parametrize(
    ("calls", "ended"),
    [
        ([SEARCH, *(xml("calculation", calculator=name) for name in CALCULATORS)], "done"),
        ([SEARCH, ASK, *BAD[:2]], "done"),
        ([SEARCH, *BAD[:2], ASK, BAD[2]], "failures"),
        ([SEARCH, *BAD[:2], NOTICE, BAD[2]], "done"),
    ],
    ids=["asked of each", "asked first", "asked between", "calculated between"],
)
def test_to_ask_which_data_a_calculation_takes_neither_counts_as_a_failure_nor_ends_their_row(
    program, server, calls, ended
):
    server.script(agent=[says("".join(calls[:10])), DONE], answer=[cites_vacations])
    outcome = ask(program)
    assert record_of(outcome).ended == ended
    assert "nombre" not in (outcome.answer.notes or "")


def test_a_model_that_only_asks_for_data_is_stopped_by_its_rounds(program, server):
    asks = [says(xml("calculation", calculator=name)) for name in CALCULATORS]
    server.script(agent=[says(SEARCH), *asks], answer=[cites_vacations])
    assert record_of(ask(program)).ended == "rounds"
    assert server.count("agent") == 6
