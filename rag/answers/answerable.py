"""Odds that the known norms answer a question, by its meaning alone.

Invented rights, other branches of law and norms that nobody has loaded have the words of labour law; no
passage tells them from a right that nobody asked about in those words. One layer of hidden units over the
vector of the question does in part: `lab.training.answerable` learns it from questions that the norms whose
search aids ship answer, and from others that they do not (docs/decisions/search.md). It knows nothing of
other norms.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.arrays import arrays, readable

Array = NDArray[np.floating[Any]]
FILE = Path(__file__).with_suffix(".npz")
SPREAD = 8.0
"""Vectors of questions lie close to their mean: the units see so many times their distance from it."""
FARTHEST = 6.0
"""Log-odds beyond which it is no surer."""


class Network(NamedTuple):
    """Log-odds that the known norms answer a question.

    Attributes:
        model: name of the embedding model whose vectors it reads.
        mean: of the vectors it learned from, (d,).
        inner, threshold: (d, h) and (h,), of the hidden units.
        outer, shift: (h,) and (1,).
    """

    model: str
    mean: Array
    inner: Array
    threshold: Array
    outer: Array
    shift: Array

    def __call__(self, vectors: Sequence[Sequence[float]] | Array) -> Array:
        """The log-odds of questions with these unit vectors, shape (n, d) to (n,)."""
        given = SPREAD * (np.asarray(vectors) - self.mean)
        hidden = np.maximum(given @ self.inner + self.threshold, 0)
        odds: Array = np.clip(hidden @ self.outer + self.shift, -FARTHEST, FARTHEST)
        return odds


def save_answerable(network: Network, path: Path = FILE) -> None:
    """Write the network, its numbers in 16 bits."""
    layers = {name: np.asarray(getattr(network, name), np.float16) for name in Network._fields[1:]}
    np.savez_compressed(path, model=np.array(network.model), **layers)  # type: ignore[arg-type]


@lru_cache(maxsize=2)
def load_answerable(path: Path = FILE) -> Network:
    """The network of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    with readable(path):
        stored = arrays(path)
        layers = (stored[name].astype(np.float32) for name in Network._fields[1:])
        return Network(str(stored["model"]), *layers)
