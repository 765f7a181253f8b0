"""Sessions and passwords."""

import pytest

from core.errors import InputError, NotFound
from domain.accounts import Permission, Role
from domain.audit import AuditAction
from service.accounts.throttle import SignInRefused, Throttled
from tests.office import HOME, OFFICE, OTHER, SECRET, THIEF, enter


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
