"""The answer and what it cites: frozen values."""

from datetime import date
from enum import StrEnum

from pydantic import Field

from core.values import Value


class Source(Value):
    """A fragment of the context that an answer names by its marker; no quotation of it has been checked."""

    marker: str
    source: str
    page: int | None = None
    norm_id: str = ""
    block_id: str = ""
    article: str = ""
    law: str = ""
    section: str = ""
    chapter: str = ""
    collection: str = ""
    chunk_id: str = ""
    url: str = ""
    official: bool = True
    valid_from: date | None = None
    valid_to: date | None = None


class Citation(Source):
    """A quotation and the chunk it was checked against.

    `cut_before`, `cut_after`: True if words of its first sentence stand before it, of its last one after it.
    `wording_sha256`: SHA-256 (hex) of the wording's text, in force from `valid_from`; `start`: offset in it.
    """

    quote: str
    verified: bool = False
    cut_before: bool = False
    cut_after: bool = False
    wording_sha256: str = ""
    start: int | None = None


class Verdict(StrEnum):
    """Sufficiency of the context (S3.61)."""

    SUFFICIENT = "SUFFICIENT"
    PARTIAL = "PARTIAL"
    INSUFFICIENT = "INSUFFICIENT"


class Part(Value):
    """The part of an answer that answers one of several questions; fields as those of `Answer`.

    `markers`: those of its citations and sources, which stand in the whole answer.
    """

    question: str
    answer: str
    markers: tuple[str, ...] = ()
    confidence: float = 0.0
    because: str = ""
    refusal: bool = False
    notes: str | None = None
    mode: str = "offline"
    as_of: date | None = None
    other_days: tuple[date, ...] = ()


class Answer(Value):
    """The answer contract (S4.1) after verification; `notes` joins every remark with line feeds.

    `sources`: what its other markers name, without a checked quotation. `parts`: its text by question, when
    it answers several.
    """

    answer: str
    citations: tuple[Citation, ...] = ()
    sources: tuple[Source, ...] = ()
    confidence: float = 0.0
    because: str = Field(
        default="", description="Spanish clause on what lowers a confidence that is not high"
    )
    refusal: bool = False
    notes: str | None = None
    mode: str = Field(default="offline", description="offline | model")
    as_of: date | None = Field(default=None, description="the day whose law it speaks of")
    other_days: tuple[date, ...] = Field(default=(), description="other days that the question may be about")
    parts: tuple[Part, ...] = ()


class AnswerLength(StrEnum):
    """How much an answer says; the values are stored."""

    BRIEF = "brief"
    NORMAL = "normal"
    DETAILED = "detailed"
