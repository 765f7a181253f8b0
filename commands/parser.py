"""The parser of the command line, which speaks Spanish, and the values that its options take."""

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal, NoReturn, get_args, get_origin

from articulado.clients.calls import Day
from articulado.clients.operations import OPERATIONS, Operations

TITLES = {
    "usage: ": "uso:   ",  # as wide: the lines below it are indented for it
    "positional arguments:": "argumentos:",
    "options:": "opciones:",
    "show this help message and exit": "muestra esta ayuda y termina",
}
PROBLEMS = (
    (r"^argument (.+?): ", r"\1: "),
    (r"the following arguments are required: (.+)", r"faltan \1"),
    (r"one of the arguments (.+) is required", r"falta uno de \1"),
    (r"unrecognized arguments: (.+)", r"sobran \1"),
    (r"invalid choice: (.+) \(choose from (.+)\)", r"\1 no vale; elija uno de \2"),
    (r"invalid \w+ value: (.+)", r"\1 no es un número"),
    (r"expected one argument", "falta su valor"),
    (r"expected at least one argument", "falta al menos un valor"),
    (r"not allowed with argument (.+)", r"no puede ir con \1"),
    (r"ignored explicit argument (.+)", r"no lleva valor, y se ha escrito \1"),
    (r"ambiguous option: (.+) could match (.+)", r"\1 puede ser \2"),
)
"""Texts of `argparse` itself; Python ships no Spanish catalogue for them."""

NAMES = {"command": "ORDEN", "action": "ACCIÓN"}


Run = Callable[[Any, argparse.Namespace], int | None]
"""A command: a function of what it works with (see `commands.engine.opened`) and its options."""
OPERATION = "commands.operations:operation"
"""Runs a command that is an operation of the table, and is called as it is."""


class Parser(argparse.ArgumentParser):
    """A parser whose help and errors are Spanish, and whose options may be named when they are needed."""

    _later = ""

    def complete_later(self, arguments: str) -> None:
        """Leave the options to a function, written as 'module:name', that takes this parser."""
        self._later = arguments

    def complete(self) -> None:
        """Add what was left for later."""
        later, self._later = self._later, ""
        if later:
            resolve_name(later)(self)

    # pyright compares it with overloads that differ in types alone.
    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        self.complete()
        return super().parse_known_args(args, namespace)

    def format_usage(self) -> str:
        return _in_spanish(super().format_usage())

    def format_help(self) -> str:
        return _in_spanish(super().format_help())

    def error(self, message: str) -> NoReturn:
        """Exit code 2, with the usage and one sentence on stderr."""
        for english, spanish in PROBLEMS:
            message = re.sub(english, spanish, message)
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")

    def actions(self, dest: str) -> Callable[..., "Parser"]:
        """A function (name, help, run=None, *shared) that adds a command or an action.

        `run` does the work and has `--json`; written as 'module:name', its module is imported when it is
        called. A group of actions has none. `shared` names options of SHARED.
        """
        group = self.add_subparsers(dest=dest, required=True, metavar=NAMES[dest])

        def action(name: str, text: str, run: Run | str | None = None, *shared: str) -> Parser:
            added = group.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
            if run is not None:
                added.set_defaults(run=_imported(run) if isinstance(run, str) else run)
                shared += ("--json",)
            for option in shared:
                added.add_argument(option, **SHARED[option])
            return added

        return action


def _imported(name: str) -> Run:
    def run(worked: Any, options: argparse.Namespace) -> int | None:
        code: int | None = resolve_name(name)(worked, options)
        return code

    return run


def _in_spanish(text: str) -> str:
    for english, spanish in TITLES.items():
        text = text.replace(english, spanish)
    return text


def day(text: str) -> date:
    """A date written as 2019-03-01."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"«{text}» no es una fecha; escríbala como 2019-03-01") from None


SHARED: dict[str, dict[str, Any]] = {
    "--as-of": dict(type=day, metavar="DÍA", help="normativa vigente ese día; hoy, si no se indica"),
    "--direct": dict(action="store_true", help="en este proceso, aunque haya una página en marcha"),
    "--json": dict(action="store_true", help="un documento JSON en la salida"),
    "--lexical-only": dict(action="store_true", help="deja los vectores para más tarde"),
}
"""Options that several commands have."""


def count(text: str) -> int:
    """A number from 1 to 100."""
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"«{text}» no vale; escriba un número de 1 a 100")
    return int(text)


def declare(command: Callable[..., Parser], name: str) -> None:
    """Add the command of an operation: its arguments are parameters of the row, and taken as those are."""
    row, parameters = OPERATIONS[name], inspect.signature(getattr(Operations, name), eval_str=True).parameters
    assert row.command is not None
    shared = ["--as-of"] if "as_of" in parameters else []
    added = command(name, row.command.says, OPERATION, *shared, "--direct")
    for one, (value, text) in row.command.words.items():
        taken = _taken(parameters[one].annotation)
        if value:
            taken["metavar"] = value
        if parameters[one].default is inspect.Parameter.empty:
            added.add_argument(one, help=text, **taken)
        else:
            flag, default = f"--{row.names.get(one, one)}", parameters[one].default
            added.add_argument(flag, dest=one, default=default, help=text, **taken)


def _taken(kind: Any) -> dict[str, Any]:
    """How an argument of that type is read: what is neither text nor number is a file with it."""
    if kind is bool:
        return {"action": "store_true"}
    if get_origin(kind) is Literal:
        return {"choices": get_args(kind)}
    if kind == Day:
        return {"type": day}
    if get_origin(kind) in (Sequence, Mapping):
        return {"type": Path}
    return {"type": count} if kind is int else {}
