"""Fit the weights of `rag.answers.sufficiency`: `python -m scripts.calibrate CASES...`.

Needs a home with the real corpus (ARTICULADO_HOME). Logistic regression (`scripts.train_selection`) over the
three choices of search aids together. Errors are of cases left out (ten folds).
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.clock import today_in_spain
from rag.answers.sufficiency import refusals
from rag.evaluation.cases import read_dataset
from rag.evaluation.measurement import with_aids
from rag.evaluation.results import Aids
from rag.run.pipeline import retrieve
from rag.shared.state import Services
from scripts.train_selection import regression
from service.config import settings
from service.program import assembly

NAMES = (
    "coverage", "aided", "known", "synonyms", "own", "other", "novel", "uncommon", "gathered", "length",
    "nearest", "adapted", "question",
)  # fmt: skip
MEANING = ("nearest", "adapted", "question")
COLUMNS = (*NAMES, "answerable")
BESIDE_ANSWERABLE = ("coverage", "aided", "synonyms", "other", "novel", "length", "question", "answerable")
FOLDS = 10
PENALTY = 1.0
# Shares of the answerable questions that a cut may refuse.
COSTS = (0.02, 0.03, 0.04, 0.05)


class Sample(NamedTuple):
    """Signals of questions, shape (n, d), by COLUMNS.

    Attributes:
        number: of the question; each is there once for each choice of search aids.
        y, settled, ruled: whether it is answerable, decided by a rule already, and refused by one.
        files: its file.
    """

    number: np.ndarray
    x: np.ndarray
    y: np.ndarray
    settled: np.ndarray
    ruled: np.ndarray
    files: np.ndarray


def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression with balanced classes, the last one the bias. Shapes: (n, d), (n,)."""
    weight = np.where(y == 1, len(y) / (2 * y.sum()), len(y) / (2 * (len(y) - y.sum())))
    rows = [{str(place): value for place, value in enumerate(row)} for row in x]
    return np.array(list(regression(rows, y, weight, PENALTY).values()))


async def sample(files: Sequence[str], services: Services) -> Sample:
    """The signals of every case of the files, with all search aids, without its norms' and without any."""
    number: list[int] = []
    x, y, settled, ruled, names = [], [], [], [], []
    for aids in Aids:
        first = len(number)
        for file in files:
            for case in read_dataset(Path(file)).cases:
                if case.history or case.category == "article-reference":
                    continue
                chosen = with_aids(services, case, aids)
                state, _ = await retrieve(case.question, chosen, as_of=case.as_of, today=today_in_spain())
                found, exact = dict(state.signals), any(hit.origin == "exact" for hit in state.hits)
                number.append(len(number) - first)
                x.append([*(found.get(name, 0.0) for name in NAMES), found.get("answerable", np.nan)])
                y.append(float(case.answerable))
                ruled.append(bool(refusals(state)) and not exact)
                settled.append(ruled[-1] or exact)
                names.append(f"{Path(file).stem} ({aids})")
    return Sample(*map(np.array, (number, x, y, settled, ruled, names)))


def main(files: Sequence[str]) -> int:
    """Print the weights with vectors, where `answerable` is known, and by words, and the rates of each file.

    Questions that name their article or follow another are left out: these signals never refuse them.
    """
    program = assembly.build(settings())
    found = asyncio.run(sample(files, program.services))
    report(found, NAMES)
    report(Sample(*(column[~np.isnan(found.x[:, -1])] for column in found)), BESIDE_ANSWERABLE)
    by_words = asyncio.run(sample(files, replace(program.services, embedder=None)))
    report(by_words, [name for name in NAMES if name not in MEANING])
    program.close()
    return 0


def report(found: Sample, signals: Sequence[str]) -> None:
    """Fit on the questions that no rule settles, and print the weights with each cut at 0.5."""
    found = found._replace(x=found.x[:, [COLUMNS.index(name) for name in signals]])
    free = ~found.settled
    part = found.number % FOLDS
    left_out = np.zeros(len(found.y))
    for number in range(FOLDS):
        rest, here = free & (part != number), part == number
        w = fit(found.x[rest], found.y[rest])
        left_out[here] = found.x[here] @ w[:-1] + w[-1]
    *raw, bias = fit(found.x[free], found.y[free])
    print({name: round(float(value), 2) for name, value in zip(signals, raw, strict=True)})
    for cost in COSTS:
        cut = np.quantile(left_out[free & (found.y == 1)], cost)
        print(f"bias {bias - cut:.2f}, which refuses {cost:.0%} of the answerable ones")
        refused = found.ruled | (free & (left_out < cut))
        for name in dict.fromkeys(found.files):
            rates = [
                f"{word} {np.mean(refused[chosen]):.3f} of {chosen.sum()}"
                for right, word in ((1, "wrongly refused"), (0, "refused"))
                if (chosen := (found.files == name) & (found.y == right)).any()
            ]
            print(f"  {name:24}", ", ".join(rates))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
