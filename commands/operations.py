"""Commands that are an operation of the table: options are its parameters, and its document is printed."""

import argparse
import inspect
import sys
from collections.abc import Callable
from datetime import date
from typing import Any

from articulado.clients.operations import Operations
from commands import output
from commands.engine import Engine
from commands.output import Json
from commands.parser import SHARED, Parser
from core.errors import InputError

NO_NEWS = "No hay novedades."


def news_arguments(parser: Parser) -> None:
    """The options of `news`."""
    parser.add_argument("--unread", action="store_true", help="solo las que no se han leído")
    parser.add_argument("--direct", **SHARED["--direct"])


def operation(engine: Engine, options: argparse.Namespace) -> None:
    """Ask for the operation of that name, tell what is to be noted of it, and print its document."""
    name = options.command
    with output.Progress() as progress:
        given = vars(options) | {"tell": progress} | READ.get(name, _nothing)(options)
        taken = inspect.signature(getattr(Operations, name)).parameters.keys() & given.keys()
        document = getattr(engine, name)(**{one: given[one] for one in taken})
    if note := NOTED.get(name, _nothing_noted)(document, options):
        print(note, file=sys.stderr)
    output.emit(options.json, document, READABLE[name])
    if name == "tool" and all(errors := [str(call["error"]) for call in document["calls"]]):
        raise InputError(errors[0])


def _nothing(_: argparse.Namespace) -> Json:
    return {}


def _calls(options: argparse.Namespace) -> Json:
    """Calls of the document tools, or those on standard input for «-»."""
    return {"calls": sys.stdin.buffer.read().decode("utf-8", "replace")} if options.calls == "-" else {}


def _cases(options: argparse.Namespace) -> Json:
    """The questions of a file, with its name and hash."""
    from rag.evaluation.cases import read_dataset

    dataset = read_dataset(options.cases)
    cases = [case.model_dump(mode="json") for case in dataset.cases]
    return {"cases": cases, "name": dataset.name, "sha256": dataset.content_hash}


def _nothing_noted(_document: Json, _options: argparse.Namespace) -> str:
    return ""


def _conversation(document: Json, options: argparse.Namespace) -> str:
    """The name of a conversation that was made."""
    made = document["conversation"]
    return "" if made in ("", options.conversation) else f"conversación {made}"


def _print_diff(document: Json) -> str:
    """The days of both wordings, then the text with [-removed-] and {+added+} words."""
    lines = [f"{document['law']} · {document['title']} ({document['state']})"]
    for name, side in (("De", document["from"]), ("A ", document["to"])):
        lines.append(f"{name}: {_days(side) if side else 'sin redacción'}")
    if not document["changed"]:
        lines.append("Sin cambios.")
    return "\n".join([*lines, "", document["text"]])


def _days(wording: Json) -> str:
    from law.dates import spelled

    until = f" hasta el {spelled(date.fromisoformat(wording['valid_to']))}" if wording["valid_to"] else ""
    by = f" ({wording['amended_by']})" if wording["amended_by"] else ""
    since = wording["valid_from"]
    start = f"vigente desde el {spelled(date.fromisoformat(since))}" if since else "sin fecha"
    return f"redacción {start}{until}{by}"


def _print_news(document: Json) -> str:
    lines = []
    for one in document["news"]:
        name = f"{one['law']} · {one['title']}" if one["block_id"] else one["law"]
        cited = f" [respuestas que lo citan: {one['answer_count']}]" if one["answer_count"] else ""
        lines.append(f"{one['day']}  {name}: {one['text']}{cited}")
    return "\n".join(lines) or NO_NEWS


def _print_facts(document: Json) -> str:
    """A line a fact, with its source, and below those that other papers tell; then what cannot be."""
    lines = []
    for one in document["facts"]:
        lines.append(f"{one['label']}: {one['shown']}{_source(one)}")
        lines += [f"  también consta {other['shown']}{_source(other)}" for other in one["others"]]
    return "\n".join([*lines, *document["problems"]])


def _source(one: Json) -> str:
    if one["by"]:
        return f" [{one['by']}]"
    page = f", pág. {one['page']}" if one["page"] else ""
    return f" [{one['paper']}{page}: «{one['sentence']}»]" if one["paper"] else ""


READ: dict[str, Callable[[argparse.Namespace], Json]] = {"tool": _calls, "evaluate": _cases}
"""Arguments that are not as they were written."""
NOTED: dict[str, Callable[[Json, argparse.Namespace], str]] = {
    "search": lambda document, _: str(document["notice"]),
    "ask": _conversation,
}
READABLE: dict[str, Callable[[Any], str]] = {
    "search": output.print_search,
    "ask": output.print_answer,
    "diff": _print_diff,
    "evaluate": output.print_evaluation,
    "fact": _print_facts,
    "facts": _print_facts,
    "news": _print_news,
    "reindex": output.print_pairs,
    "tool": lambda document: str(document["text"]),
}
