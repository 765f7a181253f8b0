"""`opinion CONVERSATION` and `template list | show | fill`: work products as files."""

import argparse
from base64 import b64decode
from pathlib import Path
from typing import Any

from commands import output
from commands.calculations import facts_of
from commands.engine import Engine
from commands.parser import SHARED, Parser
from core.errors import InputError

FORMATS = ("docx", "pdf", "md", "json")
TAKEN = "{name} ya existe y no se ha tocado: elija otro con --output."
UNWRITABLE = "{name} no se puede escribir ({why}): elija otra ruta con --output."
NOTHING = "La consulta no tiene respuestas terminadas."


def opinion_arguments(parser: Parser) -> None:
    """The options of `opinion`."""
    parser.add_argument("--direct", **SHARED["--direct"])
    parser.add_argument("conversation", metavar="CONSULTA", help="su id, como lo da «ask --json»")
    parser.add_argument("--list", action="store_true", help="sus respuestas con su número, y las plantillas")
    text = "los números de las que lleva; todas, si faltan"
    parser.add_argument("--answers", nargs="+", type=int, default=[], metavar="N", help=text)
    text = "los números de las que usted da por buenas: solo de ellas hay conclusiones"
    parser.add_argument("--conclusions", nargs="+", type=int, default=[], metavar="N", help=text)
    parser.add_argument("--format", choices=FORMATS, default="docx", help="formato del archivo (docx)")
    parser.add_argument("--letterhead", default="", metavar="PLANTILLA", help="plantilla del despacho")
    text = "que un modelo redacte antecedentes y conclusiones, comprobados; cuenta como una pregunta"
    parser.add_argument("--draft", action="store_true", help=text)
    _output(parser)


def opinion(engine: Engine, options: argparse.Namespace) -> None:
    """Write the opinion of a conversation, or list what it can be made of."""
    if options.list:
        output.emit(options.json, engine.answers(options.conversation), _print_answers)
        return
    made = {"format": options.format, "letterhead": options.letterhead, "draft": options.draft}
    made |= {"conclusions": options.conclusions}
    document = engine.opinion(options.conversation, options.answers, **made)
    output.emit(options.json, document, lambda found: _written(found, options.output))


def template_arguments(parser: Parser) -> None:
    """The actions of `template` and their options."""
    action = parser.actions("action")
    shared = "--direct"
    action("list", "los modelos de escrito", list_templates, shared)
    two = action("show", "los datos que pide un modelo, y el estado de sus preceptos", show_template, shared)
    three = action("fill", "escribe el Word de un modelo con estos datos", fill_template, shared)
    for one in (two, three):
        one.add_argument("name", metavar="MODELO", help="su nombre, como lo da «template list»")
    text = "los datos; donde falte alguno el escrito lleva «[…]»"
    three.add_argument("data", nargs="*", metavar="DATO=VALOR", help=text)
    _output(three)


def list_templates(engine: Engine, options: argparse.Namespace) -> None:
    """Print the templates by their names."""
    output.emit(options.json, engine.templates(), _print_templates)


def show_template(engine: Engine, options: argparse.Namespace) -> None:
    """Print what a template takes and the state of its provisions."""
    output.emit(options.json, engine.template(options.name), _print_template)


def fill_template(engine: Engine, options: argparse.Namespace) -> None:
    """Write the Word file of a template, and tell what is missing."""
    document = engine.fill(options.name, facts_of(options.data))
    output.emit(options.json, document, lambda found: _print_filled(found, options.output))


def _output(parser: Parser) -> None:
    text = "archivo nuevo; en esta carpeta y con su nombre, si falta"
    parser.add_argument("--output", type=Path, metavar="ARCHIVO", help=text)


def _written(file: dict[str, Any], path: Path | None) -> str:
    """Write a file that is not there yet; its path. Raises InputError."""
    path = path or Path(file["name"])
    try:
        with path.open("xb") as opened:
            opened.write(b64decode(file["content"]))
    except FileExistsError:
        raise InputError(TAKEN.format(name=path)) from None
    except OSError as error:
        raise InputError(UNWRITABLE.format(name=path, why=error.strerror)) from None
    return str(path)


def _print_answers(document: dict[str, Any]) -> str:
    lines = [f"{one['id']:>6}  {' '.join(one['question'].split())}" for one in document["answers"]]
    letterheads = [f"Plantilla: {name}" for name in document["letterheads"]]
    return "\n".join([*lines, *letterheads]) if lines else NOTHING


def _print_templates(document: dict[str, Any]) -> str:
    return "\n".join(f"{one['name']:<24} {one['title']}. {one['when']}" for one in document["templates"])


def _print_template(document: dict[str, Any]) -> str:
    lines = [document["title"], document["when"], ""]
    for one in document["fields"]:
        optional = "" if one["required"] else " (opcional)"
        choices = f" [{' | '.join(one['choices'])}]" if one["choices"] else ""
        lines.append(f"{one['name']:<20} {one['label']}{optional}{choices}")
    return "\n".join([*lines, "", *_around(document)])


def _print_filled(document: dict[str, Any], path: Path | None) -> str:
    lines = [_written(document["file"], path)]
    lines += [f"Falta: {label}" for label in document["missing"]]
    if document["term"]:
        lines += [f"{label}: {value}" for label, value in document["term"]["headline"]]
        lines += document["term"]["warnings"]
    lines += filter(None, [document["problem"]])
    return "\n".join([*lines, *_around(document)])


def _around(document: dict[str, Any]) -> list[str]:
    lines = [f"Plazo: {document['deadline']}"] if document["deadline"] else []
    for one in document["sources"]:
        lines.append(f"{one['cite']}: {' '.join(filter(None, (one['state'], one['said'])))}")
    return [*lines, *(f"Aviso: {one}" for one in document["warnings"])]
