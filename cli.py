"""The command line. Its `--json` output is a contract: one document on stdout and nothing else.

Exit codes: 0 done, 1 failed with one clear line on stderr, 2 wrong usage. Each command is in `commands/`: a
function of what it works with and its options, which returns its exit code or None for 0. It is imported when
it runs: most of the program is not needed to ask one that runs already.
"""

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from commands.engine import opened
from commands.parser import OPERATION, Parser, day, declare
from core.errors import ArticuladoError
from rag.shared.answer_contract import ABSTENTION


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    _write_utf8()
    options = _parser().parse_args(arguments)
    try:
        with opened(options) as worked:
            code: int | None = options.run(worked, options)
            sys.stdout.flush()
        return code or 0
    except ArticuladoError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrumpido; lo que ya estaba guardado se conserva.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has gone: the rest of the buffer must not fail again when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _write_utf8() -> None:
    """Write UTF-8 in every console; undecodable bytes of an argument become '?'."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def _parser() -> Parser:
    parser = Parser(
        prog="cli.py", description=f"Articulado en la línea de órdenes. Cuando debe, dice «{ABSTENTION}»."
    )
    command = parser.actions("command")
    one = command(
        "ingest",
        "carga archivos o carpetas: normas del BOE, PDF, DOCX, ODT, XLSX, HTML, Markdown, texto, ZIP",
        "commands.corpus:ingest",
        "--lexical-only",
    )
    one.add_argument("paths", nargs="+", type=Path, metavar="RUTA", help="archivo o carpeta")
    one.add_argument("--collection", default="normativa", help="colección (normativa)")
    which = one.add_mutually_exclusive_group()
    text = "desde cuándo rige el nuevo texto de lo que ya está cargado; el anterior vale hasta la víspera"
    which.add_argument("--in-force-from", type=day, metavar="DÍA", help=text)
    text = "el nuevo texto de lo que ya está cargado solo corrige el anterior, que se pierde"
    which.add_argument("--correct", action="store_true", help=text)
    text = "se carga aunque un artículo pierda más de una décima parte de su texto"
    one.add_argument("--may-shorten", action="store_true", help=text)
    declare(command, "search")
    declare(command, "ask")
    one = command(
        "verify",
        "comprueba otra vez las citas de una respuesta guardada",
        "commands.verify:verify_answer",
        "--direct",
    )
    one.add_argument("answer", type=Path, metavar="RESPUESTA.json", help="salida de «ask --json», o -")
    declare(command, "evaluate")
    text = "servidor MCP por la entrada y salida estándar, para un asistente"
    command("mcp", text, "commands.mcp:mcp")
    command("demo", "carga el corpus de demostración", "commands.corpus:demo")
    declare(command, "reindex")
    one = command(
        "doctor",
        "comprueba que base de datos, índice, archivos y configuración concuerdan",
        "commands.corpus:doctor",
    )
    one.add_argument("--mend", action="store_true", help="arregla lo que se puede arreglar")
    one = command(
        "backup",
        "copia de seguridad de todo menos el índice, con el programa en marcha",
        "commands.backup:backup",
    )
    one.add_argument("file", type=Path, metavar="ARCHIVO.zip", help="archivo nuevo")
    one.add_argument("--without-vectors", action="store_true", help="ocupa menos; se calculan de nuevo")
    one = command(
        "restore", "restaura una copia en una carpeta y una base de datos vacías", "commands.backup:restore"
    )
    one.add_argument("file", type=Path, metavar="ARCHIVO.zip", help="la copia")
    one.add_argument("--verify-only", action="store_true", help="la lee entera y no toca nada")
    declare(command, "diff")
    text = "resúmenes, palabras clave y preguntas escritos por el modelo lector"
    one = command("enrich", text, "commands.enrich:enrich", "--lexical-only")
    one.add_argument("norms", nargs="*", metavar="NORMA", help="identificador; todas, si no se indica")
    declare(command, "tool")
    declare(command, "facts")
    declare(command, "fact")
    for name, text, run, arguments in (
        (
            "citations",
            "comprueba las citas de un escrito",
            "commands.citations:check_citations",
            "citations:arguments",
        ),
        (
            "news",
            "lo que ha cambiado en la normativa y le afecta",
            OPERATION,
            "operations:news_arguments",
        ),
        ("audit", "el registro de actividad: verify, list, export", None, "audit:arguments"),
        ("usage", "lo consumido de los modelos, y su coste", "commands.usage:usage", "usage:arguments"),
        ("privacy", "los datos de las personas: apply, export, erase", None, "usage:privacy_arguments"),
        (
            "calculate",
            "un plazo o una cantidad, paso a paso",
            "commands.calculations:calculation",
            "calculations:arguments",
        ),
        (
            "model",
            "prueba los modelos configurados: qué sabe hacer cada uno y qué conviene cambiar",
            "commands.model:model",
            "model:arguments",
        ),
        ("users", "las cuentas: list, add, reset, roles, disable, remove…", None, "users:arguments"),
        ("boe", "las normas del BOE: add, update, list", None, "boe:arguments"),
        (
            "opinion",
            "el dictamen de una consulta como archivo",
            "commands.products:opinion",
            "products:opinion_arguments",
        ),
        (
            "template",
            "los modelos de escrito: list, show, fill",
            None,
            "products:template_arguments",
        ),
        ("certificate", "los certificados de fuentes: verify, key", None, "certificate:arguments"),
    ):
        command(name, text, run).complete_later(f"commands.{arguments}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
