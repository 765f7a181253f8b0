"""Evaluations: each case is stored as soon as it is measured, so that a dead process loses none."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeVar
from uuid import uuid4

from pydantic import BaseModel, ValidationError
from sqlalchemy import delete, select, update

from rag.errors import NotFound
from rag.evaluation.types import CaseResult, Evaluation, EvaluationState, Summary
from rag.trace import Trace
from storage.database import Engines
from storage.tables.columns import silent, to_json
from storage.tables.core import EvaluationCaseRow, EvaluationRow, EvaluationTraceRow

V = TypeVar("V", bound=BaseModel)
RUNNING = EvaluationState.RUNNING.value
log = logging.getLogger(__name__)


class SqlEvaluationStore:
    """The `EvaluationStore` port over SQLite or PostgreSQL.

    Raises (all methods): StorageError; NotFound for an evaluation that does not exist (`evaluation`,
    `results`, `case_trace`, `remove`).
    """

    def __init__(self, engines: Engines) -> None:
        self._db = engines

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
            session.commit()
            return _evaluation(row)

    def record(self, evaluation_id: str, position: int, result: CaseResult, trace: Trace) -> None:
        """See the port. A case of an evaluation that was removed meanwhile is ignored."""
        with self._db.write() as session:
            alive = session.scalar(
                update(EvaluationRow)
                .where(EvaluationRow.id == evaluation_id, EvaluationRow.finished_at.is_(None))
                .values(done=EvaluationRow.done + 1, state=RUNNING, updated_at=datetime.now(UTC))
                .returning(EvaluationRow.id)
            )
            if alive is None:
                return
            key = {"evaluation_id": evaluation_id, "position": position}
            session.add(EvaluationCaseRow(**key, body=_body(result)))
            session.add(EvaluationTraceRow(**key, body=zlib.compress(_body(trace).encode())))
            session.commit()

    def beat(self, evaluation_id: str) -> None:
        """See the port. One that `recover` took for dead is under way again."""
        with self._db.write() as session:
            session.execute(
                update(EvaluationRow)
                .where(EvaluationRow.id == evaluation_id, EvaluationRow.finished_at.is_(None))
                .values(state=RUNNING, updated_at=datetime.now(UTC))
            )
            session.commit()

    def finish(
        self, evaluation_id: str, state: EvaluationState, summary: Summary | None, error: str = ""
    ) -> None:
        """See the port. Raises ValueError when `state` is not an end."""
        if state is EvaluationState.RUNNING:
            raise ValueError("an evaluation cannot finish as running")
        now = datetime.now(UTC)
        with self._db.write() as session:
            session.execute(
                update(EvaluationRow)
                .where(EvaluationRow.id == evaluation_id, EvaluationRow.finished_at.is_(None))
                .values(
                    state=state.value,
                    summary=None if summary is None else _body(summary),
                    error=error,
                    updated_at=now,
                    finished_at=now,
                )
            )
            session.commit()

    def evaluations(self, limit: int = 50) -> list[Evaluation]:
        query = select(EvaluationRow).order_by(EvaluationRow.created_at.desc(), EvaluationRow.id).limit(limit)
        with self._db.read() as session:
            return [_evaluation(row) for row in session.scalars(query)]

    def evaluation(self, evaluation_id: str) -> Evaluation:
        with self._db.read() as session:
            row = session.get(EvaluationRow, evaluation_id)
            if row is None:
                raise NotFound("No existe esa evaluación.")
            return _evaluation(row)

    def results(self, evaluation_id: str) -> list[CaseResult]:
        """See the port. A result that another version of the program wrote is left out."""
        query = (
            select(EvaluationCaseRow.body)
            .where(EvaluationCaseRow.evaluation_id == evaluation_id)
            .order_by(EvaluationCaseRow.position)
        )
        self.evaluation(evaluation_id)
        with self._db.read() as session:
            parsed = [_parsed(CaseResult, body, evaluation_id) for body in session.scalars(query)]
        return [result for result in parsed if result is not None]

    def case_trace(self, evaluation_id: str, position: int) -> Trace | None:
        """The trace of a case; None when it is missing or written by another version of the program."""
        self.evaluation(evaluation_id)
        with self._db.read() as session:
            row = session.get(EvaluationTraceRow, (evaluation_id, position))
        return None if row is None else _parsed(Trace, zlib.decompress(row.body), evaluation_id)

    def remove(self, evaluation_id: str) -> None:
        """Delete it with its cases and traces."""
        with self._db.write() as session:
            gone = session.scalar(
                delete(EvaluationRow).where(EvaluationRow.id == evaluation_id).returning(EvaluationRow.id)
            )
            if gone is None:
                raise NotFound("No existe esa evaluación.")
            session.commit()

    def recover(self, older_than_seconds: float = 0) -> int:
        with self._db.write() as session:
            recovered = session.scalars(
                update(EvaluationRow)
                .where(
                    EvaluationRow.state == RUNNING,
                    silent(EvaluationRow.updated_at, datetime.now(UTC), older_than_seconds),
                )
                .values(state=EvaluationState.INTERRUPTED.value)
                .returning(EvaluationRow.id)
            ).all()
            session.commit()
            return len(recovered)


def _evaluation(row: EvaluationRow) -> Evaluation:
    return Evaluation(
        id=row.id,
        owner=row.owner,
        dataset=row.dataset,
        dataset_hash=row.dataset_hash,
        total=row.total,
        done=row.done,
        state=EvaluationState(row.state),
        error=row.error,
        facts=row.facts,
        summary=None if row.summary is None else _parsed(Summary, row.summary, row.id),
        created_at=row.created_at,
        finished_at=row.finished_at,
    )


def _body(value: BaseModel) -> str:
    return to_json(value.model_dump(mode="json"))


def _parsed(kind: type[V], body: str | bytes, evaluation_id: str) -> V | None:
    """The stored value; it stays in the table when this version cannot read it."""
    try:
        return kind.model_validate_json(body)
    except ValidationError:
        log.warning("a %s of evaluation %s was written by another version", kind.__name__, evaluation_id)
        return None
