"""The audit log on both databases: it only grows, and whatever is done to it behind its back is found."""

import logging
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from core.errors import StorageError
from domain.audit import AuditAction
from storage.people.audit import TELL_EVERY, SqlAuditLog
from storage.stores import open_database
from tests.databases import new_database
from tests.processes import Child

pytest_plugins = ("tests.postgres",)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = b"una clave que la base de datos no conoce"


@pytest.fixture
def audit(database):
    return database.audit


def filled(audit, count=6):
    for number in range(count):
        audit.append("ana", AuditAction.ASKED, f"c{number}", {"puerta": "página"})
    return audit


def tampered(database, *statements):
    """Change the table as somebody would who may do anything to the database."""
    postgres = database.engines.engine.dialect.name == "postgresql"
    with database.engines.engine.begin() as connection:
        if postgres:
            connection.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        else:
            for name in ("audit_insert", "audit_update", "audit_delete"):
                connection.execute(text(f"DROP TRIGGER {name}"))
        for statement in statements:
            connection.execute(text(statement))


COLUMNS = "number, at, actor, action, target, detail, previous, hash"
COPY = f"INSERT INTO audit ({COLUMNS}) SELECT {{n}}, {COLUMNS.removeprefix('number, ')} FROM audit"
SWAP = "UPDATE audit SET target = CASE number WHEN 2 THEN 'c2' ELSE 'c1' END WHERE number IN (2, 3)"


def test_entries_are_numbered_and_each_names_the_one_before(audit):
    filled(audit, 3)
    last, middle, first = audit.entries()
    assert [last.number, middle.number, first.number] == [3, 2, 1]
    assert (first.previous, middle.previous, last.previous) == ("", first.hash, middle.hash)
    check = audit.verify()
    assert (check.entries, check.head, check.problem) == (3, f"3:{last.hash}", "")


def test_an_empty_log_is_sound(audit):
    check = audit.verify()
    assert (check.entries, check.head, check.problem) == (0, "", "")


def test_what_a_database_cannot_store_does_not_break_the_chain(audit):
    stored = audit.append("a\x00na", AuditAction.CHANGED, "x\ud800", {"ño\x00": "\udc00é"})
    assert (stored.actor, stored.target, stored.detail) == ("ana", "x", {"ño": "é"})
    assert audit.verify().problem == ""
    assert audit.entries()[0] == stored


def test_entries_are_found_by_actor_action_and_moment(database):
    moments = iter(NOON + timedelta(hours=n) for n in range(4))
    audit = SqlAuditLog(database.engines, now=lambda: next(moments))
    for actor, action in (("ana", "asked"), ("eva", "asked"), ("ana", "deleted"), ("ana", "asked")):
        audit.append(actor, AuditAction(action))
    assert [e.number for e in audit.entries(actor="ana")] == [4, 3, 1]
    assert [e.number for e in audit.entries(actions=[AuditAction.DELETED])] == [3]
    since, until = NOON + timedelta(hours=1), NOON + timedelta(hours=3)
    assert [e.number for e in audit.entries(since=since, until=until)] == [3, 2]
    assert [e.number for e in audit.entries(before=4, limit=2)] == [3, 2]


def test_eight_threads_leave_no_gap(audit):
    def work(name):
        return [audit.append(name, AuditAction.READ, str(n)).number for n in range(50)]

    with ThreadPoolExecutor(8) as pool:
        numbers = [n for found in pool.map(work, "abcdefgh") for n in found]
    assert sorted(numbers) == list(range(1, 401))
    assert (audit.verify().entries, audit.verify().problem) == (400, "")


@pytest.mark.slow
def test_two_processes_leave_no_gap(tmp_path):
    url = f"sqlite:///{tmp_path / 'two.db'}"
    database = open_database(url)
    code = (
        "import sys\nfrom domain.audit import AuditAction\nfrom storage.stores import open_database\n"
        "log = open_database(sys.argv[1]).audit\n"
        "for n in range(100): log.append(sys.argv[2], AuditAction.READ, str(n))\n"
    )
    started = [Child(code, url, name) for name in ("a", "b")]
    assert [child.wait() for child in started] == [(0, "")] * 2
    check = database.audit.verify()
    database.close()
    assert (check.entries, check.problem) == (200, "")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET actor = 'eva' WHERE number = 2",
        "DELETE FROM audit WHERE number = 6",
        "DELETE FROM audit",
        COPY.format(n=9) + " WHERE number = 1",
        COPY.format(n=0) + " WHERE number = 1",
    ],
)
def test_the_database_itself_refuses_to_change_the_log(database, statement):
    before = filled(database.audit).verify()
    with pytest.raises(StorageError), database.engines.write() as session:
        session.execute(text(statement))
        session.commit()
    assert database.audit.verify() == before


def test_replacing_an_entry_is_refused_too(tmp_path):
    database = new_database(tmp_path / "a.db")
    before = filled(database.audit).verify()
    statement = COPY.format(n=2).replace("INSERT", "INSERT OR REPLACE") + " WHERE number = 1"
    with pytest.raises(StorageError), database.engines.write() as session:
        session.execute(text(statement))
        session.commit()
    assert database.audit.verify() == before
    database.close()


@pytest.mark.parametrize(
    ("statements", "broken"),
    [
        pytest.param(["UPDATE audit SET actor = 'eva' WHERE number = 3"], 3, id="actor"),
        pytest.param(["UPDATE audit SET action = 'read' WHERE number = 1"], 1, id="action"),
        pytest.param(['UPDATE audit SET detail = \'{"puerta": "otra"}\' WHERE number = 6'], 6, id="detail"),
        pytest.param(["UPDATE audit SET detail = 'nada' WHERE number = 4"], 4, id="unreadable detail"),
        pytest.param(["UPDATE audit SET action = 'nada' WHERE number = 4"], 4, id="unknown action"),
        pytest.param(["UPDATE audit SET at = '2020-01-01 00:00:00.000000' WHERE number = 2"], 2, id="moment"),
        pytest.param(["UPDATE audit SET hash = 'ñ' WHERE number = 6"], 6, id="hash"),
        pytest.param(["DELETE FROM audit WHERE number = 4"], 4, id="deleted"),
        pytest.param(["DELETE FROM audit WHERE number <= 2"], 3, id="start deleted"),
        pytest.param([COPY.format(n=7) + " WHERE number = 6"], 7, id="inserted at the end"),
        pytest.param([COPY.format(n=0) + " WHERE number = 1"], 0, id="inserted before the start"),
        pytest.param([SWAP], 2, id="swapped"),
    ],
)
def test_tampering_is_found_with_its_number(database, statements, broken):
    filled(database.audit)
    tampered(database, *statements)
    check = database.audit.verify()
    assert check.problem
    assert check.broken == broken


def test_entries_taken_from_the_end_show_against_a_noted_head(database):
    noted = filled(database.audit).verify().head
    tampered(database, "DELETE FROM audit WHERE number > 4")
    check = database.audit.verify()
    assert (check.entries, check.problem) == (4, "")
    assert noted.startswith("6:")
    assert [entry.number for entry in database.audit.entries(before=7, limit=1)] == [4]


def test_the_start_may_be_cut_and_the_chain_still_verifies(database):
    moments = iter(NOON + timedelta(days=n) for n in range(20))
    audit = filled(SqlAuditLog(database.engines, now=lambda: next(moments)))
    assert audit.cut(NOON + timedelta(days=3)) == 3
    check = audit.verify()
    assert (check.entries, check.problem) == (4, "")
    assert audit.entries()[0].detail["through"] == "3"
    assert audit.cut(NOON + timedelta(days=3)) == 0
    assert audit.cut(NOON + timedelta(days=30)) == 4
    assert [e.number for e in audit.entries()] == [8]
    assert audit.verify().problem == ""
    audit.append("ana", AuditAction.READ)
    assert audit.verify().entries == 2


def test_more_taken_from_the_start_than_was_told_is_found(database):
    moments = iter(NOON + timedelta(days=n) for n in range(20))
    audit = filled(SqlAuditLog(database.engines, now=lambda: next(moments)))
    audit.cut(NOON + timedelta(days=2))
    tampered(database, "DELETE FROM audit WHERE number = 3")
    assert audit.verify().broken == 4


def test_with_a_key_a_chain_made_without_it_is_found(database):
    filled(database.audit, 2)
    signed = filled(SqlAuditLog(database.engines, KEY), 3)
    check = signed.verify()
    assert (check.entries, check.unsigned, check.problem) == (5, 2, "")
    entry = signed.entries()[1]
    assert entry.hash.startswith("hmac:")
    assert "AUDIT_KEY" in database.audit.verify().problem
    assert SqlAuditLog(database.engines, b"otra").verify().broken == 3


@pytest.mark.parametrize("remade", [False, True])
def test_with_a_key_a_log_that_was_emptied_or_made_anew_without_it_is_found(database, remade):
    signed = filled(SqlAuditLog(database.engines, KEY), 3)
    assert signed.verify().problem == ""
    tampered(database, "DELETE FROM audit")
    if remade:
        filled(database.audit, 3)
    check = signed.verify()
    assert "AUDIT_KEY" in check.problem
    assert check.broken == (3 if remade else 1)
    signed.append("ana", AuditAction.READ)
    assert signed.verify().problem == ""


def test_nothing_is_recorded_without_the_key_of_a_signed_log(database):
    filled(SqlAuditLog(database.engines, KEY), 1)
    with pytest.raises(StorageError, match="AUDIT_KEY"):
        database.audit.append("ana", AuditAction.READ)
    assert len(database.audit.entries()) == 1


def test_a_forged_entry_without_the_key_is_found_even_with_a_sound_hash(database):
    signed = filled(SqlAuditLog(database.engines, KEY), 3)
    tampered(database, "DELETE FROM audit WHERE number = 3", "UPDATE audit SET hash = 'x' WHERE number = 2")
    filled(database.audit, 1)
    assert signed.verify().broken == 2


def test_the_head_is_told_to_the_log_of_the_program_now_and_then(audit, caplog):
    caplog.set_level(logging.INFO, "storage.people.audit")
    filled(audit, TELL_EVERY)
    first, last = caplog.messages
    assert first.startswith("audit head 1:")
    assert last == f"audit head {audit.verify().head}"


def test_a_cut_tells_the_head_that_it_makes_when_its_turn_comes(audit, caplog):
    caplog.set_level(logging.INFO, "storage.people.audit")
    filled(audit, TELL_EVERY - 1)
    assert audit.cut(datetime.now(UTC) + timedelta(days=36_500)) == TELL_EVERY - 1
    assert caplog.messages[-1] == f"audit head {audit.verify().head}"
