"""Evaluations in the background: owned by the process, not by a page, which may be closed meanwhile."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from core.clock import today_in_spain
from core.errors import ArticuladoError, InputError
from models.metering import Spend, metering, nothing
from rag.evaluation.cases import Dataset, dataset_files, read_dataset
from rag.evaluation.evaluation_store import EvaluationStore
from rag.evaluation.measurement import evaluate
from rag.evaluation.report import summarise
from rag.evaluation.results import Aids, CaseResult, Evaluation, EvaluationState
from rag.evaluation.reviewed_cases import DATASET, CaseSource, review_dataset
from rag.shared.state import Services
from rag.shared.trace import Trace

logger = logging.getLogger(__name__)

BEAT_SECONDS = 2.0
STALE_SECONDS = 10.0
LOOK_SECONDS = 0.2
INTERNAL_ERROR = "La evaluación no se pudo completar por un error interno; revise el registro."


@dataclass
class Progress:
    """An evaluation under way, which a page may poll from another thread."""

    id: str
    dataset: str
    total: int
    done: int = 0
    stop: EvaluationState | None = None
    finished: threading.Event = field(default_factory=threading.Event)


class EvaluationRunner:
    """Starts, follows and stops evaluations, one at a time. Every method may be called from any thread."""

    def __init__(
        self,
        services: Callable[[], Services],
        store: EvaluationStore,
        facts: Callable[[], Mapping[str, str]],
        *,
        folders: Sequence[Path] = (),
        reviewed: CaseSource | None = None,
        spend: Spend = nothing,
    ) -> None:
        """Keep the parts; nothing runs until `start`.

        Args:
            facts: called at each start for the facts that the result depends on.
            folders: folders of the data sets.
            reviewed: the cases made of reviewed answers, which form a set of their own.
            spend: called with the model calls of each evaluation.
        """
        self._services = services
        self.store = store
        self._facts = facts
        self._folders = folders
        self._reviewed = reviewed
        self._spend = spend
        self._lock = threading.Lock()
        self._active: Progress | None = None

    @property
    def active(self) -> Progress | None:
        return self._active

    def datasets(self) -> Mapping[str, Callable[[], Dataset]]:
        """Name to reader of the available sets: the files, and the review cases if any.

        A reader raises InputError when its file is not a valid set; see `read_dataset`.
        """
        found = {name: partial(read_dataset, path) for name, path in dataset_files(*self._folders).items()}
        cases = self._reviewed.cases() if self._reviewed else []
        return found | ({DATASET: partial(review_dataset, cases)} if cases else {})

    def start(self, owner: str, dataset: Dataset, aids: Aids = Aids.ALL) -> Progress:
        """Start measuring the cases of a set in a thread.

        Raises:
            InputError: another evaluation is under way.
            IndexUnavailable, StorageError: nothing can be searched or stored now.
        """
        services = self._services()
        with self._lock:
            if self._active is not None:
                raise InputError("Espere a que termine la evaluación en curso o cancélela.")
            facts = {**self._facts(), "aids": aids.value}
            begun = self.store.start(owner, dataset.name, dataset.content_hash, len(dataset.cases), facts)
            current = Progress(begun.id, begun.dataset, begun.total)
            self._active = current
        work = self._measure(current, dataset, services, owner, aids)
        threading.Thread(target=asyncio.run, args=(work,), daemon=True, name="evaluation").start()
        return current

    def cancel(self, evaluation_id: str) -> None:
        """Stop it; the cases measured so far stay."""
        current = self._active
        if current is not None and current.id == evaluation_id:
            current.stop = EvaluationState.CANCELLED

    def evaluations(self, limit: int = 50) -> list[Evaluation]:
        """The stored evaluations, latest first; those whose process died are marked as interrupted first."""
        found = self.store.evaluations(limit)
        current = self._active
        alive = current.id if current else ""
        if any(one.state is EvaluationState.RUNNING and one.id != alive for one in found):
            self.store.recover(STALE_SECONDS)
            return self.store.evaluations(limit)
        return found

    def close(self, seconds: float = 5.0) -> None:
        """Stop the evaluation under way and wait up to `seconds` for it to be stored as interrupted."""
        current = self._active
        if current is not None:
            current.stop = EvaluationState.INTERRUPTED
            current.finished.wait(seconds)

    async def _measure(
        self, current: Progress, dataset: Dataset, services: Services, owner: str, aids: Aids
    ) -> None:
        results: list[CaseResult] = []

        def keep(position: int, result: CaseResult, trace: Trace) -> None:
            self.store.record(current.id, position, result, trace)
            results.append(result)
            current.done = position + 1

        state, error = EvaluationState.FAILED, INTERNAL_ERROR
        try:
            with metering(owner, self._spend):
                cases = asyncio.ensure_future(
                    evaluate(dataset.cases, services, today=today_in_spain(), aids=aids, on_result=keep)
                )
                await self._watch(current, cases)
                await cases
            state, error = EvaluationState.DONE, ""
        except asyncio.CancelledError:
            state, error = current.stop or EvaluationState.INTERRUPTED, ""
        except ArticuladoError as failure:
            error = str(failure)
        except Exception:
            logger.exception("evaluation %s failed", current.id)
        finally:
            self._finish(current, state, results, error)

    async def _watch(self, current: Progress, cases: asyncio.Future[list[CaseResult]]) -> None:
        """Store signs of life until the cases are done, and cancel them when `current.stop` is set."""
        beaten = time.monotonic()
        while not cases.done():
            await asyncio.wait({cases}, timeout=LOOK_SECONDS)
            if current.stop is not None:
                cases.cancel()
            if time.monotonic() - beaten > BEAT_SECONDS:
                beaten = time.monotonic()
                with suppress(ArticuladoError):
                    await asyncio.to_thread(self.store.beat, current.id)

    def _finish(
        self, current: Progress, state: EvaluationState, results: list[CaseResult], error: str
    ) -> None:
        try:
            self.store.finish(current.id, state, summarise(results) if results else None, error)
        except ArticuladoError:
            logger.exception("evaluation %s could not be stored", current.id)
        finally:
            with self._lock:
                self._active = None
            current.finished.set()
