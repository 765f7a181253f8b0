"""Evaluations: each case is stored as soon as it is measured, so that a dead process loses none."""

import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Update, delete, select, update

from core.errors import NotFound
from rag.evaluation.results import CaseResult, Evaluation, EvaluationState, Summary
from rag.shared.trace import Trace
from storage.base.engine import Store, required, touched
from storage.tables.columns import from_json, silent, to_json
from storage.tables.evaluations import EvaluationCaseRow, EvaluationRow, EvaluationTraceRow

MISSING = "No existe esa evaluación."
RUNNING = EvaluationState.RUNNING.value


class SqlEvaluationStore(Store):
    """Evaluations: every reviewer sees all of them. Has the port `EvaluationStore`.

    Raises (all methods): StorageError; NotFound for an evaluation that does not exist (`evaluation`,
    `results`, `case_trace`, `remove`).
    """

    def start(
        self, owner: str, dataset: str, dataset_hash: str, total: int, facts: Mapping[str, str]
    ) -> Evaluation:
        now = datetime.now(UTC)
        row = EvaluationRow(
            id=uuid4().hex,
            owner=owner,
            dataset=dataset,
            dataset_hash=dataset_hash,
            total=total,
            done=0,
            state=RUNNING,
            error="",
            facts=dict(facts),
            created_at=now,
            updated_at=now,
        )
        with self._db.write() as session:
            session.add(row)
        return _evaluation(row)

    def record(self, evaluation_id: str, position: int, result: CaseResult, trace: Trace) -> None:
        """See the port. A case of an evaluation that was removed meanwhile is ignored."""
        with self._db.write() as session:
            one_more = {"done": EvaluationRow.done + 1, "state": RUNNING, "updated_at": datetime.now(UTC)}
            if not touched(session, _open(evaluation_id).values(**one_more)):
                return
            key = {"evaluation_id": evaluation_id, "position": position}
            session.add(EvaluationCaseRow(**key, body=to_json(result)))
            session.add(EvaluationTraceRow(**key, body=zlib.compress(to_json(trace).encode())))

    def beat(self, evaluation_id: str) -> None:
        """See the port. One that `recover` took for dead is under way again."""
        self._db.run(_open(evaluation_id).values(state=RUNNING, updated_at=datetime.now(UTC)))

    def finish(
        self, evaluation_id: str, state: EvaluationState, summary: Summary | None, error: str = ""
    ) -> None:
        """See the port. Raises ValueError when `state` is not an end."""
        if state is EvaluationState.RUNNING:
            raise ValueError("an evaluation cannot finish as running")
        now = datetime.now(UTC)
        self._db.run(
            _open(evaluation_id).values(
                state=state.value,
                summary=None if summary is None else to_json(summary),
                error=error,
                updated_at=now,
                finished_at=now,
            )
        )

    def evaluations(self, limit: int = 50) -> list[Evaluation]:
        query = select(EvaluationRow).order_by(EvaluationRow.created_at.desc(), EvaluationRow.id).limit(limit)
        return [_evaluation(row) for row in self._db.scalars(query)]

    def count(self) -> int:
        return self._db.count(of=EvaluationRow)

    def evaluation(self, evaluation_id: str) -> Evaluation:
        with self._db.read() as session:
            return _evaluation(required(session, EvaluationRow, evaluation_id, MISSING))

    def results(self, evaluation_id: str) -> list[CaseResult]:
        """Results of the cases done, in order; without those that another version of the program wrote."""
        query = (
            select(EvaluationCaseRow.body)
            .where(EvaluationCaseRow.evaluation_id == evaluation_id)
            .order_by(EvaluationCaseRow.position)
        )
        self.evaluation(evaluation_id)
        where = f"evaluation {evaluation_id}"
        found = [from_json(CaseResult, body, where) for body in self._db.scalars(query)]
        return [result for result in found if result is not None]

    def case_trace(self, evaluation_id: str, position: int) -> Trace | None:
        """The trace of a case; None when it is missing or written by another version of the program."""
        self.evaluation(evaluation_id)
        with self._db.read() as session:
            row = session.get(EvaluationTraceRow, (evaluation_id, position))
        body = None if row is None else zlib.decompress(row.body)
        return from_json(Trace, body, f"evaluation {evaluation_id}")

    def remove(self, evaluation_id: str) -> None:
        """Delete it with its cases and traces."""
        if not self._db.run(delete(EvaluationRow).where(EvaluationRow.id == evaluation_id)):
            raise NotFound(MISSING)

    def recover(self, older_than_seconds: float = 0) -> int:
        dead = silent(EvaluationRow.updated_at, datetime.now(UTC), older_than_seconds)
        return self._db.run(
            update(EvaluationRow)
            .where(EvaluationRow.state == RUNNING, dead)
            .values(state=EvaluationState.INTERRUPTED.value)
        )


def _open(evaluation_id: str) -> Update:
    """An update of that evaluation, unless it has ended."""
    return update(EvaluationRow).where(EvaluationRow.id == evaluation_id, EvaluationRow.finished_at.is_(None))


def _evaluation(row: EvaluationRow) -> Evaluation:
    return row.as_value(Evaluation, summary=from_json(Summary, row.summary, f"evaluation {row.id}"))
