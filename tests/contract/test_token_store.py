"""API tokens on both databases: found by their hash alone, ended by whatever ends an account's sessions."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, func, select, update
from sqlalchemy.exc import OperationalError

from core.errors import InputError, NotFound
from domain.accounts import Role, Scope
from domain.tokens import ApiToken, Grant
from storage.backup import snapshot
from storage.people.tokens import MOST
from storage.tables.accounts import AccountRow, ApiTokenRow, LoginSessionRow

pytest_plugins = ("tests.postgres",)
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


@pytest.fixture
def store(database):
    return database.tokens


@pytest.fixture
def rosa(database):
    return database.accounts.add("rosa", "Rosa", (Role.ADMIN,), "hash")


@pytest.fixture
def ana(database, rosa):
    return database.accounts.add("ana", "Ana", (Role.LAWYER,), "hash")


@pytest.fixture
def opened(database):
    """Open a login session of an account; its id."""

    def opened(account, name=""):
        hashed = f"{account.id} {name}"
        return database.login_sessions.open(account.id, hashed, NOW, NOW + 400 * DAY).id

    return opened


@pytest.fixture
def rosas(database, rosa, opened):
    """A token of Rosa's with the hash "rosas"."""
    made = token(rosa, "of another")
    database.tokens.add(made, "rosas", opened(rosa))
    return made


@pytest.fixture
def session(opened, ana):
    """Ana's login session."""
    return opened(ana)


def token(account, name="t1", at=NOW, days=90):
    scopes = (Scope.READ, Scope.ASK)
    return ApiToken(
        id=f"id-{name}",
        account_id=account.id,
        name=name,
        scopes=scopes,
        created_at=at,
        expires_at=at + days * DAY,
    )


def rows(database):
    with database.engines.read() as session:
        return session.scalar(select(func.count(ApiTokenRow.id)))


def test_a_token_is_found_by_its_hash_with_the_account_as_it_is_now(database, store, ana, session):
    made = token(ana)
    store.add(made, "h1", session)
    database.accounts.change(ana.id, roles=(Role.REVIEWER,))
    account, found = store.find("h1", NOW)
    assert (account.roles, found) == ((Role.REVIEWER,), made)
    for other in ("", "h2", "id-t1", "H1", "h%"):
        assert store.find(other, NOW) is None


def test_the_last_use_is_kept_to_the_minute(store, ana, session):
    store.add(token(ana), "h1", session)
    for at, seen in ((NOW, NOW), (NOW + MINUTE / 2, NOW), (NOW + MINUTE, NOW + MINUTE), (NOW, NOW)):
        store.find("h1", at)
        assert store.tokens(ana.id, NOW)[0].seen_at == seen


def test_an_expired_token_is_deleted_and_lives_no_more_when_the_clock_goes_back(
    database, store, ana, session
):
    store.add(token(ana, days=1), "h1", session)
    assert store.find("h1", NOW + DAY - MINUTE)
    assert store.tokens(ana.id, NOW + DAY) == []
    assert store.find("h1", NOW + DAY) is None
    assert store.find("h1", NOW) is None
    assert rows(database) == 0


def test_an_account_has_twenty_live_tokens_at_most_and_the_expired_do_not_count(
    database, store, ana, session, rosas
):
    for number in range(MOST):
        store.add(token(ana, f"t{number}", days=1 + number), f"h{number}", session)
    with pytest.raises(InputError, match=f"Ya tiene {MOST} claves"):
        store.add(token(ana, "one too many"), "h", session)
    assert rows(database) == MOST + 1
    store.add(token(ana, "later", NOW + DAY), "later", session)
    assert rows(database) == MOST + 1
    assert [one.name for one in store.tokens(ana.id, NOW + DAY)][:2] == ["later", "t1"]


def test_of_two_tokens_made_at_once_the_second_is_counted_with_the_first(database, store, ana, opened):
    sessions = {name: opened(ana, name) for name in "abcd"}
    for number in range(MOST - 1):
        store.add(token(ana, f"t{number}"), f"h{number}", sessions["a"])
    together = threading.Barrier(4)

    def make(name):
        together.wait()
        try:
            store.add(token(ana, name), name, sessions[name])
        except InputError:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(make, sessions)) == [False, False, False, True]
    assert rows(database) == MOST


ENDS = {
    "session closed": lambda db, ana, session: db.login_sessions.revoke(ana.id, session),
    "all sessions closed": lambda db, ana, _: db.login_sessions.revoke(ana.id),
    "inactive": lambda db, ana, _: db.accounts.change(ana.id, active=False),
    "removed": lambda db, ana, _: db.accounts.remove(ana.id),
}


@pytest.mark.parametrize("way", ENDS)
def test_no_token_is_made_in_a_session_that_has_ended(database, store, ana, session, way):
    ENDS[way](database, ana, session)
    with pytest.raises(NotFound, match="vuelva a entrar"):
        store.add(token(ana), "h1", session)
    assert rows(database) == 0


def test_an_inactive_account_has_no_use_for_what_it_still_has(database, store, ana, session):
    store.add(token(ana), "h1", session)
    database.engines.run(update(AccountRow).where(AccountRow.id == ana.id).values(active=False))
    assert store.find("h1", NOW) is None
    with pytest.raises(NotFound):
        store.add(token(ana, "t2"), "h2", session)


def test_no_token_is_made_in_the_session_of_another_account(database, store, rosa, ana, opened):
    for session in (opened(rosa), ""):
        with pytest.raises(NotFound):
            store.add(token(ana), "h1", session)
    assert rows(database) == 0


@pytest.mark.parametrize("kind", [AccountRow, LoginSessionRow])
def test_neither_account_nor_session_can_end_between_their_check_and_the_token(
    database, store, ana, session, kind
):
    held = select(kind.id).where(kind.id.in_((ana.id, session))).with_for_update(nowait=True)
    engine, refused = database.engines.engine, []

    def before(_connection, _cursor, statement, *_rest):
        if statement.startswith("INSERT INTO api_tokens"):
            with engine.connect() as another, pytest.raises(OperationalError):
                another.execute(held)
            refused.append(statement)

    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    event.listen(engine, "before_cursor_execute", before)
    store.add(token(ana), "h1", session)
    assert refused


@pytest.mark.parametrize("attempt", range(3))
def test_a_token_that_is_made_while_all_sessions_end_does_not_outlive_them(
    database, store, ana, session, attempt
):
    together = threading.Barrier(2)

    def make():
        together.wait()
        with suppress(NotFound):
            store.add(token(ana), "h1", session)

    def end():
        together.wait()
        database.login_sessions.revoke(ana.id)

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(make), pool.submit(end)]:
            done.result()
    assert rows(database) == 0


@pytest.mark.parametrize("way", ["all sessions closed", "inactive", "removed", "erased"])
def test_what_ends_an_account_ends_its_tokens_and_no_others(database, ana, session, rosas, way):
    store = database.tokens
    store.add(token(ana), "h1", session)
    ends = ENDS | {"erased": lambda db, ana, _: db.privacy.erase(ana.id)}
    ends[way](database, ana, session)
    assert store.find("h1", NOW) is None
    assert rows(database) == 1
    assert store.find("rosas", NOW)


def test_one_session_closed_or_all_but_one_leaves_the_tokens(database, store, ana, session):
    store.add(token(ana), "h1", session)
    database.login_sessions.revoke(ana.id, keep=session)
    database.login_sessions.revoke(ana.id, session)
    assert store.find("h1", NOW)


def test_a_token_is_revoked_by_its_owner_alone(store, rosa, ana, session):
    store.add(token(ana), "h1", session)
    for account, token_id in ((rosa, "id-t1"), (ana, ""), (ana, "id-t%"), (ana, "h1")):
        assert not store.revoke(account.id, token_id)
    assert store.find("h1", NOW)
    assert store.revoke(ana.id, "id-t1")
    assert not store.revoke(ana.id, "id-t1")
    assert store.find("h1", NOW) is None


def test_of_programs_that_show_one_secret_at_once_one_gets_new_ones(store, ana, session):
    grant = Grant(client="c", family="f", next_hash="code", challenge="x", until=NOW)
    store.add(token(ana).model_copy(update={"resource": "/mcp"}), "nothing yet", session, grant)
    store.add(token(ana, "of another program"), "h", session, Grant(client="d", family="g"))
    together = threading.Barrier(4)

    def renew(name):
        together.wait()
        given = grant.model_copy(update={"next_hash": f"{name}-next", "until": NOW + MINUTE})
        return store.renew("id-t1", "code", name, NOW + DAY, given)

    with ThreadPoolExecutor(4) as pool:
        won = [name for name, done in zip("abcd", pool.map(renew, "abcd"), strict=True) if done]
    assert len(won) == 1
    for family, access in (("f", ""), ("", won[0])):
        found, kept = store.granted(family, access, NOW)
        assert (found.id, found.expires_at, kept.next_hash) == ("id-t1", NOW + DAY, f"{won[0]}-next")
    assert store.granted("f", "", NOW + DAY) is None
    assert store.find(won[0], NOW) and store.find("nothing yet", NOW) is None
    assert store.find(won[0], NOW + MINUTE) is None
    assert store.granted("f", "", NOW), "the refresh token outlives the access token"


def test_another_consent_takes_the_place_of_the_one_before(store, ana, session):
    store.add(token(ana), "h1", session)
    for name in ("t2", "t3"):
        store.add(token(ana, name), name, session, Grant(client="c", family=name))
    assert sorted(one.name for one in store.tokens(ana.id, NOW)) == ["t1", "t3"]


def test_a_persons_copy_has_their_tokens_and_nobody_elses(database, store, ana, session, rosas):
    old, new = token(ana, "old", days=1), token(ana, "new", NOW + MINUTE)
    for made in (new, old):
        store.add(made, f"hash of {made.name}", session)
    assert database.privacy.tokens(ana.id) == [old, new]


def test_a_backup_holds_no_tokens(database, store, ana, session):
    store.add(token(ana), "h1", session)
    with snapshot(database.engines) as copy:
        assert "accounts" in copy.tables
        assert ApiTokenRow.__tablename__ not in copy.tables
