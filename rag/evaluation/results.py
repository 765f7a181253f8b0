"""Results of an evaluation: frozen values, no I/O. Shares are from 0 to 1, times in milliseconds."""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum

from pydantic import Field

from core.values import Value
from models.chat import Turn

Interval = tuple[float, float]


class Label(Value):
    """An article to find, and its place in the ranking: `rank` counts from 1, None = not found.

    `held`: True if the corpus has that article at all.
    """

    norm: str
    article: str
    grade: int
    held: bool
    rank: int | None = None


class Aids(StrEnum):
    """Search aids that an evaluation uses: all, none, or all but those of the norms asked about."""

    ALL = "all"
    NONE = "none"
    MIXED = "mixed"


class Found(Value):
    """An article of the ranking, at its best place."""

    rank: int
    norm: str
    article: str
    name: str
    score: float


class Miss(StrEnum):
    """Stage that lost a fact.

    RETRIEVAL = it was in no fragment of the context; DECISION = it was, and the question was refused;
    SENTENCE = no rule chose it; REASONING = no model told it; VERIFICATION = the draft told it and a check
    dropped it.
    """

    RETRIEVAL = "retrieval"
    DECISION = "decision"
    SENTENCE = "sentence"
    REASONING = "reasoning"
    VERIFICATION = "verification"


class FactTold(Value):
    """A fact that a right answer tells; `miss` is None if this one told it."""

    fact: str
    told: bool
    miss: Miss | None = None


class AnswerTold(Value):
    """Facts, quotations and checks of a verified answer.

    Attributes:
        quotes: number of its quotations, without those shown apart; `carrying` of them hold a string of some
            fact; `first`: the first one does, or what is said with it.
        forbidden: strings it has that only a wrong answer has.
        lacking: words of the right wording that no quotation has; `astray` = those of another that one has.
        yes_no: 'sí' or 'no' if it opens with that.
        opens: True if its text up to the first marker, or its first quotation, carries the fact that decides
            between sí and no; None if the question wants neither.
    """

    text: str
    facts: tuple[FactTold, ...] = ()
    quotes: int = 0
    carrying: int = 0
    first: bool = False
    forbidden: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    astray: tuple[str, ...] = ()
    yes_no: str | None = None
    opens: bool | None = None

    @property
    def right(self) -> bool:
        """True if it tells every fact and nothing forbidden."""
        return all(fact.told for fact in self.facts) and not self.forbidden


class CaseResult(Value):
    """One question: articles expected, articles found, and checks passed.

    Attributes:
        held: True if the corpus has an article that answers it; other cases are counted apart.
        scores: retrieval metrics; empty when the case expects no article.
        checks: 'retrieval' (an article of the best grade among the first three), 'refusal' (answered or
            refused as it should), and those that the case asks for: 'territory', 'as_of', 'must_contain' (the
            right wording among what would be read), 'quoted' (in the quotations), 'not_quoted' (no quotation
            of another), 'facts' (every fact told), 'forbidden' (nothing forbidden told), 'yes_no' (the direct
            answer, if it opens with one), 'surplus' (no such article cited) and 'cited' (one that answers).
        warned: the answer says that the law of its day is not at hand; None if the case does not ask for it.
        told: what the answer told; None if the case was taken only up to the assessment.
        as_of: the day whose law was searched.
        fallbacks: Spanish notes of the stages that used a fallback.
    """

    id: str
    question: str
    category: str
    history: tuple[Turn, ...] = ()
    answerable: bool
    held: bool = True
    labels: tuple[Label, ...] = ()
    found: tuple[Found, ...] = ()
    refused: bool
    confidence: float = 0.0
    as_of: date
    expected: Mapping[str, str] = Field(default_factory=dict, description="check to what it wanted to see")
    scores: Mapping[str, float] = Field(default_factory=dict)
    checks: Mapping[str, bool] = Field(default_factory=dict)
    fallbacks: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    told: AnswerTold | None = None
    warned: bool | None = None

    @property
    def right(self) -> bool:
        return all(self.checks.values())

    @property
    def rank(self) -> int | None:
        """Place, from 1, of the first article of the best grade; None if none was found."""
        best = max((label.grade for label in self.labels), default=0)
        return min(
            (label.rank for label in self.labels if label.grade == best and label.rank is not None),
            default=None,
        )


class Summary(Value):
    """Means over the cases that the corpus can answer, with 95 % intervals; and the same per category.

    Attributes:
        counts: number of questions that each mean is of; those of other versions lack it, and `misses`.
        misses: number of facts lost by each stage.
    """

    metrics: Mapping[str, int | float]
    intervals: Mapping[str, Interval]
    counts: Mapping[str, int] = Field(default_factory=dict)
    by_category: Mapping[str, Mapping[str, int | float]]
    category_intervals: Mapping[str, Mapping[str, Interval]]
    category_counts: Mapping[str, Mapping[str, int]] = Field(default_factory=dict)
    misses: Mapping[Miss, int] = Field(default_factory=dict)
    elapsed_ms: Mapping[str, float]


class EvaluationState(StrEnum):
    """State of an evaluation; INTERRUPTED = its process ended or gave no more signs of life."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class Evaluation(Value):
    """A stored evaluation without its cases.

    Attributes:
        dataset_hash: SHA-256 of the file's bytes (hex).
        done: cases measured so far, of `total`.
        facts: settings, models, prompts, index and corpus that its result depends on.
        summary: summary of the cases measured; None until it ends.
    """

    id: str
    owner: str
    dataset: str
    dataset_hash: str
    total: int
    done: int
    state: EvaluationState
    error: str = ""
    facts: Mapping[str, str] = Field(default_factory=dict)
    summary: Summary | None = None
    created_at: datetime
    finished_at: datetime | None = None
