"""A model endpoint in every kind of trouble: the rules answer, the trace says so, nothing piles up."""

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from rag.run.runs import Run
from rag.shared.messages import MessageState
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA, Maker
from tests.model_replies import Reply, as_json, fails, says
from tests.model_server import ModelServer
from tests.scripted import QUESTION, reply
from tests.texts import eventually

KEY = "sk-clave-de-prueba"
STAGES = ("decompose", "rerank", "assess", "answer")
LIMITS = {f"{stage}_seconds": 0.3 for stage in STAGES}
AT_ONCE = 20
POOLS = ("asyncio_", "answers-alive", "answers-end")


def asked(program: App) -> Run:
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id
    return program.runs.start(LOCAL_USER, chat, QUESTION)


def ended(program: App, run: Run) -> Any:
    """The trace of an answer that must have been given without a model, and be stored with its question."""
    assert run.done.wait(25), "it goes on for longer than its limits allow"
    question, answer = program.database.conversations.messages(LOCAL_USER, run.conversation_id)
    assert (question.text, answer.state) == (QUESTION, MessageState.COMPLETE)
    assert answer.answer.mode == "offline"
    assert all(citation.verified for citation in answer.answer.citations)
    trace = program.database.conversations.trace(LOCAL_USER, run.message_id)
    assert KEY not in trace.model_dump_json() + answer.model_dump_json()
    return trace


def notes(program: App, run: Run) -> str:
    """Notes that the reader of an answer is told besides it."""
    return str(program.database.conversations.messages(LOCAL_USER, run.conversation_id)[1].answer.notes)


def everywhere(server: ModelServer, *replies: Any) -> None:
    server.script(**{stage: list(replies) for stage in STAGES})


@pytest.fixture
def closed_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


def impatient(make_program: Maker, url: str, **settings: Any) -> App:
    options = {"model_retries": 0, **LIMITS, **settings}
    return make_program([DATA], openai_base_url=url, openai_api_key=KEY, **options)


def test_an_endpoint_that_is_down_leaves_the_answer_of_the_rules(
    make_program: Maker, closed_port: str
) -> None:
    # Not impatient: on a busy machine the limit of a stage would end before the retry is refused.
    program = make_program([DATA], openai_base_url=closed_port, openai_api_key=KEY, model_retries=1)
    run = asked(program)
    trace = ended(program, run)
    assert all(trace.stage(stage).fallback for stage in STAGES)
    assert "No hay conexión" in trace.stage("answer").fallback
    assert notes(program, run).startswith(
        "No hay conexión con el servidor del modelo: se citan frases literales"
    )
    assert closed_port not in notes(program, run)


TROUBLE: list[tuple[str, Any]] = [
    ("slow beyond the limit of the stage", says("tarde", wait=60.0)),
    ("dripping beyond the limit of the stage", as_json(reply(), drip=0.2)),
    ("cut in the middle", as_json(reply(), cut_after=3)),
    ("an error in the middle", as_json(reply(), stream_error_after=3)),
    ("half an event", as_json(reply(), malformed_after=3)),
    ("429", fails(429, "slow down", retry_after="30")),
    ("500", fails(500, f"internal error {KEY}")),
    ("503 in HTML", Reply(status=503, body="<html><script>alert(1)</script></html>")),
    ("a page in place of JSON", Reply(body="<html>Welcome</html>")),
    ("no JSON at all", Reply(body="}{ nada")),
    ("JSON of another kind", Reply(body={"error": None, "choices": []})),
    ("an answer without anything", says("")),
]
CHATTER: list[tuple[str, Any]] = [
    ("words", says("Lo siento, no puedo ayudarle con eso.")),
    ("brackets", says("[" * 1_000_000)),
    ("braces", says('{"a":' * 200_000)),
]


@pytest.mark.parametrize("trouble", [trouble for _, trouble in TROUBLE], ids=[name for name, _ in TROUBLE])
def test_an_endpoint_in_trouble_leaves_the_answer_of_the_rules(
    make_program: Maker, server: ModelServer, trouble: Any
) -> None:
    everywhere(server, trouble)
    program = impatient(make_program, server.url, answer_seconds=0.8)
    run = asked(program)
    trace = ended(program, run)
    assert [stage for stage in STAGES if not trace.stage(stage).fallback] == []
    assert trace.stage("answer").strategy == "extractive"
    assert "treinta y un días" in run.text


@pytest.mark.timeout(30)
@pytest.mark.parametrize("chatter", [chatter for _, chatter in CHATTER], ids=[name for name, _ in CHATTER])
def test_a_model_that_writes_what_nobody_asked_for_holds_nobody_up(
    make_program: Maker, server: ModelServer, chatter: Reply
) -> None:
    everywhere(server, chatter)
    program = make_program([DATA], openai_base_url=server.url, model_retries=0)
    run = asked(program)
    trace = ended(program, run)
    assert [stage for stage in STAGES if not trace.stage(stage).fallback] == []
    assert trace.stage("answer").strategy in ("extractive", "refusal")
    assert chatter.text[:30] not in run.text


@pytest.mark.parametrize("bad", [fails(429, retry_after="0.05"), fails(500), Reply(cut_after=0)])
def test_trouble_that_passes_costs_only_time(make_program: Maker, server: ModelServer, bad: Reply) -> None:
    server.script(decompose=[bad, as_json(["vacaciones anuales"])], answer=[bad, as_json(reply())])
    program = make_program([DATA], openai_base_url=server.url, model_retries=1)
    run = asked(program)
    assert run.done.wait(25)
    trace = program.database.conversations.trace(LOCAL_USER, run.message_id)
    assert [trace.stage(stage).fallback for stage in STAGES] == [""] * 4
    assert server.count("decompose") == server.count("answer") == 2
    assert program.database.conversations.messages(LOCAL_USER, run.conversation_id)[1].answer.mode == "model"


def test_the_whole_run_keeps_to_its_budget_whatever_the_stages_may_take(
    make_program: Maker, server: ModelServer
) -> None:
    everywhere(server, says("tarde", wait=60.0))
    program = make_program([DATA], openai_base_url=server.url, run_budget_seconds=0.6)
    run = asked(program)
    trace = ended(program, run)
    assert notes(program, run).startswith("Se agotó el tiempo para la respuesta del modelo: se citan")
    assert "se agotó el tiempo" in trace.stage("answer").fallback
    assert server.count("decompose") == 1
    assert server.count("answer") == 0, "a model is asked although no time is left"


def test_an_answer_that_comes_after_the_budget_is_not_waited_for(
    make_program: Maker, server: ModelServer
) -> None:
    server.script(answer=[as_json(reply(), hold=60.0, hold_after=8)])
    program = make_program([DATA], openai_base_url=server.url, run_budget_seconds=2.0)
    trace = ended(program, asked(program))
    assert trace.stage("decompose").fallback == ""
    assert "no dio una respuesta válida" in trace.stage("answer").fallback
    assert server.last("answer").disconnected.wait(5)


def open_sockets() -> int:
    folder = Path("/proc/self/fd")
    found = 0
    for entry in folder.iterdir():
        try:
            found += str(entry.readlink()).startswith("socket:")
        except FileNotFoundError:
            continue
    return found


def loose_threads() -> int:
    """Threads outside the pools, which are bounded and fill up in their own time."""
    return sum(not thread.name.startswith(POOLS) for thread in threading.enumerate())


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts what /proc shows")
@pytest.mark.parametrize("silent", [False, True], ids=["closed", "silent"])
def test_many_questions_at_a_dead_endpoint_pile_nothing_up(
    make_program: Maker, server: ModelServer, closed_port: str, silent: bool
) -> None:
    everywhere(server, says("nunca", wait=120.0))
    program = impatient(make_program, server.url if silent else closed_port)

    def burst() -> None:
        runs = [asked(program) for _ in range(AT_ONCE)]
        for run in runs:
            assert all(ended(program, run).stage(stage).fallback for stage in STAGES)
        eventually(lambda: all(request.done.is_set() for request in server.requests), 20)

    burst()
    threads, sockets = loose_threads(), open_sockets()
    burst()
    eventually(lambda: loose_threads() <= threads and open_sockets() <= sockets, 20)
    assert program.runs.under_way == 0
