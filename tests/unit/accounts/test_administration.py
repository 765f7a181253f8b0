"""Administration of accounts, and the log without which nothing changes."""

import pytest

from core.errors import Forbidden, InputError, StorageError
from domain.accounts import LOCAL, LOCAL_USER, Identity, Role
from domain.audit import AuditAction
from service.accounts.throttle import SignInRefused
from tests.office import HOME, OFFICE, OTHER, SECRET, Full, arrive, enter, fails


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
