"""Accounts from the command line: `users list|add|reset|provider|roles|rename|disable|enable|remove`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import bootstrap
from commands import output
from domain.accounts import Account, Role
from service.accounts.accounts import Accounts

TOLD_ONCE = "Contraseña de un solo uso (no se vuelve a mostrar; se cambia al entrar):"
NO_PASSWORD = "Sin contraseña: entra con el proveedor de identidad, con ese nombre de usuario."


def arguments(parser: argparse.ArgumentParser) -> None:
    """The actions of `users` and what each takes."""
    actions = parser.add_subparsers(dest="action", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        added = actions.add_parser(name, help=text, description=text)
        added.add_argument("--json", action="store_true", help="one JSON document on stdout")
        if name != "list":
            added.add_argument("username", metavar="NAME", help="user name")
        return added

    action("list", "every account")
    add = action("add", "a new account; prints its one-time password. The first must be an admin's")
    add.add_argument("--name", default="", help="as it is shown; the user name, if absent")
    action("reset", "another one-time password; the account's sessions end")
    action("provider", "take the password away: the person of that name at the identity provider gets it")
    roles = action("roles", "the roles of an account, all of them")
    action("rename", "the name that is shown").add_argument("name")
    action("disable", "nobody can sign in with it; its sessions end")
    action("enable", "undo disable")
    action("remove", "for good")
    for added in (add, roles):
        added.add_argument("--role", dest="roles", action="append", choices=list(Role), required=True)


def users(program: bootstrap.App, options: argparse.Namespace) -> int:
    """Dispatch `users ACTION`; works whatever AUTH_MODE says, so that the first admin can be made."""
    accounts = program.accounts
    if options.action == "list":
        output.emit(options.json, {"users": [_user(one) for one in accounts.accounts(None)]}, _print_users)
        return 0
    document = ACTIONS[options.action](accounts, options)
    output.emit(options.json, document, _print_done)
    return 0


def _add(accounts: Accounts, options: argparse.Namespace) -> dict[str, Any]:
    account, password = accounts.add(None, options.username, options.name, _roles(options.roles))
    return {"user": _user(account), "password": password}


def _reset(accounts: Accounts, options: argparse.Namespace) -> dict[str, Any]:
    account = accounts.named(None, options.username)
    password = accounts.reset_password(None, account.id)
    return {"user": _user(accounts.named(None, options.username)), "password": password}


def _provider(accounts: Accounts, options: argparse.Namespace) -> dict[str, Any]:
    account = accounts.named(None, options.username)
    accounts.use_provider(None, account.id)
    return {"user": _user(accounts.named(None, options.username)), "password": ""}


def _change(accounts: Accounts, options: argparse.Namespace, **changes: Any) -> dict[str, Any]:
    account = accounts.named(None, options.username)
    return {"user": _user(accounts.change(None, account.id, **changes))}


def _remove(accounts: Accounts, options: argparse.Namespace) -> dict[str, Any]:
    account = accounts.named(None, options.username)
    accounts.remove(None, account.id)
    return {"removed": account.username}


def _roles(given: Sequence[str]) -> list[Role]:
    return [Role(role) for role in given]


ACTIONS = {
    "add": _add,
    "reset": _reset,
    "provider": _provider,
    "roles": lambda accounts, options: _change(accounts, options, roles=_roles(options.roles)),
    "rename": lambda accounts, options: _change(accounts, options, name=options.name),
    "disable": lambda accounts, options: _change(accounts, options, active=False),
    "enable": lambda accounts, options: _change(accounts, options, active=True),
    "remove": _remove,
}


def _user(account: Account) -> dict[str, Any]:
    return account.model_dump(mode="json", exclude={"subject"}) | {"provider": bool(account.subject)}


def _print_users(document: dict[str, Any]) -> str:
    if not document["users"]:
        return "No hay ninguna cuenta. Cree la primera: python cli.py users add NOMBRE --role admin"
    return "\n".join(map(_line, document["users"]))


def _print_done(document: dict[str, Any]) -> str:
    """The account; and its password alone on the last line, for whoever pipes it."""
    if "removed" in document:
        return f"Cuenta eliminada: {document['removed']}"
    line = _line(document["user"])
    if "password" not in document:
        return line
    if not document["password"]:
        return f"{line}\n{NO_PASSWORD}"
    print(f"{line}\n{TOLD_ONCE}", file=sys.stderr)
    return str(document["password"])


def _line(user: dict[str, Any]) -> str:
    state = "" if user["active"] else "  (desactivada)"
    last = (user["last_login"] or "nunca")[:16].replace("T", " ")
    roles = ", ".join(user["roles"])
    return f"{user['username']:<24} {user['name']:<28} {roles:<24} último acceso: {last}{state}"
