"""`evaluate`: the figures of a set of questions with known answers."""

import asyncio
import hashlib
from typing import Annotated, Any

from pydantic import Field

from core.clock import today_in_spain
from core.errors import InputError
from core.progress import OnProgress
from core.values import Value
from rag.evaluation import measurement
from rag.evaluation.cases import Case, Dataset
from rag.evaluation.evaluation_runner import EvaluationRunner, Progress
from rag.evaluation.report import report
from rag.evaluation.results import Aids, EvaluationState
from service.contract.program import Program

MOST_CASES = 20_000
LOOK_SECONDS = 0.2
Report = dict[str, Any]


class EvaluateRequest(Value):
    """Cases as the lines of a set are.

    Attributes:
        name: that of the set.
        sha256: of the file of the set, by which two evaluations are known to be of one set; '': of the cases.
        save: it is kept, as one that the page «Evaluación» runs.
    """

    cases: Annotated[tuple[Case, ...], Field(min_length=1, max_length=MOST_CASES)]
    aids: Aids = Aids.ALL
    name: Annotated[str, Field(min_length=1, max_length=255)] = "api"
    sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    save: bool = False

    @property
    def dataset(self) -> Dataset:
        raw = self.model_dump_json(include={"cases"}).encode()
        return Dataset(self.name, self.sha256 or hashlib.sha256(raw).hexdigest(), self.cases)


def measure(program: Program, dataset: Dataset, aids: Aids, tell: OnProgress) -> Report:
    """The report of the cases, run one after another; an exception of `tell` ends it.

    Raises:
        RunFailed: the corpus cannot be read.
    """
    total = len(dataset.cases)
    work = measurement.evaluate(
        dataset.cases,
        program.services,
        today=today_in_spain(),
        aids=aids,
        on_result=lambda place, *_: tell("evaluar", place + 1, total),
    )
    return report(asyncio.run(work))


def followed(runner: EvaluationRunner, current: Progress, tell: OnProgress) -> Report:
    """The report of an evaluation that a runner keeps, with its id as `saved`, once it has ended.

    An exception of `tell` cancels it.

    Raises:
        InputError: it was not completed.
    """
    try:
        while not current.finished.wait(LOOK_SECONDS):
            tell("evaluar", current.done, current.total)
    except BaseException:
        runner.cancel(current.id)
        raise
    stored = runner.store.evaluation(current.id)
    if stored.state is not EvaluationState.DONE:
        raise InputError(stored.error or "La evaluación no se completó.")
    return report(runner.store.results(current.id)) | {"saved": current.id}
