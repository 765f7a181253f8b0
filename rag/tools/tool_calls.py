"""Parameters, calls, results and outcomes of the tools: frozen values."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from calculations.outcome import Outcome
from calculations.params import Params
from core.errors import InputError
from core.values import Value

MAX_TEXT = 2000
MAX_NAME = 300
WHOLE = "whole"
"""Key in `SearchResult.search_params` of the number of results, the first ones, whose content is not cut."""
AsOf = Annotated[
    date | None, Field(description="Día de cuya redacción se trata, AAAA-MM-DD; sin él, el de la consulta")
]
"""Optional day of a document tool, instead of the run's."""


class ToolFailure(InputError):
    """A call cannot be executed; the text is Spanish and goes to the model."""


class FileParams(Params):
    """Parameters of the tools that read one document."""

    file_name: str = Field(
        min_length=1, max_length=MAX_NAME, description="Nombre del archivo, con o sin extensión"
    )


class Metadata(Value):
    """Metadata of the chunk of a result.

    Attributes:
        chunk_type: 'section_header' | 'table' | 'content'.
        chunk: id of the chunk in the corpus; empty for a document's header without preamble.
        line: line of a regex match, from 1 in the whole document.
        in_force: line of the texts, 'Vigente: desde 01/01/2020'; empty for a document's header.
    """

    chunk_type: str = "content"
    section_title: str = ""
    keywords: tuple[str, ...] = ()
    has_tables: bool = False
    has_images: bool = False
    chunk: str = ""
    norm_id: str = ""
    law: str = ""
    label: str = ""
    summary: str = ""
    valid_from: date | None = None
    valid_to: date | None = None
    url: str = ""
    line: int | None = None
    in_force: str = Field(default="", exclude=True)


class ResultItem(Value):
    """One result; `content` is whole, `highlights` is HTML with <em>.

    `chunk_id` is '<stem>_chunk_NNNN'; of a call with its own day, '<stem>_chunk_NNNN@2019-07-01'.
    """

    chunk_id: str
    score: float | None = None
    source_file: str
    content: str
    highlights: tuple[str, ...] = ()
    metadata: Metadata


class SearchResult(Value):
    """The result of a tool (S1.2).

    `search_params` are the parameters in force; 'clamped' in it holds the values asked above a maximum, and
    'as_of' the day (ISO) of a call with its own.
    """

    query: str
    expanded_query: str | None = None
    total_found: int
    results: tuple[ResultItem, ...] = ()
    execution_time_ms: float = 0.0
    search_params: Mapping[str, Any] = Field(default_factory=dict)
    search_type: str


class Found(NamedTuple):
    """The return of a tool: its result, the text of the contract, and the fallback it took, if any.

    `style` chooses the instructions above the text: 'search' | 'section' | 'structure' | 'plain'.
    `calculation` is that of tool_calculation, None when it only told which data it takes.
    """

    result: SearchResult
    text: str
    style: str = "search"
    fallback: str = ""
    calculation: Outcome | None = None


class ToolCall(NamedTuple):
    """A call as the model wrote it; `problem` says in Spanish why it cannot be read, or ''."""

    name: str
    values: Mapping[str, Any]
    problem: str = ""


class ToolOutcome(Value):
    """The outcome of one call, for the model (`text`), the page (`result`) and the trace.

    Attributes:
        values: parameters as given.
        text: the part of the reply about this call, without the header that `render` puts above.
        error: Spanish; empty when the call succeeded.
        fallback: 'lexical' when structure was not available; the model is not told (X.18).
        calculation: see `Found`.
        chunk_ids: ids in the corpus of the chunks whose text the model was given, in order.
        asked_ids: those among them that the call asked for by name: articles cited, sections by number.
    """

    name: str
    values: Mapping[str, Any] = Field(default_factory=dict)
    result: SearchResult | None = None
    text: str
    style: str = "search"
    error: str = ""
    fallback: str = ""
    elapsed_ms: float = 0.0
    calculation: Outcome | None = Field(default=None, exclude=True)

    @property
    def ok(self) -> bool:
        return not self.error

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        return _chunks_of(self.result.results if self.result else ())

    @property
    def asked_ids(self) -> tuple[str, ...]:
        if self.result is None:
            return ()
        items = self.result.results
        return _chunks_of(
            items if self.style == "section" else items[: self.result.search_params.get(WHOLE, 0)]
        )


def _chunks_of(items: Iterable[ResultItem]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.metadata.chunk for item in items if item.metadata.chunk))
