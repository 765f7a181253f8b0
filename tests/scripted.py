"""A model that answers one question about the invented law well: what tests make it do wrong, they script."""

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pytest

from models.chat import Turn
from models.openai_embeddings import OpenAIEmbedder
from rag.run.pipeline import RunOutcome, run_stages
from rag.tools.tool_contract import Toolbox
from service.program.assembly import App
from tests.factories import settings_of
from tests.homes import DATA, Stock, stock_of
from tests.model_replies import Reply, Request, as_json, says
from tests.model_server import ModelServer

TODAY = date(2026, 6, 1)
KEY = "sk-test-key"
DIMENSIONS = 64
QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"
QUOTE = (
    "Toda persona trabajadora tiene derecho a vacaciones anuales retribuidas de treinta y un días naturales"
)
MARKERS = {
    "agent": "Investigas en un corpus",
    "decompose": "Preparas búsquedas",
    "rerank": "Ordenas fragmentos",
    "judge": "Valoras fragmentos",
    "pointwise": "Puntúas de 0 a 10",
    "assess": "Compruebas si unos fragmentos",
    "answer": "Eres especialista en Derecho",
    "claims": "Compruebas frases",
    "spanish": "Pones en español",
    "shorten": "Acortas una respuesta",
    "cell": "Lees un documento de un expediente laboral",
}


def reply(**changes: Any) -> dict[str, Any]:
    """A right answer to QUESTION; the article is always C1 because the scripted order puts it first."""
    return {
        "answer": "Le corresponden 31 días naturales de vacaciones por año trabajado [C1].",
        "citations": [{"quote": QUOTE, "source": "LTF, artículo 2", "page": None, "marker": "C1"}],
        "confidence": 0.9,
        "refusal": False,
        "notes": None,
    } | changes


def judged(request: Request, follows: Callable[[str], bool] = lambda sentence: True) -> Reply:
    """The judgement of a reader on each sentence; by default, each follows from what it cites."""
    asked = request.messages[-1]["content"].rpartition("FRASES\n")[2]
    rows = re.findall(r"^\[(\d+)\] \([^)]*\) (.*)$", asked, re.M)
    right = {True: {"juicio": "sí", "motivo": ""}, False: {"juicio": "no", "motivo": "no consta así"}}
    return as_json([{"frase": int(number), **right[follows(text)]} for number, text in rows])


def vacation_first(request: Request) -> str:
    """The rerank reply that a good model gives: the article on vacations, then the next ones."""
    lines = [line for line in request.prompt.splitlines() if line.startswith("[")]
    index = next(i for i, line in enumerate(lines) if "Artículo 2. Vacaciones" in line)
    others = [i for i in range(len(lines)) if i != index][:3]
    return str([index, *others])


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(DIMENSIONS) as running:
        running.markers = dict(MARKERS)
        running.script(
            decompose=[as_json(["vacaciones anuales retribuidas días naturales artículo 2"])],
            rerank=[vacation_first],
            assess=[says("READY")],
            answer=[as_json(reply())],
            claims=[judged],
        )
        yield running


@pytest.fixture
def model_program(server: ModelServer, make_program: Callable[..., App]) -> App:
    """A program with models and vectors of the server, over the invented law."""
    return make_program(
        [DATA],
        embedder=_embedder(server),
        laid_by=_stock,
        openai_base_url=server.url,
        openai_api_key=KEY,
        model_retries=1,
        embeddings_dimensions=DIMENSIONS,
    )


def _embedder(server: ModelServer) -> OpenAIEmbedder:
    settings = settings_of(openai_base_url=server.url, openai_api_key=KEY)
    return OpenAIEmbedder(settings.embeddings, DIMENSIONS, 1)


@cache
def _stock() -> Stock:
    """The vectors depend on nothing but the text: those of one server are those of every other."""
    with ModelServer(DIMENSIONS) as running:
        return stock_of(_embedder(running))


def ask(
    program: App,
    question: str = QUESTION,
    history: list[Turn] | None = None,
    toolbox: Toolbox | None = None,
    **profile: Any,
) -> RunOutcome:
    """The outcome of a question on TODAY, with some settings of the profile changed."""
    services = program.services
    if profile:
        services = replace(services, profile=services.profile.model_copy(update=profile))
    return asyncio.run(
        run_stages(question, services, as_of=TODAY, today=TODAY, history=history or [], toolbox=toolbox)
    )
