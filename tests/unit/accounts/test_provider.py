"""Accounts of an identity provider."""

import pytest

from core.errors import InputError
from domain.accounts import Role
from service.accounts.throttle import SignInRefused
from tests.office import arrive, enter


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
