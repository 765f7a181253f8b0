"""The document tools by hand: `tool '<tool_lexical_search>…'`, or `tool -` for standard input."""

import argparse
import sys

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.errors import InputError
from service.contract.program import dumped, request
from service.contract.tools import ToolRequest
from service.contract.tools import tool as call


def tool(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Print the text that a model would read; fails if every call failed."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if options.calls == "-" else options.calls
    ensure_corpus(program)
    asked = request(ToolRequest, calls=text, question=options.question, as_of=options.as_of)
    document = call(program, asked)
    output.emit(options.json, dumped(document), lambda found: str(found["text"]))
    if document.problem:
        raise InputError(document.problem)
