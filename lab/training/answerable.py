"""Learn `rag/answers/answerable.npz`: `python -m lab answerable [--write]`.

Embeds the questions of `data/training` that somebody can answer from the shipped norms and those that nobody
can; no evaluation set is among them. A network of one hidden layer, with balanced classes. It prints which
share of the questions that cannot be answered would be refused by this alone, of each kind, when so many of
the answerable ones are: each question by networks that have not seen it.

`lab sufficiency` is to be run after it, over questions that it has not learned
(`data/training/answerability_held.jsonl` and our evaluation sets).
"""

import argparse
import asyncio
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import KFold
from sklearn.neural_network import MLPClassifier
from sklearn.utils.class_weight import compute_sample_weight

from lab.training.questions import ANSWERABILITY, entries
from models.local_embedder import LocalEmbedder
from rag.answers.answerable import SPREAD, Network, save_answerable

FOLDS = 5
HIDDEN = 512
TOGETHER = 4
"""Networks learned from other beginnings, whose mean is kept, as one."""
EPOCHS = 15
PENALTY = 0.1
COST = 0.04


class Material(NamedTuple):
    """Unit vectors of questions (n, d); True for those that are answered (n,); the kind of each."""

    vectors: np.ndarray
    answered: np.ndarray
    kinds: np.ndarray


async def material() -> Material:
    asked = [one for name in ANSWERABILITY for one in entries(name)]
    vectors, _ = await LocalEmbedder().embed_queries([one["question"] for one in asked])
    answered = np.array([bool(one["relevant"]) for one in asked])
    return Material(np.array(vectors), answered, np.array([one.get("category", "") for one in asked]))


def fit(vectors: np.ndarray, answered: np.ndarray) -> Network:
    mean = vectors.mean(0)
    seen, weight = SPREAD * (vectors - mean), compute_sample_weight("balanced", answered)
    learned = [
        MLPClassifier(
            (HIDDEN,),
            alpha=PENALTY,
            max_iter=EPOCHS,
            n_iter_no_change=EPOCHS,
            random_state=seed,
        ).fit(seen, answered, sample_weight=weight)
        for seed in range(TOGETHER)
    ]
    return Network(
        LocalEmbedder.name,
        mean,
        np.concatenate([one.coefs_[0] for one in learned], axis=1),
        np.concatenate([one.intercepts_[0] for one in learned]),
        np.concatenate([one.coefs_[1][:, 0] for one in learned]) / TOGETHER,
        np.mean([one.intercepts_[1] for one in learned], axis=0),
    )


def report(given: Material) -> None:
    odds = np.zeros(len(given.answered))
    for rest, own in KFold(FOLDS, shuffle=True, random_state=0).split(odds):
        odds[own] = fit(given.vectors[rest], given.answered[rest])(given.vectors[own])
    refused = odds < np.quantile(odds[given.answered], COST)
    wrong = ~given.answered
    print(f"refusing {COST:.0%} of {given.answered.sum()} answerable: {refused[wrong].mean():.2f} of others")
    for kind in sorted(set(given.kinds[wrong])):
        own = wrong & (given.kinds == kind)
        print(f"  {kind:30} {refused[own].mean():.2f} of {own.sum()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the network")
    options = parser.parse_args()
    given = asyncio.run(material())
    report(given)
    if options.write:
        save_answerable(fit(given.vectors, given.answered))
