"""The gate of passages: the odds that each belongs to the answer, learned from labelled stretches of the law.

Which passage answers depends on its article: how near the article's best passage lies beside the other
articles, and the passage beside the best of its own. A logistic regression over these features, and one layer
of hidden units that adds what it cannot say; `lab.training.gate` learns both (docs/decisions/answers.md).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.arrays import arrays, readable
from rag.answers.passage_selection import Passage, order

Array = NDArray[np.floating[Any]]
FILE = Path(__file__).with_suffix(".npz")
COMPARED = ("cosine", "adapted", "own", "precision", "synonyms", "related")
"""Features compared within an article and between articles."""
FARTHEST = 5.0
"""Spreads from the mean beyond which a feature counts no more: a loaded norm may have any value."""


class Gate(NamedTuple):
    """The log-odds of passages.

    Attributes:
        names: features in order, f of them; mean and spread of each.
        direct: weights of the features, (f,), and `bias`, (1,).
        inner, threshold: (f, h) and (h,), of the hidden units.
        outer: (h,), what each unit adds.
    """

    names: tuple[str, ...]
    mean: Array
    spread: Array
    direct: Array
    bias: Array
    inner: Array
    threshold: Array
    outer: Array

    def table(self, rows: Sequence[dict[str, float]]) -> Array:
        """The features of passages as the weights see them, shape (n, f)."""
        values = np.array([[row.get(name, 0.0) for name in self.names] for row in rows])
        within: Array = np.clip((values - self.mean) / self.spread, -FARTHEST, FARTHEST)
        return within

    def __call__(self, rows: Sequence[dict[str, float]]) -> Array:
        """The log-odds of passages with these features, shape (n,)."""
        seen = self.table(rows)
        hidden = np.maximum(seen @ self.inner + self.threshold, 0)
        odds: Array = seen @ self.direct + hidden @ self.outer + self.bias
        return odds


def compared(passages: Sequence[Passage]) -> list[dict[str, float]]:
    """The features of each passage, with those that compare it with its article and with the others."""
    rows = [dict(one.features) for one in passages]
    articles: defaultdict[float, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        articles[row["place"]].append(number)
    best = _best(rows)
    of_article = {place: _best([rows[i] for i in inside]) for place, inside in articles.items()}
    nearest = sorted(articles, key=lambda place: -of_article[place]["adapted"])
    heading = max(row["heading"] for row in rows)
    found: list[dict[str, float]] = [{} for _ in rows]
    for rank, place in enumerate(nearest):
        inside = sorted(articles[place], key=lambda i: -rows[i]["adapted"])
        mine = of_article[place]
        second = rows[inside[1]]["adapted"] if len(inside) > 1 else mine["adapted"] - 1
        for number, i in enumerate(inside):
            row = rows[i]
            found[i] = {
                **row,
                **{f"in_{name}": row[name] - mine[name] for name in COMPARED},
                **{f"art_{name}": mine[name] - best[name] for name in COMPARED},
                "in_rank": log(1 + number),
                "art_rank": log(1 + rank),
                "n_in": log(len(inside)),
                "n_art": log(len(articles)),
                "margin": row["adapted"] - (mine["adapted"] if number else second),
                "art_heading": row["heading"] - heading,
                "best_adapted": best["adapted"],
            }
    return found


def _best(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: max(row[name] for row in rows) for name in COMPARED}


def beside_each_other(passages: Sequence[Passage]) -> list[Passage]:
    """Passages with the features of their words and meaning, scored beside each other, best first."""
    if not passages:
        return []
    again = zip(passages, scores(load_gate(), passages), strict=True)
    return sorted((replace(one, score=score) for one, score in again), key=order)


def scores(gate: Gate, passages: Sequence[Passage]) -> list[float]:
    """Probability of each passage."""
    found: list[float] = (1 / (1 + np.exp(-gate(compared(passages))))).tolist()
    return found


def save_gate(gate: Gate, path: Path = FILE) -> None:
    """Write the gate, its numbers in 32 bits."""
    names, *layers = gate
    stored = {name: layer.astype(np.float32) for name, layer in zip(Gate._fields[1:], layers, strict=True)}
    np.savez_compressed(path, names=np.array(names), **stored)  # type: ignore[arg-type]


@lru_cache(maxsize=2)
def load_gate(path: Path = FILE) -> Gate:
    """The gate of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    with readable(path):
        stored = arrays(path)
        names, *layers = (stored[name] for name in Gate._fields)
        return Gate(tuple(map(str, names)), *(layer.astype(np.float64) for layer in layers))
