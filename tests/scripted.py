"""A model that answers one question about the invented law well: what tests make it do wrong, they script."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.model_replies import Request, as_json, says
from tests.model_server import ModelServer

QUESTION = "¿Cuántos días de vacaciones me corresponden al año?"
QUOTE = (
    "Toda persona trabajadora tiene derecho a vacaciones anuales retribuidas de treinta y un días naturales"
)
MARKERS = {
    "decompose": "Preparas búsquedas",
    "rerank": "Ordenas fragmentos",
    "judge": "Valoras fragmentos",
    "pointwise": "Puntúas de 0 a 10",
    "assess": "Compruebas si unos fragmentos",
    "answer": "Eres especialista en Derecho",
    "shorten": "Acortas una respuesta",
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


def vacation_first(request: Request) -> str:
    """The rerank reply that a good model gives: the article on vacations, then the next ones."""
    lines = [line for line in request.prompt.splitlines() if line.startswith("[")]
    index = next(i for i, line in enumerate(lines) if "Artículo 2. Vacaciones" in line)
    others = [i for i in range(len(lines)) if i != index][:3]
    return str([index, *others])


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(dimensions=64) as running:
        running.markers = dict(MARKERS)
        running.script(
            decompose=[as_json(["vacaciones anuales retribuidas días naturales artículo 2"])],
            rerank=[vacation_first],
            assess=[says("READY")],
            answer=[as_json(reply())],
        )
        yield running
