"""Fit `[told]` of `rag/answers/selection.toml`: `python -m lab confidence CASES… [--write]`.

The odds that an answer tells all. Needs a home with the real norms and all their vectors (ARTICULADO_HOME).
Every case of the files with facts, and every one that cannot be answered, is asked to its verified answer,
offline: with all search aids and without those of its norms, by meaning and by words alone. Right is an
answer that tells every fact, and none to what cannot be answered. Cross-validation leaves out cases.
"""

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.calibration import calibration_curve

from core.clock import today_in_spain
from lab.training.gate import FOLDS, PENALTY, write
from lab.training.learning import Features, folds, regression
from rag.answers.completeness import SURE
from rag.answers.passage_selection import probability
from rag.evaluation.cases import read_dataset
from rag.evaluation.facts_told import told
from rag.evaluation.measurement import with_aids
from rag.evaluation.results import Aids
from rag.run.pipeline import retrieve
from rag.shared.state import Services
from rag.shared.trace import AnswerRecord
from service.config import settings
from service.program import assembly

BINS = 10


class Told(NamedTuple):
    """An answer: its case and way, its signals, and whether it tells every fact."""

    case: str
    way: str
    signals: Features
    right: bool


async def answers(file: Path, services: Services, aids: Aids, way: str) -> list[Told]:
    """The answers to the cases of the file, without refusals, tables and whole articles."""
    found = []
    for case in read_dataset(file).cases:
        if case.answerable and not case.facts:
            continue
        state, trace = await retrieve(
            case.question,
            with_aids(services, case, aids),
            as_of=case.as_of,
            today=today_in_spain(),
            history=case.history,
            answered=True,
        )
        record = trace.stage("answer")
        signals = dict(record.signals) if isinstance(record, AnswerRecord) else {}
        if signals and state.answer and not state.answer.refusal:
            right = case.answerable and all(fact.told for fact in told(case, state).facts)
            found.append(Told(case.id, f"{file.stem}, {aids}, {way}", signals, right))
    return found


async def every(files: Sequence[Path], services: Services) -> list[Told]:
    ways = (("meaning", services), ("words", replace(services, embedder=None)))
    return [
        one
        for way, chosen in ways
        for file in files
        for aids in (Aids.ALL, Aids.MIXED)
        for one in await answers(file, chosen, aids, way)
    ]


def fit(given: Sequence[Told]) -> dict[str, float]:
    """Weights by name of the signals, with the bias."""
    right = np.array([one.right for one in given])
    return regression([one.signals for one in given], right, np.ones(len(right)), PENALTY)


def left_out(given: Sequence[Told]) -> np.ndarray:
    """The odds of each answer by weights that have not seen its case."""
    part = folds([one.case for one in given], FOLDS)
    learned = [
        fit([one for one, its in zip(given, part, strict=True) if its != fold]) for fold in range(FOLDS)
    ]
    return np.array([probability(one.signals, learned[its]) for one, its in zip(given, part, strict=True)])


def report(given: Sequence[Told], odds: np.ndarray) -> None:
    """Print the mean odds of each way beside the share of right answers, and how right the sure ones are."""
    right = np.array([one.right for one in given])
    ways = np.array([one.way for one in given])
    for way in dict.fromkeys(ways):
        its = ways == way
        sure = its & (odds >= SURE)
        share = f"{right[sure].mean():.2f}" if sure.any() else "none"
        print(
            f"{way:32} {its.sum():4} odds {odds[its].mean():.2f} right {right[its].mean():.2f}"
            f" sure {sure.sum() / its.sum():.2f} right {share}"
        )
    for is_right, said in zip(*calibration_curve(right, odds, n_bins=BINS), strict=True):
        print(f"odds {said:.2f}: right {is_right:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", type=Path, help="files of cases with facts")
    parser.add_argument("--write", action="store_true", help="write the file")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        given = asyncio.run(every(options.cases, program.services))
    report(given, left_out(given))
    if options.write:
        write({"told": fit(given)})
