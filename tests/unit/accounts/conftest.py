"""One office with its accounts, an admin and a lawyer."""

from types import SimpleNamespace

import pytest

from domain.accounts import Role
from domain.auth_settings import AuthSettings
from service.accounts.accounts import Accounts
from tests.databases import new_database
from tests.office import ISSUER, OFFICE, SECRET, Audit, Clock, CountingPasswords


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
