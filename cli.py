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
from commands.parser import Parser, count, day
from core.errors import ArticuladoError
from rag.evaluation.results import Aids
from rag.shared.answer_contract import ABSTENTION

MODES = ("hybrid", "lexical", "semantic")


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
    one = command(
        "search",
        "los fragmentos que encuentra una búsqueda, el mejor primero",
        "commands.questions:search",
        "--as-of",
        "--direct",
    )
    one.add_argument("query", metavar="BÚSQUEDA", help="palabras o pregunta")
    one.add_argument("--mode", choices=MODES, default="hybrid", help="por palabras, por vectores o por ambos")
    one.add_argument("--limit", type=count, default=10, help="máximo de resultados, de 1 a 100 (10)")
    one.add_argument("--collection", help="solo esa colección")
    one = command(
        "ask", "una respuesta con las citas comprobadas", "commands.questions:ask", "--as-of", "--direct"
    )
    one.add_argument("question", metavar="PREGUNTA", help="la pregunta")
    one.add_argument("--conversation", metavar="ID", help="sigue una conversación; «new» abre otra")
    one.add_argument("--agent", action="store_true", help="deja que el modelo busque por sí mismo")
    one = command(
        "verify",
        "comprueba otra vez las citas de una respuesta guardada",
        "commands.verify:verify_answer",
        "--direct",
    )
    one.add_argument("answer", type=Path, metavar="RESPUESTA.json", help="salida de «ask --json», o -")
    one = command(
        "evaluate", "mide con preguntas de respuesta conocida", "commands.evaluation:evaluate", "--direct"
    )
    one.add_argument("cases", type=Path, metavar="CASOS.jsonl", help="un caso por línea")
    one.add_argument("--save", action="store_true", help="la guarda para la página «Evaluación»")
    one.add_argument(
        "--aids",
        choices=[one.value for one in Aids],
        default=Aids.ALL.value,
        help="ayudas de búsqueda: todas, ninguna, o todas menos las de las normas preguntadas (mixed)",
    )
    text = "servidor MCP por la entrada y salida estándar, para un asistente"
    command("mcp", text, "commands.mcp:mcp")
    command("demo", "carga el corpus de demostración", "commands.corpus:demo")
    command("reindex", "rehace el índice a partir de la base de datos", "commands.index:reindex", "--direct")
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
    one = command(
        "diff",
        "compara dos redacciones de un artículo, palabra por palabra",
        "commands.diff:diff",
        "--direct",
    )
    one.add_argument("article", metavar="ARTÍCULO", help="«art. 48 ET», «da 3 LGSS»…")
    one.add_argument(
        "--from", dest="since", type=day, metavar="DÍA", help="la primera; la anterior, si falta"
    )
    one.add_argument("--to", dest="until", type=day, metavar="DÍA", help="la segunda; la de hoy, si falta")
    text = "resúmenes, palabras clave y preguntas escritos por el modelo lector"
    one = command("enrich", text, "commands.enrich:enrich", "--lexical-only")
    one.add_argument("norms", nargs="*", metavar="NORMA", help="identificador; todas, si no se indica")
    one = command(
        "tool",
        "las herramientas de documentos a mano, como las llama un modelo",
        "commands.tool:tool",
        "--as-of",
        "--direct",
    )
    one.add_argument("calls", metavar="LLAMADAS", help="«<tool_…>…</tool_…>», o - para la entrada estándar")
    one.add_argument("--question", default="", metavar="PREGUNTA", help="la que el modelo contestaría")
    for name, text, run, arguments in (
        (
            "citations",
            "comprueba las citas de un escrito",
            "commands.citations:check_citations",
            "citations:arguments",
        ),
        ("news", "lo que ha cambiado en la normativa y le afecta", "commands.news:news", "news:arguments"),
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
