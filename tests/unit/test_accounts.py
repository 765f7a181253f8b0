"""Accounts: signing in, refusals, throttling, sessions, administration, the audit log, API tokens."""

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import delete, select

from domain.accounts import LOCAL, LOCAL_USER, Identity, Permission, Role, Scope
from domain.audit import AuditAction, AuditEntry
from domain.auth_settings import AuthSettings
from rag.errors import Forbidden, InputError, NotFound, StorageError
from service.accounts.accounts import Accounts
from service.accounts.passwords import Passwords
from service.accounts.sign_in import Person
from service.accounts.throttle import AT_ONCE, WAITING, SignInRefused, Throttled, place
from storage.tables.accounts import AccountRow, ApiTokenRow, AttemptRow, LoginSessionRow
from tests.databases import new_database
from tests.hostile import NAMES, TEXTS

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
OFFICE, HOME, THIEF = "198.51.100.7", "203.0.113.5", "192.0.2.66"
SECRET, OTHER = "caballo correcto pila", "grapa batería sol luna"
ISSUER = "https://id.example"
WRONG = "Usuario o contraseña incorrectos."


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now

    def tick(self, **passed: float) -> None:
        self.now += timedelta(**passed)


class Audit:
    """An audit log in memory."""

    def __init__(self) -> None:
        self.kept: list[AuditEntry] = []

    def append(self, actor, action, target="", detail=None):
        entry = AuditEntry(
            number=len(self.kept) + 1, at=NOW, actor=actor, action=action, target=target, detail=detail or {}
        )
        self.kept.append(entry)
        return entry

    def actions(self) -> list[AuditAction]:
        return [entry.action for entry in self.kept]


class CountingPasswords(Passwords):
    """Cheap hashes; counts how many were computed, and how many at once."""

    def __init__(self) -> None:
        super().__init__(12, memory=8, passes=1)
        self.computed = self.running = self.most = 0
        self.gate: threading.Event | None = None
        self.lock = threading.Lock()

    def verify(self, stored, password):
        with self.lock:
            self.computed += 1
            self.running += 1
            self.most = max(self.most, self.running)
        if self.gate is not None:
            assert self.gate.wait(30)
        try:
            return super().verify(stored, password)
        finally:
            with self.lock:
                self.running -= 1


@pytest.fixture
def office(tmp_path):
    """`office.make(mode, **settings)` over one database, clock and audit log."""
    database = new_database(tmp_path / "accounts.db")
    clock, audit, passwords = Clock(), Audit(), CountingPasswords()

    def make(mode="local", audit=audit, **settings):
        given = {"oidc_issuer": ISSUER, "oidc_client_id": "articulado"} if mode == "oidc" else {}
        return Accounts(
            AuthSettings(auth_mode=mode, **(given | settings)),
            database.accounts,
            database.login_sessions,
            database.attempts,
            database.tokens,
            audit=audit,
            clock=clock,
            passwords=passwords,
        )

    yield SimpleNamespace(make=make, database=database, clock=clock, audit=audit, passwords=passwords)
    database.close()


@pytest.fixture
def accounts(office):
    return office.make()


@pytest.fixture
def rosa(accounts):
    """The admin, at the office."""
    return accounts.setup.create_admin(
        accounts.setup.code, "Rosa", "Rosa Gil", SECRET, address=OFFICE, agent="A"
    )


@pytest.fixture
def ana(accounts, rosa):
    """A lawyer who has changed her first password."""
    _, password = accounts.add(rosa.identity, "ana", "Ana Ruiz", [Role.LAWYER])
    first = accounts.sign_in.by_password("ana", password, address=OFFICE, agent="A")
    return accounts.sign_in.change_password(first.token, password, SECRET, address=OFFICE)


def enter(accounts, username="ana", password=SECRET, address=OFFICE, **more):
    return accounts.sign_in.by_password(username, password, address=address, agent="Navegador", **more)


def fails(accounts, times, username="ana", address=THIEF):
    for number in range(times):
        with pytest.raises(SignInRefused) as caught:
            enter(accounts, username, f"incorrecta {number}", address)
        assert not isinstance(caught.value, Throttled), number


# The personal mode


def test_in_the_personal_mode_everybody_is_the_local_person_and_nobody_signs_in(office):
    accounts = office.make("personal")
    assert accounts.sessions.identify("") == accounts.sessions.identify("x") == LOCAL
    assert not accounts.setup.needed
    assert accounts.setup.code == ""
    assert accounts.sessions.of(LOCAL.id) == []
    accounts.sessions.sign_out("x")
    with pytest.raises(SignInRefused):
        enter(accounts)
    assert accounts.names() == {LOCAL_USER: LOCAL.name}


# The first account


def test_the_first_account_is_made_once_with_the_code_of_the_log(office, accounts):
    assert accounts.sessions.identify("") is None
    assert accounts.setup.needed
    code = accounts.setup.code
    assert code == accounts.setup.code
    with pytest.raises(SignInRefused, match="código"):
        accounts.setup.create_admin("x" + code, "rosa", "Rosa", SECRET, address=OFFICE, agent="")
    with pytest.raises(InputError):
        accounts.setup.create_admin(code, "rosa", "Rosa", "corta", address=OFFICE, agent="")
    made = accounts.setup.create_admin(f" {code.upper()} ", "Rosa", "", SECRET, address=OFFICE, agent="")
    assert accounts.sessions.identify(made.token) == made.identity
    assert enter(accounts, "rosa", device=made.device).device == made.device
    assert (made.identity.username, made.identity.name, made.identity.roles) == (
        "rosa",
        "rosa",
        (Role.ADMIN,),
    )
    assert not accounts.setup.needed
    assert accounts.setup.code == ""
    with pytest.raises(SignInRefused):
        accounts.setup.create_admin(code, "marta", "Marta", SECRET, address=OFFICE, agent="")
    with pytest.raises(InputError):
        office.database.accounts.add("marta", "Marta", [Role.ADMIN], first=True)


def test_guessing_the_code_is_throttled_by_address(accounts):
    for _ in range(30):
        with pytest.raises(SignInRefused):
            accounts.setup.create_admin("adivinado", "rosa", "", SECRET, address=THIEF, agent="")
    with pytest.raises(Throttled):
        accounts.setup.create_admin(accounts.setup.code, "rosa", "", SECRET, address=THIEF, agent="")
    assert accounts.setup.create_admin(accounts.setup.code, "rosa", "", SECRET, address=OFFICE, agent="")


def test_an_account_of_the_command_line_ends_the_setup_everywhere(office, accounts):
    assert accounts.setup.needed
    office.make("personal").add(None, "rosa", "Rosa", [Role.ADMIN])
    assert not accounts.setup.needed


# Signing in


def test_the_case_of_the_user_name_does_not_matter(accounts, ana):
    signed = enter(accounts, "  ANA ")
    assert accounts.sessions.identify(signed.token) == signed.identity
    assert signed.identity.roles == (Role.LAWYER,)
    assert signed.token not in repr(signed)
    assert signed.expires_at == NOW + timedelta(hours=12)


def test_every_refusal_says_the_same_after_the_same_work(office, accounts, rosa, ana):
    accounts.add(None, "luis", "Luis", [Role.LAWYER])
    accounts.change(None, accounts.named(None, "luis").id, active=False)
    told = set()
    tried = [("ana", "incorrecta"), ("nadie", SECRET), ("luis", SECRET), ("", ""), ("а" * 9, SECRET)]
    for username, password in [*tried, ("ana'--", "x" * 100_000), ("\ud800", "\ud800"), ("ana", "\x00")]:
        before = office.passwords.computed
        with pytest.raises(SignInRefused) as caught:
            enter(accounts, username, password, THIEF)
        told.add((type(caught.value), str(caught.value), office.passwords.computed - before))
    assert told == {(SignInRefused, WRONG, 1)}


def test_neither_token_nor_what_was_typed_as_a_user_name_is_stored(office, accounts, ana):
    typed = "mi-contraseña-secreta"
    fails(accounts, 1, typed)
    signed = enter(accounts)
    stored = []
    with office.database.engines.read() as session:
        for table in (AccountRow, LoginSessionRow, AttemptRow):
            for row in session.scalars(select(table)):
                stored += [str(getattr(row, column.name)) for column in table.__table__.columns]
    told = " ".join([*stored, *(entry.model_dump_json() for entry in office.audit.kept)])
    for secret in (typed, signed.token, SECRET):
        assert secret not in told


def test_signing_in_again_ends_the_session_that_the_browser_had(accounts, rosa, ana):
    signed = enter(accounts, previous_token=ana.token)
    assert accounts.sessions.identify(ana.token) is None
    assert signed.token != ana.token
    taken = enter(accounts, "rosa", previous_token=signed.token)
    assert accounts.sessions.identify(signed.token) is None
    assert accounts.sessions.identify(taken.token).username == "rosa"


@pytest.mark.parametrize("token", ["", "x", "x" * 10_000_000, "\ud800", "' OR 1=1 --", "\x00"])
def test_an_invented_token_has_no_account(accounts, ana, token):
    assert accounts.sessions.identify(token) is None
    accounts.sessions.sign_out(token)


def test_a_hash_of_older_parameters_is_renewed_at_the_next_sign_in(office, accounts, ana):
    older = Passwords(12, memory=16, passes=1).hash(SECRET)
    office.database.accounts.set_password(ana.identity.id, older, must_change=True)
    assert enter(accounts).identity.must_change
    account, stored = office.database.accounts.by_username("ana")
    assert stored != older
    assert account.must_change
    assert enter(accounts)


# Throttling


def test_after_five_failures_the_wait_of_that_address_grows_up_to_three_minutes(office, accounts, ana):
    fails(accounts, 5)
    waits = []
    for _ in range(7):
        with pytest.raises(Throttled) as caught:
            enter(accounts, address=THIEF)
        assert enter(accounts, address=HOME)
        waits.append(caught.value.retry_after // 60)
        office.clock.tick(seconds=caught.value.retry_after)
        if len(waits) < 7:
            fails(accounts, 1)
    assert waits == [1, 2, 3, 3, 3, 3, 3]
    assert enter(accounts, address=THIEF)


def test_the_wait_is_told_in_minutes(accounts, ana):
    fails(accounts, 5)
    with pytest.raises(Throttled, match=r"^Demasiados intentos: espere 1 minuto\.$"):
        enter(accounts, address=THIEF)


def test_an_unknown_user_name_is_throttled_like_a_known_one(accounts, ana):
    told = []
    for username in ("ana", "nadie", "no válido <>"):
        fails(accounts, 5, username)
        with pytest.raises(Throttled) as caught:
            enter(accounts, username, "otra más", THIEF)
        told.append((str(caught.value), caught.value.retry_after))
    assert len(set(told)) == 1


def flooded(accounts, username="ana"):
    """Fail from so many addresses, some of them twice, that strangers of both kinds have to wait."""
    for number in range(30):
        fails(accounts, 1, username, f"192.0.2.{number}")
        fails(accounts, 1, username, f"192.0.2.{number}")


def test_a_known_device_waits_for_nobody_elsewhere(accounts, ana):
    flooded(accounts)
    fails(accounts, 5, address=OFFICE)
    with pytest.raises(Throttled):
        enter(accounts, address=OFFICE)
    for address in (OFFICE, HOME, THIEF):
        assert enter(accounts, address=address, device=ana.device)


def test_a_known_address_waits_for_its_own_failures_only(accounts, ana):
    flooded(accounts)
    with pytest.raises(Throttled):
        enter(accounts, address=HOME)
    assert enter(accounts, address=OFFICE)


def test_a_stranger_waits_a_minute_at_most_however_many_failed(office, accounts, ana):
    flooded(accounts)
    with pytest.raises(Throttled) as caught:
        enter(accounts, address=HOME)
    assert caught.value.retry_after <= 60
    office.clock.tick(seconds=caught.value.retry_after)
    assert enter(accounts, address=HOME)


def test_nobody_learns_from_the_answers_that_an_account_exists_or_that_its_owner_came_in(
    office, accounts, rosa, ana
):
    """The same attempts at a name with an account, whose owner comes in meanwhile, and at one without."""
    told = {}
    for username in ("ana", "nadie"):
        office.database.engines.run(delete(AttemptRow))
        told[username] = []
        for number in range(200):
            address = (THIEF, OFFICE, f"192.0.2.{number // 4}", f"2001:db8:{number}::1")[number % 4]
            before = office.passwords.computed
            with pytest.raises(SignInRefused) as caught:
                enter(accounts, username, "adivinada", address, device=("", "inventado")[number % 2])
            hashes = office.passwords.computed - before
            told[username].append((str(caught.value), getattr(caught.value, "retry_after", 0), hashes))
            if number % 20 == 0:
                office.clock.tick(seconds=50)
                if username == "ana":
                    assert enter(accounts, address=OFFICE, device=ana.device)
    waits = {wait for _, wait, _ in told["ana"]}
    assert told["ana"] == told["nadie"]
    assert min(waits) == 0
    assert len(waits) > 3


def test_a_device_may_not_guess_for_ever_either_and_waits_alone(accounts, ana):
    for _ in range(5):
        with pytest.raises(SignInRefused, match="incorrectos"):
            enter(accounts, password="mala", device=ana.device)
    with pytest.raises(Throttled):
        enter(accounts, device=ana.device)
    assert enter(accounts)
    assert enter(accounts, address=HOME)


@pytest.mark.parametrize("whose", ["other account", "invented", "closed sessions", "another password"])
def test_a_device_that_the_account_does_not_know_is_none(office, accounts, rosa, ana, whose):
    device = enter(accounts, "rosa").device if whose == "other account" else ana.device
    if whose == "invented":
        device = "x" * 43
    elif whose == "closed sessions":
        accounts.sessions.revoke_others(ana.identity)
    elif whose == "another password":
        changed = accounts.sign_in.change_password(ana.token, SECRET, OTHER, address=OFFICE)
        accounts.sign_in.change_password(changed.token, OTHER, SECRET, address=OFFICE)
    fails(accounts, 5, address=OFFICE)
    with pytest.raises(Throttled):
        enter(accounts, device=device)


def test_no_hostile_text_is_a_known_device(office, accounts, ana):
    for text in TEXTS:
        office.database.engines.run(delete(AttemptRow))
        with pytest.raises(SignInRefused, match=WRONG):
            enter(accounts, password="mala", device=text)
        assert enter(accounts, device=text).device != text


def test_a_browser_keeps_the_token_that_its_account_knows_and_no_other(accounts, rosa, ana):
    assert enter(accounts, device=ana.device).device == ana.device
    for planted in ("", "puesto por otro", rosa.device, "x" * 10_000):
        assert enter(accounts, device=planted).device not in ("", planted)


def test_an_address_is_throttled_over_all_accounts_and_a_success_does_not_free_it(accounts, rosa, ana):
    for number in range(29):
        fails(accounts, 1, f"persona{number}", OFFICE)
    assert enter(accounts)
    fails(accounts, 1, "persona29", OFFICE)
    with pytest.raises(Throttled):
        enter(accounts)
    assert enter(accounts, address=HOME)


def test_refused_attempts_do_not_make_the_wait_longer_nor_fill_the_log(office, accounts, ana):
    fails(accounts, 5)
    told = len(office.audit.kept)
    for _ in range(50):
        with pytest.raises(Throttled):
            enter(accounts, address=THIEF)
    assert len(office.audit.kept) == told
    office.clock.tick(minutes=1)
    fails(accounts, 1)


def test_a_sign_in_on_a_known_device_forgets_the_failures_before_it(accounts, ana):
    for _ in range(3):
        for _ in range(4):
            with pytest.raises(SignInRefused, match="incorrectos"):
                enter(accounts, password="mala", device=ana.device)
        assert enter(accounts, device=ana.device)


def test_a_clock_that_is_put_back_locks_no_account(office, accounts, ana):
    fails(accounts, 5)
    office.clock.tick(days=-2)
    assert enter(accounts, address=THIEF)


def test_failures_older_than_a_day_are_deleted_by_the_next_one(office, accounts, ana):
    fails(accounts, 4)
    office.clock.tick(days=1, seconds=1)
    fails(accounts, 1)
    with office.database.engines.read() as session:
        assert {row.at for row in session.scalars(select(AttemptRow))} == {office.clock.now}


def test_the_addresses_of_one_ipv6_network_are_one():
    assert place("2001:db8:1:2::1") == place("2001:db8:1:2:ffff::9%eth0") == "2001:db8:1:2::/64"
    assert place("::ffff:192.0.2.1") == "192.0.2.1"
    assert place("x\x00\n" + "y" * 100) == "x" + "y" * 63


def test_a_flood_computes_two_hashes_at_once_and_refuses_those_beyond_the_queue(office, accounts, ana):
    office.passwords.gate = threading.Event()
    crowd = AT_ONCE + WAITING + 8
    turned_away = threading.Semaphore(0)

    def one(number):
        try:
            return enter(accounts, f"persona{number}", "x", f"10.0.0.{number}")
        except Throttled:
            turned_away.release()
            return "throttled"
        except SignInRefused:
            return "refused"

    with ThreadPoolExecutor(crowd) as pool:
        waiting = [pool.submit(one, number) for number in range(crowd)]
        for _ in range(8):
            assert turned_away.acquire(timeout=30)
        office.passwords.gate.set()
        told = [one.result() for one in waiting]
    assert told.count("throttled") == 8
    assert office.passwords.most <= AT_ONCE
    office.passwords.gate = None
    assert enter(accounts)


def test_guesses_sent_at_once_do_not_get_past_the_wait(office, accounts, ana, monkeypatch):
    fails(accounts, 4)
    office.passwords.gate, office.passwords.computed = threading.Event(), 0
    looked = threading.Semaphore(0)
    failures = office.database.attempts.failures

    def observed(*given):
        found = failures(*given)
        looked.release()
        return found

    monkeypatch.setattr(office.database.attempts, "failures", observed)

    def guess(number):
        with pytest.raises(SignInRefused):
            enter(accounts, password=f"a la vez {number}", address=THIEF)

    with ThreadPoolExecutor(6) as pool:
        guesses = [pool.submit(guess, number) for number in range(6)]
        for _ in range(6 * 4):  # each looks at all its keys, and whether it is new, before it takes its turn
            assert looked.acquire(timeout=30)
        office.passwords.gate.set()
        for one in guesses:
            one.result()
    assert office.passwords.computed <= AT_ONCE


# Sessions


def test_a_session_ends_when_idle_and_after_twelve_hours(office, accounts, ana):
    office.clock.tick(minutes=119)
    assert accounts.sessions.identify(ana.token)
    office.clock.tick(minutes=119)
    assert accounts.sessions.identify(ana.token)
    office.clock.tick(minutes=120)
    assert accounts.sessions.identify(ana.token) is None
    signed = enter(accounts)
    for _ in range(11):
        office.clock.tick(hours=1)
        assert accounts.sessions.identify(signed.token)
    office.clock.tick(hours=1)
    assert accounts.sessions.identify(signed.token) is None


def test_after_signing_out_the_token_is_worth_nothing(office, accounts, ana):
    accounts.sessions.sign_out(ana.token)
    assert accounts.sessions.identify(ana.token) is None
    accounts.sessions.sign_out(ana.token)
    assert office.audit.actions().count(AuditAction.SIGNED_OUT) == 1


def test_only_the_sessions_of_the_same_account_are_listed_and_ended(office, accounts, rosa, ana):
    second = enter(accounts, address=HOME)
    office.clock.tick(minutes=2)
    accounts.sessions.identify(ana.token)
    shown = accounts.sessions.of(ana.identity.id)
    assert [one.id for one in shown] == [ana.identity.session, second.identity.session]
    assert [one.address for one in shown] == [OFFICE, HOME]
    for session_id in (rosa.identity.session, "", "x"):
        with pytest.raises(NotFound):
            accounts.sessions.revoke(ana.identity, session_id)
    assert accounts.sessions.identify(rosa.token)
    accounts.sessions.revoke(ana.identity, second.identity.session)
    assert accounts.sessions.identify(second.token) is None
    others = [enter(accounts) for _ in range(2)]
    assert accounts.sessions.revoke_others(ana.identity) == 2
    assert [accounts.sessions.identify(one.token) for one in others] == [None, None]
    assert accounts.sessions.identify(ana.token)
    assert accounts.revoke_all(rosa.identity, ana.identity.id) == 1
    assert accounts.sessions.identify(ana.token) is None


def test_a_session_is_revoked_in_another_process_at_once(office, ana):
    elsewhere = office.make()
    assert elsewhere.sessions.identify(ana.token)
    office.make().revoke_all(None, ana.identity.id)
    assert elsewhere.sessions.identify(ana.token) is None


def test_roles_change_within_a_live_session(accounts, rosa, ana):
    accounts.change(rosa.identity, ana.identity.id, roles=[Role.REVIEWER])
    assert accounts.sessions.identify(ana.token).may(Permission.REVIEW)


# Passwords


def test_a_changed_password_ends_every_session_but_the_new_one(office, accounts, ana):
    second = enter(accounts)
    changed = accounts.sign_in.change_password(ana.token, SECRET, OTHER, address=OFFICE)
    assert accounts.sessions.identify(ana.token) is accounts.sessions.identify(second.token) is None
    assert accounts.sessions.identify(changed.token) == changed.identity
    with pytest.raises(SignInRefused):
        enter(accounts)
    assert enter(accounts, password=OTHER)
    assert AuditAction.PASSWORD_CHANGED in office.audit.actions()


@pytest.mark.parametrize("new", ["corta", "contraseña2026", SECRET])
def test_a_password_that_is_not_good_changes_nothing(accounts, ana, new):
    with pytest.raises(InputError):
        accounts.sign_in.change_password(ana.token, SECRET, new, address=OFFICE)
    assert accounts.sessions.identify(ana.token)
    assert enter(accounts)


def test_guessing_the_current_password_with_a_stolen_session_is_throttled(accounts, ana):
    for _ in range(5):
        with pytest.raises(SignInRefused, match="actual"):
            accounts.sign_in.change_password(ana.token, "adivinada", OTHER, address=THIEF)
    with pytest.raises(Throttled):
        accounts.sign_in.change_password(ana.token, SECRET, OTHER, address=THIEF)


def test_without_a_session_no_password_is_changed(accounts, ana):
    with pytest.raises(SignInRefused):
        accounts.sign_in.change_password("x", SECRET, OTHER, address=OFFICE)


def test_a_sign_in_with_the_old_password_during_its_change_gets_no_session(
    office, accounts, ana, monkeypatch
):
    """The password is changed between its check and the opening of the session."""
    opens = office.database.login_sessions.open

    def late(*given, **more):
        monkeypatch.undo()
        accounts.sign_in.change_password(ana.token, SECRET, OTHER, address=OFFICE)
        return opens(*given, **more)

    monkeypatch.setattr(office.database.login_sessions, "open", late)
    with pytest.raises(SignInRefused):
        enter(accounts)
    assert len(accounts.sessions.of(ana.identity.id)) == 1


# Administration


def test_a_password_that_was_given_is_refused_after_three_days_and_another_one_lets_in(
    office, accounts, rosa
):
    account, password = accounts.add(rosa.identity, "luis", "Luis Sanz", [Role.LAWYER])
    office.clock.tick(hours=72)
    assert enter(accounts, "luis", password).identity.must_change
    office.clock.tick(seconds=1)
    with pytest.raises(SignInRefused, match="ha caducado: pida otra"):
        enter(accounts, "luis", password)
    with pytest.raises(SignInRefused, match="incorrectos"):
        enter(accounts, "luis", "no es esta, seguro")
    again = accounts.reset_password(rosa.identity, account.id)
    changed = accounts.sign_in.change_password(
        enter(accounts, "luis", again).token, again, "cuatro gatos y un tejado", address=HOME
    )
    assert accounts.named(rosa.identity, "luis").change_by is None
    office.clock.tick(days=400)
    assert enter(accounts, "luis", "cuatro gatos y un tejado").identity.id == changed.identity.id


def test_a_new_account_must_change_the_password_that_it_was_given(accounts, rosa):
    account, password = accounts.add(rosa.identity, "Luis", " Luis  Sanz ", [Role.LAWYER, Role.REVIEWER])
    assert (account.username, account.name, account.must_change) == ("luis", "Luis Sanz", True)
    signed = enter(accounts, "luis", password)
    assert signed.identity.must_change
    changed = accounts.sign_in.change_password(signed.token, password, SECRET, address=OFFICE)
    assert not changed.identity.must_change
    assert not accounts.sessions.identify(changed.token).must_change


def test_a_reset_ends_the_sessions_and_lets_in_from_another_address(accounts, rosa, ana):
    fails(accounts, 5)
    password = accounts.reset_password(rosa.identity, ana.identity.id)
    assert accounts.sessions.identify(ana.token) is None
    assert enter(accounts, password=password, address=HOME).identity.must_change


def test_an_account_that_is_disabled_or_removed_is_out_at_once(office, accounts, rosa, ana):
    accounts.change(rosa.identity, ana.identity.id, active=False)
    assert accounts.sessions.identify(ana.token) is None
    with pytest.raises(SignInRefused):
        enter(accounts)
    assert office.audit.actions()[-1] is AuditAction.SIGN_IN_FAILED
    accounts.change(rosa.identity, ana.identity.id, active=True)
    signed = enter(accounts)
    accounts.remove(rosa.identity, ana.identity.id)
    assert accounts.sessions.identify(signed.token) is None
    again, _ = accounts.add(rosa.identity, "ana", "Otra Ana", [Role.LAWYER])
    assert again.id != ana.identity.id


@pytest.mark.parametrize("roles", [(Role.LAWYER,), (Role.REVIEWER,), (Role.LAWYER, Role.REVIEWER)])
def test_only_an_admin_administers(office, accounts, rosa, roles):
    actor = Identity(id="x", username="x", name="x", roles=roles)
    target = rosa.identity.id
    calls = (
        lambda: accounts.add(actor, "luis", "", [Role.ADMIN]),
        lambda: accounts.reset_password(actor, target),
        lambda: accounts.use_provider(actor, target),
        lambda: accounts.change(actor, target, name="y"),
        lambda: accounts.remove(actor, target),
        lambda: accounts.accounts(actor),
        lambda: accounts.named(actor, "rosa"),
        lambda: accounts.revoke_all(actor, target),
    )
    kept, told = accounts.accounts(None), len(office.audit.kept)
    for call in calls:
        with pytest.raises(Forbidden):
            call()
    assert accounts.accounts(None) == kept
    assert len(office.audit.kept) == told
    assert accounts.sessions.identify(rosa.token)


@pytest.mark.parametrize(
    ("username", "roles"),
    [("ana", [Role.LAWYER]), ("x y", [Role.LAWYER]), ("luis", []), ("аna", [Role.ADMIN])],
)
def test_an_invalid_account_is_not_made(accounts, rosa, ana, username, roles):
    before = accounts.accounts(None)
    with pytest.raises(InputError):
        accounts.add(rosa.identity, username, "", roles)
    assert accounts.accounts(None) == before


def test_the_names_of_all_are_known_at_once_after_a_change(accounts, rosa, ana):
    assert accounts.names()[ana.identity.id] == "Ana Ruiz"
    accounts.change(rosa.identity, ana.identity.id, name="Ana Gil")
    assert accounts.names()[ana.identity.id] == "Ana Gil"
    assert accounts.names()[LOCAL_USER] == LOCAL.name


def test_changes_are_recorded_with_their_actor_and_without_secrets(office, accounts, rosa, ana):
    accounts.change(rosa.identity, ana.identity.id, roles=[Role.REVIEWER], name="Ana Gil")
    changed = office.audit.kept[-1]
    assert (changed.actor, changed.target, dict(changed.detail)) == (
        rosa.identity.id,
        ana.identity.id,
        {"name": "changed", "roles": "revisor", "reviews": "yes"},
    )
    password = accounts.reset_password(None, ana.identity.id)
    assert office.audit.kept[-1].actor == LOCAL_USER
    fails(accounts, 1)
    failed = office.audit.kept[-1]
    assert (failed.actor, failed.action, failed.target) == ("", AuditAction.SIGN_IN_FAILED, ana.identity.id)
    assert password not in " ".join(entry.model_dump_json() for entry in office.audit.kept)


# The identity provider


def arrive(accounts, *, subject="7", username="luis", name="Luis Sanz", roles=None, issuer=ISSUER):
    person = Person(issuer=issuer, subject=subject, username=username, name=name, roles=roles)
    return accounts.sign_in.by_provider(person, address=HOME, agent="A")


@pytest.fixture
def oidc(office, rosa):
    return office.make("oidc")


def test_an_unknown_person_is_refused_until_an_admin_adds_them(oidc, rosa):
    with pytest.raises(SignInRefused, match="pídala"):
        arrive(oidc)
    account, password = oidc.add(rosa.identity, "luis", "", [Role.LAWYER])
    assert password == ""
    with pytest.raises(SignInRefused):
        enter(oidc, "luis", "")
    signed = arrive(oidc)
    assert oidc.sessions.identify(signed.token) == signed.identity
    assert (signed.identity.id, signed.identity.name) == (account.id, "Luis Sanz")
    assert not signed.identity.must_change
    assert arrive(oidc, username="otro.nombre").identity.id == account.id


def test_a_default_role_lets_everybody_of_the_provider_in(office, rosa):
    oidc = office.make("oidc", oidc_default_role="abogado")
    assert arrive(oidc).identity.roles == (Role.LAWYER,)


def test_the_roles_of_the_provider_are_taken_over_at_every_sign_in(oidc):
    assert arrive(oidc, roles=[Role.LAWYER]).identity.roles == (Role.LAWYER,)
    signed = arrive(oidc, roles=[Role.ADMIN, Role.REVIEWER])
    assert set(oidc.sessions.identify(signed.token).roles) == {Role.ADMIN, Role.REVIEWER}
    with pytest.raises(SignInRefused, match="no da acceso"):
        arrive(oidc, roles=[])


def test_a_user_name_at_the_provider_does_not_open_an_account_with_a_password_or_another_person(
    oidc, rosa, ana
):
    for username in ("rosa", "ANA"):
        with pytest.raises(SignInRefused):
            arrive(oidc, username=username, roles=[Role.LAWYER])
    arrive(oidc, roles=[Role.LAWYER])
    with pytest.raises(SignInRefused):
        arrive(oidc, subject="8", roles=[Role.LAWYER])
    with pytest.raises(SignInRefused):
        arrive(oidc, issuer="https://other.example", roles=[Role.LAWYER])


def test_an_account_with_a_password_moves_to_the_provider_when_an_admin_says_so(oidc, rosa, ana):
    oidc.use_provider(rosa.identity, ana.identity.id)
    assert oidc.sessions.identify(ana.token) is None
    assert arrive(oidc, username="ana").identity.id == ana.identity.id
    with pytest.raises(InputError):
        oidc.reset_password(rosa.identity, ana.identity.id)


def test_beside_the_provider_the_first_admin_still_comes_in_with_a_password(oidc, rosa):
    assert enter(oidc, "rosa").identity.roles == (Role.ADMIN,)


def test_an_inactive_person_of_the_provider_stays_out(oidc, rosa):
    signed = arrive(oidc, roles=[Role.LAWYER])
    oidc.change(rosa.identity, signed.identity.id, active=False)
    with pytest.raises(SignInRefused, match="desactivada"):
        arrive(oidc, roles=[Role.LAWYER])


@pytest.mark.parametrize(("username", "name"), [("", ""), ("аna", "Ana"), ("x" * 100, ""), ("a b", "")])
def test_a_user_name_of_the_provider_that_cannot_be_one_is_refused(oidc, username, name):
    with pytest.raises(SignInRefused):
        arrive(oidc, username=username, name=name, roles=[Role.LAWYER])


def test_a_long_name_of_the_provider_is_cut(oidc):
    assert len(arrive(oidc, name="x" * 1000, roles=[Role.LAWYER]).identity.name) == 100


def test_the_provider_opens_nothing_in_the_other_modes(office, accounts, rosa):
    for given in (accounts, office.make("personal")):
        with pytest.raises(SignInRefused):
            arrive(given, roles=[Role.ADMIN])


# The log


class Full(Audit):
    """A log that is full."""

    def append(self, actor, action, target="", detail=None):
        raise StorageError("No hay sitio.")


UNRECORDED = {
    "add": lambda a, ana: a.add(None, "nuevo", "Nuevo", [Role.ADMIN]),
    "roles": lambda a, ana: a.change(None, ana, roles=[Role.ADMIN]),
    "disable": lambda a, ana: a.change(None, ana, active=False),
    "reset": lambda a, ana: a.reset_password(None, ana),
    "provider": lambda a, ana: a.use_provider(None, ana),
    "remove": lambda a, ana: a.remove(None, ana),
}


@pytest.mark.parametrize("name", UNRECORDED)
def test_without_a_record_no_account_is_changed(office, accounts, ana, name):
    before = accounts.accounts(None)
    with pytest.raises(StorageError):
        UNRECORDED[name](office.make(audit=Full()), ana.identity.id)
    assert accounts.accounts(None) == before
    assert accounts.sessions.identify(ana.token)
    assert enter(accounts)


def test_without_a_record_there_is_no_setup_and_no_change_of_password(office, accounts):
    full = office.make(audit=Full())
    with pytest.raises(StorageError):
        full.setup.create_admin(full.setup.code, "rosa", "", SECRET, address=OFFICE, agent="")
    rosa = accounts.setup.create_admin(accounts.setup.code, "rosa", "", SECRET, address=OFFICE, agent="")
    with pytest.raises(StorageError):
        full.sign_in.change_password(rosa.token, SECRET, OTHER, address=OFFICE)
    assert enter(accounts, "rosa")


def test_without_a_record_the_provider_makes_no_account_and_gives_no_role(office, rosa):
    there, full = office.make("oidc"), office.make("oidc", audit=Full())
    with pytest.raises(StorageError):
        arrive(full, username="eva", roles=[Role.LAWYER])
    assert [one.username for one in there.accounts(None)] == ["rosa"]
    assert arrive(there, username="eva", roles=[Role.LAWYER]).identity.roles == (Role.LAWYER,)
    with pytest.raises(StorageError):
        arrive(full, username="eva", roles=[Role.ADMIN])
    assert there.named(None, "eva").roles == (Role.LAWYER,)


def test_a_change_that_is_refused_is_in_the_log_with_its_refusal(office, accounts, rosa):
    with pytest.raises(InputError):
        accounts.change(rosa.identity, rosa.identity.id, roles=[Role.LAWYER])
    change, refusal = office.audit.kept[-2:]
    assert (change.action, change.detail) == (AuditAction.ACCOUNT_CHANGED, {"roles": "abogado"})
    assert (refusal.action, refusal.target) == (AuditAction.REFUSED, rosa.identity.id)


# API tokens


def make_token(accounts, signed, name="Nóminas", scopes=(Scope.READ, Scope.ASK), days=90):
    return accounts.tokens.create(signed.identity, name, scopes, days)


def test_a_token_lets_in_as_its_owner_within_its_scopes(office, accounts, ana):
    made = make_token(accounts, ana, "  Programa de\tnóminas ", [Scope.ASK, Scope.READ, Scope.ASK])
    assert made.secret.startswith("art_") and len(made.secret) == 47
    token = made.token
    assert (token.name, token.scopes, token.seen_at) == (
        "Programa de nóminas",
        (Scope.READ, Scope.ASK),
        None,
    )
    assert (token.account_id, token.created_at, token.expires_at - NOW) == (
        ana.identity.id,
        NOW,
        timedelta(days=90),
    )
    who = accounts.tokens.identify(made.secret)
    assert who == ana.identity.model_copy(
        update={"session": "", "token": token.id, "scopes": (Scope.READ, Scope.ASK)}
    )
    assert accounts.tokens.of(who.id) == [token.model_copy(update={"seen_at": NOW})]
    assert make_token(accounts, ana).secret != made.secret


def test_a_tokens_secret_is_in_no_table_log_or_repr(office, accounts, ana, caplog):
    caplog.set_level(0)
    made = make_token(accounts, ana)
    hashed = hashlib.sha256(made.secret.encode()).hexdigest()
    accounts.tokens.identify(made.secret)
    accounts.tokens.revoke(ana.identity, made.token.id)
    with office.database.engines.read() as session:
        assert session.scalar(select(ApiTokenRow.id)) is None
    kept = make_token(accounts, ana)
    with office.database.engines.read() as session:
        (row,) = session.scalars(select(ApiTokenRow))
    assert row.token_hash == hashlib.sha256(kept.secret.encode()).hexdigest()
    told = [repr(made), str(made), repr(accounts.tokens.of(ana.identity.id)), caplog.text]
    told += [entry.model_dump_json() for entry in office.audit.kept]
    assert not any(made.secret in text or hashed in text for text in told)
    folder = Path(office.database.engines.engine.url.database).parent
    assert not any(kept.secret.encode() in path.read_bytes() for path in folder.iterdir())


def test_a_token_ends_with_its_last_day(office, accounts, ana):
    made = make_token(accounts, ana, days=1)
    office.clock.tick(hours=24, seconds=-1)
    assert accounts.tokens.identify(made.secret)
    office.clock.tick(seconds=1)
    assert accounts.tokens.identify(made.secret) is None
    assert accounts.tokens.of(ana.identity.id) == []


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_no_hostile_text_is_a_secret_nor_spoils_a_name(accounts, ana, text):
    assert accounts.tokens.identify(text) is None
    try:
        made = make_token(accounts, ana, text)
    except InputError as error:
        assert "nombre" in str(error)
        assert accounts.tokens.of(ana.identity.id) == []
        return
    (stored,) = accounts.tokens.of(ana.identity.id)
    assert stored == made.token
    assert 1 <= len(stored.name) <= 80
    assert stored.name.isprintable()


SECRETS = {
    "empty": "",
    "huge": "art_" + "a" * 10_000_000,
    "one too long": "a" * 101,
    "not ascii": "art_ñandú…" + "é" * 30,
    "lone surrogate": "art_\ud800\udfff\udfff",
    "nul": "art_\x00",
    "sql": "art_' OR 1=1 --",
    "pattern": "art_%",
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_an_invented_secret_is_nobodys(accounts, ana, secret):
    made = make_token(accounts, ana)
    assert accounts.tokens.identify(secret) is None
    for near in (made.secret + secret, secret + made.secret, made.secret[:-1], made.secret.upper()):
        if near != made.secret:
            assert accounts.tokens.identify(near) is None


def test_a_session_is_no_token_and_a_token_is_no_session(accounts, ana):
    made = make_token(accounts, ana)
    assert accounts.sessions.identify(made.secret) is None
    assert accounts.tokens.identify(ana.token) is None
    assert accounts.tokens.identify(made.token.id) is None


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "Escriba un nombre"),
        ({"name": " \u202e\u200b\x00\n"}, "Escriba un nombre"),
        ({"name": "x" * 81}, "El nombre supera los 80 caracteres"),
        ({"scopes": ()}, "Marque al menos un permiso"),
        ({"scopes": (Scope.READ, Scope.LOAD)}, "no dan ningún permiso para «cargar»"),
        ({"scopes": (Scope.LOAD, Scope.ADMIN)}, "no dan ningún permiso para «cargar, administrar»"),
        ({"days": 0}, "de 1 a 365 días"),
        ({"days": -5}, "de 1 a 365 días"),
        ({"days": 366}, "de 1 a 365 días"),
    ],
)
def test_a_token_that_cannot_be_is_not_made(office, accounts, ana, changes, told):
    before = len(office.audit.kept)
    with pytest.raises(InputError, match=told):
        make_token(accounts, ana, **changes)
    assert accounts.tokens.of(ana.identity.id) == []
    assert len(office.audit.kept) == before


def test_a_token_may_last_a_year_and_have_a_long_name(accounts, ana):
    assert make_token(accounts, ana, "x" * 80, days=365).token.name == "x" * 80


def test_tokens_are_made_and_revoked_by_the_person_not_by_a_token(accounts, rosa):
    made = make_token(accounts, rosa, scopes=list(Scope))
    by_token = accounts.tokens.identify(made.secret)
    no_session = rosa.identity.model_copy(update={"session": ""})
    for who in (by_token, by_token.model_copy(update={"session": rosa.identity.session}), no_session, LOCAL):
        with pytest.raises(Forbidden, match="«Mi cuenta»"):
            accounts.tokens.create(who, "Otro", [Scope.READ], 1)
        with pytest.raises(Forbidden, match="«Mi cuenta»"):
            accounts.tokens.revoke(who, made.token.id)
    assert accounts.tokens.of(rosa.identity.id) == [
        made.token.model_copy(update={"seen_at": made.token.created_at})
    ]


def test_a_token_is_revoked_by_its_owner_alone_and_at_once(office, accounts, rosa, ana):
    made = make_token(accounts, ana)
    for who, token_id in ((rosa, made.token.id), (ana, "x"), (ana, ""), (ana, "\ud800\x00" * 1000)):
        with pytest.raises(NotFound, match="ya no existe"):
            accounts.tokens.revoke(who.identity, token_id)
    assert accounts.tokens.identify(made.secret)
    office.make().tokens.revoke(ana.identity, made.token.id)
    assert accounts.tokens.identify(made.secret) is None


def test_no_token_is_made_in_a_session_that_has_ended(office, accounts, ana):
    accounts.sessions.sign_out(ana.token)
    with pytest.raises(NotFound, match="vuelva a entrar"):
        make_token(accounts, ana)
    made, refused = office.audit.kept[-2:]
    assert (made.action, refused.action) == (AuditAction.TOKEN_MADE, AuditAction.REFUSED)
    assert accounts.tokens.of(ana.identity.id) == []


def test_in_the_personal_mode_there_are_no_tokens(office, accounts, ana):
    made = make_token(accounts, ana)
    assert office.make("personal").tokens.identify(made.secret) is None
    assert accounts.tokens.identify(made.secret)


ENDINGS = {
    "disabled": lambda a, ana: a.change(None, ana.identity.id, active=False),
    "removed": lambda a, ana: a.remove(None, ana.identity.id),
    "all revoked": lambda a, ana: a.revoke_all(None, ana.identity.id),
    "password reset": lambda a, ana: a.reset_password(None, ana.identity.id),
    "moved to the provider": lambda a, ana: a.use_provider(None, ana.identity.id),
    "password changed": lambda a, ana: a.sign_in.change_password(ana.token, SECRET, OTHER, address=OFFICE),
}


@pytest.mark.parametrize("way", ENDINGS)
def test_what_ends_all_sessions_of_an_account_ends_its_tokens(accounts, rosa, ana, way):
    made, other = make_token(accounts, ana), make_token(accounts, rosa)
    ENDINGS[way](accounts, ana)
    assert accounts.tokens.identify(made.secret) is None
    if way == "disabled":
        accounts.change(None, ana.identity.id, active=True)
        assert accounts.tokens.identify(made.secret) is None
    assert accounts.tokens.identify(other.secret)


def test_signing_out_or_closing_the_other_sessions_leaves_the_tokens(accounts, ana):
    made = make_token(accounts, ana)
    accounts.sessions.revoke_others(ana.identity)
    accounts.sessions.sign_out(ana.token)
    assert accounts.tokens.identify(made.secret)


def test_a_role_that_is_taken_away_counts_for_its_tokens_at_once(accounts, rosa, ana):
    accounts.change(None, ana.identity.id, roles=[Role.LAWYER, Role.ADMIN])
    signed = enter(accounts)
    made = make_token(accounts, signed, scopes=[Scope.ADMIN])
    assert accounts.tokens.identify(made.secret).may(Permission.ACCOUNTS)
    assert not accounts.tokens.identify(made.secret).may(Permission.LOAD)
    accounts.change(None, ana.identity.id, roles=[Role.LAWYER])
    assert not accounts.tokens.identify(made.secret).may(Permission.ACCOUNTS)
    with pytest.raises(Forbidden):
        accounts.accounts(accounts.tokens.identify(made.secret))


def test_making_and_revoking_a_token_are_recorded_and_its_uses_are_not(office, accounts, ana):
    before = len(office.audit.kept)
    made = make_token(accounts, ana)
    for _ in range(3):
        office.clock.tick(minutes=5)
        accounts.tokens.identify(made.secret)
    accounts.tokens.revoke(ana.identity, made.token.id)
    told = [(e.actor, e.action, e.target, dict(e.detail)) for e in office.audit.kept[before:]]
    who, token_id = ana.identity.id, made.token.id
    assert told == [
        (who, AuditAction.TOKEN_MADE, token_id, {"scopes": "leer, preguntar", "days": "90"}),
        (who, AuditAction.TOKEN_REVOKED, token_id, {}),
    ]


def test_without_a_record_no_token_is_made(office, accounts, ana):
    with pytest.raises(StorageError):
        make_token(office.make(audit=Full()), ana)
    assert accounts.tokens.of(ana.identity.id) == []
