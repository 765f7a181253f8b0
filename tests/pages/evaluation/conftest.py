"""The evaluation page over a whole program with one set of its own."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rag.evaluation.report import summarise
from rag.evaluation.results import CaseResult, Evaluation, EvaluationState, Label
from service.program.assembly import App
from tests.homes import overriding
from tests.pages.samples import trace_of

SECONDS = 60
CASES = [
    {
        "id": "vacaciones",
        "question": "¿Cuántos días de vacaciones tengo?",
        "relevant": [{"norm": "X-LTF", "article": "2", "grade": 2}],
        "category": "basic_info",
    },
    {
        "id": "preaviso",
        "question": "¿Cuántos días de vacaciones tengo si dimito?",
        "relevant": [
            {"norm": "X-LTF", "article": "999", "grade": 2},
            {"norm": "X-LTF", "article": "1", "grade": 2},
        ],
        "category": "plazos",
    },
    {"id": "tiempo", "question": "¿Qué tiempo hará mañana en Cuenca?", "category": "negative"},
    {
        "id": "fuera",
        "question": "¿Qué dice la Ley de Aguas?",
        "relevant": [{"norm": "Z", "article": "1"}],
        "category": "plazos",
    },
]


@pytest.fixture
def app(program: App) -> Iterator[App]:
    """A whole offline program with one set of its own and no other."""
    folder = program.settings.articulado_home / "evaluation"
    folder.mkdir()
    write(folder / "propias.jsonl", CASES)
    program.evaluations._folders = (folder,)
    with overriding(program):
        yield program


def write(path: Path, cases: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(case) for case in cases), encoding="utf-8")


def evaluated(app: App, name: str = "propias") -> Evaluation:
    current = app.evaluations.start("local", app.evaluations.datasets()[name]())
    assert current.finished.wait(SECONDS)
    return app.evaluations.store.evaluation(current.id)


def stored(app: App, *results: CaseResult, **fields: Any) -> Evaluation:
    """An evaluation with these results, as if it had run."""
    store = app.evaluations.store
    begun = store.start(
        "local", fields.get("dataset", "propias"), "f" * 64, len(results), fields.get("facts", {})
    )
    for place, one in enumerate(results):
        store.record(begun.id, place, one, fields["trace"] if "trace" in fields else trace_of(one.question))
    store.finish(
        begun.id, fields.get("state", EvaluationState.DONE), summarise(results), fields.get("error", "")
    )
    return store.evaluation(begun.id)


def result(name: str, rank: int | None = 1, **fields: Any) -> CaseResult:
    good = rank is not None and rank <= 3
    base = {
        "id": name,
        "question": f"¿{name}?",
        "category": "plazos",
        "answerable": True,
        "labels": (Label(norm="X-LTF", article="2", grade=2, held=True, rank=rank),),
        "refused": False,
        "as_of": date(2026, 1, 1),
        "scores": {"hit@3": float(good), "mrr@10": 1 / rank if rank else 0.0},
        "checks": {"refusal": True, "retrieval": good},
    }
    return CaseResult.model_validate(base | fields)
