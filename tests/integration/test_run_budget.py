"""The budget of a run ends every wait for a model or for vectors, and the trace says where it did."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

import pytest

from models.chat import ChatMessage, ModelCall
from rag.ranking.model_order import AT_ONCE
from rag.run.pipeline import RunOutcome, run_stages
from rag.shared.state import Services
from service.program.assembly import App
from tests.fakes import HashEmbedder
from tests.scripted import MARKERS, QUESTION, reply

TODAY = date(2026, 6, 1)
GUARD_SECONDS = 60
"""Far more than the budget: a wait that nothing ends fails here."""
PATIENCE = dict.fromkeys(
    ("decompose_seconds", "search_seconds", "rerank_seconds", "assess_seconds", "answer_seconds"), 3600.0
)
LATE = "se agotó el tiempo"
REPLIES = {
    "decompose": json.dumps(["vacaciones anuales retribuidas días naturales"]),
    "rerank": "[0, 1, 2]",
    "judge": json.dumps({"scores": [{"index": 0, "score": 9}]}),
    "pointwise": "7",
    "assess": "READY",
    "answer": json.dumps(reply()),
    "claims": "[]",
}
NEED = {"assess": "NEED|999|Ley del Faro"}


class Model:
    """A chat model that knows every stage, and never answers the one that it is `stuck` at."""

    def __init__(self, role: str, stuck: str = "", replies: Mapping[str, str] = REPLIES) -> None:
        self.role = role
        self.model = f"{role}-de-prueba"
        self.stuck = stuck
        self.replies = replies
        self.asked: list[str] = []
        self.endpoint = self

    async def complete(self, messages: Sequence[ChatMessage], **_: Any) -> ModelCall:
        stage = next(name for name, marker in MARKERS.items() if marker in messages[0].content)
        self.asked.append(stage)
        if stage == self.stuck:
            await asyncio.Event().wait()
        return ModelCall(role=self.role, model=self.model, output=self.replies[stage])


class StuckEmbedder(HashEmbedder):
    """An embedder that never answers those requests that are `stuck`."""

    def __init__(self, stuck: Callable[[Sequence[str]], bool]) -> None:
        super().__init__()
        self.stuck = stuck

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]:
        if self.stuck(texts):
            await asyncio.Event().wait()
        return await super().embed_queries(texts)


class Known:
    """Questions that the loaded norms answer, and one that is not loaded."""

    def __init__(self, loaded: Iterable[str]) -> None:
        self.ids = frozenset({*loaded, "BOE-A-1900-1"})

    def norms(self) -> frozenset[str]:
        return self.ids

    def nearness(self, _model: str, _vector: Sequence[float]) -> dict[str, float]:
        return {}


def services(program: App, reader: Model | None, principal: Model | None, **profile: object) -> Services:
    made = program.services
    chosen = made.profile.model_copy(update={**PATIENCE, **profile})
    return replace(made, profile=chosen, reader=reader, principal=principal)


def answered(chosen: Services, question: str = QUESTION) -> RunOutcome:
    async def guarded() -> RunOutcome:
        return await asyncio.wait_for(run_stages(question, chosen, as_of=TODAY, today=TODAY), GUARD_SECONDS)

    return asyncio.run(guarded())


class Case(NamedTuple):
    """A stuck part, and the stage whose record says that its time was up."""

    stage: str
    chat: str = ""
    vectors: Callable[[Sequence[str]], bool] | None = None
    models: bool = True
    known: bool = False
    replies: Mapping[str, str] = REPLIES
    profile: Mapping[str, object] = {}


CASES = {
    "decomposition": Case("decompose", chat="decompose"),
    "vectors of the question": Case("search", vectors=lambda texts: texts == [QUESTION]),
    "vectors of the sub-queries": Case("search", vectors=lambda texts: texts != [QUESTION]),
    "listwise": Case("rerank", chat="rerank", profile={"rag_rerank_strategy": "listwise"}),
    "judge": Case("rerank", chat="judge", profile={"rag_rerank_strategy": "judge"}),
    "pointwise": Case("rerank", chat="pointwise", profile={"rag_rerank_strategy": "pointwise"}),
    "assessment": Case("assess", chat="assess"),
    "vectors of a NEED": Case(
        "assess", vectors=lambda texts: texts[0].startswith("Artículo 999"), replies={**REPLIES, **NEED}
    ),
    "all vectors, beside known questions": Case("search", vectors=bool, models=False, known=True),
    "answer": Case("answer", chat="answer"),
    "vectors of an extract": Case("answer", vectors=lambda texts: len(texts) > 1, models=False),
    "answer and vectors of its extract": Case("answer", chat="answer", vectors=lambda texts: len(texts) > 1),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_stage_that_waits_for_ever_ends_with_the_budget_and_says_so(program: App, case: Case) -> None:
    reader, principal = (
        Model(role, case.chat, case.replies) if case.models else None for role in ("reader", "principal")
    )
    chosen = services(program, reader, principal, run_budget_seconds=1.0, **case.profile)
    if case.vectors:
        chosen = replace(chosen, embedder=StuckEmbedder(case.vectors))
    if case.known:
        chosen = replace(chosen, known=Known(chosen.holdings().norms))
    outcome = answered(chosen)
    record = outcome.trace.stage(case.stage)
    assert record is not None
    assert LATE in record.fallback
    assert outcome.answer.answer


def test_an_extract_without_vectors_asks_for_them_once_and_quotes_by_words(program: App) -> None:
    asked: list[Sequence[str]] = []

    def stuck(texts: Sequence[str]) -> bool:
        asked.append(texts)
        return len(texts) > len(queries)

    queries = ("¿Cuántos días de vacaciones me corresponden?", "¿Qué preaviso tiene el despido objetivo?")
    chosen = services(program, None, None, search_seconds=0.2)
    outcome = answered(replace(chosen, embedder=StuckEmbedder(stuck)), " ".join(queries))
    record = outcome.trace.stage("answer")
    assert record is not None
    assert record.fallback.count(LATE) == 1
    assert [len(texts) for texts in asked[:1]] == [len(queries)], "the search asks for the sub-queries"
    assert len(asked) == 2
    assert {citation.article for citation in outcome.answer.citations} >= {"2", "5"}


def test_an_assessment_does_not_wait_again_for_vectors_that_the_search_did_not_get(program: App) -> None:
    asked: list[Sequence[str]] = []

    def stuck(texts: Sequence[str]) -> bool:
        asked.append(texts)
        return True

    def waits(chosen: Services) -> list[Sequence[str]]:
        asked.clear()
        answered(replace(chosen, embedder=StuckEmbedder(stuck)))
        return list(asked)

    chosen = services(program, None, None, search_seconds=0.1)
    assert waits(replace(chosen, known=Known(chosen.holdings().norms))) == waits(chosen)


def test_the_calls_of_pointwise_share_the_time_of_the_stage(program: App) -> None:
    reader = Model("reader", "pointwise")
    profile = {"rag_rerank_strategy": "pointwise", "rerank_seconds": 0.2}
    record = answered(services(program, reader, Model("principal"), **profile)).trace.stage("rerank")
    assert record is not None
    assert LATE in record.fallback
    assert len(record.calls) > AT_ONCE
    assert reader.asked.count("pointwise") <= AT_ONCE
