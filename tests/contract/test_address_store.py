"""Addresses confirmed by a code, on both databases: single use, expiring, few tries and few mails."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from core.clock import today_in_spain
from core.errors import InputError
from storage.alerts.addresses import MOST_CODES, MOST_TRIES, PERIOD
from storage.tables.alerts import AddressCodeRow
from tests.alerts import answered, change, cites, law

pytest_plugins = ("tests.postgres",)
NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def store(database):
    database.watches.set_settings("ana", "ana@bufete.example", by_mail=True)
    return database.addresses


def issued(store, code="h1", now=NOW, owner="ana"):
    return store.issue(owner, code, now, now + HOUR)


def is_confirmed(database, owner="ana"):
    return database.watches.settings(owner).confirmed_at is not None


def test_the_code_that_was_sent_confirms_the_address_once(database, store):
    assert not is_confirmed(database)
    assert issued(store) == "ana@bufete.example"
    store.confirm("ana", "h1", NOW)
    assert database.watches.settings("ana").confirmed_at == NOW
    with pytest.raises(InputError, match="ya no sirve"):
        store.confirm("ana", "h1", NOW)
    with pytest.raises(InputError, match="ya está confirmada"):
        issued(store)


def test_a_code_confirms_nobody_elses_address(database, store):
    database.watches.set_settings("eva", "ana@bufete.example", by_mail=True)
    issued(store)
    with pytest.raises(InputError, match="ya no sirve"):
        store.confirm("eva", "h1", NOW)
    issued(store, "h2", owner="eva")
    with pytest.raises(InputError, match="Ese no es el código"):
        store.confirm("eva", "h1", NOW)
    assert not is_confirmed(database, "eva") and not is_confirmed(database)


@pytest.mark.parametrize(
    "later",
    [
        pytest.param(lambda database: (NOW + HOUR, "h1"), id="an hour later"),
        pytest.param(lambda database: (issued(database.addresses, "h2"), (NOW, "h1"))[1], id="another code"),
        pytest.param(
            lambda database: (
                database.watches.set_settings("ana", "otra@bufete.example", by_mail=True),
                (NOW, "h1"),
            )[1],
            id="another address",
        ),
        pytest.param(lambda database: (NOW, ""), id="an empty hash"),
    ],
)
def test_a_code_is_of_no_use(database, store, later):
    issued(store)
    now, code = later(database)
    with pytest.raises(InputError):
        store.confirm("ana", code, now)
    assert not is_confirmed(database)


def test_an_address_that_changes_is_to_be_confirmed_again_also_when_it_changes_back(database, store):
    issued(store)
    store.confirm("ana", "h1", NOW)
    database.watches.set_settings("ana", "ana@bufete.example", by_mail=False)
    assert is_confirmed(database), "the same address stays confirmed"
    database.watches.set_settings("ana", "otra@bufete.example", by_mail=True)
    database.watches.set_settings("ana", "ana@bufete.example", by_mail=True)
    assert not is_confirmed(database)


def test_wrong_codes_are_counted_and_the_last_one_voids_the_right_one(database, store):
    issued(store)
    for left in range(MOST_TRIES - 1, 0, -1):
        with pytest.raises(InputError, match=f"Intentos que quedan: {left}"):
            store.confirm("ana", "wrong", NOW)
    with pytest.raises(InputError, match="ya no quedan intentos"):
        store.confirm("ana", "wrong", NOW)
    with pytest.raises(InputError, match="ya no sirve"):
        store.confirm("ana", "h1", NOW)
    assert not is_confirmed(database)


def test_codes_are_few_a_day_whatever_the_address_is(database, store):
    for number in range(MOST_CODES):
        database.watches.set_settings("ana", f"victima{number}@elsewhere.example", by_mail=True)
        issued(store, now=NOW + number * HOUR)
    with pytest.raises(InputError, match="24 horas"):
        issued(store, now=NOW + MOST_CODES * HOUR)
    assert issued(store, now=NOW + PERIOD) == "victima4@elsewhere.example"


def test_codes_that_are_asked_for_together_are_counted_together(store):
    def ask(number):
        try:
            return issued(store, f"h{number}")
        except InputError:
            return None

    with ThreadPoolExecutor(8) as threads:
        sent = [one for one in threads.map(ask, range(12)) if one]
    assert len(sent) == MOST_CODES


def test_without_an_address_there_is_no_code(store):
    with pytest.raises(InputError, match="Escriba primero la dirección"):
        issued(store, owner="nobody")


def test_a_digest_waits_for_nobody_whose_address_is_not_confirmed(database, store):
    change(database, law())
    database.news.match(datetime.now(UTC))
    answered(database, "ana", cites("1"))
    change(database, law(since=today_in_spain()))
    soon = datetime.now(UTC) + timedelta(seconds=1)
    database.news.match(soon)
    assert database.digests.waiting(today_in_spain(), soon) == []
    issued(store)
    store.confirm("ana", "h1", NOW)
    [one] = database.digests.waiting(today_in_spain(), soon)
    assert (one.owner, one.address) == ("ana", "ana@bufete.example")


def test_erasure_takes_the_code_along(database, store):
    issued(store)
    database.privacy.erase("ana")
    with database.engines.read() as session:
        assert session.get(AddressCodeRow, "ana") is None
