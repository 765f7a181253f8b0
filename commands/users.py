"""Accounts from the command line: `users list|add|reset|provider|roles|rename|disable|enable|remove`."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from commands import output
from commands.parser import Parser
from domain.accounts import Account, Role
from service.accounts.accounts import Accounts
from service.program import assembly

TOLD_ONCE = "Contraseña de un solo uso (no se vuelve a mostrar; se cambia al entrar):"
HELP = {
    "add": "crea una cuenta y escribe su contraseña de un solo uso; la primera debe ser de un admin",
    "reset": "da otra contraseña de un solo uso, cierra las sesiones de la cuenta y anula sus tokens",
    "provider": "quita la contraseña: la cuenta pasa a quien tenga ese nombre en el proveedor de identidad",
    "roles": "cambia los roles de una cuenta por los indicados",
    "rename": "cambia el nombre que se muestra",
    "disable": "impide entrar con la cuenta, cierra sus sesiones y anula sus tokens",
    "enable": "deshace disable",
    "remove": "elimina la cuenta para siempre",
}
NO_PASSWORD = "Sin contraseña: entra con el proveedor de identidad, con ese nombre de usuario."


def arguments(parser: Parser) -> None:
    """The actions of `users` and their options."""
    action = parser.actions("action")
    action("list", "todas las cuentas", _list)
    added = {name: action(name, text, _act) for name, text in HELP.items()}
    for one in added.values():
        one.add_argument("username", metavar="USUARIO", help="nombre de usuario")
    added["add"].add_argument("--name", default="", metavar="NOMBRE", help="el que se muestra")
    added["rename"].add_argument("name", metavar="NOMBRE", help="el que se muestra")
    for name in ("add", "roles"):
        added[name].add_argument(
            "--role",
            dest="roles",
            action="append",
            choices=[*map(str, Role)],
            required=True,
            help="se puede repetir",
        )


def _list(program: assembly.App, options: argparse.Namespace) -> None:
    document = {"users": [_user(one) for one in program.accounts.accounts(None)]}
    output.emit(options.json, document, _print_users)


def _act(program: assembly.App, options: argparse.Namespace) -> None:
    """Run `users ACTION`; it works in every AUTH_MODE, so that the first admin can be created."""
    output.emit(options.json, ACTIONS[options.action](program.accounts, options), _print_done)


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
    shown = account.model_dump(mode="json", exclude={"subject", "told"})
    return shown | {"provider": bool(account.subject)}


def _print_users(document: dict[str, Any]) -> str:
    if not document["users"]:
        return "No hay ninguna cuenta. Cree la primera: python cli.py users add NOMBRE --role admin"
    return "\n".join(map(_line, document["users"]))


def _print_done(document: dict[str, Any]) -> str:
    """The account on stderr and its password alone on stdout, so that it can be piped; else the account."""
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
