"""Agent mode against a scripted model over real HTTP."""

import asyncio
import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from rag.run.pipeline import RunOutcome, run_stages
from rag.shared.trace import AgentRecord
from service.program.assembly import App
from tests.conftest import DATA
from tests.model_replies import Request, as_json, says
from tests.model_server import ModelServer
from tests.scripted import QUESTION, QUOTE, reply
from tests.tool_corpus import xml

TODAY = date(2026, 6, 1)
DONE = says("LISTO")
SEARCH = xml("lexical_search", query="vacaciones anuales", top_k=3)
READ = xml("file_section", file_name="ltf.md", chunk_start=2, chunk_end=2)


@pytest.fixture
def program(server: ModelServer, make_program) -> App:
    return make_program([DATA], openai_base_url=server.url, model_retries=0)


def ask(program: App, question: str = QUESTION, **given: Any) -> RunOutcome:
    events = given.pop("events", [])
    services = program.services
    services = replace(services, profile=services.profile.model_copy(update=given))
    return asyncio.run(
        run_stages(question, services, toolbox=program.toolbox, as_of=TODAY, on_event=events.append)
    )


def record_of(outcome: RunOutcome) -> AgentRecord:
    record = outcome.trace.stage("agent")
    assert isinstance(record, AgentRecord)
    return record


def cites_vacations(request: Request) -> Any:
    """The answer with the marker that the article on vacations has in the context."""
    marker = re.search(r"\[(C\d+)\](?:(?!\[C\d).)*?Sección: Artículo 2\. Vacaciones", request.prompt, re.S)[1]
    return as_json(
        reply(
            answer=f"Le corresponden 31 días naturales de vacaciones por año trabajado [{marker}].",
            citations=[
                {"quote": QUOTE, "source": "LTF, artículo 2", "page": None, "marker": marker},
            ],
        )
    )


def stages(outcome: RunOutcome) -> list[str]:
    return [record.name for record in outcome.trace.stages]
