"""The query adapters: small networks that move a question's vector toward the texts, and toward the passages,
that answer it.

Everyday questions and articles of law are written apart; `lab.training.adapter` learns how far from
questions that were written of the articles of known norms. It works on any text, with aids or without. For an
evaluation of norms as if somebody had just loaded them there are networks learned without their questions.

A residual adapter over a frozen model (Houlsby et al., Parameter-efficient transfer learning for NLP, 2019),
trained with a contrastive loss and averaged with the identity (Wortsman et al., Robust fine-tuning of
zero-shot models, 2022).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from index.arrays import arrays, readable

FILE = Path(__file__).with_name("adapter.npz")
OF_PASSAGES = Path(__file__).with_name("passage_adapter.npz")
_LEVELS = 127
_LEAST = 1e-12

Array = NDArray[np.float32]


class Network(NamedTuple):
    """One layer of h rectified units between vectors of d numbers; its weights in 8 bits, a scale a unit.

    Attributes:
        inner, inner_scale, threshold: weights (d, h) of the hidden units, their scales and biases (h,).
        outer, outer_scale: what each unit adds, (h, d), and the scales (h,).
        shift: what is always added, (d,).
    """

    inner: NDArray[np.int8]
    inner_scale: Array
    threshold: Array
    outer: NDArray[np.int8]
    outer_scale: Array
    shift: Array

    @classmethod
    def of(cls, inner: Array, threshold: Array, outer: Array, shift: Array) -> Self:
        """The network of weights that are not in 8 bits yet."""
        inner_scale = np.maximum(np.abs(inner).max(axis=0), _LEAST) / _LEVELS
        outer_scale = np.maximum(np.abs(outer).max(axis=1), _LEAST) / _LEVELS
        return cls(
            np.round(inner / inner_scale).astype(np.int8),
            inner_scale,
            threshold,
            np.round(outer / outer_scale[:, None]).astype(np.int8),
            outer_scale,
            shift,
        )

    def __call__(self, vectors: Array) -> Array:
        """The addition to vectors of shape (d,) or (n, d)."""
        hidden = (vectors @ self.inner.astype(np.float32)) * self.inner_scale + self.threshold
        added: Array = np.maximum(hidden, 0) * self.outer_scale @ self.outer.astype(np.float32)
        return added + self.shift


class Adapter(NamedTuple):
    """The networks of one embedding model.

    Attributes:
        folds: norm id to the fold that its questions are in.
        networks: the folds whose questions a network has not seen, to the network.
    """

    model: str
    folds: Mapping[str, int]
    networks: Mapping[frozenset[int], Network]

    def adapted(self, vector: tuple[float, ...], unseen: Iterable[str] = ()) -> tuple[float, ...]:
        """The unit vector to compare with those of texts; unchanged when no network is without `unseen`."""
        network = self.networks.get(frozenset(self.folds[norm] for norm in unseen if norm in self.folds))
        if network is None:
            return vector
        given = np.array(vector, dtype=np.float32)
        moved = given + network(given)
        return tuple(map(float, moved / (np.linalg.norm(moved) or 1.0)))


def save_adapter(adapter: Adapter, path: Path = FILE) -> None:
    """Write the networks."""
    columns = (np.array(column) for column in zip(*adapter.networks.values(), strict=True))
    inner, inner_scale, threshold, outer, outer_scale, shift = columns
    np.savez_compressed(
        path,
        model=np.array(adapter.model),
        norms=np.array(list(adapter.folds)),
        folds=np.array(list(adapter.folds.values())),
        unseen=np.array([",".join(map(str, sorted(one))) for one in adapter.networks]),
        inner=inner,
        inner_scale=inner_scale,
        threshold=threshold,
        outer=outer,
        outer_scale=outer_scale,
        shift=shift,
    )


@lru_cache(maxsize=4)
def load_adapter(path: Path = FILE) -> Adapter:
    """The networks of the file.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    with readable(path):
        stored = arrays(path)
        sets = [frozenset(map(int, filter(None, str(one).split(",")))) for one in stored["unseen"]]
        weights = zip(*(stored[name] for name in Network._fields), strict=True)
        networks = {unseen: Network(*one) for unseen, one in zip(sets, weights, strict=True)}
        folds = dict(zip(map(str, stored["norms"]), map(int, stored["folds"]), strict=True))
        return Adapter(str(stored["model"]), folds, networks)
