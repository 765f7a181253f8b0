"""A document tool, and the parts it uses in one run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag.shared.state import Services
    from rag.tools.tool_documents import Library
from calculations.official_figures import Facts
from calculations.params import Params
from rag.tools.tool_calls import Found


@dataclass(frozen=True)
class ToolScope:
    """The parts that a tool uses in one call; the day is the run's, or the one that the call gives.

    `facts` reads the data of calculations.
    """

    services: Services
    library: Library
    as_of: date
    question: str
    facts: Callable[[], Facts] = field(default=Facts)


@dataclass(frozen=True)
class Tool:
    """One tool: `purpose` and `use` are the Spanish lines of the prompt (S1.7).

    `run` is called in a thread; one that awaits a model is a coroutine function.
    """

    name: str
    purpose: str
    use: str
    params: type[Params]
    run: Callable[[Any, ToolScope], Found | Awaitable[Found]]
