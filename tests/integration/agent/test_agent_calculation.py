"""A calculation within an investigation: what it gave stands under the answer, letter by letter."""

from tests.integration.agent.conftest import DONE, SEARCH, ask, cites_vacations, record_of
from tests.model_replies import says
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
