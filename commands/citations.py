"""`citations FILE`: the references and quotations of a brief held against the corpus on a day."""

import argparse
import sys
from pathlib import Path
from typing import Any

from articulado.library import Articulado
from casework.briefs.findings import State, sign_of
from commands import output
from commands.output import one_line
from commands.parser import Parser, day
from core.errors import InputError
from law.diff import Run, render
from service.contract.citations import LONGEST, text_of, within
from service.program.assembly import App

BAD = frozenset({State.MISSING, State.DIFFERENT, State.MISPLACED, State.ILL_FORMED, State.REPEALED})
NONE = "El escrito no cita ninguna norma ni resolución, ni tiene citas literales de ninguna norma."
UNATTRIBUTED = "Textos entre comillas que no se atribuyen a ninguna norma, sin comprobar: {}"


def arguments(parser: Parser) -> None:
    """The arguments of `citations`."""
    parser.set_defaults(operation=True)
    parser.add_argument("file", type=Path, metavar="ESCRITO", help="TXT, DOCX, ODT, PDF…, o - para texto")
    parser.add_argument("--date", type=day, metavar="DÍA", help="la ley de ese día; la de hoy, si falta")


def check_citations(engine: Articulado, options: argparse.Namespace) -> int:
    """Print the state of each citation; 1 if any is false, altered, repealed or impossible."""
    document = engine.citations(_text(engine.program, options.file), options.date)
    output.emit(options.json, document, _print)
    return 1 if any(one["state"] in BAD for one in document["findings"]) else 0


def _text(program: App, path: Path) -> str:
    """The text of a file or, for «-», of standard input. Raises InputError."""
    if str(path) == "-":
        return within(sys.stdin.read(LONGEST + 1))
    try:
        return within(text_of(program.settings, path.name, path.read_bytes()), path.name)
    except OSError as error:
        raise InputError(f"{path} no se puede leer ({error.strerror}): compruebe la ruta.") from None


def _print(document: dict[str, Any]) -> str:
    lines = [line for one in document["findings"] for line in _lines(one)]
    others = document["unattributed"]
    return "\n".join([*(lines or [NONE]), *([UNATTRIBUTED.format(others)] if others else [])])


def _lines(one: dict[str, Any]) -> list[str]:
    sign = sign_of(State(one["state"]), one["warning"])
    lines = [f"{sign} {one['state']} · {one_line(one['text'])}"]
    lines += [f"     {told}" for told in (one_line(one["source"]), one["said"], one["warning"]) if told]
    if one["runs"]:
        lines.append(f"     {one_line(render([Run(**run) for run in one['runs']]))}")
    return lines
