"""`citations FILE`: the references and quotations of a brief held against the corpus on a day."""

import argparse
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from articulado.library import Articulado
from casework.briefs.findings import NOTHING_CITED, State, sign_of
from commands import output
from commands.output import one_line
from commands.parser import Parser, day
from core.errors import InputError
from law.diff import Run, render
from service.contract.citations import LONGEST, text_of, within
from service.program.assembly import App

BAD = frozenset({State.MISSING, State.DIFFERENT, State.MISPLACED, State.ILL_FORMED, State.REPEALED})
EXISTS = "{} ya existe: elija otro nombre para la copia."
UNATTRIBUTED = "Textos entre comillas que no se atribuyen a ninguna norma, sin comprobar: {}"


def arguments(parser: Parser) -> None:
    """The arguments of `citations`."""
    parser.set_defaults(operation=True)
    parser.add_argument("file", type=Path, metavar="ESCRITO", help="TXT, DOCX, ODT, PDF…, o - para texto")
    parser.add_argument("--date", type=day, metavar="DÍA", help="la ley de ese día; la de hoy, si falta")
    parser.add_argument(
        "--word", type=Path, metavar="COPIA.docx", help="guarda el mismo Word con comentarios al margen"
    )


def check_citations(engine: Articulado, options: argparse.Namespace) -> int:
    """Print the state of each citation; 1 if any is false, altered, repealed or impossible."""
    document = (
        _commented(engine, options)
        if options.word
        else engine.citations(_text(engine.program, options.file), options.date)
    )
    output.emit(options.json, document, _print)
    return 1 if any(one["state"] in BAD for one in document["findings"]) else 0


def _commented(engine: Articulado, options: argparse.Namespace) -> dict[str, Any]:
    """The check of a Word file, whose copy with comments is written beside it. Raises InputError."""
    if options.word.exists():
        raise InputError(EXISTS.format(options.word))
    content = b64encode(_read(options.file)).decode()
    document = engine.commented(options.file.name, content, options.date)
    try:
        options.word.write_bytes(b64decode(document["file"]["content"]))
    except OSError as error:
        raise InputError(f"{options.word} no se puede escribir ({error.strerror}).") from None
    report: dict[str, Any] = document["report"]
    return report


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} no se puede leer ({error.strerror}): compruebe la ruta.") from None


def _text(program: App, path: Path) -> str:
    """The text of a file or, for «-», of standard input. Raises InputError."""
    if str(path) == "-":
        return within(sys.stdin.read(LONGEST + 1))
    return within(text_of(program.settings, path.name, _read(path)), path.name)


def _print(document: dict[str, Any]) -> str:
    lines = [line for one in document["findings"] for line in _lines(one)]
    others = document["unattributed"]
    return "\n".join([*(lines or [NOTHING_CITED]), *([UNATTRIBUTED.format(others)] if others else [])])


def _lines(one: dict[str, Any]) -> list[str]:
    sign = sign_of(State(one["state"]), one["warning"])
    lines = [f"{sign} {one['state']} · {one_line(one['text'])}"]
    lines += [f"     {told}" for told in (one_line(one["source"]), one["said"], one["warning"]) if told]
    if one["runs"]:
        lines.append(f"     {one_line(render([Run(**run) for run in one['runs']]))}")
    return lines
