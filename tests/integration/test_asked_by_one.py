"""Several processes over one database: each watched question is asked again by one of them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from core.clock import today_in_spain
from core.errors import ModelError
from domain.alerts import DueQuestion
from rag.shared.cited_answer import Answer
from service.program.alerts import CLAIM, Alerts
from tests.alerts import answered, change, cites, law
from tests.databases import new_database


@pytest.fixture
def database(tmp_path):
    """A database with a watched question whose law has changed."""
    made = new_database(tmp_path / "alerts.db")
    change(made, law())
    made.news.match(datetime.now(UTC))
    _, question, _ = answered(made, "ana", cites("1"))
    made.watches.watch_question("ana", question)
    change(made, law(since=today_in_spain()))
    yield made
    made.close()


def process(
    database, ask: Callable[[DueQuestion], Answer], later: timedelta = timedelta(seconds=1)
) -> Alerts:
    """The alerts of one of the processes; its clock is as much ahead."""
    return Alerts(
        database.news,
        database.questions,
        database.references,
        norms=list,
        catalogue=lambda: pytest.fail("no document is looked through"),
        ask=ask,
        deliver=lambda _now: None,
        now=lambda: datetime.now(UTC) + later,
    )


def answer(_due: DueQuestion) -> Answer:
    return Answer(answer="R", citations=(cites("1"),), confidence=0.8)


def test_a_question_under_way_is_not_asked_by_another_process(database):
    asked = []
    second = process(database, lambda due: asked.append("second") or answer(due))

    def slowly(due):
        asked.append("first")
        second.work()
        return answer(due)

    process(database, slowly).work()
    second.work()
    assert asked == ["first"]


def test_a_process_that_is_killed_while_it_asks_leaves_the_question_to_another(database):
    asked = []

    def killed(_due):
        raise SystemExit

    with pytest.raises(SystemExit):
        process(database, killed).work()
    process(database, lambda due: asked.append("at once") or answer(due)).work()
    assert asked == []
    late = process(database, lambda due: asked.append("later") or answer(due), CLAIM + timedelta(minutes=1))
    late.work()
    late.work()
    assert asked == ["later"]


def test_a_process_whose_model_fails_leaves_the_question_to_another_at_once(database):
    asked = []

    def fails(_due):
        raise ModelError("El modelo no responde.")

    process(database, fails).work()
    process(database, lambda due: asked.append("other") or answer(due)).work()
    assert asked == ["other"]
