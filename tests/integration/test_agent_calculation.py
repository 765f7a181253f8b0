"""A calculation within an investigation: what it gave stands under the answer, letter by letter."""

from typing import Any

import pytest

from bootstrap import App
from tests.conftest import DATA
from tests.integration.test_agent import DONE, SEARCH, ask, cites_vacations, record_of
from tests.model_replies import says
from tests.model_server import ModelServer
from tests.tool_corpus import xml

NOTICE = xml("calculation", calculator="preaviso", data="causa: objetivo; comunicacion: 2025-05-01")
TOLD = "Primer día posible de efectos: viernes, 16 de mayo de 2025"
WRONG = xml("calculation", calculator="preaviso", data="causa: objetivo")


@pytest.fixture
def server(server: ModelServer) -> ModelServer:
    server.markers = {"agent": "Investigas en un corpus", **server.markers}
    return server


@pytest.fixture
def program(server: ModelServer, make_program: Any) -> App:
    return make_program([DATA], openai_base_url=server.url, model_retries=0)


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
