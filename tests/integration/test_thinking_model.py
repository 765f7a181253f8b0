"""A model that thinks aloud at every stage, drafts and all, gives the answer of one that does not."""

import asyncio
import json
from typing import Any

import pytest

from rag.run.pipeline import RunOutcome, run_stages
from rag.shared.state import Event
from service.program.assembly import App
from tests.model_replies import says
from tests.model_server import ModelServer
from tests.scripted import QUESTION, TODAY, reply, vacation_first

DRAFTS = ["BORRADOR de búsqueda"], [5, 3], "NEED|48|BORRADOR", reply(answer="BORRADOR: no lo sé. " * 3)
THOUGHT = "\n".join(["Veamos.", *(one if isinstance(one, str) else json.dumps(one) for one in DRAFTS)])
STAGES = ("decompose", "rerank", "assess", "answer")


def told(
    server: ModelServer, program: App, before: str = "", after: str = ""
) -> tuple[RunOutcome, list[str]]:
    """The outcome and the drafts that were shown, with this around each reply of the model."""

    def around(text: str) -> Any:
        return says(before + text + after)

    server.script(
        decompose=[around('["vacaciones anuales retribuidas días naturales artículo 2"]')],
        rerank=[lambda request: around(vacation_first(request))],
        assess=[around("READY")],
        answer=[around(json.dumps(reply()))],
    )
    shown: list[str] = []

    def show(event: Event) -> None:
        if event.kind == "delta":
            shown.append(event.text)

    asked = run_stages(QUESTION, program.services, as_of=TODAY, today=TODAY, on_event=show)
    return asyncio.run(asked), shown


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"<think>\n{THOUGHT}\n</think>\n\n", ""),
        (f"{THOUGHT}\n</think>\n\n", ""),
        (
            f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>",
            "<|return|>",
        ),
    ],
    ids=["think", "only its end", "channels"],
)
def test_what_a_model_thinks_is_neither_searched_nor_shown_nor_taken_for_its_answer(
    server: ModelServer, model_program: App, before: str, after: str
) -> None:
    plain, _ = told(server, model_program)
    thinking, shown = told(server, model_program, before, after)
    assert thinking.answer == plain.answer
    assert [thinking.trace.stage(stage).fallback for stage in STAGES] == [""] * 4
    assert thinking.trace.stage("decompose").queries == plain.trace.stage("decompose").queries
    assert shown and "BORRADOR" not in "".join(shown)
