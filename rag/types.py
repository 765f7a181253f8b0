"""The values that travel between layers: frozen, no I/O.

Dates are calendar days in Spain. `valid_to` is the last day in force, inclusive; None if no end is known.
"""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

STATE_LEVEL = "estatal"
"""The territory of the norms of the State."""
EVERYWHERE = (STATE_LEVEL, "Unión Europea", "Consejo de Europa")
"""Territories whose norms and judgments count in every comunidad autónoma."""
DOCUMENT: Final = "expediente"
"""Collection, and origin, of fragments of a document that is none of the corpus."""
BRIEF = "escrito"
"""Collection of a text that is only read, to check what it cites: kept as it is, paragraph by paragraph."""
SUMMARISES = "source_norm"
"""Key in `Norm.extra` of the norm that an unofficial summary stands for."""


class Value(BaseModel):
    """A frozen value; unknown fields are refused so that a typo cannot pass for data."""

    # Errors end in logs: they say what is wrong with a value, never the value.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class BlockKind(StrEnum):
    """Kinds of block of a norm; the names follow the BOE's own division."""

    PREAMBLE = "preamble"
    HEADING = "heading"
    ARTICLE = "article"
    ADDITIONAL = "additional"
    TRANSITIONAL = "transitional"
    REPEALING = "repealing"
    FINAL = "final"
    ANNEX = "annex"
    SECTION = "section"
    SIGNATURE = "signature"
    NOTE = "note"


UNDATED = date(1900, 1, 1)
"""First day of the wordings of a document that does not say from when it is in force."""


def dated(day: date | None) -> date | None:
    """The day; None when it is unknown. No reader is shown UNDATED."""
    return None if day == UNDATED else day


class BlockVersion(Value):
    """One wording (redacción) of a block and the days on which it was in force."""

    valid_from: date
    valid_to: date | None = None
    published: date | None = None
    amended_by: str | None = Field(default=None, description="BOE id of the norm that gave this wording")
    text: str = Field(description="heading line included, paragraphs joined by one line feed")
    notes: tuple[str, ...] = ()

    def in_force_on(self, day: date) -> bool:
        return self.valid_from <= day and (self.valid_to is None or day <= self.valid_to)


class Block(Value):
    """An article, disposición, annex, heading… of a norm with every wording it has had."""

    id: str
    kind: BlockKind
    label: str = Field(default="", description="canonical: '48 bis', 'da 3', 'dt 2', 'dd única', 'anexo I'")
    title: str = Field(default="", description="'Artículo 48. Suspensión con reserva de puesto de trabajo.'")
    path: tuple[str, ...] = Field(default=(), description="headings above it, outermost first")
    position: int = 0
    versions: tuple[BlockVersion, ...] = ()
    attributes: Mapping[str, str] = Field(default_factory=dict, description="as `rag.aids.packed`, and url")

    def version_on(self, day: date) -> BlockVersion | None:
        return next((v for v in reversed(self.versions) if v.in_force_on(day)), None)


class Norm(Value):
    """A norm, judgment or criterion: what a citation names.

    Attributes:
        id: BOE identifier, or a slug for documents without one.
        law: name as lawyers say it («Estatuto de los Trabajadores», «Ley 10/2021»).
        alias: shortest usual name («ET»), or empty.
        rank: «Ley», «Real Decreto»… as the BOE writes it.
        territory: one of EVERYWHERE, or a comunidad autónoma of `rag/lexicon/territories.toml`; 'autonómico'
            for a norm of the BOE whose department names none.
        official: False for summaries that are not the text of the norm.
        extra: metadata of its collection (court, chamber, ECLI, criterion number…).
    """

    id: str
    collection: str = "normativa"
    title: str
    law: str
    alias: str = ""
    aliases: tuple[str, ...] = ()
    rank: str = ""
    number: str = ""
    department: str = ""
    territory: str = STATE_LEVEL
    published: date | None = None
    valid_from: date | None = None
    repealed_on: date | None = None
    status: str = "Vigente"
    url: str = ""
    official: bool = True
    extra: Mapping[str, str] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its shortest name: 'ET'."""
        return self.alias or self.law


class Document(Value):
    """Result of a loader: a norm with its blocks in reading order."""

    norm: Norm
    blocks: tuple[Block, ...]
    warnings: tuple[str, ...] = ()


ArticleKey = tuple[str, str]
"""Ids of a norm and of one of its blocks."""


class Chunk(Value):
    """The unit that is indexed, retrieved and cited: a wording of a block, or one part of it.

    Attributes:
        id: stable and readable, '<norm>/<block>@<valid_from>#<part>'.
        section: the block's title, 'Artículo 38. Vacaciones anuales.'
        chapter: 'TÍTULO I … > CAPÍTULO II …', outermost first.
        apartados: first and last apartado of this part, '1-3', '4', or empty.
        start, end: character offsets of `text` in the wording's text.
        flags: kinds of content: 'plazo', 'importe', 'porcentaje', 'remision', 'derogado', 'aval'.
        content_hash: SHA-256 of the embedded and indexed text (hex).
    """

    id: str
    collection: str
    norm_id: str
    block_id: str
    kind: BlockKind
    label: str
    law: str
    alias: str = ""
    rank: str = ""
    chapter: str = ""
    section: str
    text: str
    position: int = 0
    part: int = 1
    parts: int = 1
    apartados: str = ""
    start: int
    end: int
    valid_from: date
    valid_to: date | None = None
    territory: str = STATE_LEVEL
    section_type: str = "general"
    official: bool = True
    url: str = ""
    page: int | None = None
    summary: str = ""
    keywords: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    content_hash: str

    @property
    def name(self) -> str:
        """Its name in a citation: 'ET · Artículo 38'."""
        numbered = self.kind is BlockKind.ARTICLE and self.label
        block = f"Artículo {self.label}" if numbered else self.section.split(". ")[0].rstrip(".")
        return f"{self.alias or self.law} · {block}"

    @property
    def in_force(self) -> str:
        """'desde 01/01/2020', and 'hasta 31/12/2024' if an end is known; '' if its start is not."""
        since = dated(self.valid_from)
        until = f" hasta {self.valid_to:%d/%m/%Y}" if self.valid_to else ""
        return f"desde {since:%d/%m/%Y}{until}" if since else ""

    def in_force_on(self, day: date) -> bool:
        return self.valid_from <= day and (self.valid_to is None or day <= self.valid_to)

    def without_aids(self) -> Self:
        """The chunk with the law's own words only."""
        return self.model_copy(update={"keywords": (), "questions": ()})

    @property
    def article(self) -> ArticleKey:
        return (self.norm_id, self.block_id)


def article_of(chunk_id: str) -> ArticleKey:
    """Norm and block of a chunk id, '<norm>/<block>@<valid_from>#<part>'."""
    norm, _, rest = chunk_id.partition("/")
    return norm, rest.partition("@")[0]


class Reference(Value):
    """A legal reference found in a text: its words and, once resolved, its target.

    `norm_id` is None when the norm is unknown or ambiguous; `label` is None when only a norm is named.
    """

    text: str
    start: int
    end: int
    norm_id: str | None = None
    label: str | None = None
    apartado: str | None = None


class Scores(Value):
    """The scores that a chunk collected on its way; `score` is the one that ranks it now."""

    score: float
    dense: float | None = None
    adapted: float | None = Field(default=None, description="cosine with the question moved by the adapter")
    sparse: float | None = None
    aids: float | None = Field(default=None, description="BM25 of its search aids")
    question: float | None = Field(default=None, description="cosine with the best question it answers")
    passage: float | None = Field(default=None, description="cosine with the best of its passages")
    fused: float | None = None
    vectorless: bool = Field(default=False, description="ranked without vectors: its norm lacks some")
    rerank: float | None = None
    sub_queries: tuple[int, ...] = Field(default=(), description="numbers, from 0, of those that found it")
    day: date | None = Field(default=None, description="whose law it is, if not that of the context's day")
    origin: Literal["search", "exact", "part", "reference", "day", "need", "agent", "expediente"] = "search"
    via: str = Field(default="", description="chunk id whose reference brought it")
    features: tuple[tuple[str, float], ...] = Field(default=(), description="what each adds to its place")


class Hit(Scores):
    """A chunk with its scores."""

    chunk: Chunk

    @property
    def key(self) -> tuple[str, str]:
        return (self.chunk.collection, self.chunk.id)


class SubQuery(Value):
    """One search: `text` feeds dense and sparse, `lexical` adds terms to sparse only (X.19)."""

    text: str
    lexical: tuple[str, ...] = ()
    raw: bool = False


class Context(Value):
    """The hits that the model reads, numbered C1…Cn in this order, and the day whose law they are.

    `hired`: first day of the work asked about; `titles`, `over`: names of norms and heads of tables, by id.
    """

    hits: tuple[Hit, ...]
    as_of: date | None = None
    hired: date | None = None
    titles: Mapping[str, str] = Field(default_factory=dict)
    over: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def marker(self, index: int) -> str:
        return f"C{index + 1}"

    @property
    def marked(self) -> dict[str, Hit]:
        """The hits by their markers."""
        return {self.marker(index): hit for index, hit in enumerate(self.hits)}


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
    refusal: bool = False
    notes: str | None = None
    mode: str = Field(default="offline", description="offline | model")
    as_of: date | None = Field(default=None, description="the day whose law it speaks of")
    other_days: tuple[date, ...] = Field(default=(), description="other days that the question may be about")
    parts: tuple[Part, ...] = ()


class Turn(Value):
    """One message of the history as the prompts see it: 'user' or 'assistant'."""

    role: str
    text: str


class MessageState(StrEnum):
    """Life of an answer; questions are COMPLETE from the start."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"
    FAILED = "failed"


class Message(Value):
    """One row of a conversation.

    Attributes:
        follows: of a question: id of the one before it in its branch, 0 for none; None = the one before it.
        versions: of a question: ids of all its versions, oldest first; empty when there is no other.
    """

    id: int
    conversation_id: str
    role: str
    text: str
    state: MessageState
    created_at: datetime
    answer: Answer | None = None
    as_of: date | None = None
    follows: int | None = None
    versions: tuple[int, ...] = ()
