"""Settings of the pipeline, declared once; `service.config.Settings` reads them from the environment."""

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_settings import NoDecode

from core.errors import InputError

RerankStrategy = Literal["none", "heuristic", "listwise", "pointwise", "judge"]

SearchStrategy = Literal["auto", "flat", "hierarchical"]


class Cuts(NamedTuple):
    """Number of hits that each search step keeps: rankings, collections, sub-queries, their union."""

    prefetch: int
    per_collection: int
    per_query: int
    merged: int


# Features cost microseconds per candidate, so the heuristic ranks many; a model reads only the best of them.
WIDE = Cuts(prefetch=100, per_collection=300, per_query=300, merged=300)


class Profile(BaseModel):
    """Cuts, caps and time limits of one run; the defaults are the legal profile of requirements.md.

    Attributes:
        rag_enabled: False leaves lexical search only, without filters of the question or reranking (S2.51).
        rag_search_strategy: 'auto' searches by document for comparisons only (X.13).
        rag_max_chunks_in_prompt: hits kept by the reranker, before references and NEED (S2.32).
        verify_claims: the reader judges each sentence of a model's answer against what it cites.
        collection_weights: collection to weight; only these collections are searched (S0.24).
        search_prefetch: length of each dense and sparse ranking (S0.23).
        hierarchical_*: chunks that choose the documents, documents kept, chunks kept of each (S3.40).
        refs_per_chunk, refs_total: caps of reference expansion, 0 = no cap (X.8).
        context_tokens: budget of the context block (S3.72).
        answer_chars: length of a model's answer, without its markers, beyond which it is asked to be shorter.
        agent_rounds: replies of the model with tool calls in one investigation, at most (X.16).
        agent_tokens: tokens sent and received over all rounds of one investigation.
        agent_result_chars: characters of tool results given back to the model in one round.
        agent_seconds: time for all rounds together, on top of run_budget_seconds.
        *_seconds: time limit of a stage before it degrades; run_budget_seconds for the whole run.
    """

    model_config = ConfigDict(frozen=True)

    rag_enabled: bool = True
    rag_search_strategy: SearchStrategy = "auto"
    rag_rerank_strategy: RerankStrategy | None = None
    rag_grounded_prompting: bool = True
    verify_claims: bool = True
    rag_max_chunks_in_prompt: int = Field(default=8, ge=1, le=8)
    collection_weights: Annotated[dict[str, float], NoDecode] = Field(
        default_factory=lambda: {
            "normativa": 1.0,
            "sentencias": 0.8,
            "criterios_inss": 0.9,
            "documentos": 0.7,
        }
    )
    search_prefetch: int = Field(default=20, ge=1, le=200)
    search_per_collection: int = Field(default=10, ge=1, le=100)
    search_per_query: int = Field(default=20, ge=1, le=200)
    search_merged: int = Field(default=30, ge=1, le=300)
    hierarchical_chunks: int = Field(default=50, ge=1, le=300)
    hierarchical_documents: int = Field(default=15, ge=1, le=100)
    hierarchical_chunks_per_document: int = Field(default=3, ge=1, le=20)
    refs_per_chunk: int = Field(default=3, ge=0)
    refs_total: int = Field(default=5, ge=0)
    assess_rounds: int = Field(default=2, ge=0, le=2)
    context_tokens: int = Field(default=20_000, ge=500)
    answer_chars: int = Field(default=6000, ge=500)
    history_decompose_messages: int = Field(default=4, ge=0)
    history_decompose_chars: int = Field(default=300, ge=1)
    history_answer_messages: int = Field(default=6, ge=0)
    agent_rounds: int = Field(default=6, ge=1, le=6)
    agent_tokens: int = Field(default=120_000, ge=1000)
    agent_result_chars: int = Field(default=30_000, ge=1000)

    run_budget_seconds: float = Field(default=120.0, gt=0)
    decompose_seconds: float = Field(default=15.0, gt=0)
    search_seconds: float = Field(default=15.0, gt=0)
    rerank_seconds: float = Field(default=20.0, gt=0)
    assess_seconds: float = Field(default=40.0, gt=0)
    answer_seconds: float = Field(default=90.0, gt=0)
    verify_seconds: float = Field(default=40.0, gt=0)
    agent_seconds: float = Field(default=90.0, gt=0)

    @field_validator("rag_rerank_strategy", mode="before")
    @classmethod
    def _alias(cls, value: object) -> object:
        """Accepts 'gemini', the name that S2.20 gives to 'pointwise'."""
        return "pointwise" if value == "gemini" else value

    @field_validator("collection_weights", mode="before")
    @classmethod
    def _parse_weights(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        try:
            pairs = [pair.split("=") for pair in value.split(",") if pair.strip()]
            return {name.strip(): float(weight) for name, weight in pairs}
        except ValueError as error:
            raise ValueError("escríbalo como normativa=1.0,sentencias=0.8") from error

    @field_validator("collection_weights")
    @classmethod
    def _weights_above_zero(cls, value: dict[str, float]) -> dict[str, float]:
        if not value or min(value.values()) <= 0:
            raise ValueError("indique al menos una colección, cada una con un peso mayor que 0")
        return value

    def check_collection(self, name: str) -> None:
        """Raises InputError when there is no such collection."""
        known = self.collection_weights
        if name not in known:
            raise InputError(f"No existe la colección «{name}»: elija una de {', '.join(known)}.")

    @property
    def cuts(self) -> Cuts:
        """The configured cuts of the search."""
        return Cuts(
            self.search_prefetch, self.search_per_collection, self.search_per_query, self.search_merged
        )
