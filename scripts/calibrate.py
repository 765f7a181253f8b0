"""Fit the weights of `rag.stages.sufficiency`: `python -m scripts.calibrate ANSWERABLE UNANSWERABLE`.

Needs a home with the real corpus (ARTICULADO_HOME). Logistic regression with an L2 penalty, by Newton's
method; the error is measured by leave-one-out, so that no question judges itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np

import bootstrap
from config import settings
from rag.evaluation.cases import Case, read_cases
from rag.pipeline import retrieve
from rag.services import Services

NAMES = ("coverage", "known", "synonyms", "own", "other")
PENALTY = 0.3
STEPS = 60


def fit(x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Weights of a logistic regression, the last one the bias (not penalised). Shapes: (n, d), (n,), (n,)."""
    design = np.hstack([x, np.ones((len(x), 1))])
    penalty = PENALTY * np.eye(design.shape[1])
    penalty[-1, -1] = 0.0
    w = np.zeros(design.shape[1])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(design @ w, -30, 30)))
        gradient = design.T @ (weight * (p - y)) + penalty @ w
        hessian = (design * (weight * p * (1 - p))[:, None]).T @ design + penalty
        w -= np.linalg.solve(hessian + 1e-9 * np.eye(len(w)), gradient)
    return w


def predict(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Probability of being answerable, shape (n,)."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x @ w[:-1] + w[-1], -30, 30))))


async def features(cases: list[Case], services: Services) -> np.ndarray:
    """One row of signals a case, shape (n, len(NAMES))."""
    rows = []
    for case in cases:
        state = await retrieve(case.question, services, as_of=case.as_of or date.today())
        found = dict(state.signals)
        rows.append([found.get(name, 0.0) for name in NAMES])
    return np.array(rows)


def main(answerable: str, unanswerable: str) -> int:
    """Print weights, leave-one-out rates, and each question with the probability it had when left out."""
    program = bootstrap.build(settings())
    cases = [read_cases(Path(answerable)), read_cases(Path(unanswerable))]
    tables = [asyncio.run(features(group, program.services)) for group in cases]
    program.close()
    x = np.vstack(tables)
    y = np.array([1.0] * len(tables[0]) + [0.0] * len(tables[1]))
    questions = [case.question for group in cases for case in group]
    report(x, y, questions)
    return 0


def report(x: np.ndarray, y: np.ndarray, questions: Sequence[str]) -> None:
    """Fit and print. Shapes: (n, len(NAMES)), (n,), n questions."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    scaled = (x - mean) / spread
    weight = np.where(y == 1, len(y) / (2 * y.sum()), len(y) / (2 * (len(y) - y.sum())))
    left_out = np.array(
        [
            predict(scaled[[i]], fit(np.delete(scaled, i, 0), np.delete(y, i), np.delete(weight, i)))[0]
            for i in range(len(y))
        ]
    )
    w = fit(scaled, y, weight)
    raw = w[:-1] / spread
    bias = w[-1] - (w[:-1] * mean / spread).sum()
    print({**{n: round(float(v), 2) for n, v in zip(NAMES, raw, strict=True)}, "bias": round(float(bias), 2)})
    for cut in (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6):
        answered, refused = np.mean(left_out[y == 1] >= cut), np.mean(left_out[y == 0] < cut)
        print(f"cut {cut}: answered {answered:.3f}, refused {refused:.3f}")
    for question, p in sorted(zip(questions, left_out, strict=True), key=lambda q: q[1]):
        print(f"{p:.2f} {question[:90]!r}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
