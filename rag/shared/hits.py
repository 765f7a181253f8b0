"""Chunks that a search finds, with their scores, and the context made of them: frozen values."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import Field

from core.values import Value
from law.chunks import Chunk


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
