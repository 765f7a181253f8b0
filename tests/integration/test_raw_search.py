"""The search on the question as asked, beside those of a model: what it finds is told apart from theirs."""

import asyncio
from datetime import date

import pytest

from rag.run.pipeline import retrieve, run_stages
from rag.shared.state import State
from rag.shared.trace import SearchRecord
from service.program.assembly import App
from tests.conftest import DATA, Maker
from tests.model_replies import as_json, fails
from tests.model_server import ModelServer
from tests.scripted import QUESTION

TODAY = date(2026, 6, 1)
OVERTIME, DISMISSAL = "límite de horas extraordinarias al año", "despido objetivo preaviso"


@pytest.fixture
def program(server: ModelServer, make_program: Maker) -> App:
    return make_program([DATA], openai_base_url=server.url, model_retries=0)


def searched(program: App) -> tuple[State, SearchRecord]:
    state, trace = asyncio.run(retrieve(QUESTION, program.services, as_of=TODAY, today=TODAY))
    record = trace.stage("search")
    assert isinstance(record, SearchRecord)
    return state, record


@pytest.mark.parametrize(
    "queries", [[QUESTION, OVERTIME], [OVERTIME, QUESTION], [OVERTIME, QUESTION, DISMISSAL]]
)
def test_every_sub_query_finds_under_its_own_number_the_question_too(
    program: App, server: ModelServer, queries: list[str]
) -> None:
    server.script(decompose=[as_json(queries)])
    state, record = searched(program)
    assert [one.query for one in record.searches] == queries
    for number, one in enumerate(record.searches):
        assert one.raw is (one.query == QUESTION)
        assert {hit.sub_queries for hit in one.hits} == {(number,)}
        assert [key[1] for key in state.found[number]][: len(one.hits)] == [hit.chunk_id for hit in one.hits]


def test_a_question_that_is_no_sub_query_finds_under_no_number(program: App, server: ModelServer) -> None:
    server.script(decompose=[as_json([OVERTIME, DISMISSAL])])
    state, record = searched(program)
    assert [one.query for one in record.searches] == [OVERTIME, DISMISSAL, QUESTION]
    assert {hit.sub_queries for hit in record.searches[-1].hits} == {()}
    assert sorted(state.found) == [0, 1]


def test_the_extractive_answer_quotes_what_the_question_itself_found(
    program: App, server: ModelServer
) -> None:
    server.script(decompose=[as_json([OVERTIME, QUESTION])], answer=[fails(500)])
    answer = asyncio.run(run_stages(QUESTION, program.services, as_of=TODAY, today=TODAY)).answer
    assert "2" in [citation.article for citation in answer.citations]
