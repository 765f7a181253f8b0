"""Records of a run, typed and serialisable: the debug view reads nothing else.

Times are milliseconds; `started_ms` counts from the start of the run.
Nothing here may hold a key: prompts and outputs only.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from core.values import Value
from models.chat import ModelCall
from rag.question.understanding import Understanding
from rag.shared.cited_answer import AnswerLength, Verdict
from rag.shared.hits import Hit, Scores

EXCERPT = 240
_SCORES = tuple(Scores.model_fields)


class Candidate(Scores):
    """A hit as a reviewer sees it: its score under each ranking, and an excerpt instead of its text."""

    chunk_id: str
    name: str
    law: str
    collection: str
    excerpt: str

    @classmethod
    def of(cls, hit: Hit) -> Candidate:
        chunk = hit.chunk
        return cls(
            chunk_id=chunk.id,
            name=chunk.name,
            law=chunk.law,
            collection=chunk.collection,
            excerpt=chunk.text if len(chunk.text) <= EXCERPT else chunk.text[: EXCERPT - 1] + "…",
            **{name: getattr(hit, name) for name in _SCORES},
        )


class StageRecord(Value):
    """Fields of every stage record; `calls` are its requests to models."""

    started_ms: float = 0.0
    elapsed_ms: float = 0.0
    fallback: str = Field(default="", description="which fallback was used and why, in Spanish; empty = none")
    calls: tuple[ModelCall, ...] = ()


class UnderstandRecord(StageRecord):
    """The understanding of the question, and the day whose law is searched.

    `as_of_from`: 'reader' when the reader chose the day, 'question' when its words named it, else 'today'.
    """

    name: Literal["understand"] = "understand"
    understanding: Understanding
    as_of: date
    as_of_from: str


class SplitRecord(StageRecord):
    """The questions found in a long text, and those `left_out`, which are not answered."""

    name: Literal["split"] = "split"
    strategy: str = "rules"
    questions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class DecomposeRecord(StageRecord):
    """The sub-queries, and the turns of `history` (role, text) that the prompt had."""

    name: Literal["decompose"] = "decompose"
    strategy: str = "rules"
    history: tuple[tuple[str, str], ...] = ()
    queries: tuple[str, ...] = ()


class SubSearch(Value):
    """The search of one sub-query: its terms and references, and its hits over all collections.

    `widened`: nothing met the conditions of the question, so the search ran without them.
    """

    query: str
    raw: bool = False
    lexical: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    widened: bool = False
    elapsed_ms: float = 0.0
    hits: tuple[Candidate, ...] = ()


class SearchRecord(StageRecord):
    """The search of each sub-query, and `merged`, the best hits of all; `filters` are in Spanish."""

    name: Literal["search"] = "search"
    mode: str = "hybrid"
    strategy: str = "flat"
    filters: tuple[str, ...] = ()
    searches: tuple[SubSearch, ...] = ()
    merged: tuple[Candidate, ...] = ()


class RerankRecord(StageRecord):
    """The hits kept, best first, out of a number of `candidates`."""

    name: Literal["rerank"] = "rerank"
    strategy: str = "none"
    candidates: int = 0
    kept: tuple[Candidate, ...] = ()


class ExpandRecord(StageRecord):
    """The hits added: other parts and other days' wordings of the best articles, and targets of references.

    `refs_found`: how many references there are.
    """

    name: Literal["expand"] = "expand"
    refs_found: int = 0
    added: tuple[Candidate, ...] = ()


class AssessRound(Value):
    """One verdict of the model and the corrections that followed it; `raw` is its output."""

    verdict: Verdict
    raw: str = ""
    needed: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    fetched: tuple[Candidate, ...] = ()
    missing: tuple[str, ...] = ()


class AssessRecord(StageRecord):
    """The final verdict, its rounds and signals, and the `context` that it leaves."""

    name: Literal["assess"] = "assess"
    strategy: str = "rules"
    verdict: Verdict = Verdict.SUFFICIENT
    rounds: tuple[AssessRound, ...] = ()
    context: tuple[Candidate, ...] = ()
    signals: tuple[tuple[str, float], ...] = ()


class AnswerRecord(StageRecord):
    """The draft as JSON (a refusal as text), and what the confidence of an extractive one comes from.

    `trimmed` are ids of chunks that the token budget left out.
    """

    name: Literal["answer"] = "answer"
    strategy: str = "extractive"
    signals: tuple[tuple[str, float], ...] = ()
    length: AnswerLength = AnswerLength.NORMAL
    context_tokens: int = 0
    trimmed: tuple[str, ...] = ()
    draft: str = ""
    repaired: bool = False


class CitationCheck(Value):
    """The fate of one citation of the draft."""

    marker: str
    quote: str
    chunk_id: str = ""
    verified: bool = False
    reason: str = ""


class VerifyRecord(StageRecord):
    """The check of each citation, the notes on the answer and the components of its confidence (0 to 1).

    `doubts`: (sentence of the answer, Spanish reasons) of those that do not say what they cite.
    """

    name: Literal["verify"] = "verify"
    checks: tuple[CitationCheck, ...] = ()
    issues: tuple[str, ...] = ()
    doubts: tuple[tuple[str, str], ...] = ()
    confidence: tuple[tuple[str, float], ...] = ()
    refused: bool = False


class AgentCall(Value):
    """One tool call of an investigation and its outcome.

    Attributes:
        values: parameters as the model wrote them.
        error: Spanish; empty on success.
        repeated: a call made before: the earlier result was given again, nothing was executed.
        found: total number of results; `chunk_ids` are the chunks whose text the model was shown.
    """

    name: str
    values: Mapping[str, Any] = Field(default_factory=dict)
    error: str = ""
    fallback: str = ""
    repeated: bool = False
    found: int = 0
    chunk_ids: tuple[str, ...] = ()
    elapsed_ms: float = 0.0


class AgentRound(Value):
    """One reply of the model and its calls; `results` is the text given back to it."""

    output: str = ""
    calls: tuple[AgentCall, ...] = ()
    results: str = ""
    tokens: int = 0
    elapsed_ms: float = 0.0


class AgentRecord(StageRecord):
    """An investigation. Only the first of `calls` holds its messages: the rounds hold what followed.

    `ended`: 'done' | 'rounds' | 'tokens' | 'time' | 'failures' | 'loop' | 'model' | 'no_model'.
    """

    name: Literal["agent"] = "agent"
    ended: str = "done"
    rounds: tuple[AgentRound, ...] = ()
    tokens: int = 0
    context: tuple[Candidate, ...] = ()


AnyRecord = Annotated[
    AgentRecord
    | SplitRecord
    | UnderstandRecord
    | DecomposeRecord
    | SearchRecord
    | RerankRecord
    | ExpandRecord
    | AssessRecord
    | AnswerRecord
    | VerifyRecord,
    Field(discriminator="name"),
]


class Trace(Value):
    """One run, with the settings and fingerprints that produced it.

    `parts`: the runs of the questions of a long text, each with the markers of its own answer.
    """

    question: str
    as_of: date
    started_at: datetime
    elapsed_ms: float = 0.0
    mode: str = "offline"
    settings: tuple[tuple[str, str], ...] = ()
    index: str = ""
    error: str = ""
    stages: tuple[AnyRecord, ...] = ()
    parts: tuple[Trace, ...] = ()

    @property
    def records(self) -> tuple[AnyRecord, ...]:
        """The records of its stages and of those of its parts."""
        return (*self.stages, *(record for part in self.parts for record in part.records))

    def stage(self, name: str) -> AnyRecord | None:
        """The record of the last run of that stage."""
        return next((record for record in reversed(self.stages) if record.name == name), None)
