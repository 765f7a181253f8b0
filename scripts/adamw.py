"""Steps of AdamW (Loshchilov and Hutter, 2019) over arrays, which it changes in place."""

from collections.abc import Sequence

import numpy as np

MEAN, SQUARE = 0.1, 0.001
"""Share of each gradient, and of its square, in what is remembered of them."""
LEAST = 1e-8


class AdamW:
    """The arrays that are learned, and what it remembers of their gradients."""

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
