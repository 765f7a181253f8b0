"""Permissions of a token's scopes and an account's roles together."""

import pytest

from domain.accounts import GRANTS, SCOPES, Identity, Permission, Role, Scope, offered


def person(*roles: Role, scopes: tuple[Scope, ...] | None = None) -> Identity:
    return Identity(id="x", username="x", name="X", roles=roles, scopes=scopes)


def allowed(who: Identity) -> set[Permission]:
    return {permission for permission in Permission if who.may(permission)}


def test_every_permission_but_to_sign_is_in_a_scope_and_every_scope_lets_read() -> None:
    assert frozenset().union(*SCOPES.values()) == set(Permission) - {Permission.SIGN}
    assert list(SCOPES) == list(Scope)
    assert all(Permission.READ in given for given in SCOPES.values())


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("role", Role)
def test_a_token_allows_what_both_its_scope_and_a_role_allow(role: Role, scope: Scope) -> None:
    assert allowed(person(role, scopes=(scope,))) == GRANTS[role] & SCOPES[scope]


def test_scopes_add_up_and_none_at_all_allow_nothing() -> None:
    both = person(Role.ADMIN, scopes=(Scope.ASK, Scope.LOAD))
    assert allowed(both) == {Permission.READ, Permission.ASK, Permission.LOAD}
    assert allowed(person(*Role, scopes=())) == set()
    assert allowed(person(scopes=tuple(Scope))) == set()
    assert allowed(person(*Role)) == set(Permission)


@pytest.mark.parametrize(
    ("roles", "scopes"),
    [
        ((Role.LAWYER,), [Scope.READ, Scope.ASK]),
        ((Role.REVIEWER,), [Scope.READ, Scope.ASK, Scope.ADMIN]),
        ((Role.ADMIN,), [Scope.READ, Scope.ASK, Scope.LOAD, Scope.ADMIN]),
        ((), []),
    ],
)
def test_a_scope_is_offered_to_roles_that_give_something_of_its_own(
    roles: tuple[Role, ...], scopes: list[Scope]
) -> None:
    assert offered(roles) == scopes
