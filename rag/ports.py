"""Protocols of the models, the index and the stores that the engine uses. Tests fake them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Protocol

from rag.evaluation.types import CaseResult, Evaluation, EvaluationState, Summary
from rag.index.ports import IndexContent
from rag.index.types import Fingerprint
from rag.ingestion.records import DocumentRecord, JobChange, Referrer
from rag.trace import ModelCall, Trace
from rag.types import (
    Answer,
    Block,
    BlockKind,
    Chunk,
    Document,
    Message,
    MessageState,
    Norm,
    Reference,
    Turn,
    Value,
)


class ChatMessage(Value):
    """One message of a prompt: role 'system', 'user', 'assistant' or 'tool'.

    Attributes:
        call_id: of a tool's message, the `FunctionCall.id` that it answers.
        items: of an assistant's message, `ModelCall.items`: they go back to the endpoint as it wrote them.
    """

    role: str
    content: str
    call_id: str = ""
    items: tuple[Mapping[str, Any], ...] = ()


class FunctionTool(Value):
    """A function that a model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ChatModel(Protocol):
    """A chat model in one role (reader or principal); `endpoint` is address and key, and is never shown."""

    role: str
    model: str
    endpoint: Hashable

    @property
    def calls_functions(self) -> bool:
        """True if `complete` takes `tools`; False from the first time that the endpoint refuses them."""
        ...

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any] | None = None,
        tools: Sequence[FunctionTool] = (),
        on_delta: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> ModelCall:
        """Ask once (with the adapter's own retries) and return the call with its output.

        Args:
            schema: JSON schema of the output; used as structured output where the endpoint has it.
            tools: functions that the model may call instead of, or besides, writing text; only where
                `calls_functions`. Each call of the reply must be answered by a message of role 'tool'.
            on_delta: called with each piece of text as it arrives; with it, the reply is streamed.
            timeout: seconds for the whole call, retries included.

        Raises:
            ModelTimeout, ModelRejected, ModelError: see rag.errors.

        Cancelling the awaiting task closes the connection at once.
        """
        ...


class Embedder(Protocol):
    """Texts to unit vectors; queries and passages may use different prefixes."""

    name: str
    dimensions: int

    async def embed_queries(self, texts: Sequence[str]) -> tuple[list[tuple[float, ...]], ModelCall]: ...

    def embed_passages(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Vectors of `texts`, in order; long texts are the normalised mean of their windows.

        Raises:
            EmbedderUnavailable: the model cannot run here or its endpoint failed.
        """
        ...


class KnownNorms(Protocol):
    """Questions that known norms answer, loaded or not."""

    def norms(self) -> frozenset[str]:
        """Their ids."""
        ...

    def nearness(self, model: str, vector: Sequence[float]) -> dict[str, float]:
        """Id of each norm to how near it is to a question, a cosine; empty for another model's vector."""
        ...


class PassageVectors(Protocol):
    """Vectors of passages, as questions are embedded, that need not be computed."""

    def get(self, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """Unit vectors of those of `texts` that are known of a model, by text."""
        ...

    def past(self, model: str, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        """As `get`, of wordings that are no longer in force: they only save making a vector."""
        ...

    def nearest(self, model: str, vector: Sequence[float], chunks: Sequence[Chunk]) -> dict[str, float]:
        """Cosine of a vector with the nearest passage of each chunk, by its id; none where none is known."""
        ...


class VectorIndex(IndexContent, Protocol):
    """A derived, disposable index of chunks."""

    def open(self, fingerprint: Fingerprint) -> None:
        """Open or create. Raises IndexMismatch when it was built with another fingerprint."""
        ...

    def reset(self, fingerprint: Fingerprint) -> None:
        """Drop everything and start empty with this fingerprint."""
        ...

    def close(self) -> None: ...


class ChunkStore(Protocol):
    """Reads of the corpus that the pipeline makes; the SQL database behind it is the truth."""

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        """The chunks that exist, in the order of `ids`."""
        ...

    def find(self, norm_id: str, label: str, as_of: date | None = None) -> list[Chunk]:
        """Every part of the block with that label in force on `as_of` (all wordings when None), in order."""
        ...

    def referenced(self, chunk_ids: Sequence[str], as_of: date) -> dict[str, list[str]]:
        """For each chunk id, the ids of the chunks its text refers to, in force on `as_of`."""
        ...

    def norms(self) -> list[Norm]: ...

    def norm(self, norm_id: str) -> Norm | None: ...

    def block(self, norm_id: str, block_id: str) -> Block | None:
        """The block with all its wordings."""
        ...

    def vector_gaps(self, as_of: date) -> VectorGaps:
        """Chunks in force on that day whose vectors the index lacks; cheap when it has them all."""
        ...


class CorpusStore(ChunkStore, Protocol):
    """The corpus as pages and ingestion read it."""

    def document(self, norm_id: str) -> Document | None:
        """The norm with its blocks and all their wordings, in reading order."""
        ...

    def norm_chunks(self, norm_id: str, offset: int = 0, limit: int | None = None) -> list[Chunk]:
        """The chunks of a norm in reading order, the wording in force first in each block."""
        ...

    def norm_outline(self, norm_id: str, as_of: date) -> list[tuple[str, BlockKind]]:
        """Id and kind of each chunk of a norm in force on that day, in reading order; cheap."""
        ...

    def referrers(self, norm_id: str, limit: int = 50) -> tuple[list[Referrer], int]:
        """(at most `limit` chunks of other norms whose text refers to that norm, their total number)."""
        ...

    def norms_with_texts(self, texts: Sequence[str]) -> set[str]:
        """Ids of the norms with a chunk whose text equals one of these exactly."""
        ...

    def ids(self) -> set[str]:
        """Every chunk id."""
        ...

    def all_chunks(self, batch: int = 500) -> Iterable[list[Chunk]]: ...

    def blocks(self, norm_id: str) -> list[Block]:
        """The blocks of a norm in reading order, without their wordings."""
        ...

    def counts(self) -> CorpusCounts: ...

    def revision(self, *, fresh: bool = False) -> str:
        """A value that differs after every change of the corpus; cheap.

        Changes of another process show within 0.2 s, or at once with `fresh`.
        """
        ...

    def fingerprint(self) -> str:
        """Short hash of every chunk's text and validity; equal hashes mean the same searchable corpus."""
        ...


class CorpusWriter(Protocol):
    """Writes of the corpus, a norm at a time."""

    def save(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        references: Mapping[str, Sequence[Reference]],
        record: DocumentRecord | None = None,
        expected: str | None = None,
        *,
        undo: JobChange | None = None,
        undone: str = "",
    ) -> CorpusChange:
        """Replace the norm, and its `record` if given, in one transaction that touches only what differs.

        Args:
            undo: what a job replaces with this, kept with the job unless nothing differs.
            undone: id of a job of which this undoes the change of the norm.

        Raises:
            ChangedMeanwhile: its `norm_hash` is not the `expected` one; nothing is stored.
        """
        ...

    def remove(self, norm_id: str, *, undo: JobChange | None = None) -> CorpusChange:
        """Delete the norm; `undo` as in `save`."""
        ...

    def update(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        record: DocumentRecord | None = None,
        expected: str | None = None,
        *,
        undoable: bool = False,
    ) -> CorpusChange:
        """Like `save`, for the same chunk ids (else ChangedMeanwhile); cross-references stay as they are.

        Args:
            undoable: a load of the norm that could be undone before this still can.
        """
        ...

    def norm_hash(self, norm_id: str) -> str:
        """Hash of everything stored about a norm, its record included; empty when the norm is unknown."""
        ...


ENOUGH = 0.9
"""Share of the texts in force that must have vectors."""


class VectorGaps(Value):
    """Chunks without vectors in the index: how many of `total`, and the norms that they belong to.

    `total` is 0 when none is missing.
    """

    missing: int = 0
    total: int = 0
    norms: frozenset[str] = frozenset()

    @property
    def too_many(self) -> bool:
        """True if nothing may be searched by meaning: the nearest of a few is no evidence."""
        return self.missing > (1 - ENOUGH) * self.total


class CorpusCounts(Value):
    """Sizes of the corpus; `pending_dense` counts chunks without a dense vector in the index."""

    norms: int
    chunks: int
    pending_dense: int


class CorpusChange(Value):
    """Result of a save: ids of the chunks added, changed and removed, and the number left unchanged.

    Attributes:
        revision_before, revision: of the corpus, before and after the save.
    """

    norm_id: str
    revision_before: str = ""
    revision: str = ""
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0


class VectorCache(Protocol):
    """Embeddings by (model, content hash)."""

    def remove(self, hashes: Sequence[str]) -> int:
        """Delete these vectors of every model; returns how many there were."""
        ...

    def get(self, model: str, hashes: Sequence[str]) -> dict[str, tuple[float, ...]]: ...

    def put(self, model: str, vectors: Mapping[str, Sequence[float]]) -> None: ...


class ConversationStore(Protocol):
    """Conversations as runs write them; ownership is checked on every call that names an owner."""

    def ask(
        self,
        owner: str,
        conversation_id: str,
        question: str,
        as_of: date | None = None,
        replaces: int | None = None,
    ) -> tuple[Message, Message]:
        """Store the question and a pending answer in one transaction, before any work starts.

        It follows the branch that is shown or, as another version, what the question `replaces` follows.
        """
        ...

    def checkpoint(self, message_id: int, text: str) -> None:
        """Store the answer's text so far; only while the answer is pending or running."""
        ...

    def finish(
        self, message_id: int, state: MessageState, text: str, answer: Answer | None, trace: Trace | None
    ) -> None: ...

    def history(self, owner: str, conversation_id: str, before: int, limit: int) -> list[Turn]:
        """The last `limit` completed messages that the question with that id follows, oldest first (X.2)."""
        ...

    def recover(self, older_than_seconds: float = 0) -> int:
        """Mark as interrupted the answers without a sign of life for that long; returns how many."""
        ...


class EvaluationStore(Protocol):
    """Evaluations as their runner writes them, with the result and the trace of each case."""

    def start(
        self, owner: str, dataset: str, dataset_hash: str, total: int, facts: Mapping[str, str]
    ) -> Evaluation: ...

    def record(self, evaluation_id: str, position: int, result: CaseResult, trace: Trace) -> None:
        """Store a case in one transaction with the count of cases done; it is a sign of life too."""
        ...

    def beat(self, evaluation_id: str) -> None:
        """Store a sign of life; only while the evaluation is under way."""
        ...

    def finish(
        self, evaluation_id: str, state: EvaluationState, summary: Summary | None, error: str = ""
    ) -> None:
        """Store the end of an evaluation; only the first call has any effect."""
        ...

    def evaluation(self, evaluation_id: str) -> Evaluation:
        """One of them. Raises NotFound."""
        ...

    def results(self, evaluation_id: str) -> list[CaseResult]:
        """Results of the cases done, in order."""
        ...

    def evaluations(self, limit: int = 50) -> list[Evaluation]:
        """The stored evaluations, latest first."""
        ...

    def recover(self, older_than_seconds: float = 0) -> int:
        """Mark as interrupted the evaluations without a sign of life for that long; returns how many."""
        ...
