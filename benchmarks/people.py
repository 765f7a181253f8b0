"""People with an account each, signed in, for what is measured with accounts."""

from __future__ import annotations

from dataclasses import dataclass

import bootstrap
from domain.accounts import Role

PASSWORD = "cuatro-palabras-para-medir"
HERE = "127.0.0.1"


@dataclass(frozen=True)
class SignedInPerson:
    """`account` is its id, `token` that of the session."""

    account: str
    token: str


def people(program: bootstrap.App, count: int) -> list[SignedInPerson]:
    """That many lawyers, the first of whom is an administrator too."""
    found: list[SignedInPerson] = []
    for number in range(count):
        name = f"persona{number}"
        roles = (Role.LAWYER,) if found else (Role.ADMIN, Role.LAWYER)
        account, password = program.accounts.add(None, name, name, roles)
        opened = program.accounts.sign_in.by_password(name, password, address=HERE, agent="")
        kept = program.accounts.sign_in.change_password(opened.token, password, PASSWORD, address=HERE)
        found.append(SignedInPerson(account.id, kept.token))
    return found
