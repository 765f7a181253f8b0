"""Usage and quotas on both databases: what was spent is spent, and no more is let in than may be."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime

import pytest

from core.clock import spanish_day
from core.errors import NotFound
from domain.usage import QUESTIONS, Quota, QuotaExceeded, Usage
from models.metering import ENRICHMENT, Spent
from storage.chat.conversations import SqlConversationStore
from storage.people.usage import SqlUsageStore

pytest_plugins = ("tests.postgres",)
DAY = date(2026, 3, 1)


class Clock:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def usage(database, clock):
    return SqlUsageStore(database.engines, clock)


@pytest.fixture
def conversations(database, usage):
    return SqlConversationStore(database.engines, usage.count_question)


def spent(prompt=100, completion=10, role="principal", model="m-1", failures=0):
    return Spent(
        role=role, model=model, prompt_tokens=prompt, completion_tokens=completion, failures=failures
    )


def test_search_aids_are_added_up_by_month_and_leave_the_quota_of_their_owner_alone(
    usage, conversations, clock
):
    usage.quota = Quota(tokens=100)
    clock.now = datetime(2026, 2, 28, 12, tzinfo=UTC)
    usage.record("ana", [spent(role=ENRICHMENT)])
    clock.now = datetime(2026, 2, 28, 23, 30, tzinfo=UTC)  # the first of March in Spain
    usage.record("ana", [spent(role=ENRICHMENT)])
    usage.record("eva", [spent(50, 0, role=ENRICHMENT), spent(7, 0, role="reader")])
    conversations.ask("ana", conversations.create("ana", "Prueba").id, "¿Hay cuota?")
    clock.now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    assert usage.tokens_this_month(ENRICHMENT) == 160
    assert usage.tokens_this_month("other") == 0


def test_what_is_spent_adds_up_by_owner_day_role_and_model(usage, clock):
    usage.record("ana", [spent(), spent(role="reader", model="m-0")])
    usage.record("ana", [spent(50, 5, failures=1)])
    usage.record("eva", [spent()])
    usage.record("eva", [])
    clock.now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    usage.record("ana", [spent()])
    first, second = usage.rows(DAY, DAY, "ana")
    assert first == Usage(
        owner="ana",
        day=DAY,
        role="principal",
        model="m-1",
        calls=2,
        failures=1,
        prompt_tokens=150,
        completion_tokens=15,
    )
    assert (second.role, second.calls) == ("reader", 1)
    assert [(row.owner, row.day.day) for row in usage.rows(DAY, date(2026, 3, 2))] == [
        ("ana", 1),
        ("ana", 1),
        ("eva", 1),
        ("ana", 2),
    ]


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 1, 1, 22, 59, tzinfo=UTC), date(2026, 1, 1)),
        (datetime(2026, 1, 1, 23, 0, tzinfo=UTC), date(2026, 1, 2)),
        (datetime(2026, 7, 1, 21, 59, tzinfo=UTC), date(2026, 7, 1)),
        (datetime(2026, 7, 1, 22, 0, tzinfo=UTC), date(2026, 7, 2)),
    ],
)
def test_the_day_is_that_of_spain(moment, day):
    assert spanish_day(moment) == day


def test_questions_are_counted_and_the_one_too_many_is_not_stored(conversations, usage, clock):
    usage.quota = Quota(questions=2)
    own = conversations.create("ana").id
    conversations.ask("ana", own, "¿uno?")
    conversations.ask("ana", own, "¿dos?")
    with pytest.raises(QuotaExceeded, match=r"2 preguntas al día.*00:00"):
        conversations.ask("ana", own, "¿tres?")
    assert [m.text for m in conversations.messages("ana", own) if m.role == "user"] == ["¿uno?", "¿dos?"]
    (row,) = usage.rows(DAY, DAY)
    assert (row.role, row.questions) == (QUESTIONS, 2)
    conversations.ask("eva", conversations.create("eva").id, "¿uno?")
    clock.now = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    conversations.ask("ana", own, "¿tres?")


def test_of_many_questions_at_once_as_many_go_in_as_the_quota_allows(conversations, usage):
    usage.quota = Quota(questions=5)
    own = conversations.create("ana").id

    def ask(number):
        try:
            conversations.ask("ana", own, f"¿{number}?")
        except QuotaExceeded:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(12))) == 5
    assert usage.rows(DAY, DAY)[0].questions == 5


def test_no_question_goes_in_once_the_tokens_of_the_day_are_spent(conversations, usage):
    usage.quota = Quota(tokens=1000)
    own = conversations.create("ana").id
    conversations.ask("ana", own, "¿uno?")
    usage.record("ana", [spent(899, 100)])
    conversations.ask("ana", own, "¿dos?")
    usage.record("ana", [spent(1, 0)])
    with pytest.raises(QuotaExceeded, match="límite diario de uso de los modelos"):
        conversations.ask("ana", own, "¿tres?")


def test_a_refused_question_of_another_owner_counts_nothing(conversations, usage):
    own = conversations.create("ana").id
    with pytest.raises(NotFound, match="No existe"):
        conversations.ask("eva", own, "¿uno?")
    assert usage.rows(DAY, DAY) == []
