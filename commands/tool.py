"""The document tools by hand: `tool '<tool_lexical_search>…'`, or `tool -` for standard input."""

import argparse
import sys

from commands import output
from commands.engine import Engine
from core.errors import InputError


def tool(engine: Engine, options: argparse.Namespace) -> None:
    """Print the text that a model would read; fails if every call failed."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if options.calls == "-" else options.calls
    document = engine.tool(text, question=options.question, as_of=options.as_of)
    output.emit(options.json, document, lambda found: str(found["text"]))
    errors = [str(call["error"]) for call in document["calls"]]
    if all(errors):
        raise InputError(errors[0])
