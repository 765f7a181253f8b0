"""Requests and documents of the tools that differ from those of `service.contract`."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from core.values import Value
from rag.run.runs import MAX_QUESTION
from rag.shared.cited_answer import Citation, Part, Source
from rag.tools.tool_calls import Metadata
from service.contract.articles import DiffDocument, Reference
from service.contract.verification import VerifiedCitation

LONGEST_QUOTE, MOST_CITATIONS = 20_000, 200


class PlainCitation(Value):
    """Words that somebody quotes from an article, in its wording of a day; None: today."""

    quote: Annotated[str, Field(min_length=1, max_length=LONGEST_QUOTE)]
    article: Reference
    as_of: date | None = None


class VerifyRequest(Value):
    """A text with its citations, as `ask` gave them or plain; the rest of that document is not read."""

    model_config = ConfigDict(extra="ignore")

    answer: Annotated[str, Field(max_length=4 * MAX_QUESTION)] = ""
    citations: Annotated[tuple[Citation | PlainCitation, ...], Field(max_length=MOST_CITATIONS)] = ()
    sources: Annotated[tuple[Source, ...], Field(max_length=MOST_CITATIONS)] = ()
    parts: tuple[Part, ...] = ()


class CheckedCitation(VerifiedCitation):
    """A quotation, what the check gives, and the address of its article, '' if unknown."""

    url: str


class CheckedAnswer(Value):
    """See `service.contract.verification.VerificationDocument`."""

    verified: bool
    false_marks: tuple[str, ...]
    citations: tuple[CheckedCitation, ...]


class ComparedArticle(DiffDocument):
    """Two wordings of an article, with the address of its norm."""

    url: str


class FoundSource(Value):
    """A fragment that a document tool found; its text is in that of the whole result."""

    chunk_id: str
    score: float | None
    source_file: str
    metadata: Metadata


class ToolResult(Value):
    """Result of a document tool: `text`, as our own models read it, and the sources of it."""

    as_of: date
    text: str
    total_found: int
    search_params: Mapping[str, Any]
    sources: tuple[FoundSource, ...]
