"""The news of the owner of the home: `news [--unread]`."""

import argparse
from typing import Any

from commands import output
from commands.engine import Engine
from commands.parser import SHARED, Parser

NOTHING = "No hay novedades."


def arguments(parser: Parser) -> None:
    """The options of `news`."""
    parser.add_argument("--unread", action="store_true", help="solo las que no se han leído")
    parser.add_argument("--direct", **SHARED["--direct"])


def news(engine: Engine, options: argparse.Namespace) -> None:
    """Print what has changed in the law that touches the person."""
    output.emit(options.json, engine.news(unread=options.unread), _print)


def _print(document: dict[str, Any]) -> str:
    lines = []
    for one in document["news"]:
        name = f"{one['law']} · {one['title']}" if one["block_id"] else one["law"]
        cited = f" [respuestas que lo citan: {one['answer_count']}]" if one["answer_count"] else ""
        lines.append(f"{one['day']}  {name}: {one['text']}{cited}")
    return "\n".join(lines) or NOTHING
