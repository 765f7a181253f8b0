"""Fit the weights of `rag.answers.sufficiency`: `python -m lab sufficiency CASES…`.

Needs a home with the real norms (ARTICULADO_HOME). Logistic regression with balanced classes over the three
choices of search aids together. Prints the weights with vectors, where `answerable` is known, and by words,
and the rates of each file with each cut at 0.5, of cases left out (ten folds). Questions that name their
article or follow another are left out: these signals never refuse them.
"""

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.clock import today_in_spain
from lab.training.learning import Features, regression
from rag.answers.sufficiency import refusals
from rag.evaluation.cases import read_dataset
from rag.evaluation.measurement import with_aids
from rag.evaluation.results import Aids
from rag.run.pipeline import retrieve
from rag.shared.state import Services
from service.config import settings
from service.program import assembly

NAMES = (
    "coverage", "aided", "known", "synonyms", "own", "other", "novel", "uncommon", "gathered", "length",
    "nearest", "adapted", "question",
)  # fmt: skip
MEANING = ("nearest", "adapted", "question")
BESIDE_ANSWERABLE = ("coverage", "aided", "synonyms", "other", "novel", "length", "question", "answerable")
FOLDS = 10
PENALTY = 1.0
COSTS = (0.02, 0.03, 0.04, 0.05)
"""Shares of the answerable questions that a cut may refuse."""


class Sample(NamedTuple):
    """Signals of a question, which is there once for each choice of search aids.

    Attributes:
        number: of the question; file: its file and the choice.
        answerable, settled, ruled: it can be answered, is decided by a rule already, is refused by one.
    """

    number: int
    file: str
    signals: Features
    answerable: bool
    settled: bool
    ruled: bool


async def sample(files: Sequence[Path], services: Services) -> list[Sample]:
    """The signals of every case of the files, with all search aids, without its norms' and without any."""
    cases = [(path.stem, case) for path in files for case in read_dataset(path).cases]
    free = [pair for pair in cases if not pair[1].history and pair[1].category != "article-reference"]
    found = []
    for aids in Aids:
        for number, (name, case) in enumerate(free):
            chosen = with_aids(services, case, aids)
            state, _ = await retrieve(case.question, chosen, as_of=case.as_of, today=today_in_spain())
            exact = any(hit.origin == "exact" for hit in state.hits)
            ruled = bool(refusals(state)) and not exact
            signals = dict(state.signals)
            found.append(Sample(number, f"{name} ({aids})", signals, case.answerable, ruled or exact, ruled))
    return found


def fit(given: Sequence[Sample], names: Sequence[str]) -> dict[str, float]:
    rows = [{name: one.signals.get(name, 0.0) for name in names} for one in given]
    right = np.array([one.answerable for one in given])
    weight = np.where(right, 0.5 / right.mean(), 0.5 / (1 - right.mean()))
    return regression(rows, right, weight, PENALTY)


def odds(weights: Features, one: Sample) -> float:
    return weights["bias"] + sum(
        weights[name] * one.signals.get(name, 0.0) for name in weights.keys() - {"bias"}
    )


def report(given: Sequence[Sample], names: Sequence[str]) -> None:
    """Fit on the questions that no rule settles, and print the weights with each cut."""
    free = [one for one in given if not one.settled]
    by_fold = [fit([one for one in free if one.number % FOLDS != fold], names) for fold in range(FOLDS)]
    left_out = np.array([odds(by_fold[one.number % FOLDS], one) for one in given])
    settled, answerable, ruled = (
        np.array([getattr(one, name) for one in given]) for name in ("settled", "answerable", "ruled")
    )
    weights = fit(free, names)
    print({name: round(value, 2) for name, value in weights.items() if name != "bias"})
    files = np.array([one.file for one in given])
    for cost in COSTS:
        cut = np.quantile(left_out[~settled & answerable], cost)
        print(f"bias {weights['bias'] - cut:.2f}, which refuses {cost:.0%} of the answerable ones")
        refused = ruled | (~settled & (left_out < cut))
        for name in dict.fromkeys(files):
            rates = [
                f"{word} {np.mean(refused[chosen]):.3f} of {chosen.sum()}"
                for right, word in ((True, "wrongly refused"), (False, "refused"))
                if (chosen := (files == name) & (answerable == right)).any()
            ]
            print(f"  {name:24}", ", ".join(rates))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="+", type=Path)
    files = parser.parse_args().cases
    with closing(assembly.build(settings())) as program:
        found = asyncio.run(sample(files, program.services))
        by_words = asyncio.run(sample(files, replace(program.services, embedder=None)))
    report(found, NAMES)
    report([one for one in found if "answerable" in one.signals], BESIDE_ANSWERABLE)
    report(by_words, [name for name in NAMES if name not in MEANING])
