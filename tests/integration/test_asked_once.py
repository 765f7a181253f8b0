"""An endpoint that is out of order is asked once a run, and leaves time for the answer without a model."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from rag.run.consult import consult
from rag.run.pipeline import RunOutcome
from service.program.assembly import App
from tests.alert_servers import closed_port
from tests.conftest import DATA, Maker
from tests.model_replies import Reply, fails, says
from tests.model_server import ModelServer
from tests.scripted import TODAY, ask

STAGES = ("decompose", "rerank", "assess", "answer")
AGAIN = "no se ha vuelto a preguntar"
HUNG = says("tarde", wait=60.0)
LIMIT = 2.0
RATIO = 1.2
NO_MEANING = "no se pudo comparar su significado"


class Case(NamedTuple):
    """A reply to every request, the requests made of it in a run, and what the notes tell of it."""

    bad: Reply
    asked: int
    told: str


CASES = {
    "key": Case(fails(401), 1, "no aceptó la clave"),
    "region": Case(fails(403), 1, "no aceptó la clave"),
    "no funds": Case(fails(429, code="insufficient_quota"), 1, "no tiene saldo"),
    "limit of use": Case(fails(429, retry_after="30"), 2, "ha llegado a su límite de uso"),
    "no such model": Case(fails(404), 2, "no tiene el modelo configurado"),
    # Five: the answer is asked for again without its schema.
    "refused requests": Case(fails(400), 5, "no aceptó la petición"),
    "failing": Case(fails(500), 4, "El modelo no contestó"),
    "hung": Case(HUNG, 1, "Se agotó el tiempo"),
}


def endless(make_program: Maker, url: str, **settings: Any) -> App:
    """A program whose stages have LIMIT seconds each."""
    limits = {f"{stage}_seconds": LIMIT for stage in STAGES}
    return make_program(
        [DATA], openai_base_url=url, openai_api_key="x", model_retries=0, **limits, **settings
    )


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_an_endpoint_out_of_order_is_asked_once(make_program: Maker, server: ModelServer, case: Case) -> None:
    server.script(**{stage: [case.bad] for stage in STAGES})
    program = endless(make_program, server.url)
    outcome = ask(program)
    assert len(server.requests) == case.asked
    assert case.told in (outcome.answer.notes or "")
    fallbacks = [outcome.trace.stage(stage).fallback for stage in STAGES]
    assert all(fallbacks)
    assert sum(AGAIN in one for one in fallbacks) == max(0, len(STAGES) - case.asked)
    ask(program)
    assert len(server.requests) == 2 * case.asked, "each run begins afresh"


def test_a_model_that_is_lacking_keeps_nobody_from_asking_the_other(
    make_program: Maker, server: ModelServer
) -> None:
    server.script(decompose=[fails(404)])
    outcome = ask(endless(make_program, server.url))
    assert outcome.answer.mode == "model"
    assert server.count("rerank") == 0
    assert AGAIN in outcome.trace.stage("rerank").fallback


def test_an_endpoint_that_was_late_is_asked_again_by_a_stage_with_more_time(
    make_program: Maker, server: ModelServer
) -> None:
    server.script(decompose=[HUNG])
    outcome = ask(endless(make_program, server.url), decompose_seconds=0.2, rerank_seconds=0.1)
    assert outcome.answer.mode == "model"
    assert (server.count("rerank"), server.count("assess"), server.count("answer")) == (0, 1, 1)


def test_an_investigation_that_failed_leaves_the_ordinary_stages_without_the_model(
    make_program: Maker, server: ModelServer
) -> None:
    server.script(agent=[fails(401)])
    program = endless(make_program, server.url)
    outcome = ask(program, toolbox=program.toolbox)
    assert len(server.requests) == 1
    assert AGAIN in outcome.trace.stage("answer").fallback


EMAIL = (
    "Buenos días:\n\n¿Cuántos días de vacaciones me corresponden al año?\n\n"
    "¿Qué preaviso tiene el despido objetivo?\n\n¿Cuántas horas extraordinarias puedo hacer al año?\n"
)


def test_the_questions_of_an_email_do_not_ask_what_has_failed_the_first(
    make_program: Maker, server: ModelServer
) -> None:
    server.classify = lambda request: "any"
    server.script(any=[fails(401)])
    program = endless(make_program, server.url)
    outcome = asyncio.run(consult(EMAIL, program.services, as_of=TODAY, today=TODAY))
    assert len(outcome.trace.parts) == 3
    assert len(server.requests) == 1
    assert all(AGAIN in part.stage("answer").fallback for part in outcome.trace.parts)


def timed(asking: Callable[[], RunOutcome]) -> tuple[RunOutcome, float]:
    started = time.monotonic()
    outcome = asking()
    return outcome, time.monotonic() - started


@pytest.mark.parametrize(
    ("bad", "budget"),
    [(HUNG, 60.0), (HUNG, LIMIT), (fails(429, retry_after="30"), 60.0), (None, 60.0)],
    ids=["hung", "hung beyond the budget", "429", "closed"],
)
def test_a_dead_endpoint_costs_the_time_of_one_stage_and_leaves_the_usual_answer(
    make_program: Maker, server: ModelServer, bad: Reply | None, budget: float
) -> None:
    server.script(**{stage: [bad] for stage in STAGES if bad})
    usual, own = timed(lambda: ask(make_program([DATA])))
    program = endless(make_program, server.url if bad else f"http://127.0.0.1:{closed_port()}/v1")
    outcome, taken = timed(lambda: ask(program, run_budget_seconds=budget))
    assert taken - own <= RATIO * LIMIT
    record = outcome.trace.stage("answer")
    assert NO_MEANING not in record.fallback
    assert [call.role for call in record.calls if not call.error] == ["embeddings"]
    assert outcome.answer.confidence == pytest.approx(usual.answer.confidence, abs=0.05)
    assert outcome.answer.citations[0].quote == usual.answer.citations[0].quote
