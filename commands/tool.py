"""The document tools by hand: `tool '<tool_lexical_search>…'`, or `tool -` for standard input."""

import argparse
import asyncio
import sys
import time
from typing import Any

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.clock import today_in_spain
from rag.errors import InputError
from rag.tools.texts import render
from rag.tools.types import ToolOutcome

NO_CALL = (
    "No hay ninguna llamada: escríbala como <tool_lexical_search><query>…</query></tool_lexical_search>."
)


def tool(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Print the text that a model would read; fails if every call failed."""
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if options.calls == "-" else options.calls
    ensure_corpus(program)
    as_of, clock = options.as_of or today_in_spain(), time.perf_counter()
    outcomes = asyncio.run(program.toolbox.run(text, as_of=as_of, question=options.question))
    if not outcomes:
        raise InputError(NO_CALL)
    document = {
        "as_of": as_of.isoformat(),
        "calls": [_call(outcome) for outcome in outcomes],
        "text": render(outcomes, options.question),
        "elapsed_ms": round((time.perf_counter() - clock) * 1000, 1),
    }
    output.emit(options.json, document, lambda found: str(found["text"]))
    if not any(outcome.ok for outcome in outcomes):
        raise InputError(outcomes[0].error)


def _call(outcome: ToolOutcome) -> dict[str, Any]:
    return outcome.model_dump(mode="json", exclude={"text", "style"}) | {"chunk_ids": list(outcome.chunk_ids)}
