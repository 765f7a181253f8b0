"""The verdict of a model on the context: no matter of these norms, and how much of it reaches the answer."""

import asyncio
from dataclasses import replace

import pytest

from rag.shared.cited_answer import Verdict
from rag.shared.hits import Hit, SubQuery
from rag.shared.state import State
from rag.stages.assess import MOST_KEPT, OUTSIDE, assess
from service.program.assembly import App
from tests.model_replies import says
from tests.model_server import ModelServer
from tests.scripted import QUESTION, TODAY, ask


def test_a_question_of_another_matter_is_refused_with_the_reason(
    model_program: App, server: ModelServer
) -> None:
    server.script(assess=[says("FUERA")])
    outcome = ask(model_program, "¿Cuánto tributa la venta de mi casa en el impuesto de la renta?")
    assert outcome.answer.refusal
    assert OUTSIDE in outcome.answer.answer
    assert server.count("answer") == 0


def hits(program: App, count: int) -> list[Hit]:
    chunks = [chunk for batch in program.database.corpus.all_chunks() for chunk in batch]
    return [Hit(chunk=chunk, score=1.0) for chunk in chunks[:count]]


@pytest.mark.parametrize("origin", ["exact", "need", "day"])
def test_the_last_fragments_of_the_order_do_not_reach_the_answer_unless_they_are_named(
    model_program: App, origin: str
) -> None:
    found = hits(model_program, MOST_KEPT + 2)
    assert len(found) == MOST_KEPT + 2, "the invented law has as many"
    found[-1] = found[-1].model_copy(update={"origin": origin})
    state = State(question=QUESTION, as_of=TODAY, today=TODAY)
    state.queries = [SubQuery(text=QUESTION, raw=True)]
    state.hits = state.ranked = list(found)
    services = replace(model_program.services, embedder=None)
    asyncio.run(assess(state, services))
    assert state.verdict is Verdict.SUFFICIENT
    assert [hit.key for hit in state.hits] == [hit.key for hit in [*found[:MOST_KEPT], found[-1]]]
