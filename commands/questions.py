"""Questions and searches: `ask`, `search`."""

import argparse
import sys

from commands import output
from commands.engine import Engine


def search(engine: Engine, options: argparse.Namespace) -> None:
    """Print the hits of a query."""
    given = {name: getattr(options, name) for name in ("mode", "limit", "collection", "as_of")}
    document = engine.search(options.query, **given)
    if document["notice"]:
        print(document["notice"], file=sys.stderr)
    output.emit(options.json, document, output.print_search)


def ask(engine: Engine, options: argparse.Namespace) -> None:
    """Print the answer to a question."""
    given = {name: getattr(options, name) for name in ("as_of", "agent", "conversation")}
    document = engine.ask(options.question, **given)
    if (made := document["conversation"]) not in ("", options.conversation):
        print(f"conversación {made}", file=sys.stderr)
    output.emit(options.json, document, output.print_answer)
