"""`tool`: the document tools by hand, in the words that a model writes and reads."""

import asyncio
import time
from datetime import date
from typing import Annotated, Any

from pydantic import Field

from core.clock import today_in_spain
from core.errors import InputError
from core.values import Value
from rag.tools.tool_calls import ToolOutcome
from rag.tools.tool_texts import render
from service.contract.program import Program

LONGEST_CALLS = 100_000
NO_CALL = (
    "No hay ninguna llamada: escríbala como <tool_lexical_search><query>…</query></tool_lexical_search>."
)


class ToolRequest(Value):
    """Calls as a model writes them; `question`: the one that it would be answering."""

    calls: Annotated[str, Field(max_length=LONGEST_CALLS)]
    question: Annotated[str, Field(max_length=2_000)] = ""
    as_of: date | None = None


class ToolDocument(Value):
    """Outcomes, one a call, and `text`, which a model would read."""

    as_of: date
    calls: tuple[dict[str, Any], ...]
    text: str
    elapsed_ms: float

    @property
    def problem(self) -> str:
        """Why every call failed; '' if one did not."""
        errors = [str(call["error"]) for call in self.calls]
        return errors[0] if all(errors) else ""


def tool(program: Program, request: ToolRequest) -> ToolDocument:
    """The outcomes of the calls. Raises InputError: there is no call; IndexUnavailable."""
    as_of, clock = request.as_of or today_in_spain(), time.perf_counter()
    outcomes = asyncio.run(program.toolbox.run(request.calls, as_of=as_of, question=request.question))
    if not outcomes:
        raise InputError(NO_CALL)
    return ToolDocument(
        as_of=as_of,
        calls=tuple(_call(outcome) for outcome in outcomes),
        text=render(outcomes, request.question),
        elapsed_ms=round((time.perf_counter() - clock) * 1000, 1),
    )


def _call(outcome: ToolOutcome) -> dict[str, Any]:
    return outcome.model_dump(mode="json", exclude={"text", "style"}) | {"chunk_ids": list(outcome.chunk_ids)}
