"""Parts that the trainers share: folds, logistic regression, AdamW, a network of one hidden layer."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

MEAN, SQUARE = 0.1, 0.001
"""Share of each gradient, and of its square, in what AdamW remembers of them."""
LEAST = 1e-8

Features = Mapping[str, float]


def folds(groups: Sequence[str], count: int) -> np.ndarray:
    """The fold of each row: those of a group in one, about as many rows in each."""
    part = np.zeros(len(groups), int)
    for number, (_, own) in enumerate(GroupKFold(count).split(part, groups=groups)):
        part[own] = number
    return part


def left_out(count: int) -> list[frozenset[int]]:
    """No fold, each of `count`, and each two of them: what a network has not seen."""
    return [frozenset(one) for size in range(3) for one in combinations(range(count), size)]


def regression(
    rows: Sequence[Features], right: Sequence[bool] | np.ndarray, weight: np.ndarray, penalty: float
) -> dict[str, float]:
    """Weights by name of the features, with the bias: logistic, L2 penalty on standardised features."""
    named, scaled = DictVectorizer(sparse=False, sort=False), StandardScaler()
    table = scaled.fit_transform(named.fit_transform(rows))
    model = LogisticRegression(C=1 / penalty, solver="newton-cholesky").fit(
        table, right, sample_weight=weight
    )
    raw = model.coef_[0] / scaled.scale_
    bias = float(model.intercept_[0] - raw @ scaled.mean_)
    return {**dict(zip(named.feature_names_, map(float, raw), strict=True)), "bias": bias}


class AdamW:
    """Steps over arrays, which it changes in place (Loshchilov and Hutter, 2019)."""

    def __init__(self, learned: list[np.ndarray], decay: float) -> None:
        self._learned, self._decay, self._steps = learned, decay, 0
        self._means = [np.zeros_like(one) for one in learned]
        self._squares = [np.zeros_like(one) for one in learned]

    def step(self, gradients: Sequence[np.ndarray], rate: float) -> None:
        """Move each array against its gradient, by at most about `rate`."""
        self._steps += 1
        for of, gradient in enumerate(gradients):
            self._means[of] += MEAN * (gradient - self._means[of])
            self._squares[of] += SQUARE * (gradient**2 - self._squares[of])
            mean = self._means[of] / (1 - (1 - MEAN) ** self._steps)
            square = self._squares[of] / (1 - (1 - SQUARE) ** self._steps)
            moved = mean / (np.sqrt(square) + LEAST)
            self._learned[of] -= rate * (self._decay * self._learned[of] + moved)


def batches(
    rows: int, size: int, epochs: int, dice: np.random.Generator
) -> Iterator[tuple[np.ndarray, float]]:
    """Rows of each batch of some epochs, and the share of the rate that is left: it falls to none."""
    shuffled = np.concatenate([dice.permutation(rows) for _ in range(epochs)])
    steps = max(1, epochs * (rows // size))
    for step, chosen in enumerate(np.array_split(shuffled, steps)):
        yield chosen, 1 - step / steps


class Hidden:
    """One hidden layer of rectified units while it learns, with dropout (Srivastava et al., 2014)."""

    def __init__(self, sizes: tuple[int, int, int], *, dropped: float, decay: float, seed: int) -> None:
        size, hidden, out = sizes
        self.dice, self._dropped = np.random.default_rng(seed), np.float32(dropped)
        bound = size**-0.5
        self.inner = self.dice.uniform(-bound, bound, (size, hidden)).astype(np.float32)
        self.threshold = self.dice.uniform(-bound, bound, hidden).astype(np.float32)
        self.outer, self.shift = np.zeros((hidden, out), np.float32), np.zeros(out, np.float32)
        self._optimiser = AdamW([self.inner, self.threshold, self.outer, self.shift], decay)

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Outputs for some rows, with a part of the units left out, shape (n, out)."""
        hidden = seen @ self.inner + self.threshold
        kept = self.dice.random(hidden.shape, np.float32) >= self._dropped
        self._seen, self._live = seen, (hidden > 0) * kept / (1 - self._dropped)
        self._hidden = hidden * self._live
        said: np.ndarray = self._hidden @ self.outer + self.shift
        return said

    def learn(self, error: np.ndarray, rate: float, steepest: float = np.inf) -> None:
        """A step against the gradient by what it said last, which is cut at a length."""
        back = (error @ self.outer.T) * self._live
        slopes = [self._seen.T @ back, back.sum(0), self._hidden.T @ error, error.sum(0)]
        length = float(np.sqrt(sum((slope**2).sum() for slope in slopes)))
        self._optimiser.step([slope * min(1.0, steepest / (length + LEAST)) for slope in slopes], rate)
