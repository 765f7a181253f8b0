"""Agent mode through the functions of the Responses API, over real HTTP."""

import json
from typing import Any

import pytest

from models.chat import ChatMessage
from models.metering import metered, tokens_sent
from rag.tools.xml_calls import MAX_CALLS
from service.program.assembly import App
from tests.conftest import DATA
from tests.integration.agent.conftest import DONE, SEARCH, ask, cites_vacations, record_of, stages
from tests.model_replies import Reply, fails, says
from tests.model_server import ModelServer

VACATIONS = ("tool_lexical_search", {"query": "vacaciones anuales", "top_k": 3})
READ = ("tool_file_section", {"file_name": "ltf.md", "chunk_start": 2, "chunk_end": 2})


@pytest.fixture
def program(server: ModelServer, make_program: Any) -> App:
    return make_program([DATA], openai_base_url=server.url, openai_api="responses", model_retries=0)


def calling(*calls: tuple[str, Any], **options: Any) -> Reply:
    return Reply(calls=calls, **options)


def test_functions_take_the_place_of_xml_and_the_answer_is_verified(program, server):
    server.script(agent=[calling(VACATIONS, reasoning="gAAA"), calling(READ), DONE], answer=[cites_vacations])
    outcome = ask(program)
    record = record_of(outcome)
    assert [[call.name for call in one.calls] for one in record.rounds] == [
        ["tool_lexical_search"],
        ["tool_file_section"],
        [],
    ]
    assert (record.ended, record.fallback) == ("done", "")
    assert record.context[0].chunk_id == record.rounds[1].calls[0].chunk_ids[0]
    assert stages(outcome) == ["understand", "agent", "answer", "verify"]
    assert [(c.article, c.verified) for c in outcome.answer.citations] == [("2", True)]
    assert all(request.path.endswith("/responses") for request in server.requests)


def test_the_model_is_told_its_functions_and_gets_each_result_under_its_call(program, server):
    server.script(agent=[calling(VACATIONS, READ, reasoning="gAAA"), DONE], answer=[cites_vacations])
    record = record_of(ask(program))
    sent = server.last("agent").body
    assert "llamadas a las funciones" in sent["input"][0]["content"]
    assert "XML" not in str(sent) and "<tool_" not in str(sent["input"][0])
    assert [tool["name"] for tool in sent["tools"]] == [
        "tool_lexical_search",
        "tool_semantic_search",
        "tool_structure_search",
        "tool_regex_search",
        "tool_file_section",
        "tool_file_content",
        "tool_calculation",
    ]
    kinds = [item.get("type", item.get("role")) for item in sent["input"]]
    assert kinds[:2] == ["system", "user"]
    assert kinds[2:] == ["reasoning", *["function_call"] * 2, *["function_call_output"] * 2, "user"]
    outputs = [item for item in sent["input"] if item.get("type") == "function_call_output"]
    assert [item["call_id"] for item in outputs] == ["call_1", "call_2"]
    assert "🔍 Búsqueda léxica: 'vacaciones anuales'" in outputs[0]["output"]
    assert "Ronda 1 de 6 hecha" in sent["input"][-1]["content"]
    told = "\n\n".join([*(item["output"] for item in outputs), sent["input"][-1]["content"]])
    assert record.rounds[0].results == told


def test_the_trace_has_functions_and_calls_and_not_the_encrypted_reasoning(program, server):
    server.script(agent=[calling(VACATIONS, reasoning="gAAA"), DONE], answer=[cites_vacations])
    outcome = ask(program)
    record = record_of(outcome)
    assert record.calls[0].messages[-1][0] == "tools"
    assert [one.name for one in record.calls[0].calls] == ["tool_lexical_search"]
    assert record.tokens == 2 * 18
    stored = outcome.trace.model_dump_json()
    assert "gAAA" not in stored
    assert type(outcome.trace).model_validate_json(stored) == outcome.trace


def test_an_optional_parameter_may_be_null_and_a_wrong_one_is_told(program, server):
    server.script(
        agent=[
            calling(
                ("tool_lexical_search", {"query": "vacaciones", "top_k": None}),
                ("tool_lexical_search", {"query": None, "top_k": 3}),
                ("tool_lexical_search", "{"),
                ("tool_structure_search", {"document_name": "ltf.md", "keywords": "vacaciones"}),
                ("tool_nada", {}),
            ),
            DONE,
        ],
        answer=[cites_vacations],
    )
    calls = record_of(ask(program)).rounds[0].calls
    assert [call.error for call in calls] == [
        "",
        "Falta el parámetro obligatorio «query».",
        "Los argumentos de tool_lexical_search no son un objeto JSON: escríbalos como dice su esquema.",
        "",
        calls[4].error,
    ]
    assert "No existe esa herramienta" in calls[4].error


def test_every_call_beyond_ten_gets_the_answer_that_it_was_not_made(program, server):
    many = [("tool_lexical_search", {"query": f"vacaciones {n}"}) for n in range(MAX_CALLS + 3)]
    server.script(agent=[calling(*many), DONE], answer=[cites_vacations])
    record = record_of(ask(program))
    assert len(record.rounds[0].calls) == MAX_CALLS + 1
    outputs = [i for i in server.last("agent").body["input"] if i.get("type") == "function_call_output"]
    assert len(outputs) == MAX_CALLS + 3
    assert all("quedan sin ejecutar 3" in item["output"] for item in outputs[MAX_CALLS:])


def test_a_repeated_call_gets_its_result_once_more_and_then_the_model_is_stopped(program, server):
    server.script(agent=[calling(VACATIONS)], answer=[cites_vacations])
    record = record_of(ask(program))
    assert (record.ended, server.count("agent")) == ("loop", 3)
    assert "♻ Llamada repetida" in record.rounds[1].results


def test_calls_in_xml_are_text_where_functions_are_called(program, server):
    server.script(agent=[says(SEARCH)], answer=[cites_vacations])
    record = record_of(ask(program))
    assert record.rounds[0].calls == ()
    assert "no encontró ningún texto" in record.fallback


def test_an_endpoint_that_refuses_functions_is_asked_in_xml_from_then_on(program, server):
    server.rejects = {"tools"}
    server.script(agent=[says(SEARCH), DONE, says(SEARCH), DONE], answer=[cites_vacations])
    first, second = record_of(ask(program)), record_of(ask(program))
    assert (first.ended, second.ended) == ("done", "done")
    assert [len(first.calls), len(second.calls)] == [3, 2]
    assert first.calls[0].error and first.calls[0].messages
    assert "<tool_lexical_search>" in server.last("agent").system
    assert [call.name for call in first.rounds[0].calls] == ["tool_lexical_search"]


def test_a_failure_in_a_later_round_answers_with_what_was_found(program, server):
    server.script(agent=[calling(VACATIONS), fails(500)], answer=[cites_vacations])
    outcome = ask(program)
    record = record_of(outcome)
    assert record.ended == "model"
    assert "se responde con lo encontrado" in record.fallback
    assert not outcome.answer.refusal


def test_a_failure_in_the_first_round_leaves_the_search_to_the_ordinary_stages(program, server):
    server.script(agent=[fails(500)])
    outcome = ask(program)
    assert "se ha seguido la consulta ordinaria" in record_of(outcome).fallback
    assert "search" in stages(outcome)


def test_the_functions_count_in_the_budget_before_anything_is_sent(program, server):
    outcome = ask(program, agent_tokens=900)
    assert "no alcanza" in record_of(outcome).fallback
    assert server.count("agent") == 0


def test_calls_without_reported_tokens_are_estimated_with_their_arguments(program, server):
    long = ("tool_lexical_search", {"query": "vacaciones " * 150})
    said = [ChatMessage(role="assistant", content="", items=({"arguments": json.dumps(long[1])},))]
    server.script(agent=[calling(VACATIONS, usage=None), calling(long, usage=None), DONE])
    with metered() as meter:
        first, second = record_of(ask(program)).rounds[:2]
    assert first.tokens > 500
    assert second.tokens > first.tokens + 150
    assert tokens_sent(said) > 150 + tokens_sent([])
    (principal,) = [one for one in meter.spent if one.role == "principal"]
    assert principal.completion_tokens > 150
