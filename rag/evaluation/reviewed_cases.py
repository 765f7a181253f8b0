"""Evaluation cases made of reviewed answers, and the set of them."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal, Protocol

from pydantic import Field

from core.values import Value
from models.chat import Turn
from rag.evaluation.cases import Case, Dataset, Fact


class CorrectCitation(Value):
    """An article that the answer should cite: grade 2 = the answer, 1 = helps.

    `norm` is the identifier that evaluation labels use: the id of the BOE's norm, not of its summary.
    """

    norm: str
    article: str
    grade: int = Field(default=2, ge=1, le=2)


class Wanted(Value):
    """Conditions of a right answer besides the articles that answer.

    Attributes:
        facts: words that it must have, in its text or a quotation.
        forbidden: words that it must not have.
        surplus: articles that it must not cite.
        yes_no: its direct answer.
        day: the day whose law it must apply, which the question gives.
    """

    facts: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    surplus: tuple[CorrectCitation, ...] = ()
    yes_no: Literal["sí", "no"] | None = None
    day: date | None = None


class ReviewCase(Value):
    """An evaluation case made of a reviewed answer: a copy that outlives the conversation.

    Without `relevant` and `expect` the question must be refused; `as_of` is the day whose law the answer
    spoke of, unless `expected_as_of` says which the question gives. The other fields are those of `Case`.
    """

    id: str
    question: str = Field(min_length=1)
    relevant: tuple[CorrectCitation, ...] = ()
    category: str = "review"
    as_of: date | None = None
    history: tuple[Turn, ...] = ()
    expect: Literal["answered"] | None = None
    expected_as_of: date | None = None
    facts: tuple[Fact, ...] = ()
    forbidden: tuple[str, ...] = ()
    surplus: tuple[CorrectCitation, ...] = ()
    yes_no: Literal["sí", "no"] | None = None
    must_cite: bool = False

    @property
    def measured(self) -> Case:
        """The case as an evaluation runs it."""
        return Case.model_validate(self.model_dump())


class CaseSource(Protocol):
    """Store of the cases made of reviewed answers."""

    def cases(self) -> list[ReviewCase]:
        """All cases, in order of creation."""
        ...


DATASET = "review"


def review_dataset(cases: Sequence[ReviewCase]) -> Dataset:
    """The data set of these cases, as if read from a file of `as_lines`."""
    lines = as_lines(cases)
    read = tuple(case.measured for case in cases)
    return Dataset(DATASET, hashlib.sha256(lines.encode()).hexdigest(), read)


def as_lines(cases: Iterable[ReviewCase]) -> str:
    """The cases as one JSON object per line, the format of `rag.evaluation.cases.read_dataset`."""
    return "".join(f"{case.model_dump_json(exclude_none=True)}\n" for case in cases)
