"""The parts a run works with (`Services`) and the values its stages work on (`State`)."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date

from calculations.outcome import Outcome
from core.clock import today_in_spain
from core.profile import WIDE, Cuts, Profile, RerankStrategy
from index.vector_index import KnownNorms, PassageVectors, VectorIndex
from law.chunks import Chunk
from law.corpus_store import ChunkStore
from law.holdings import Holdings
from law.norm_names import NormCatalogue
from law.norms import Norm
from lexicon.synonyms import Synonyms
from models.chat import ChatModel, ModelCall, Turn
from models.embedder import Embedder
from rag.prompts import Prompts
from rag.question.understanding import Understanding, Unloaded
from rag.shared.answer_contract import Draft
from rag.shared.case_papers import Papers
from rag.shared.cited_answer import Answer, AnswerLength, Verdict
from rag.shared.hits import Context, Hit, SubQuery
from rag.shared.notices import Notice
from rag.shared.trace import SubSearch


class _EveryNorm(frozenset[str]):
    """A set that holds every norm."""

    def __contains__(self, _: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


EVERY_NORM = _EveryNorm()


@dataclass(frozen=True)
class Services:
    """Everything outside the engine; `reader` and `principal` are None without a model.

    Attributes:
        holdings: the norms of the corpus as they are now, made once a revision of it.
        known: what tells that a question belongs to a norm that is not loaded.
        passages: vectors of passages that need not be computed.
        without_aids: ids of norms whose search aids a run does as if they were not there (an evaluation).
        unseen: ids of norms whose search aids taught it nothing either.
    """

    profile: Profile
    store: ChunkStore
    index: VectorIndex
    prompts: Prompts
    synonyms: Synonyms
    holdings: Callable[[], Holdings]
    embedder: Embedder | None = None
    known: KnownNorms | None = None
    passages: PassageVectors | None = None
    reader: ChatModel | None = None
    principal: ChatModel | None = None
    without_aids: frozenset[str] = frozenset()
    unseen: frozenset[str] = frozenset()

    def catalogue(self) -> NormCatalogue:
        """Every norm that a text may name."""
        return self.holdings().names

    def for_one_run(self) -> "Services":
        """These with the norms as they are now. Reads the database, so a run calls it once, in a thread."""
        held = self.holdings()
        return replace(self, holdings=lambda: held)

    def seen(self, chunk: Chunk) -> Chunk:
        """The chunk, without its search aids if this run uses none of its norm."""
        return chunk.without_aids() if chunk.norm_id in self.without_aids else chunk

    @property
    def mode(self) -> str:
        return "model" if self.reader and self.principal else "offline"

    @property
    def rerank_strategy(self) -> RerankStrategy:
        """The configured reranker; by default listwise with a model, heuristic without (legal profile)."""
        if not self.profile.rag_enabled:
            return "none"
        return self.profile.rag_rerank_strategy or ("listwise" if self.reader else "heuristic")

    @property
    def cuts(self) -> Cuts:
        """The profile's cuts (S0.20-S0.24), raised to WIDE when a reranker follows the search."""
        cuts = self.profile.cuts
        return cuts if self.rerank_strategy == "none" else Cuts(*map(max, cuts, WIDE))

    def fingerprints(self) -> tuple[tuple[str, str], ...]:
        """(name, value) of the models, prompts and settings behind a run, for its trace; no secrets."""
        return (
            ("reader", self.reader.model if self.reader else ""),
            ("principal", self.principal.model if self.principal else ""),
            ("embeddings", self.embedder.name if self.embedder else ""),
            ("prompts", self.prompts.fingerprint),
            *((name, str(getattr(self.profile, name))) for name in Profile.model_fields),
        )


@dataclass(frozen=True)
class Event:
    """Progress of a run: a stage starts or ends, or the draft grows.

    Attributes:
        kind: 'stage_started' | 'stage_finished' | 'delta'.
        text: the whole draft so far (kind 'delta'), or the fallback note of a finished stage.
    """

    kind: str
    stage: str = ""
    elapsed_ms: float = 0.0
    text: str = ""


OnEvent = Callable[[Event], None]


def _no_draft() -> Draft:
    return Draft.model_construct(answer="", confidence=0.0, refusal=True)


# Without a repr: the question and the papers of a person belong in no log, and an event loop asks for it.
@dataclass(repr=False)
class State:
    """Values that the stages of one run pass on to each other.

    Attributes:
        background: the long text that the question was taken from; empty if it stands alone.
        as_of: the day whose law is searched; without a day chosen by the reader (`as_of_given`), the stage
            `understand` takes the one that the question names, else it stays `today`.
        other_days: days that the question may be about, besides `as_of`.
        length: how much the answer says.
        kept_seconds: the last of the run's time, which models leave for the answer without them.
        later: the norm that governs today what is asked, if it is later than `as_of`.
        papers: documents of the person who asks; None for a plain question.
        own_search: the search in them, beside that of the law.
        vectors: of the queries searched so far, by text: a search of another day needs no new ones.
        found: number of a sub-query to the keys of its hits, best first.
        unloaded: a norm that is not loaded and seems to answer better than what is.
        calculated: calculations of the program that the answer may use.
        answerable: log-odds, by the meaning of the question alone, that the shipped norms answer it; None
            where that says nothing of what is loaded.
        doubt: Spanish clause on what the draft may lack, for its confidence; may be empty.
        notices: those of the stages, in the order of the notes of the answer.
    """

    question: str
    as_of: date
    as_of_given: bool = True
    today: date = field(default_factory=today_in_spain)
    other_days: tuple[date, ...] = ()
    length: AnswerLength = AnswerLength.NORMAL
    later: Norm | None = None
    understanding: Understanding = field(default_factory=Understanding)
    background: str = ""
    history: tuple[Turn, ...] = ()
    on_event: OnEvent = lambda event: None
    deadline: float = field(default_factory=lambda: time.monotonic() + 3600)
    kept_seconds: float = 0.0
    raw_search: asyncio.Task[tuple[SubSearch, list[Hit], tuple[ModelCall, ...], str]] | None = None
    papers: Papers | None = None
    own_search: asyncio.Task[list[Hit]] | None = None
    queries: list[SubQuery] = field(default_factory=list)
    vectors: dict[str, tuple[float, ...]] = field(default_factory=dict)
    found: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    candidates: list[Hit] = field(default_factory=list)
    ranked: list[Hit] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    verdict: Verdict = Verdict.SUFFICIENT
    missing: list[str] = field(default_factory=list)
    unloaded: Unloaded | None = None
    answerable: float | None = None
    reasons: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    calculated: list[Outcome] = field(default_factory=list)
    context: Context = field(default_factory=lambda: Context(hits=()))
    draft: Draft = field(default_factory=_no_draft)
    doubt: str = ""
    signals: tuple[tuple[str, float], ...] = ()
    rule_confidence: float = 0.0
    answer: Answer | None = None

    @property
    def asked(self) -> str:
        """The question as it was understood: without chat spelling, with its accents."""
        return self.understanding.cleaned or self.question

    def seconds_left(self, stage_limit: float) -> float:
        """Seconds that a model may take: the limit of its stage, or the run's time without what is kept."""
        return self.own_seconds(stage_limit, self.kept_seconds)

    def own_seconds(self, stage_limit: float, kept: float = 0.0) -> float:
        """Seconds that our own work may take: its limit or the rest of the run's time, whichever is less."""
        return max(0.0, min(stage_limit, self.deadline - kept - time.monotonic()))
