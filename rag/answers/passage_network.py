"""Network of the choice of passages: what the linear weights of `selection.toml` cannot say.

Which passage answers depends on its article: how near the article's best passage lies beside the other
articles, and the passage beside the best of its own. One layer of hidden units adds to the log-odds of each
passage; `lab.training.passages` learns it from labelled stretches of the law (docs/decisions/answers.md).
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
LEAST = 1e-6


class Network(NamedTuple):
    """The addition to the log-odds of a passage.

    Attributes:
        names: features in order, f of them; mean and spread of each.
        inner, threshold: (f, h) and (h,), of the hidden units.
        outer, shift: (h,) and (1,).
    """

    names: tuple[str, ...]
    mean: Array
    spread: Array
    inner: Array
    threshold: Array
    outer: Array
    shift: Array

    def table(self, rows: Sequence[dict[str, float]]) -> Array:
        """The features of passages as the units see them, shape (n, f)."""
        values = np.array([[row.get(name, 0.0) for name in self.names] for row in rows])
        within: Array = np.clip((values - self.mean) / self.spread, -FARTHEST, FARTHEST)
        return within

    def __call__(self, rows: Sequence[dict[str, float]]) -> Array:
        """The addition for passages with these features, shape (n,)."""
        hidden = np.maximum(self.table(rows) @ self.inner + self.threshold, 0)
        added: Array = hidden @ self.outer + self.shift
        return added


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
    """Passages scored by words and meaning, scored again beside each other, best first."""
    if not passages:
        return []
    again = zip(passages, scores(load_network(), passages), strict=True)
    return sorted((replace(one, score=score) for one, score in again), key=order)


def scores(network: Network, passages: Sequence[Passage]) -> list[float]:
    """Probability of each passage with what a network adds."""
    sums = np.array([odds(one.score) for one in passages]) + network(compared(passages))
    found: list[float] = (1 / (1 + np.exp(-sums))).tolist()
    return found


def odds(probability: float) -> float:
    """Logarithm of the odds of a probability."""
    kept = min(max(probability, LEAST), 1 - LEAST)
    return log(kept / (1 - kept))


def save_network(network: Network, path: Path = FILE) -> None:
    """Write the network."""
    stored: dict[str, Any] = {name: np.array(value) for name, value in network._asdict().items()}
    np.savez_compressed(path, **stored)


@lru_cache(maxsize=2)
def load_network(path: Path = FILE) -> Network:
    """The network of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    with readable(path):
        stored = arrays(path)
        names, *layers = (stored[name] for name in Network._fields)
        return Network(tuple(map(str, names)), *(layer.astype(np.float64) for layer in layers))
