"""Consumption of a question: recorded however it ends; quotas stop the next one, and reports add up."""

from datetime import date
from pathlib import Path

import pytest

import cli
from core.errors import ConfigurationError, StorageError
from domain.usage import QUESTIONS, Quota, QuotaExceeded, Usage
from rag.evaluation.cases import Case, Dataset, Relevant
from rag.shared.messages import MessageState
from service.oversight.usage import UsageReports, total
from service.program.assembly import LOCAL_USER, App
from tests.conftest import DATA
from tests.model_replies import as_json, fails
from tests.model_server import ModelServer
from tests.processes import wait_until
from tests.scripted import QUESTION, reply

EVER = (date(2000, 1, 1), date(2999, 1, 1))


@pytest.fixture
def program(server: ModelServer, make_program) -> App:
    return make_program([DATA], openai_base_url=server.url, model_retries=0)


def asked(program: App, **how):
    chat = program.database.conversations.create(LOCAL_USER, "Prueba").id
    return program.runs.start(LOCAL_USER, chat, QUESTION, **how)


def used(program: App) -> dict[str, Usage]:
    return {row.role: row for row in program.database.usage.rows(*EVER, LOCAL_USER)}


def test_an_answer_costs_what_its_calls_say(program):
    run = asked(program)
    assert run.done.wait(30)
    trace = program.database.conversations.trace(LOCAL_USER, run.message_id)
    calls = [call for stage in trace.stages for call in stage.calls if call.role != "embeddings"]
    found = used(program)
    assert found[QUESTIONS].questions == 1
    for role in ("reader", "principal"):
        mine = [call for call in calls if call.role == role]
        assert found[role].calls == len(mine) > 0
        assert found[role].prompt_tokens == sum(call.prompt_tokens for call in mine) > 0
        assert found[role].completion_tokens == sum(call.completion_tokens for call in mine)
        assert found[role].model == mine[0].model


def test_what_a_stopped_answer_spent_is_spent(program, server):
    server.script(answer=[as_json(reply(), hold=30.0, hold_after=8)])
    run = asked(program)
    wait_until(lambda: run.text)
    program.runs.stop(LOCAL_USER, run.message_id)
    assert run.done.wait(5)
    assert program.database.conversations.trace(LOCAL_USER, run.message_id) is None
    found = used(program)
    assert found["reader"].prompt_tokens > 0
    assert (found["principal"].calls, found["principal"].failures) == (2, 1)
    assert found["principal"].completion_tokens > 0


def test_a_call_that_failed_is_counted(program, server):
    server.script(decompose=[fails(500)])
    run = asked(program)
    assert run.done.wait(30)
    assert used(program)["reader"].failures == 1


def test_an_answer_is_kept_when_its_use_cannot_be_recorded(program):
    program.database.usage.record, kept = _refuse, program.database.usage.record
    run = asked(program)
    assert run.done.wait(30)
    program.database.usage.record = kept
    assert run.state is MessageState.COMPLETE


def _refuse(*_args: object) -> None:
    raise StorageError("La base de datos no está disponible.")


def test_the_question_after_the_tokens_are_spent_is_refused(program):
    program.database.usage.quota = Quota(tokens=10)
    assert asked(program).done.wait(30)
    with pytest.raises(QuotaExceeded, match="límite diario de uso"):
        asked(program)


def test_an_evaluation_counts_for_whom_started_it(program):
    case = Case(id="1", question=QUESTION, relevant=(Relevant(norm="X-LTF", article="2"),))
    assert program.evaluations.start("rev", Dataset("d", "h", (case,))).finished.wait(30)
    wait_until(lambda: program.database.usage.rows(*EVER, "rev"))


# Prices and reports


def reports(tmp_path: Path, text: str = "", rows: tuple[Usage, ...] = ()) -> UsageReports:
    class Rows:
        def rows(self, since, until, owner=""):
            return list(rows)

    (tmp_path / "prices.toml").write_text(text, "utf-8")
    return UsageReports(Rows(), [tmp_path / "none.toml", tmp_path / "prices.toml"])


PRICES = """
currency = "EUR"
checked = 2026-01-02
source = "contrato 7"
[[price]]
model = "grande*"
input = 2.0
output = 10.0
[[price]]
model = "*"
input = 1.0
"""


def row(owner="ana", model="grande-1", day=1, prompt=1_000_000, completion=500_000) -> Usage:
    return Usage(
        owner=owner,
        day=date(2026, 1, day),
        role="principal",
        model=model,
        calls=1,
        prompt_tokens=prompt,
        completion_tokens=completion,
    )


def test_a_report_adds_up_and_prices_what_has_a_price(tmp_path):
    rows = (
        row(),
        row(day=2),
        row("eva", "chico"),
        Usage(owner="eva", day=date(2026, 1, 1), role=QUESTIONS, model="", questions=3),
    )
    usage = reports(tmp_path, PRICES, rows)
    ana, eva = usage.report("user", *EVER)
    assert (ana.key, ana.calls, ana.prompt_tokens, ana.cost) == ("ana", 2, 2_000_000, 14.0)
    assert (eva.questions, eva.cost, eva.unpriced) == (3, 1.0, False)
    assert [line.key for line in usage.report("model", *EVER)] == ["chico", "grande-1"]
    assert [(line.key, line.questions) for line in usage.report("day", *EVER)] == [
        ("2026-01-01", 3),
        ("2026-01-02", 0),
    ]
    assert total([ana, eva]).cost == 15.0


def test_what_has_no_price_is_never_given_one(tmp_path):
    (line,) = reports(tmp_path, "", (row(),)).report("user", *EVER)
    assert (line.cost, line.unpriced) == (0.0, True)


@pytest.mark.parametrize("text", ["[[price]]\nmodel = 3", "nada de nada", "[[price]]\nmodel='x'\ninput=-1"])
def test_a_price_list_that_cannot_be_read_is_told(tmp_path, text):
    with pytest.raises(ConfigurationError, match=r"prices\.toml"):
        reports(tmp_path, text).prices()


def test_the_shipped_price_list_is_empty_and_its_example_can_be_read(program, tmp_path):
    assert program.usage.prices().price == ()
    text = (Path(cli.__file__).parent / "data" / "prices.toml").read_text("utf-8")
    example = "\n".join(line.removeprefix("# ") for line in text.splitlines()[5:] if line.strip("# "))
    assert reports(tmp_path, example).prices().price[0].model == "name-of-the-model*"
