"""Logs and measurements: what they tell, and what they keep to themselves."""

import json
import logging
import re
from datetime import UTC, date, datetime

import pytest

from models.chat import ModelCall
from rag.run.runs import Run
from rag.shared.messages import MessageState
from rag.shared.trace import AnswerRecord, Trace
from service.program import logs
from service.program.metrics import Metrics
from web.monitoring import area


@pytest.fixture(autouse=True)
def _as_before():
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], level = before
    root.setLevel(level)


def test_a_line_in_json_has_its_request_and_its_facts(capsys):
    logs.configure("json")
    with logs.bound(request="abc-123"):
        logging.getLogger("articulado.http").info("GET %s", "/normativa", extra={"status": 200})
    line = json.loads(capsys.readouterr().err)
    assert (line["message"], line["request"], line["status"]) == ("GET /normativa", "abc-123", 200)
    assert (line["level"], line["logger"]) == ("INFO", "articulado.http")


def test_a_line_break_in_a_message_cannot_forge_another_line(capsys):
    logs.configure("json")
    logging.getLogger("x").warning("uno\n%s", '{"level": "INFO", "message": "falso"}')
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    "forged", ["/x\n2026-01-01 INFO storage.people.audit: head", "/\x1b[2J", "/\u2028a", "/\ud800"]
)
def test_a_line_of_text_cannot_be_forged_either(capsys, forged):
    logs.configure("text")
    logging.getLogger("articulado.http").info("GET %s", forged)
    (line,) = capsys.readouterr().err.splitlines()
    assert (
        line.isprintable()
        and "GET /" in line
        and line.endswith(forged[-1:].encode("unicode_escape").decode())
    )


def test_what_went_wrong_follows_its_line_indented(capsys):
    logs.configure("text")
    try:
        raise ValueError("a\n2026-01-01 INFO storage.people.audit: falso")
    except ValueError:
        logging.getLogger("x").exception("no se pudo")
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.endswith("no se pudo")
    assert rest and all(line.startswith("    ") for line in rest)


def test_where_a_message_was_written_follows_its_line_indented(capsys):
    logs.configure("text")
    logging.getLogger("x").warning("aquí", stack_info=True)
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.endswith("aquí")
    assert rest and all(line.startswith("    ") for line in rest)


def test_what_was_bound_ends_with_its_block(capsys):
    logs.configure("text")
    with logs.bound(request="dentro"):
        pass
    logging.getLogger("x").warning("fuera")
    assert "dentro" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "page"),
        ("/normativa", "page"),
        ("/static/js/main.js", "static"),
        ("/_stcore/stream", "streamlit"),
        ("/_stcore/upload_file/a/b", "upload"),
        ("/media/x.csv", "media"),
        ("/acceso", "sign-in"),
        ("/salud/listo", "health"),
        ("/" + "x" * 4000, "page"),
    ],
)
def test_any_address_belongs_to_one_of_few_areas(path, name):
    assert area(path) == name


def run_of(state: MessageState) -> Run:
    return Run(1, "c", "Ana López", "¿Despido de Ana López?", state=state)


def trace_with_a_model() -> Trace:
    call = ModelCall(role="principal", model="m", prompt_tokens=120, completion_tokens=30)
    return Trace(
        question="¿Despido de Ana López?",
        as_of=date(2026, 1, 1),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        elapsed_ms=1500,
        stages=(AnswerRecord(elapsed_ms=900, calls=(call,), fallback="por reglas"),),
    )


def test_an_answer_is_counted_with_its_stages_and_tokens():
    metrics = Metrics()
    metrics.answer(run_of(MessageState.COMPLETE), trace_with_a_model())
    text = metrics.text().decode()
    assert 'articulado_answers_total{mode="model",refusal="false",state="complete"} 1.0' in text
    assert 'articulado_stage_seconds_sum{stage="answer"} 0.9' in text
    assert 'articulado_stage_fallbacks_total{stage="answer"} 1.0' in text
    assert 'articulado_model_tokens_total{direction="sent",model="m",role="principal"} 120.0' in text


def test_an_answer_without_a_trace_is_counted_too():
    metrics = Metrics()
    metrics.answer(run_of(MessageState.STOPPED), None)
    assert 'state="stopped"} 1.0' in metrics.text().decode()


def test_measurements_name_nobody_and_quote_nothing():
    metrics = Metrics()
    metrics.answer(run_of(MessageState.FAILED), trace_with_a_model())
    assert 'state="failed"} 1.0' in metrics.text().decode()
    assert not re.search("Ana|López|Despido", metrics.text().decode())


def test_a_value_that_cannot_be_read_is_not_a_number_and_is_logged(caplog):
    metrics = Metrics()
    metrics.gauge("broken", "x", lambda: 1 / 0)
    assert "articulado_broken NaN" in metrics.text().decode()
    assert "the measurement broken cannot be read" in caplog.text
    assert "ZeroDivisionError" in caplog.text
