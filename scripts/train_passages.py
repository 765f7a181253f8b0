"""Learn `passage_network.npz`: `python -m scripts.train_passages [--write]`.

Needs a home with the real norms and all their vectors (ARTICULADO_HOME), and the weights of
`scripts.train_selection`. Its questions are asked twice, with all search aids and without those of their
norms; so are others of `passages.jsonl`, each about a single provision, with aids those that the query
adapter has not learned, without them also a part of those that it has (here and of `scripts.people`). The
loss of a question is the softmax over its passages (listwise, multiple positives) and the logistic loss of
each, with dropout (Srivastava et al., 2014) and AdamW (Loshchilov and Hutter, 2019). Three quarters of what
is learned are kept, the rest stays with the linear weights.

Cross-validation leaves out whole norms, as `scripts.train_selection` does, and prints how often the first
passage is right, with and without the network. With --write the file is written.
"""

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from rag.answers import passage_network
from rag.answers.passage_network import Network, compared, odds, scores
from rag.answers.passage_selection import Passage, order
from rag.shared.state import Services
from scripts import people, provisions
from scripts.adamw import AdamW
from scripts.train_selection import (
    ANSWERS,
    FOLDS,
    HELP,
    Example,
    Labelled,
    broad,
    by_words,
    folds,
    meant,
)
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
    """A question as the network learns from it.

    Attributes:
        rows: features of its passages, as the units see them.
        before: their log-odds by the linear weights.
        grades: 2 = answers, 1 = completes, 0 = neither.
    """

    rows: np.ndarray
    before: np.ndarray
    grades: np.ndarray


async def asked(services: Services, given: Sequence[Labelled], *, aids: bool) -> list[Example]:
    """The questions whose context holds a right passage, with all passages by words and meaning."""
    found = []
    for question, stretches in given:
        norms = frozenset(one["norm"] for one in stretches)
        chosen = services if aids else replace(services, without_aids=norms, unseen=norms)
        for one in await by_words(chosen, [(question, stretches)]):
            found.append(await meant(one, one.passages, chosen))
    return [one for one in found if "adapted" in dict(one.passages[0].features)]


def fit(given: Sequence[Example]) -> Network:
    tables = [compared(one.passages) for one in given]
    names = tuple(sorted({name for table in tables for row in table for name in row}))
    values = [np.array([[row.get(name, 0.0) for name in names] for row in table]) for table in tables]
    together = np.concatenate(values)
    size = len(names)
    empty = Network(
        names, together.mean(0), together.std(0) + 1e-6,
        np.zeros((size, 1)), np.zeros(1), np.zeros(1), np.zeros(1),
    )  # fmt: skip
    learned = [
        Learned(empty.table(table), np.array([odds(p.score) for p in one.passages]), np.array(one.grades))
        for one, table in zip(given, tables, strict=True)
    ]
    layers = [_layers(learned, size, seed) for seed in range(TOGETHER)]
    inner, threshold, outer, shift = (np.concatenate(some, axis=-1) for some in zip(*layers, strict=True))
    share = KEPT / TOGETHER
    return Network(
        names, empty.mean, empty.spread, inner, threshold, outer * share, shift.sum(keepdims=True) * share
    )


def _layers(given: Sequence[Learned], size: int, seed: int) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    bound = size**-0.5
    learned = [
        dice.uniform(-bound, bound, (size, HIDDEN)),
        dice.uniform(-bound, bound, HIDDEN),
        np.zeros(HIDDEN),
        np.zeros(1),
    ]
    inner, threshold, outer, shift = learned
    optimizer = AdamW(learned, DECAY)
    batches = [
        chosen
        for _ in range(EPOCHS)
        for chosen in np.array_split(dice.permutation(len(given)), max(1, len(given) // BATCH))
    ]
    for step, chosen in enumerate(batches, 1):
        some = [given[i] for i in chosen]
        seen = np.concatenate([one.rows for one in some])
        hidden = seen @ inner + threshold
        live = (hidden > 0) * (dice.random(hidden.shape) >= DROPPED) / (1 - DROPPED)
        sums = (hidden * live) @ outer + shift + np.concatenate([one.before for one in some])
        ends = np.cumsum([len(one.grades) for one in some])[:-1]
        pairs = zip(np.split(sums, ends), some, strict=True)
        error = np.concatenate([_error(own, one.grades) for own, one in pairs]) / len(some)
        back = np.outer(error, outer) * live
        slopes = [seen.T @ back, back.sum(0), (hidden * live).T @ error, error.sum(keepdims=True)]
        steep = float(np.sqrt(sum((slope**2).sum() for slope in slopes)))
        bent = [slope * min(1.0, STEEPEST / steep) for slope in slopes]
        optimizer.step(bent, RATE * (1 - (step - 1) / len(batches)))
    return learned


def _error(sums: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """Gradient of the loss of a question by the scores of its passages."""
    right = grades == ANSWERS if (grades == ANSWERS).any() else grades > 0
    powers = np.exp(sums - sums.max())
    whole: np.ndarray = powers / powers.sum() - powers * right / (powers * right).sum()
    weight = np.where(grades == 1, HELP, 1.0)
    each: np.ndarray = weight * (1 / (1 + np.exp(-sums)) - (grades > 0))
    return whole + EACH * each


def scored_by(network: Network, one: Example) -> list[tuple[Passage, int]]:
    """The passages scored by the network, best first, each with its place before."""
    pairs = zip(one.passages, scores(network, one.passages), strict=True)
    again = [(replace(p, score=score), place) for place, (p, score) in enumerate(pairs)]
    return sorted(again, key=lambda pair: order(pair[0]))


def without_own(given: Sequence[Example]) -> list[list[tuple[Passage, int]]]:
    """The passages of each question scored by a network that has seen none of its norm."""
    part = folds(given)
    found: dict[int, list[tuple[Passage, int]]] = {}
    for fold in range(FOLDS):
        network = fit([one for one, its in zip(given, part, strict=True) if its != fold])
        own = [i for i, its in enumerate(part) if its == fold]
        found |= {i: scored_by(network, given[i]) for i in own}
    return [found[i] for i in range(len(given))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.train_passages", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the file")
    options = parser.parse_args()
    with closing(assembly.build(settings())) as program:
        services = program.services
        asked_broadly = asyncio.run(asked(services, broad(), aids=True))
        learned = islice(people.passages_for_adapter(), 0, None, EVERY_BROAD)
        asked_broadly += asyncio.run(asked(services, [*broad(), *learned], aids=False))
        narrow = asyncio.run(asked(services, list(provisions.passages_for_order()), aids=True))
        others = islice(provisions.passages_for_adapter(), 0, None, EVERY)
        narrow += asyncio.run(asked(services, list(others), aids=False))
    given = [*asked_broadly, *narrow]
    ranked = without_own(given)
    first = np.mean([one.grades[pairs[0][1]] > 0 for one, pairs in zip(given, ranked, strict=True)])
    linear = np.mean([one.grades[0] > 0 for one in given])
    print(f"{len(given)} questions, first right {first:.3f}, without the network {linear:.3f}")
    if options.write:
        passage_network.save(fit(given))


if __name__ == "__main__":
    main()
