"""Evaluation cases made of reviewed answers, and the set of them."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol

from pydantic import Field

from core.values import Value
from models.chat import Turn
from rag.evaluation.cases import Case, Dataset


class CorrectCitation(Value):
    """An article that the answer should cite: grade 2 = the answer, 1 = helps.

    `norm` is the identifier that evaluation labels use: the id of the BOE's norm, not of its summary.
    """

    norm: str
    article: str
    grade: int = Field(default=2, ge=1, le=2)


class ReviewCase(Value):
    """An evaluation case made of a reviewed answer: a copy that outlives the conversation.

    `relevant` empty = the question must be refused; `as_of` is the day whose law the answer spoke of.
    """

    id: str
    question: str = Field(min_length=1)
    relevant: tuple[CorrectCitation, ...] = ()
    category: str = "review"
    as_of: date | None = None
    history: tuple[Turn, ...] = ()


class CaseSource(Protocol):
    """Store of the cases made of reviewed answers."""

    def cases(self) -> list[ReviewCase]:
        """All cases, in order of creation."""
        ...


DATASET = "review"


def review_dataset(cases: Sequence[ReviewCase]) -> Dataset:
    """The data set of these cases, as if read from a file of `as_lines`."""
    lines = as_lines(cases)
    read = tuple(Case.model_validate(case.model_dump()) for case in cases)
    return Dataset(DATASET, hashlib.sha256(lines.encode()).hexdigest(), read)


def as_lines(cases: Iterable[ReviewCase]) -> str:
    """The cases as one JSON object per line, the format of `rag.evaluation.cases.read_dataset`."""
    return "".join(f"{case.model_dump_json(exclude_none=True)}\n" for case in cases)
