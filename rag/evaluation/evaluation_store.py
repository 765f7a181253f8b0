"""Protocol of the stored evaluations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rag.evaluation.results import CaseResult, Evaluation, EvaluationState, Summary
from rag.shared.trace import Trace


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
