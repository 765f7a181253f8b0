"""Learn `rag/answers/passage_network.npz`: `python -m lab passages [--write]`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME), and the weights of `lab selection`.
Its questions are asked twice, with all search aids and without those of their norms; so are others, each
about a single provision, with aids those that the query adapter has not learned, without them also a part of
those that it has. The loss of a question is the softmax over its passages (listwise, multiple positives) and
the logistic loss of each, with dropout and AdamW. Three quarters of what is learned are kept, the rest stays
with the linear weights.

Cross-validation leaves out whole norms, as `lab selection` does, and prints how often the first passage is
right, with and without the network.
"""

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from lab.training.learning import Hidden, batches, folds
from lab.training.questions import ANSWERS, Asked, Part, broad, people, provisions
from lab.training.selection import FOLDS, HELP, Example, by_words, meant
from rag.answers import passage_network
from rag.answers.passage_network import Network, compared, odds, scores
from rag.shared.state import Services
from service.config import settings
from service.program import assembly

HIDDEN = 48
TOGETHER = 3
"""Networks learned from other beginnings, whose mean is kept."""
KEPT = 0.75
DROPPED = 0.2
EPOCHS = 12
BATCH = 16
RATE = 2e-3
DECAY = 1e-2
EACH = 0.25
"""Weight of the logistic loss beside the softmax."""
STEEPEST = 5.0
EVERY, EVERY_BROAD = 7, 3
"""Of so many questions that taught the query adapter one is asked, without the aids of its norm."""


class Learned(NamedTuple):
    """A question as the network learns from it: features of its passages as the units see them, their
    log-odds by the linear weights, and their grades.
    """

    rows: np.ndarray
    before: np.ndarray
    grades: np.ndarray


async def asked(services: Services, given: Sequence[Asked], *, aids: bool) -> list[Example]:
    """The questions whose context holds a right passage, with all passages by words and meaning."""
    found = []
    for one in given:
        norms = frozenset(stretch["norm"] for stretch in one.stretches)
        chosen = services if aids else replace(services, without_aids=norms, unseen=norms)
        for example in await by_words(chosen, [one]):
            found.append(await meant(example, example.passages, chosen))
    return [one for one in found if "adapted" in dict(one.passages[0].features)]


def fit(given: Sequence[Example]) -> Network:
    tables = [compared(one.passages) for one in given]
    names = tuple(sorted({name for table in tables for row in table for name in row}))
    values = np.array([[row.get(name, 0.0) for name in names] for table in tables for row in table])
    none = np.zeros(1)
    empty = Network(names, values.mean(0), values.std(0) + 1e-6, np.zeros((len(names), 1)), none, none, none)
    learned = [
        Learned(empty.table(table), np.array([odds(p.score) for p in one.passages]), np.array(one.grades))
        for one, table in zip(given, tables, strict=True)
    ]
    units = [_units(learned, len(names), seed) for seed in range(TOGETHER)]
    share = KEPT / TOGETHER
    return empty._replace(
        inner=np.concatenate([one.inner for one in units], axis=1),
        threshold=np.concatenate([one.threshold for one in units]),
        outer=np.concatenate([one.outer[:, 0] for one in units]) * share,
        shift=np.sum([one.shift for one in units], axis=0) * share,
    )


def _units(given: Sequence[Learned], size: int, seed: int) -> Hidden:
    units = Hidden((size, HIDDEN, 1), dropped=DROPPED, decay=DECAY, seed=seed)
    for chosen, share in batches(len(given), BATCH, EPOCHS, units.dice):
        some = [given[i] for i in chosen]
        added = units(np.concatenate([one.rows for one in some]))[:, 0]
        sums = added + np.concatenate([one.before for one in some])
        ends = np.cumsum([len(one.grades) for one in some])[:-1]
        pairs = zip(np.split(sums, ends), some, strict=True)
        error = np.concatenate([_error(own, one.grades) for own, one in pairs]) / len(some)
        units.learn(error[:, None], RATE * share, STEEPEST)
    return units


def _error(sums: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """Gradient of the loss of a question by the scores of its passages."""
    right = grades == ANSWERS if (grades == ANSWERS).any() else grades > 0
    powers = np.exp(sums - sums.max())
    whole: np.ndarray = powers / powers.sum() - powers * right / (powers * right).sum()
    weight = np.where(grades == 1, HELP, 1.0)
    each: np.ndarray = weight * (1 / (1 + np.exp(-sums)) - (grades > 0))
    return whole + EACH * each


def first_right(given: Sequence[Example]) -> float:
    """Share of the questions whose first passage is right, by networks that have seen none of its norm."""
    part = folds([one.norms[0] for one in given], FOLDS)
    right = 0
    for fold in range(FOLDS):
        network = fit([one for one, its in zip(given, part, strict=True) if its != fold])
        for one in (one for one, its in zip(given, part, strict=True) if its == fold):
            right += one.grades[int(np.argmax(scores(network, one.passages)))] > 0
    return right / len(given)


async def examples(services: Services) -> list[Example]:
    wide, narrow = broad(), [one for one in provisions(Part.ORDER) if one.stretches]
    taught = people(Part.ADAPTER)[::EVERY_BROAD]
    taught += [one for one in provisions(Part.ADAPTER) if one.stretches][::EVERY]
    with_aids = await asked(services, [*wide, *narrow], aids=True)
    return with_aids + await asked(services, [*wide, *taught], aids=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the file")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        given = asyncio.run(examples(program.services))
    linear = np.mean([one.grades[0] > 0 for one in given])
    print(f"{len(given)} questions, first right {first_right(given):.3f}, without the network {linear:.3f}")
    if options.write:
        passage_network.save_network(fit(given))
