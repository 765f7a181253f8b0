"""The personal mode, the first account, signing in."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from core.errors import InputError
from domain.accounts import LOCAL, LOCAL_USER, Role
from service.accounts.passwords import Passwords
from service.accounts.throttle import SignInRefused, Throttled
from storage.tables.accounts import AccountRow, AttemptRow, LoginSessionRow
from tests.office import NOW, OFFICE, SECRET, THIEF, WRONG, enter, fails


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
