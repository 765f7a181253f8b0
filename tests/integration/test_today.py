"""«Today» is the day in Spain, on machines that keep another time too: containers keep UTC."""

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from streamlit.testing.v1 import AppTest

import cli
from articulado import Articulado
from core.clock import SPAIN, spanish_day, today_in_spain
from rag.evaluation.cases import Case, Dataset, Relevant
from rag.run.pipeline import run_stages
from service.program import assembly
from service.program.assembly import LOCAL_USER, App
from service.program.warmup import WarmUp
from tests.conftest import DATA, ROOT, Maker
from tests.factories import make_block, make_norm, make_version, save
from tests.texts import eventually

MOMENT = datetime(2026, 7, 14, 23, 30, tzinfo=UTC)
EVE, DAY = date(2026, 7, 14), date(2026, 7, 15)
QUESTION = "¿Cuántos días de vacaciones tengo?"

pytestmark = pytest.mark.skipif(
    not hasattr(time, "tzset"), reason="the time zone of a process cannot be set here"
)


@pytest.fixture(autouse=True)
def summer_night(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """23:30 of 14 July on a machine that keeps UTC: 01:30 of 15 July in Madrid."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr(time, "time", MOMENT.timestamp)
    assert date.today() == EVE
    yield
    monkeypatch.undo()
    time.tzset()


def command(program: App, *words: str) -> int:
    """One command over this program, as `python cli.py WORDS` runs it."""
    options = cli._parser().parse_args(words)
    worked = Articulado.over(program, "cli", print) if hasattr(options, "direct") else program
    return options.run(worked, options) or 0


def test_the_day_in_spain_is_the_next_one_already():
    assert today_in_spain() == spanish_day(MOMENT) == DAY
    assert MOMENT.astimezone(SPAIN).hour == 1


def test_a_stored_moment_without_zone_is_utc():
    assert spanish_day(MOMENT.replace(tzinfo=None)) == DAY


def test_a_question_is_answered_by_the_law_of_that_day(program):
    outcome = asyncio.run(run_stages(QUESTION, program.services))
    assert (outcome.answer.as_of, outcome.trace.as_of) == (DAY, DAY)


def test_an_answer_of_the_chat_is_of_that_day(program):
    conversation = program.database.conversations.create(LOCAL_USER, QUESTION).id
    assert program.runs.start(LOCAL_USER, conversation, QUESTION).done.wait(60)
    assert program.database.conversations.messages(LOCAL_USER, conversation)[-1].answer.as_of == DAY


def test_an_evaluation_measures_the_law_of_that_day(program):
    case = Case(id="1", question=QUESTION, relevant=(Relevant(norm="X-LTF", article="2", grade=2),))
    current = program.evaluations.start(LOCAL_USER, Dataset("prueba", "f" * 64, (case,)))
    assert current.finished.wait(60)
    (result,) = program.evaluations.store.results(current.id)
    assert result.as_of == DAY


def test_the_wordings_of_that_day_are_read_beforehand(make_program: Maker, caplog):
    caplog.set_level(logging.INFO)
    program = make_program()
    program.keeper.start()
    old, new = make_version("Antes.", until=EVE), make_version("Ahora.", since=DAY)
    save(
        program.database.corpus_writer,
        make_norm("N-1", make_block("1", old, new), make_block("2", "Nuevo.", since=DAY)),
    )
    warm_up = WarmUp(program.database.corpus, program.keeper, program.demo)
    warm_up.start()
    eventually(lambda: "read beforehand" in caplog.text, 60)
    assert "2 fragments read beforehand" in caplog.text
    warm_up.stop()
    program.keeper.stop()


def test_the_wordings_of_that_day_are_indexed_first(make_program: Maker):
    database = make_program().database
    save(
        database.corpus_writer,
        make_norm("N-1", make_block("1", "Antes.", until=EVE), make_block("2", since=DAY)),
    )
    assert [chunk.label for chunk in database.ledger.pending_index(dense=False)] == ["2", "1"]


@pytest.mark.parametrize(
    "words",
    [
        ("search", "vacaciones"),
        ("tool", "<tool_lexical_search><query>vacaciones</query></tool_lexical_search>"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_without_a_day_takes_that_one(program, capsys, words):
    assert command(program, *words, "--json") == 0
    assert json.loads(capsys.readouterr().out)["as_of"] == DAY.isoformat()


def test_ask_answers_by_the_law_of_that_day(program, capsys):
    assert command(program, "ask", QUESTION, "--json") == 0
    assert json.loads(capsys.readouterr().out)["trace"]["as_of"] == DAY.isoformat()


def test_diff_compares_with_the_wording_of_that_day(make_program: Maker, capsys):
    program = make_program([DATA])
    old, new = make_version("Antes.", until=EVE), make_version("Ahora.", since=DAY)
    save(program.database.corpus_writer, make_norm("N-1", make_block("1", old, new), alias="LPD"))
    assert command(program, "diff", "art. 1 LPD", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["state"], found["to"]["valid_from"]) == ("Vigente desde el 15 de julio de 2026", str(DAY))


def test_evaluate_measures_the_law_of_that_day(make_program: Maker, capsys, tmp_path):
    program = make_program()
    old = make_version("El descanso inventado dura diez días.", until=EVE)
    new = make_version("El descanso inventado dura doce días.", since=DAY)
    save(program.database.corpus_writer, make_norm("N-1", make_block("1", old, new)))
    relevant = [{"norm": "N-1", "article": "1", "grade": 2}]
    case = {"id": "1", "question": "¿Cuánto dura el descanso inventado?", "relevant": relevant}
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(case | {"must_contain": "doce días"}), "utf-8")
    assert command(program, "evaluate", str(cases), "--json") == 0
    assert json.loads(capsys.readouterr().out)["metrics"]["must_contain_accuracy"] == 1.0


def test_usage_ends_on_that_day(program, capsys):
    assert command(program, "usage", "--json") == 0
    assert json.loads(capsys.readouterr().out)["until"] == DAY.isoformat()


def test_the_page_shows_that_day(program):
    assembly.override(program)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assembly.override(None)
    assert not page.exception
    assert page.date_input[0].value == DAY
