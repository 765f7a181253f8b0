"""Metrics over questions with known answers: `evaluate`."""

import argparse
from typing import Any

import bootstrap
from commands import output
from commands.common import ensure_corpus
from rag.errors import InputError
from rag.evaluation.cases import Dataset, read_dataset
from rag.evaluation.report import report
from rag.evaluation.types import Aids, EvaluationState
from service.contract.evaluations import measure


def evaluate(program: bootstrap.App, options: argparse.Namespace) -> None:
    """Measure a set of questions; stored with --save."""
    dataset = read_dataset(options.cases)
    ensure_corpus(program)
    with output.Progress() as progress:
        if options.save:
            document = _evaluate_and_save(program, dataset, Aids(options.aids), progress)
        else:
            document = measure(program, dataset, Aids(options.aids), progress)
    output.emit(options.json, document, output.print_evaluation)


def _evaluate_and_save(
    program: bootstrap.App, dataset: Dataset, aids: Aids, progress: output.Progress
) -> dict[str, Any]:
    """The report of an evaluation run as the page runs it, so that both store the same."""
    current = program.evaluations.start(bootstrap.LOCAL_USER, dataset, aids)
    while not current.finished.wait(0.2):
        progress("evaluar", current.done, current.total)
    store = program.database.evaluations
    stored = store.evaluation(current.id)
    if stored.state is not EvaluationState.DONE:
        raise InputError(stored.error or "La evaluación no se completó.")
    return report(store.results(current.id)) | {"saved": current.id}
