"""Accounts, sessions and attempts on both databases: an admin always remains, what has ended stays ended."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from core.errors import InputError, NotFound
from domain.accounts import Role
from storage.backup import snapshot
from storage.people.login_sessions import DEVICE_LIFE, DEVICES, SKEW
from storage.stores import open_database
from storage.tables.accounts import AttemptRow, LoginSessionRow

pytest_plugins = ("tests.postgres",)
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
IDLE, HOURS = timedelta(hours=2), timedelta(hours=12)
MINUTE = timedelta(minutes=1)
ADMIN, LAWYER = (Role.ADMIN,), (Role.LAWYER,)


@pytest.fixture
def store(database):
    return database.accounts


@pytest.fixture
def sessions(database):
    return database.login_sessions


@pytest.fixture
def attempts(database):
    return database.attempts


@pytest.fixture
def admin(store):
    return store.add("rosa", "Rosa", ADMIN, "hash")


@pytest.fixture
def ana(store, admin):
    return store.add("ana", "Ana", LAWYER, "hash-ana")


def opened(sessions, account, token="t1", at=NOW, **where):
    return sessions.open(account.id, token, at, at + HOURS, **where)


# Accounts


def test_an_account_is_kept_as_it_was_given(store, admin):
    roles = (Role.REVIEWER, Role.LAWYER, Role.REVIEWER)
    made = store.add("Ñandú", "  María\x00 ", roles, must_change=True, change_by=NOW + HOURS)
    assert store.account(made.id).model_dump() | {"created_at": 0} == {
        "id": made.id,
        "username": "ñandú",
        "name": "  María ",
        "roles": (Role.LAWYER, Role.REVIEWER),
        "active": True,
        "subject": "",
        "must_change": True,
        "change_by": NOW + HOURS,
        "created_at": 0,
        "last_login": None,
        "told": 0,
    }
    assert [one.username for one in store.accounts()] == ["rosa", "ñandú"]
    assert store.count() == 2


def test_a_user_name_is_taken_whatever_its_case(store, admin):
    with pytest.raises(InputError, match="Ya existe"):
        store.add("ROSA", "Otra", ADMIN)
    assert store.by_username("Rosa") == (admin, "hash")
    assert store.by_username("nadie") is None


def test_of_two_first_accounts_at_once_one_wins(store):
    together = threading.Barrier(2)

    def setup(name):
        together.wait()
        try:
            return store.add(name, name, ADMIN, first=True).username
        except InputError:
            return None

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(setup, ["rosa", "marta"]))
    assert made.count(None) == 1
    assert store.count() == 1


def test_the_first_account_must_administer(store):
    with pytest.raises(InputError, match="admin"):
        store.add("ana", "Ana", LAWYER)
    assert store.count() == 0


@pytest.mark.parametrize(
    "takes_away",
    [
        lambda store, account: store.remove(account.id),
        lambda store, account: store.change(account.id, active=False),
        lambda store, account: store.change(account.id, roles=(Role.LAWYER, Role.REVIEWER)),
    ],
    ids=["remove", "deactivate", "demote"],
)
def test_the_last_active_admin_stays(store, admin, ana, takes_away):
    other = store.add("marta", "Marta", ADMIN)
    store.change(other.id, active=False)
    with pytest.raises(InputError, match="admin"):
        takes_away(store, admin)
    assert store.account(admin.id) == admin
    store.change(other.id, active=True)
    takes_away(store, admin)


@pytest.mark.parametrize("attempt", range(3))
def test_two_admins_who_demote_each_other_at_once_leave_one(database_url, attempt):
    first, second = open_database(database_url), open_database(database_url)
    ids = [first.accounts.add(name, name, ADMIN).id for name in ("rosa", "marta")]
    together = threading.Barrier(2)

    def demote(database, other):
        together.wait()
        try:
            return database.accounts.change(other, roles=LAWYER)
        except InputError:
            return None

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(demote, (first, second), ids))
    assert [one is None for one in done].count(True) == 1
    assert [Role.ADMIN in one.roles for one in first.accounts.accounts()].count(True) == 1
    first.close()
    second.close()


def test_a_change_touches_only_what_is_given(store, ana):
    assert store.change(ana.id, name="Ana Gil") == ana.model_copy(update={"name": "Ana Gil"})
    assert store.change(ana.id, roles=ADMIN).roles == ADMIN


def test_a_password_is_replaced_only_while_it_is_the_one_that_was_checked(store, ana):
    assert store.set_password(ana.id, "new", must_change=True, change_by=NOW, replacing="hash-ana")
    assert not store.set_password(ana.id, "late", replacing="hash-ana")
    account, stored = store.by_username("ana")
    assert (account.must_change, account.change_by, stored) == (True, NOW, "new")
    assert store.set_password(ana.id, "own", replacing="new")
    account, _ = store.by_username("ana")
    assert (account.must_change, account.change_by) == (False, None)


def test_a_person_of_a_provider_has_one_account_and_for_good(store, admin, ana):
    ready = store.add("luis", "Luis", LAWYER)
    assert store.by_subject("") is None
    assert store.link(ready.id, "https://id 7").subject == "https://id 7"
    assert store.by_subject("https://id 7").id == ready.id
    other = store.add("eva", "Eva", LAWYER)
    for account, subject in ((other, "https://id 7"), (ready, "https://id 8"), (ana, "https://id 9")):
        with pytest.raises(InputError):
            store.link(account.id, subject)
    with pytest.raises(InputError):
        store.add("otra", "Otra", LAWYER, subject="https://id 7")


def test_only_the_last_addresses_of_an_account_are_known(store, ana):
    assert not store.knows_address("10.0.0.1")
    for number in range(1, 8):
        store.signed_in(ana.id, NOW, f"10.0.0.{number}")
    assert store.account(ana.id).last_login == NOW
    assert [store.knows_address(f"10.0.0.{n}") for n in (1, 2, 3, 7)] == [False, False, True, True]


def test_the_number_of_what_a_person_took_notice_of_only_grows(store, ana):
    for number in (7, 3, 8, -1):
        store.take_notice(ana.id, number)
    assert store.account(ana.id).told == 8
    with pytest.raises(NotFound):
        store.take_notice("nadie", 1)


def test_a_device_is_known_by_its_account_until_all_sessions_end(store, ana, sessions):
    other = store.add("luis", "Luis", LAWYER)
    sessions.remember_device(ana.id, "uno", NOW)
    sessions.remember_device(other.id, "dos", NOW)
    assert sessions.knows_device("ANA", "uno", NOW)
    assert not sessions.knows_device("luis", "uno", NOW)
    assert not sessions.knows_device("nadie", "uno", NOW)
    assert not sessions.knows_device("ana", "uno", NOW + DEVICE_LIFE)
    sessions.revoke(ana.id, "una sesión")
    assert sessions.knows_device("ana", "uno", NOW)
    sessions.revoke(ana.id, keep="la de aquí")
    assert not sessions.knows_device("ana", "uno", NOW)
    assert sessions.knows_device("luis", "dos", NOW)
    store.remove(other.id)
    assert not sessions.knows_device("luis", "dos", NOW)


def test_an_account_knows_its_last_devices_only(ana, sessions):
    for number in range(DEVICES + 2):
        sessions.remember_device(ana.id, f"equipo {number}", NOW + timedelta(minutes=number))
    sessions.remember_device(ana.id, "equipo 2", NOW + timedelta(hours=1))
    late = NOW + timedelta(hours=1)
    known = [sessions.knows_device("ana", f"equipo {number}", late) for number in range(DEVICES + 2)]
    assert known == [False] * 2 + [True] * DEVICES


def test_an_account_that_does_not_exist_is_not_found(store, sessions):
    calls = (
        lambda: store.account("x"),
        lambda: store.change("x", name="y"),
        lambda: store.set_password("x", "h"),
        lambda: store.signed_in("x", NOW),
        lambda: store.link("x", "s"),
        lambda: store.remove("x"),
        lambda: sessions.open("x", "t", NOW, NOW + HOURS),
    )
    for call in calls:
        with pytest.raises(NotFound):
            call()


# Sessions


def test_a_session_is_found_by_its_token_with_the_account_as_it_is_now(store, sessions, ana):
    session = opened(sessions, ana, address="10.0.0.1", agent="Navegador")
    store.change(ana.id, roles=(Role.LAWYER, Role.REVIEWER))
    account, found = sessions.find("t1", NOW, IDLE)
    assert (account.roles, found) == ((Role.LAWYER, Role.REVIEWER), session)
    assert sessions.find("t2", NOW, IDLE) is None


def test_being_seen_is_written_once_a_minute_and_keeps_a_session_alive(sessions, ana):
    opened(sessions, ana)
    at = NOW + MINUTE / 2
    sessions.find("t1", at, IDLE)
    assert sessions.sessions(ana.id, at, IDLE)[0].seen_at == NOW
    for _ in range(5):
        at += timedelta(minutes=90)
        assert sessions.find("t1", at, IDLE)
    assert sessions.sessions(ana.id, at, IDLE)[0].seen_at == at


@pytest.mark.parametrize("late", [IDLE, HOURS], ids=["idle", "absolute"])
def test_a_session_that_was_seen_dead_does_not_live_again_when_the_clock_goes_back(sessions, ana, late):
    opened(sessions, ana)
    seen = NOW
    while late == HOURS and seen < NOW + HOURS - IDLE / 2:
        seen += IDLE / 2
        sessions.find("t1", seen, IDLE)
    assert sessions.find("t1", NOW + late, IDLE) is None
    assert sessions.find("t1", NOW, IDLE) is None


def test_servers_may_differ_by_seconds_but_a_session_of_the_future_is_not_believed(sessions, ana):
    opened(sessions, ana)
    assert sessions.find("t1", NOW - SKEW, IDLE)
    opened(sessions, ana, "t2", NOW)
    assert sessions.find("t2", NOW - SKEW - MINUTE, IDLE) is None
    assert opened(sessions, ana, "t3", NOW - timedelta(days=1)).seen_at < NOW


def test_an_account_that_is_made_inactive_or_removed_loses_its_sessions(store, sessions, ana):
    opened(sessions, ana)
    store.change(ana.id, active=False)
    with pytest.raises(NotFound):
        opened(sessions, ana, "t2")
    store.change(ana.id, active=True)
    assert sessions.find("t1", NOW, IDLE) is None
    opened(sessions, ana, "t3")
    store.remove(ana.id)
    assert sessions.find("t3", NOW, IDLE) is None


def test_many_sessions_are_asked_for_at_once_whoever_they_belong_to(sessions, admin, ana):
    mine, other = opened(sessions, ana, "t1"), opened(sessions, admin, "t2", NOW + MINUTE)
    asked = {mine.id, other.id, "unknown"}
    assert sessions.alive(asked, NOW + MINUTE, IDLE) == {mine.id, other.id}
    assert sessions.alive([mine.id], NOW, IDLE) == {mine.id}
    assert sessions.alive(asked, NOW + IDLE, IDLE) == {other.id}
    assert sessions.alive(asked, NOW - SKEW - MINUTE, IDLE) == set()
    sessions.close("t2")
    assert sessions.alive(asked, NOW + MINUTE, IDLE) == {mine.id}
    assert sessions.alive(set(), NOW, IDLE) == set()


def test_sessions_are_revoked_one_by_one_or_all_but_one_and_only_the_owners(sessions, admin, ana):
    made = [opened(sessions, ana, f"t{n}", NOW + n * MINUTE) for n in range(4)]
    other = opened(sessions, admin, "t9")
    at = NOW + 5 * MINUTE
    assert [one.id for one in sessions.sessions(ana.id, at, IDLE)] == [one.id for one in reversed(made)]
    assert sessions.revoke(ana.id, other.id) == 0
    assert sessions.revoke(ana.id, made[0].id) == 1
    assert sessions.revoke(ana.id, keep=made[3].id) == 2
    assert [one.id for one in sessions.sessions(ana.id, at, IDLE)] == [made[3].id]
    assert sessions.find("t9", at, IDLE)
    assert sessions.close("t3").id == made[3].id
    assert sessions.close("t3") is None


def test_the_dead_are_purged_and_the_living_stay(sessions, ana):
    opened(sessions, ana, "idle", NOW - IDLE)
    opened(sessions, ana, "old", NOW - HOURS)
    opened(sessions, ana, "ahead", NOW + timedelta(days=1))
    opened(sessions, ana, "live", NOW - MINUTE)
    assert sessions.purge(NOW, IDLE) == 3
    assert sessions.find("live", NOW, IDLE)


# Attempts


def test_failures_count_by_key_within_the_window(attempts):
    hour = timedelta(hours=1)
    attempts.fail(["account:a", "address:1"], NOW - hour)
    attempts.fail(["account:a"], NOW - MINUTE)
    attempts.fail(["account:a", "address:2"], NOW)
    found = [attempts.failures(key, NOW, hour) for key in ("account:a", "address:1", "address:2", "other")]
    assert found == [(2, NOW), (0, None), (1, NOW), (0, None)]


def test_failures_from_before_the_clock_was_put_back_do_not_count(attempts):
    attempts.fail(["k"], NOW + timedelta(days=1))
    assert attempts.failures("k", NOW, IDLE) == (0, None)
    attempts.fail(["k"], NOW + MINUTE)
    assert attempts.failures("k", NOW, IDLE)[0] == 1


def test_attempts_are_cleared_by_key_and_purged_by_age(database, attempts):
    attempts.fail(["a", "b"], NOW)
    attempts.fail(["b"], NOW + MINUTE)
    attempts.clear(["a"])
    assert attempts.purge(NOW + MINUTE) == 1
    with database.engines.read() as session:
        assert session.scalar(select(func.count(AttemptRow.id))) == 1


def test_a_backup_holds_accounts_but_neither_sessions_nor_attempts(database, sessions, attempts, ana):
    opened(sessions, ana)
    attempts.fail(["a"], NOW)
    with snapshot(database.engines) as copy:
        assert "accounts" in copy.tables
        assert not {LoginSessionRow.__tablename__, AttemptRow.__tablename__} & set(copy.tables)
