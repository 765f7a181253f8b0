"""Metrics over questions with known answers: `evaluate`."""

import argparse

from commands import output
from commands.engine import Engine
from rag.evaluation.cases import read_dataset


def evaluate(engine: Engine, options: argparse.Namespace) -> None:
    """Measure a set of questions; stored with --save."""
    dataset = read_dataset(options.cases)
    cases = [case.model_dump(mode="json") for case in dataset.cases]
    with output.Progress() as progress:
        document = engine.evaluate(
            cases,
            aids=options.aids,
            name=dataset.name,
            sha256=dataset.content_hash,
            save=options.save,
            tell=progress,
        )
    output.emit(options.json, document, output.print_evaluation)
