"""Parameters, calls, results and outcomes of the tools: frozen values."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rag.errors import InputError
from rag.types import Value

MAX_TEXT = 2000
MAX_NAME = 300
WHOLE = "whole"
"""Key in `SearchResult.search_params` of the number of results, the first ones, whose content is not cut."""


class ToolFailure(InputError):
    """A call cannot be executed; the text is Spanish and goes to the model."""


class Params(BaseModel):
    """Parameters of a tool. A value above the `maximum` of its field is clamped, not refused (X.16)."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        coerce_numbers_to_str=True,
        str_strip_whitespace=True,
        allow_inf_nan=False,
    )


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


class ResultItem(Value):
    """One result; `chunk_id` is '<stem>_chunk_NNNN', `content` is whole, `highlights` is HTML with <em>."""

    chunk_id: str
    score: float | None = None
    source_file: str
    content: str
    highlights: tuple[str, ...] = ()
    metadata: Metadata


class SearchResult(Value):
    """The result of a tool (S1.2).

    `search_params` are the parameters in force; 'clamped' in it holds the values asked above a maximum.
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
    """

    result: SearchResult
    text: str
    style: str = "search"
    fallback: str = ""


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
        chunk_ids: ids in the corpus of the chunks whose text the model was given, in order.
    """

    name: str
    values: Mapping[str, Any] = Field(default_factory=dict)
    result: SearchResult | None = None
    text: str
    style: str = "search"
    error: str = ""
    fallback: str = ""
    elapsed_ms: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.error

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        items = self.result.results if self.result else ()
        return tuple(dict.fromkeys(item.metadata.chunk for item in items if item.metadata.chunk))
