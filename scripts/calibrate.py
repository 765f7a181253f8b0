"""Fit the weights of `rag.answers.sufficiency`: `python -m scripts.calibrate CASES...`.

Needs a home with the real corpus (ARTICULADO_HOME). Logistic regression with an L2 penalty, by Newton's
method. The error is measured by leave-one-out.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import bootstrap
from config import settings
from rag.clock import today_in_spain
from rag.evaluation.cases import Case, read_dataset
from rag.pipeline import retrieve
from rag.state import Services

NAMES = ("coverage", "known", "synonyms", "own", "other", "question")
CUT = 0.5
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


async def features(cases: Sequence[Case], services: Services) -> np.ndarray:
    """One row of signals a case, shape (n, len(NAMES))."""
    rows = []
    for case in cases:
        state, _ = await retrieve(case.question, services, as_of=case.as_of, today=today_in_spain())
        found = dict(state.signals)
        rows.append([found.get(name, 0.0) for name in NAMES])
    return np.array(rows)


def main(files: Sequence[str]) -> int:
    """Print weights with and without the embedding's signal, and the rates of each file when left out.

    Questions that name their article or follow another are left out: these signals never refuse them.
    """
    program = bootstrap.build(settings())
    cases = [
        (Path(file).stem, case)
        for file in files
        for case in read_dataset(Path(file)).cases
        if not case.history and case.category != "article-reference"
    ]
    x = asyncio.run(features([case for _, case in cases], program.services))
    program.close()
    y = np.array([float(case.answerable) for _, case in cases])
    names = np.array([name for name, _ in cases])
    for columns in (range(len(NAMES)), range(len(NAMES) - 1)):
        report(x[:, list(columns)], y, names, [case.question for _, case in cases])
    return 0


def report(x: np.ndarray, y: np.ndarray, names: np.ndarray, questions: Sequence[str]) -> None:
    """Fit and print. Shapes: (n, d), (n,), (n,), n questions."""
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
    print(
        {**{n: round(float(v), 2) for n, v in zip(NAMES, raw, strict=False)}, "bias": round(float(bias), 2)}
    )
    for cut in (0.3, 0.4, 0.5, 0.6, 0.7):
        rates = []
        for name in dict.fromkeys(names):
            here = names == name
            for right, word in ((1, "answered"), (0, "refused")):
                chosen = left_out[here & (y == right)]
                if len(chosen):
                    share = np.mean(chosen >= cut if right else chosen < cut)
                    rates.append(f"{name} {word} {share:.3f}")
        print(f"cut {cut}: " + ", ".join(rates))
    wrong = [(p, q) for p, q, right in zip(left_out, questions, y, strict=True) if (p >= CUT) != right]
    for p, question in sorted(wrong):
        print(f"{p:.2f} {question[:90]!r}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
