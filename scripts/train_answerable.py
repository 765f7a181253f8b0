"""Learn `rag/answers/answerable.npz`: `python -m scripts.train_answerable [--write]`.

Embeds the questions of `data/training` that somebody can answer from the shipped norms and those that nobody
can; no evaluation set is among them. The loss is the logistic one with balanced classes, with dropout
(Srivastava et al., 2014) and AdamW (Loshchilov and Hutter, 2019). It prints which share of the questions that
cannot be answered would be refused by this alone, of each kind, when so many of the answerable ones are: each
question by networks that have not seen it. With --write the file is written.

`scripts.calibrate` is to be run after it, over questions that it has not learned
(`data/training/answerability_held.jsonl` and our evaluation sets).
"""

import argparse
import asyncio
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from models.local_embedder import LocalEmbedder
from rag.answers.answerable import SPREAD, Network, save
from scripts.adamw import AdamW
from scripts.training import entries

FILES = ("answerability", "refused", "answerable", "questions", "broad")
FOLDS = 5
HIDDEN = 512
TOGETHER = 4
"""Networks learned from other beginnings, whose mean is kept, as one."""
DROPPED = 0.4
EPOCHS = 60
BATCH = 64
RATE = 2e-3
DECAY = 0.01
COST = 0.04


class Material(NamedTuple):
    """Unit vectors of questions (n, d); 1 for those that are answered, else 0 (n,); the kind of each."""

    vectors: np.ndarray
    answered: np.ndarray
    kinds: list[str]


def questions() -> Iterator[tuple[str, bool, str]]:
    """Each question, whether the shipped norms answer it, and its kind."""
    for name in FILES:
        for one in entries(name):
            yield one["question"], bool(one["relevant"]), one.get("category", "")


async def material() -> Material:
    texts, right, kinds = zip(*questions(), strict=True)
    vectors, _ = await LocalEmbedder().embed_queries(texts)
    return Material(np.array(vectors), np.array(right, dtype=float), list(kinds))


def fit(given: Material) -> Network:
    mean = given.vectors.mean(0)
    layers = [_layers(SPREAD * (given.vectors - mean), given.answered, seed) for seed in range(TOGETHER)]
    inner, threshold, outer, shift = (np.concatenate(some, axis=-1) for some in zip(*layers, strict=True))
    return Network(LocalEmbedder.name, mean, inner, threshold, outer / TOGETHER, shift.mean(keepdims=True))


def _layers(seen: np.ndarray, answered: np.ndarray, seed: int) -> list[np.ndarray]:
    """Layers that one network learns: inner, threshold, outer and shift."""
    chance = np.random.default_rng(seed)
    size = seen.shape[1]
    learned = [
        chance.normal(0, size**-0.5, (size, HIDDEN)),
        np.zeros(HIDDEN),
        chance.normal(0, 0.1, HIDDEN),
        np.zeros(1),
    ]
    inner, threshold, outer, shift = learned
    share = answered.mean()
    weight = np.where(answered == 1, 0.5 / share, 0.5 / (1 - share))
    steps = AdamW(learned, DECAY)
    for epoch in range(EPOCHS):
        for batch in np.array_split(chance.permutation(len(seen)), -(-len(seen) // BATCH)):
            read = seen[batch] * _kept((len(batch), size), chance)
            kept = _kept((len(batch), HIDDEN), chance)
            before = read @ inner + threshold
            hidden = np.maximum(before, 0) * kept
            wrong = 1 / (1 + np.exp(-(hidden @ outer + shift))) - answered[batch]
            wrong *= weight[batch] / len(batch)
            back = np.outer(wrong, outer) * kept * (before > 0)
            gradients = [read.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(keepdims=True)]
            steps.step(gradients, RATE * (1 - epoch / EPOCHS))
    return learned


def _kept(shape: tuple[int, int], chance: np.random.Generator) -> np.ndarray:
    """Dropout: 0 for what is dropped, else what keeps the sum."""
    kept: np.ndarray = (chance.random(shape) >= DROPPED) / (1 - DROPPED)
    return kept


def report(given: Material) -> None:
    part = np.random.default_rng(0).permutation(len(given.answered)) % FOLDS
    odds = np.zeros(len(part))
    for number in range(FOLDS):
        rest, here = part != number, part == number
        network = fit(Material(given.vectors[rest], given.answered[rest], []))
        odds[here] = network(given.vectors[here])
    right = given.answered == 1
    refused = odds < np.quantile(odds[right], COST)
    print(f"refusing {COST:.0%} of {right.sum()} answerable ones: {refused[~right].mean():.2f} of the others")
    kinds = np.array(given.kinds)
    for kind in sorted(set(kinds[~right])):
        of_kind = ~right & (kinds == kind)
        print(f"  {kind:30} {refused[of_kind].mean():.2f} of {of_kind.sum()}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write the network")
    write = parser.parse_args().write
    given = asyncio.run(material())
    report(given)
    if write:
        save(fit(given))


if __name__ == "__main__":
    main()
