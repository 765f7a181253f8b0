"""`evaluate`: the figures of a set of questions with known answers."""

import asyncio
from typing import Annotated, Any

from pydantic import Field

from rag.clock import today_in_spain
from rag.evaluation import run
from rag.evaluation.cases import Case, Dataset
from rag.evaluation.report import report
from rag.evaluation.types import Aids
from rag.types import Value
from service.contract.program import Program, Tell

MOST_CASES = 20_000
Report = dict[str, Any]


class EvaluateRequest(Value):
    """Cases as the lines of a set are; `name` is that of the set."""

    cases: Annotated[tuple[Case, ...], Field(min_length=1, max_length=MOST_CASES)]
    aids: Aids = Aids.ALL
    name: Annotated[str, Field(min_length=1, max_length=80)] = "api"


def measure(program: Program, dataset: Dataset, aids: Aids, tell: Tell) -> Report:
    """The report of the cases, run one after another; an exception of `tell` ends it.

    Raises:
        RunFailed: the corpus cannot be read.
    """
    total = len(dataset.cases)
    work = run.evaluate(
        dataset.cases,
        program.services,
        today=today_in_spain(),
        aids=aids,
        on_result=lambda place, *_: tell("evaluar", place + 1, total),
    )
    return report(asyncio.run(work))
