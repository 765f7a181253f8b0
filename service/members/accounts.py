"""Accounts as one person may handle them: their own, or everybody's when they administer the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.accounts import Account, Identity, LoginSession, Role
from service.accounts.accounts import Accounts
from service.oversight.privacy import PersonalData


class OwnAccount:
    """Sessions and data of the person who asks; see `Accounts` and `PersonalData`."""

    def __init__(
        self, accounts: Callable[[], Accounts], privacy: Callable[[], PersonalData], identity: Identity
    ) -> None:
        self._accounts = accounts
        self._privacy = privacy
        self._identity = identity

    @property
    def has_password(self) -> bool:
        """True if people sign in with a password kept by this program."""
        return self._accounts().mode == "local"

    def sessions(self) -> list[LoginSession]:
        """The latest seen first."""
        return self._accounts().sessions.of(self._identity.id)

    def revoke(self, session_id: str) -> None:
        self._accounts().sessions.revoke(self._identity, session_id)

    def revoke_others(self) -> None:
        self._accounts().sessions.revoke_others(self._identity)

    def export(self) -> bytes:
        """A ZIP of what is kept of them."""
        return self._privacy().export(self._identity.id, self._identity.id)


class AccountsAdmin:
    """All accounts; see `Accounts`. Each act is recorded under the person who asks."""

    def __init__(self, accounts: Callable[[], Accounts], actor: Identity) -> None:
        self._accounts = accounts
        self._actor = actor

    def accounts(self) -> list[Account]:
        return self._accounts().accounts(self._actor)

    def sessions(self, account: Account) -> list[LoginSession]:
        """The latest seen first."""
        return self._accounts().sessions.of(account.id)

    def add(self, username: str, name: str, roles: Sequence[Role]) -> tuple[Account, str]:
        """The account and its first password, which is nowhere else."""
        return self._accounts().add(self._actor, username, name, roles)

    def change(
        self,
        account_id: str,
        *,
        name: str | None = None,
        roles: Sequence[Role] | None = None,
        active: bool | None = None,
    ) -> Account:
        return self._accounts().change(self._actor, account_id, name=name, roles=roles, active=active)

    def reset_password(self, account_id: str) -> str:
        """The new password, which is nowhere else."""
        return self._accounts().reset_password(self._actor, account_id)

    def revoke_all(self, account_id: str) -> None:
        self._accounts().revoke_all(self._actor, account_id)

    def remove(self, account_id: str) -> None:
        self._accounts().remove(self._actor, account_id)
