"""An office at one server: its people, their sessions, and the forms that they fill in."""

from dataclasses import dataclass
from typing import Any

from domain.accounts import Role
from service.accounts.accounts import Accounts
from storage.stores import Database

FORM = "main form"
PASSWORD = "cuatro gatos y un tejado"


@dataclass
class Office:
    """A server in the mode "local" that holds the account of rosa, who administers it."""

    address: str
    database: Database
    accounts: Accounts

    def add(self, username: str, name: str, *roles: Role) -> str:
        """Its one-time password."""
        return self.accounts.add(None, username, name, roles)[1]

    def session(self, username: str, name: str, *roles: Role) -> str:
        """The token of a session of an account that is made for it."""
        if username not in [one.username for one in self.accounts.accounts(None)]:
            password = self.add(username, name, *roles)
            opened = self.accounts.sign_in.by_password(username, password, address="127.0.0.1", agent="")
            return self.accounts.sign_in.change_password(
                opened.token, password, PASSWORD, address="127.0.0.1"
            ).token
        return self.accounts.sign_in.by_password(username, PASSWORD, address="127.0.0.1", agent="").token

    def end_sessions(self, username: str) -> None:
        self.accounts.revoke_all(None, self.accounts.named(None, username).id)


def fill(page: Any, **fields: str) -> None:
    for name, text in fields.items():
        page.get_by_label(name.replace("_", " "), exact=True).fill(text)


def new_password(page: Any, label: str) -> None:
    fill(page, **{label: PASSWORD, f"{label}, otra vez": PASSWORD})


def sign_in(page: Any, username: str, password: str) -> None:
    fill(page, Usuario=username, Contraseña=password)
    page.get_by_role("button", name="Entrar", exact=True).click()
