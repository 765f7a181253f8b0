"""Requests to the endpoints of models, over real HTTP, hold nobody's data; the reader sees all of it."""

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from loading.enrichment.enrich import Enricher, Limits
from loading.enrichment.normalise import Normaliser
from models.chat import ModelCall, Turn
from rag.prompts import Prompts
from rag.run.pipeline import RunOutcome, run_stages
from rag.shared.messages import MessageState
from rag.shared.trace import AgentRecord
from service.program import adapters, assembly
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA
from tests.factories import settings_of
from tests.model_replies import Reply, Request, as_json, fails, says
from tests.model_server import ModelServer
from tests.scripted import MARKERS, reply, vacation_first
from tests.tool_corpus import xml

TODAY = date(2026, 6, 1)
QUESTION = (
    "Me llamo Ana Belmonte Ruiz, DNI 12.345.678-Z. La empresa Panificadora Oriente, S.L. no me paga las "
    "vacaciones en ES91 2100 0418 4502 0005 1332. ¿Cuántos días tengo? Mi correo es ana.b@correo.example "
    "y mi móvil el 612 345 678. Mi compañera Fátima Olmedo dice que treinta y uno."
)
CONTRACT = """---
id: X-CONTRATO
title: Contrato de trabajo inventado
law: Contrato de Belmonte
rank: Contrato
collection: criterios_inss
valid_from: 2020-01-01
status: Vigente
---
#### Artículo 1. Partes y vacaciones.

De una parte, D. Julián Oriente Salas, con DNI 87654321-X, en nombre de Panificadora Oriente, S.L., con
CIF B12345674; y de otra, Dña. Ana Belmonte Ruiz, con DNI 12345678Z y número de afiliación 28/12345678/40,
teléfono 612-345-678.
Las vacaciones anuales de la trabajadora Ana Belmonte Ruiz serán de treinta y un días naturales cada año.
"""
LEAKS = (
    *("12.345.678", "12345678", "87654321", "2100", "0418", "ana.b@", "correo.example", "612 345", "612-345"),
    *("Belmonte", "Fátima", "Olmedo", "Panificadora", "Julián", "Salas", "B12345674", "Azcona"),
)
QUOTE = "Las vacaciones anuales de la trabajadora Ana Belmonte Ruiz serán de treinta y un días naturales"


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with ModelServer(dimensions=64) as server:
        yield server


@pytest.fixture(scope="module")
def program(running: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A firm's installation: laws, and a contract with its parties."""
    home = tmp_path_factory.mktemp("firm")
    contract = home / "contrato.md"
    contract.write_text(CONTRACT, "utf-8")
    chosen = settings_of(
        articulado_home=home / "home",
        openai_base_url=running.url,
        openai_api_key="sk-test-key",
        model_retries=0,
        embeddings_provider="openai",
        embeddings_dimensions=64,
        mask_personal_data=True,
        mask_names="Iñaki Azcona; Otra Persona",
    )
    program = assembly.build(chosen)
    program.loading.ingest([DATA, contract])
    nothing_leaked(running)
    yield program
    program.close()


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.requests.clear()
    running.markers = dict(MARKERS)
    running.script(
        decompose=[as_json(["vacaciones anuales retribuidas días naturales artículo 2"])],
        rerank=[vacation_first],
        assess=[says("READY")],
        answer=[as_json(reply())],
    )
    return running


def nothing_leaked(server: ModelServer) -> None:
    assert server.requests
    for request in server.requests:
        sent = json.dumps(request.body, ensure_ascii=False)
        assert [leak for leak in LEAKS if leak in sent] == [], f"{request.stage}: {sent[:2000]}"


def marker_of(prompt: str, text: str) -> str:
    """The marker of the source whose text holds `text`."""
    return re.findall(r"^\[(C\d+)\] \[Fuente", prompt[: prompt.index(text)], re.M)[-1]


def cites_the_contract(request: Request) -> Any:
    """A model that copies from its context, placeholders and all."""
    start = request.prompt.index("Las vacaciones anuales de la trabajadora [")
    quote = request.prompt[start : request.prompt.index(" cada año", start)]
    dni = request.prompt.rpartition("Me llamo [")[2].partition("DNI [")[2].partition("]")[0]
    marker = marker_of(request.prompt, quote)
    text = f"A quien tiene el DNI [{dni}] le corresponden 31 días. Fíese: [DNI_99] [{marker}]."
    return as_json(
        reply(answer=text, citations=[{"quote": quote, "source": "x", "page": None, "marker": marker}])
    )


def searches(request: Request) -> Any:
    name = request.prompt.partition("Me llamo [")[2].partition("]")[0]
    return as_json([f"vacaciones anuales [{name}]", "treinta y un días naturales trabajadora contrato"])


def ask(program: App, question: str = QUESTION, **given: Any) -> tuple[RunOutcome, list[str]]:
    shown: list[str] = []

    def on_event(event: Any) -> None:
        if event.kind == "delta":
            shown.append(event.text)

    services = program.services
    services = replace(services, profile=services.profile.model_copy(update=given.pop("profile", {})))
    return asyncio.run(run_stages(question, services, as_of=TODAY, on_event=on_event, **given)), shown


def calls_of(outcome: RunOutcome) -> list[ModelCall]:
    return [call for record in outcome.trace.stages for call in record.calls]


def test_no_stage_tells_a_model_and_the_answer_names_it_all(program: App, server: ModelServer) -> None:
    server.script(decompose=[searches], rerank=[says("[0, 1, 2, 3, 4]")], answer=[cites_the_contract])
    history = [
        Turn(
            role="user",
            text="Soy clienta: mi DNI es 12345678Z y llevo el caso de Iñaki Azcona. " + "x " * 200,
        ),
        Turn(role="assistant", text="Anotado, Sra. Belmonte: 612 345 678."),
    ]
    outcome, shown = ask(program, history=history)
    stages = {request.stage for request in server.requests}
    assert {"embeddings", "decompose", "rerank", "assess", "answer"} <= stages
    nothing_leaked(server)
    answer = outcome.answer
    assert answer.answer.startswith("A quien tiene el DNI 12"), answer
    assert "[DNI_99]" in answer.answer, "what the model invents names nobody"
    assert [QUOTE in citation.quote for citation in answer.citations] == [True]
    assert shown and "[DNI_1" not in " ".join(shown), "no placeholder of ours is ever shown"
    assert outcome.trace.question == QUESTION
    assert "vacaciones anuales Ana Belmonte Ruiz" in outcome.trace.stage("decompose").queries


def test_the_trace_shows_what_was_sent_and_counts_what_was_masked(program: App, server: ModelServer) -> None:
    outcome, _ = ask(program)
    calls = [call for call in calls_of(outcome) if call.role != "embeddings"]
    for call in calls:
        sent = " ".join(text for _, text in call.messages)
        assert not [leak for leak in LEAKS if leak in sent]
        assert dict(call.masked)["DNI"] >= 1
        assert dict(call.masked)["PERSONA"] >= 2
    by_stage = [request.prompt for request in server.requests if request.stage != "embeddings"]
    marks = {prompt.partition("Me llamo [")[2].partition("]")[0] for prompt in by_stage}
    assert len(marks) == 1, "one placeholder for one person through all calls"


@pytest.mark.parametrize("strategy", ["judge", "pointwise"])
def test_the_other_rerankers_are_told_nothing(program: App, server: ModelServer, strategy: str) -> None:
    ask(program, profile={"rag_rerank_strategy": strategy})
    assert server.count(strategy) >= 1
    nothing_leaked(server)


def test_an_investigation_calls_tools_with_the_data_and_sends_none(program: App, server: ModelServer) -> None:
    def search(request: Request) -> Any:
        mark = request.prompt.partition("Me llamo [")[2].partition("]")[0]
        return says(
            xml("lexical_search", query=f"vacaciones [{mark}]", top_k=3)
            + xml("semantic_search", query=f"vacaciones de [{mark}]", top_k=2)
            + xml("regex_search", pattern="Belmonte|vacaciones")
        )

    server.script(agent=[search, says("LISTO")], answer=[cites_the_contract])
    services = program.services
    outcome = asyncio.run(run_stages(QUESTION, services, toolbox=program.toolbox, as_of=TODAY))
    record = outcome.trace.stage("agent")
    assert isinstance(record, AgentRecord)
    assert record.rounds[0].calls[0].values["query"] == "vacaciones Ana Belmonte Ruiz"
    assert not [leak for leak in LEAKS if leak in record.rounds[0].results and leak != "Belmonte"]
    # The pattern is the model's own word, which this scripted one should not have known.
    for request in server.requests:
        for message in request.body.get("messages", []):
            message["content"] = message["content"].replace("Belmonte|vacaciones", "")
    nothing_leaked(server)
    assert [QUOTE in citation.quote for citation in outcome.answer.citations] == [True]


def test_functions_are_called_with_the_data_and_neither_they_nor_what_they_find_send_any(
    program: App, server: ModelServer
) -> None:
    def search(request: Request) -> Any:
        mark = request.prompt.partition("Me llamo [")[2].partition("]")[0]
        return Reply(calls=(("tool_lexical_search", {"query": f"vacaciones [{mark}]", "top_k": 3}),))

    server.script(agent=[search, says("LISTO")], answer=[cites_the_contract])
    chosen = program.settings.principal.model_copy(update={"api": "responses"})
    services = replace(program.services, principal=adapters.chat(program.settings, chosen))
    outcome = asyncio.run(run_stages(QUESTION, services, toolbox=program.toolbox, as_of=TODAY))
    record = outcome.trace.stage("agent")
    assert isinstance(record, AgentRecord)
    assert record.rounds[0].calls[0].values["query"] == "vacaciones Ana Belmonte Ruiz"
    assert "Ana Belmonte Ruiz" in record.calls[0].calls[0].arguments
    *_, call, output, _ = server.last("agent").body["input"]
    assert (call["type"], output["call_id"]) == ("function_call", call["call_id"])
    assert re.search(r"\[PERSONA_\d+\]", call["arguments"])
    assert "[DNI_" in output["output"]
    assert not [leak for leak in LEAKS if leak in record.rounds[0].results]
    assert not [leak for leak in LEAKS if leak in str([call.messages for call in record.calls])]
    nothing_leaked(server)
    assert [QUOTE in citation.quote for citation in outcome.answer.citations] == [True]


def test_a_call_that_fails_leaves_no_data_in_errors_traces_or_logs(
    program: App, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    echo = fails(500, message=f"failed on: {QUESTION}")
    server.script(decompose=[echo], rerank=[echo], assess=[echo], answer=[echo])
    with caplog.at_level(logging.DEBUG):
        outcome, _ = ask(program)
    failed = [call for call in calls_of(outcome) if call.error]
    assert len(failed) >= 4
    for call in failed:
        told = f"{call.error} {call.messages}"
        assert not [leak for leak in LEAKS if leak in told]
    assert not [leak for leak in LEAKS if leak in caplog.text]
    nothing_leaked(server)


def test_a_conversation_keeps_what_was_said_and_masks_each_turn(program: App, server: ModelServer) -> None:
    server.script(answer=[cites_the_contract])
    conversation = program.database.conversations.create(LOCAL_USER, "Ana Belmonte")
    for question in (QUESTION, "¿Y si Ana Belmonte enferma en vacaciones, con DNI 12.345.678-Z?"):
        current = program.runs.start(LOCAL_USER, conversation.id, question, TODAY)
        assert current.done.wait(20)
        assert current.state is MessageState.COMPLETE
    nothing_leaked(server)
    stored = program.database.conversations.messages(LOCAL_USER, conversation.id)
    assert stored[0].text == QUESTION
    assert stored[1].answer is not None and "Ana Belmonte Ruiz" in stored[1].answer.citations[0].quote


def test_documents_are_sorted_and_enriched_without_telling_their_people(
    program: App, server: ModelServer, tmp_path: Path
) -> None:
    text = CONTRACT.partition("#### ")[2]
    server.markers = {"normalise": "Conviertes a Markdown", "enrich": "Preparas ayudas de búsqueda"}
    server.script(
        normalise=[lambda request: says(request.body["messages"][-1]["content"].partition(":\n\n")[2])],
        enrich=[
            lambda request: as_json(
                {
                    "resumen": f"Vacaciones de [{request.prompt.partition('Dña. [')[2].partition(']')[0]}].",
                    "palabras_clave": ["vacaciones", "contrato", "panadería", "días", "descanso"],
                    "preguntas": ["¿Cuántos días de vacaciones hay?"],
                }
            )
        ],
    )
    reader = program.models.reader
    assert reader is not None
    made = Normaliser(reader, Prompts(), tmp_path / "n").normalise(text)
    assert made.split() == text.split()
    Enricher(
        program.database.corpus,
        program.database.corpus_writer,
        tmp_path / "e",
        reader,
        limits=Limits(at_once=1),
    ).session().enrich("X-CONTRATO")
    assert server.count("enrich") == 1
    summary = program.database.corpus.norm_chunks("X-CONTRATO")[0].summary
    assert summary == "Vacaciones de Ana Belmonte Ruiz."
    nothing_leaked(server)


@pytest.mark.parametrize(
    ("given", "masks"),
    [
        ({"openai_api_key": "k"}, True),
        ({"openai_api_key": "k", "mask_personal_data": False}, False),
        ({"openai_base_url": "https://modelo.example/v1"}, True),
        ({"openai_base_url": "http://10.0.0.7:11434/v1"}, True),
        ({"openai_base_url": "http://127.0.0.1:11434/v1"}, False),
        ({"openai_base_url": "http://localhost:11434/v1"}, False),
        ({"openai_base_url": "http://[::1]:11434/v1"}, False),
        ({"openai_base_url": "http://127.0.0.1.evil.example/v1"}, True),
        ({"openai_base_url": "http://127.0.0.1:11434/v1", "mask_personal_data": True}, True),
    ],
)
def test_unless_told_all_is_masked_that_leaves_the_machine(given: dict[str, Any], masks: bool) -> None:
    chosen = settings_of(**given)
    assert [chosen.masking(role) is not None for role in (chosen.reader, chosen.embeddings)] == [masks] * 2


def test_names_are_listed_with_semicolons() -> None:
    chosen = settings_of(openai_api_key="k", mask_names=" Ana Pérez Gil ;Talleres Ruiz, S.L.;; ")
    assert chosen.masking(chosen.principal) == ("Ana Pérez Gil", "Talleres Ruiz, S.L.")
